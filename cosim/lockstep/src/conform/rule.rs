//! What every switch must do, and how often it was looked at.

use std::fmt;

/// One thing that every switch must do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Rule {
    /// Each flit that comes out went in before.
    FlitInvented,
    /// Each flit comes out once.
    FlitDuplicated,
    /// Each flit comes out.
    FlitLost,
    /// The flits of a packet come out in order.
    FlitOrder,
    /// A flit comes out as it went in, but for what the map allows.
    FlitChanged,
    /// A packet leaves by a port that is a legal candidate.
    LegalPort,
    /// A packet leaves by a VC that is a legal candidate.
    LegalVc,
    /// No flit leaves by a port that leads nowhere.
    UnwiredPort,
    /// A head names a port by which the packet may leave the next router.
    NextPort,
    /// All flits of a packet leave by one port and VC.
    OneWay,
    /// No flit of another packet is between those of a packet in a VC.
    PacketMixed,
    /// Packets from one input VC to one output VC keep their order.
    PacketOrder,
    /// No flit is sent without a credit.
    CreditNoDebt,
    /// No credit comes back for a flit that was not sent.
    CreditBound,
    /// Every credit comes back.
    CreditHome,
    /// An output VC sends as many flits as it was given credits.
    CreditKept,
    /// A packet does not wait for ever when the next buffers have room.
    Waiting,
    /// A link takes one flit in the cycles that the map says.
    LinkPace,
    /// A flit that was offered stays until it is taken.
    OfferStable,
    /// The design's own assertions hold.
    OwnChecks,
    /// Outputs that report errors stay 0.
    ErrorPin,
}

impl Rule {
    /// Every rule, in the order of reports.
    pub const ALL: [Self; 21] = [
        Self::FlitInvented,
        Self::FlitDuplicated,
        Self::FlitLost,
        Self::FlitOrder,
        Self::FlitChanged,
        Self::LegalPort,
        Self::LegalVc,
        Self::UnwiredPort,
        Self::NextPort,
        Self::OneWay,
        Self::PacketMixed,
        Self::PacketOrder,
        Self::CreditNoDebt,
        Self::CreditBound,
        Self::CreditHome,
        Self::CreditKept,
        Self::Waiting,
        Self::LinkPace,
        Self::OfferStable,
        Self::OwnChecks,
        Self::ErrorPin,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::FlitInvented => "FLIT-INVENTED",
            Self::FlitDuplicated => "FLIT-DUPLICATED",
            Self::FlitLost => "FLIT-LOST",
            Self::FlitOrder => "FLIT-ORDER",
            Self::FlitChanged => "FLIT-CHANGED",
            Self::LegalPort => "LEGAL-PORT",
            Self::LegalVc => "LEGAL-VC",
            Self::UnwiredPort => "UNWIRED-PORT",
            Self::NextPort => "NEXT-PORT",
            Self::OneWay => "ONE-WAY",
            Self::PacketMixed => "PACKET-MIXED",
            Self::PacketOrder => "PACKET-ORDER",
            Self::CreditNoDebt => "CREDIT-NO-DEBT",
            Self::CreditBound => "CREDIT-BOUND",
            Self::CreditHome => "CREDIT-HOME",
            Self::CreditKept => "CREDIT-KEPT",
            Self::Waiting => "WAITING",
            Self::LinkPace => "LINK-PACE",
            Self::OfferStable => "OFFER-STABLE",
            Self::OwnChecks => "OWN-CHECKS",
            Self::ErrorPin => "ERROR-PIN",
        }
    }

    /// The rule of that name.
    ///
    /// # Errors
    /// There is none; the text lists all names.
    pub fn named(name: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|rule| rule.name() == name).ok_or_else(|| {
            let names: Vec<_> = Self::ALL.iter().map(|rule| rule.name()).collect();
            format!("there is no rule {name:?}, only {}", names.join(", "))
        })
    }

    /// Why a run cannot go on behind a break of this rule; `None` if it can.
    pub fn ends_the_run(self) -> Option<&'static str> {
        match self {
            Self::FlitChanged
            | Self::NextPort
            | Self::PacketOrder
            | Self::CreditKept
            | Self::Waiting
            | Self::LinkPace
            | Self::OfferStable
            | Self::OwnChecks
            | Self::ErrorPin => None,
            Self::FlitInvented | Self::FlitDuplicated | Self::FlitLost | Self::FlitOrder => {
                Some("behind it, which flits are in the switch is not known any more")
            }
            Self::LegalPort | Self::LegalVc | Self::UnwiredPort | Self::OneWay | Self::PacketMixed => {
                Some("behind it, by which way a packet must leave is not known any more")
            }
            Self::CreditNoDebt | Self::CreditBound | Self::CreditHome => {
                Some("behind it, how much room the buffers have is not known any more")
            }
        }
    }

    /// What must hold.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::FlitInvented => "each flit that comes out went in before",
            Self::FlitDuplicated => "each flit comes out once",
            Self::FlitLost => "each flit comes out",
            Self::FlitOrder => "the flits of a packet come out in order",
            Self::FlitChanged => "a flit comes out as it went in",
            Self::LegalPort => "a packet leaves by a port that is a legal candidate",
            Self::LegalVc => "a packet leaves by a VC that is a legal candidate",
            Self::UnwiredPort => "no flit leaves by a port that leads nowhere",
            Self::NextPort => "a head names a legal port of the next router",
            Self::OneWay => "all flits of a packet leave by one port and VC",
            Self::PacketMixed => "no other packet's flits are between those of a packet in a VC",
            Self::PacketOrder => "packets from one input VC to one output VC keep their order",
            Self::CreditNoDebt => "no flit is sent without a credit",
            Self::CreditBound => "no credit comes back for a flit that was not sent",
            Self::CreditHome => "every credit comes back",
            Self::CreditKept => "an output VC sends as many flits as it has credits",
            Self::Waiting => "no packet waits for ever",
            Self::LinkPace => "a link is not given flits faster than it takes them",
            Self::OfferStable => "a flit that was offered stays until it is taken",
            Self::OwnChecks => "the design's own assertions hold",
            Self::ErrorPin => "outputs that report errors stay 0",
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How often each rule was looked at.
#[derive(Clone, Debug, Default)]
pub struct Checks([u64; Rule::ALL.len()]);

impl Checks {
    /// Counts one look.
    pub(super) fn count(&mut self, rule: Rule) {
        self.0[rule as usize] += 1;
    }

    /// Looks at one rule.
    pub fn of(&self, rule: Rule) -> u64 {
        self.0[rule as usize]
    }

    /// Looks at all rules.
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }
}

/// A rule that was broken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The rule.
    pub rule: Rule,
    /// Where: a port of the switch and perhaps a VC, in words.
    pub place: String,
    /// What happened.
    pub message: String,
    /// The cycle in which it began, where that is known to lie further back.
    pub since: Option<u64>,
    /// The packet, its header, where it came in and when; empty where there is none.
    pub packet: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_in_the_order_of_the_numbers() {
        for (number, rule) in Rule::ALL.into_iter().enumerate() {
            assert_eq!(rule as usize, number, "{rule}");
            assert_eq!(Rule::named(rule.name()), Ok(rule));
        }
        assert!(Rule::named("waiting").unwrap_err().contains("OFFER-STABLE"));
    }
}
