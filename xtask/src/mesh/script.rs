//! What goes wrong, and when: by how many packets have come, and by what the boards say of it.

use desvio_tile::{Record, State};

/// A change to the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// The cable with this number is cut,
    Cut(usize),
    /// or mended.
    Mend(usize),
    /// A board loses its power,
    Stop(u8),
    /// and gets it back.
    Start(u8),
}

/// When a change comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum When {
    /// So many packets of a hundred have come.
    Percent(u8),
    /// This port of a board is down.
    IsDown(u8, u8),
    /// At once after the change before.
    Then,
}

/// Changes in their order.
#[derive(Debug, Default)]
pub(super) struct Script {
    steps: Vec<(When, Change)>,
    next: usize,
    /// Ports of which the boards said that they are down since the last change.
    down: Vec<(u8, u8)>,
}

impl Script {
    /// Adds a change.
    pub(super) fn add(&mut self, when: When, change: Change) {
        self.steps.push((when, change));
    }

    /// Takes notice of a record.
    pub(super) fn hear(&mut self, board: u8, record: &Record) {
        if let Record::Port { port, state: State::Down } = *record {
            self.down.push((board, port));
        }
    }

    /// The change that is due, if one is.
    pub(super) fn poll(&mut self, percent: usize) -> Option<Change> {
        let &(when, change) = self.steps.get(self.next)?;
        let is_due = match when {
            When::Percent(from) => percent >= usize::from(from),
            When::IsDown(board, port) => self.down.contains(&(board, port)),
            When::Then => true,
        };
        if is_due {
            self.next += 1;
            self.down.clear();
        }
        is_due.then_some(change)
    }

    /// Whether all changes have been made.
    pub(super) fn is_over(&self) -> bool {
        self.next >= self.steps.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_come_in_order_and_when_they_are_due() {
        let mut script = Script::default();
        script.add(When::Percent(20), Change::Cut(3));
        script.add(When::IsDown(1, 2), Change::Mend(3));
        script.add(When::Then, Change::Stop(4));
        let down = Record::Port { port: 2, state: State::Down };
        // Before the cut, this is of no account.
        script.hear(1, &down);
        assert_eq!(script.poll(19), None);
        assert_eq!(script.poll(20), Some(Change::Cut(3)));
        assert_eq!(script.poll(90), None);
        script.hear(1, &down);
        assert_eq!(script.poll(20), Some(Change::Mend(3)));
        assert!(!script.is_over());
        assert_eq!(script.poll(0), Some(Change::Stop(4)));
        assert!(script.is_over());
    }
}
