//! On/off flow control, one VC of a link: what its sender may do, and which packet holds it.

use super::rule::Rule;

/// A VC, as both ends of a link see it. Without on/off flow control it is always open and never held.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gate {
    /// Cycles for which flits may still come when `on` has gone low.
    slack: u64,
    /// Cycles since `on` was high last.
    off_for: u64,
    /// Whether a VC is one packet's until it is freed.
    atomic: bool,
    hold: Hold,
}

/// Who holds a VC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hold {
    /// No packet: one may begin.
    Free,
    /// A packet, whose tail has not been sent.
    Taken,
    /// A packet whose tail has been sent: until the VC is freed.
    Sent,
}

impl Gate {
    /// A VC after a reset: free, and off until it is said to be on.
    pub(super) fn new(flow: Option<(u64, bool)>) -> Self {
        let (slack, atomic) = flow.unwrap_or_default();
        Self { slack, off_for: u64::MAX, atomic, hold: Hold::Free }
    }

    /// What `on` is in this cycle.
    pub(super) fn look(&mut self, on: bool) {
        self.off_for = if on { 0 } else { self.off_for.saturating_add(1) };
    }

    /// Whether the next flit may be sent in this cycle; `begins`: a head.
    pub(super) fn may_send(&self, begins: bool) -> bool {
        self.off_for <= self.slack && !(begins && self.atomic && self.hold != Hold::Free)
    }

    /// A flit is sent: which rule that breaks, and how.
    pub(super) fn send(&mut self, begins: bool, ends: bool) -> Result<(), (Rule, String)> {
        let was = *self;
        if self.atomic {
            self.hold = if ends { Hold::Sent } else { Hold::Taken };
        }
        if was.off_for > was.slack {
            let ago = match was.off_for {
                u64::MAX => "never up".to_owned(),
                cycles => format!("up {cycles} cycles ago"),
            };
            let message = format!(
                "a flit was sent although `on` was low: it was last {ago}, and slack is {}",
                was.slack
            );
            return Err((Rule::CreditNoDebt, message));
        }
        if !was.may_send(begins) {
            let message =
                "a packet begins in a VC that has not been freed since the one before it".to_owned();
            return Err((Rule::CreditNoDebt, message));
        }
        Ok(())
    }

    /// The VC is freed.
    pub(super) fn free(&mut self) -> Result<(), (Rule, String)> {
        let was = std::mem::replace(&mut self.hold, Hold::Free);
        match was {
            Hold::Sent => Ok(()),
            Hold::Free => Err((Rule::CreditBound, "a VC was freed that no packet held".to_owned())),
            Hold::Taken => {
                Err((Rule::CreditBound, "a VC was freed before the tail of its packet had come".to_owned()))
            }
        }
    }

    /// Whether its packet is through, and the VC waits to be freed.
    pub(super) fn is_due(&self) -> bool {
        self.hold == Hold::Sent
    }

    /// Whether no packet holds it.
    pub(super) fn is_free(&self) -> bool {
        self.hold == Hold::Free
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flits_may_come_for_a_while_when_on_has_gone() {
        let mut gate = Gate::new(Some((2, false)));
        assert!(!gate.may_send(true), "it was never on");
        gate.look(true);
        for _ in 0..2 {
            gate.look(false);
            assert_eq!(gate.send(true, true), Ok(()));
        }
        gate.look(false);
        assert!(!gate.may_send(false));
        let (rule, said) = gate.send(false, false).unwrap_err();
        assert!(rule == Rule::CreditNoDebt && said.contains("up 3 cycles ago, and slack is 2"), "{said}");
    }

    #[test]
    fn a_packet_holds_its_vc_until_that_is_freed() {
        let mut gate = Gate::new(Some((0, true)));
        gate.look(true);
        assert_eq!(gate.free().unwrap_err().0, Rule::CreditBound, "it was not held");
        assert_eq!(gate.send(true, false), Ok(()));
        assert_eq!(gate.free().unwrap_err().0, Rule::CreditBound, "its tail is to come");
        assert_eq!(gate.send(true, true), Ok(()));
        assert!(gate.is_due() && !gate.may_send(true));
        assert_eq!(gate.send(true, true).unwrap_err().0, Rule::CreditNoDebt);
        assert_eq!(gate.free(), Ok(()));
        assert!(gate.is_free() && gate.may_send(true));
        let mut shared = Gate::new(Some((0, false)));
        shared.look(true);
        assert_eq!((shared.send(true, true), shared.send(true, false)), (Ok(()), Ok(())));
        assert!(shared.is_free() && !shared.is_due());
    }
}
