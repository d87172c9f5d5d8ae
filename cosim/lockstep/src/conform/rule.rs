//! What every switch must do, and how often it was looked at.

use std::fmt;

/// Behind a break of a rule the run goes on if the user allows it; behind others something is not known any more.
const FLITS: Option<&str> = Some("behind it, which flits are in the switch is not known any more");
const WAY: Option<&str> = Some("behind it, by which way a packet must leave is not known any more");
const ROOM: Option<&str> = Some("behind it, how much room the buffers have is not known any more");

/// The one list of the rules: each with its name, what must hold, and why a run ends with a break of it, if it does.
macro_rules! rules {
    ($($rule:ident $name:literal $sentence:literal $ends:expr;)*) => {
        /// One thing that every switch must do.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Rule {
            $(#[doc = concat!("`", $name, "`: ", $sentence, ".")] $rule,)*
        }

        impl Rule {
            /// Every rule, in the order of reports.
            pub const ALL: [Self; [$(Self::$rule),*].len()] = [$(Self::$rule),*];

            /// Its name.
            pub fn name(self) -> &'static str {
                match self { $(Self::$rule => $name,)* }
            }

            /// What must hold.
            pub fn sentence(self) -> &'static str {
                match self { $(Self::$rule => $sentence,)* }
            }

            /// Why a run cannot go on behind a break of this rule; `None` if it can.
            pub fn ends_the_run(self) -> Option<&'static str> {
                match self { $(Self::$rule => $ends,)* }
            }
        }
    };
}

rules! {
    FlitInvented "FLIT-INVENTED" "each flit that comes out went in before" FLITS;
    FlitDuplicated "FLIT-DUPLICATED" "each flit comes out once" FLITS;
    FlitLost "FLIT-LOST" "each flit comes out" FLITS;
    FlitOrder "FLIT-ORDER" "the flits of a packet come out in order" FLITS;
    FlitChanged "FLIT-CHANGED" "a flit comes out as it went in, but for what the map allows" None;
    LegalPort "LEGAL-PORT" "a packet leaves by a port that is a legal candidate" WAY;
    LegalVc "LEGAL-VC" "a packet leaves by a VC that is a legal candidate" WAY;
    UnwiredPort "UNWIRED-PORT" "no flit leaves by a port that leads nowhere" WAY;
    NextPort "NEXT-PORT" "a head names a legal port of the next router" None;
    OneWay "ONE-WAY" "all flits of a packet leave by one port and VC" WAY;
    PacketMixed "PACKET-MIXED" "no other packet's flits are between those of a packet in a VC" WAY;
    PacketWhole "PACKET-WHOLE" "no other packet's flits are between those of a packet on a link" None;
    PacketOrder "PACKET-ORDER" "packets from one input VC to one output VC keep their order" None;
    AllArrived "ALL-ARRIVED" "a packet leaves when all of it has come in" None;
    RoomForAll "ROOM-FOR-ALL" "a head leaves when the next buffer has room for its packet" None;
    RoomForTwo "ROOM-FOR-TWO" "a packet comes on to an escape ring where two have room" None;
    VcEmpty "VC-EMPTY" "a packet begins in a VC of a router when its buffer is empty" None;
    CreditNoDebt "CREDIT-NO-DEBT" "no flit is sent without a credit" ROOM;
    CreditBound "CREDIT-BOUND" "no credit comes back for a flit that was not sent" ROOM;
    CreditHome "CREDIT-HOME" "every credit comes back" ROOM;
    CreditKept "CREDIT-KEPT" "an output VC sends as many flits as it has credits" None;
    Waiting "WAITING" "no packet waits for ever" None;
    FairShare "FAIR-SHARE" "no input gets far less of an output than the others" None;
    LinkPace "LINK-PACE" "a link is not given flits faster than it takes them" None;
    OfferStable "OFFER-STABLE" "a flit that was offered stays until it is taken" None;
    OwnChecks "OWN-CHECKS" "the design's own assertions hold" None;
    ErrorPin "ERROR-PIN" "outputs that report errors stay 0" None;
}

impl Rule {
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
