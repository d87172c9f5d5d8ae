//! Whether the packets of a neighbour come once and in order.

use crate::content::Name;

/// What became of the packets of one source.
///
/// It holds where the source sends to this board alone, since numbers then come without gaps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Judge {
    life: u8,
    /// The number that comes next.
    next: u32,
    /// Packets that came, of all lives of the source.
    pub came: u32,
    /// Numbers that were left out.
    pub missing: u32,
    /// Packets that came again, or after a later one.
    pub late: u32,
}

impl Judge {
    /// Nothing has come.
    pub const fn new() -> Self {
        Self { life: 0, next: 0, came: 0, missing: 0, late: 0 }
    }

    /// A packet has come whole.
    pub const fn deliver(&mut self, name: Name) {
        if name.life != self.life {
            // The source has restarted, and counts from 0.
            (self.life, self.next) = (name.life, 0);
        }
        self.came = self.came.saturating_add(1);
        if name.number < self.next {
            self.late = self.late.saturating_add(1);
            return;
        }
        self.missing = self.missing.saturating_add(name.number.saturating_sub(self.next));
        self.next = name.number.saturating_add(1);
    }

    /// Whether each packet so far came once and in order.
    pub const fn is_content(&self) -> bool {
        self.missing == 0 && self.late == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(numbers: &[(u8, u32)]) -> Judge {
        let mut judge = Judge::new();
        for &(life, number) in numbers {
            judge.deliver(Name { source: 1, life, number });
        }
        judge
    }

    #[test]
    fn each_packet_once_and_in_order() {
        let judge = judged(&[(3, 0), (3, 1), (3, 2), (4, 0), (4, 1)]);
        assert!(judge.is_content());
        assert_eq!(judge.came, 5);
    }

    #[test]
    fn what_is_wrong_is_counted() {
        assert_eq!(judged(&[(0, 0), (0, 2)]).missing, 1);
        assert_eq!(judged(&[(0, 0), (0, 0)]).late, 1);
        assert_eq!(judged(&[(0, 1), (0, 0)]), Judge { life: 0, next: 2, came: 2, missing: 1, late: 1 });
        assert!(!judged(&[(0, 0), (1, 1)]).is_content());
    }
}
