//! What a board found, until someone has read it.

use super::finding::Finding;

/// A kind of finding that has not been cleared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Latched {
    /// The first of its kind since it was cleared last.
    pub finding: Finding,
    /// How often it was found since. It stays at its highest value.
    pub times: u16,
}

/// Of each kind the first finding, until it is cleared.
#[derive(Clone, Copy, Debug)]
pub struct Findings([Option<Latched>; Finding::KINDS]);

impl Findings {
    /// None.
    #[must_use]
    pub const fn new() -> Self {
        Self([None; Finding::KINDS])
    }

    /// Latches a finding. Says whether it is the first of its kind.
    pub const fn latch(&mut self, finding: Finding) -> bool {
        let Some((_, rest)) = self.0.split_at_mut_checked(finding.kind()) else { return false };
        let Some(place) = rest.first_mut() else { return false };
        if let Some(latched) = place {
            latched.times = latched.times.saturating_add(1);
            return false;
        }
        *place = Some(Latched { finding, times: 1 });
        true
    }

    /// One bit for each kind that is latched.
    #[must_use]
    pub fn bits(&self) -> u32 {
        let bits = (0..).zip(&self.0).filter(|(_, place)| place.is_some());
        bits.fold(0, |bits, (kind, _)| bits | 1u32.wrapping_shl(kind))
    }

    /// Clears the kinds whose bits are 1, as a register that is cleared by writing ones.
    pub fn clear(&mut self, ones: u32) {
        for (kind, place) in (0..).zip(&mut self.0) {
            if ones.wrapping_shr(kind) & 1 == 1 {
                *place = None;
            }
        }
    }

    /// What is latched, by kind.
    pub fn iter(&self) -> impl Iterator<Item = Latched> {
        self.0.iter().copied().flatten()
    }

    /// Of a kind.
    #[must_use]
    pub fn of(&self, kind: usize) -> Option<Latched> {
        self.0.get(kind).copied().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::Reset;
    use router_core::units::PortId;

    #[test]
    fn the_first_of_a_kind_stays_until_its_bit_is_written() {
        let mut findings = Findings::new();
        let plan = |port| Finding::Plan { port: Some(PortId::new(port)) };
        assert!(findings.latch(plan(3)) && !findings.latch(plan(4)));
        assert!(findings.latch(Finding::Reset(Reset::BrownOut)));
        assert_eq!(findings.bits(), 1 << 7 | 1 << 14);
        findings.clear(!(1 << 7));
        assert_eq!(findings.of(7), Some(Latched { finding: plan(3), times: 2 }));
        assert_eq!(findings.iter().count(), 1);
        findings.clear(1 << 7);
        assert_eq!((findings.bits(), findings.of(7)), (0, None));
        assert!(findings.latch(plan(4)), "what is found after that is latched again");
    }
}
