//! Stage 3. Reservation: a packet for another group asks for a place on the global link of its shortest way before it leaves its node, and
//! takes a detour where there is none.
//!
//! Source: Jiang, Kim and Dally, ISCA 2009 (RES). The router that owns the link counts the packets that have a place and have not crossed it.
//! A question and its answer are packets of one flit between two nodes of a group ([`Message`]); a packet that has a place says so in its header
//! ([`has_place`]). How long packets wait for answers is the business of their nodes.

use crate::header::Header;
use crate::units::PortId;

/// When there is a place, and for how many packets a node asks at once, as a scenario has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Reservation {
    /// Packets that have a place on a link and have not crossed it, at most.
    pub threshold: u16,
    /// Packets of a node that have asked and not left.
    pub window: u16,
}

impl Default for Reservation {
    fn default() -> Self {
        Self { threshold: 12, window: 16 }
    }
}

/// The places on one global link, at the router that owns it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Places {
    taken: u16,
}

impl Places {
    /// Packets that have a place and have not crossed the link.
    pub const fn taken(self) -> u16 {
        self.taken
    }

    /// A packet asks for one of so many places: says whether it has got one.
    pub const fn ask(&mut self, threshold: u16) -> bool {
        let is_free = self.taken < threshold;
        if is_free {
            self.taken = self.taken.wrapping_add(1);
        }
        is_free
    }

    /// A packet that has a place crosses the link.
    pub const fn cross(&mut self) {
        self.taken = self.taken.saturating_sub(1);
    }
}

/// What a packet of one flit between two nodes says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Message {
    /// Is there a place on the link at this port of your router?
    Question(PortId),
    /// There is, or not.
    Answer(bool),
}

impl Message {
    const ANSWER: u32 = 1 << 7;

    /// The header of a packet that says so about the packet of this number of a node: `header` is that of a packet by the shortest way,
    /// which has no use for the field `via`.
    #[must_use]
    pub fn onto(self, header: Header, number: u8) -> Header {
        let via = match self {
            Self::Question(port) => u32::from(port.number()),
            Self::Answer(is_free) => Self::ANSWER | u32::from(is_free),
        };
        let progress = header.progress.with_via_ahead(false);
        Header { via, progress, carried: header.carried.with_spare(number), ..header }
    }

    /// What such a header says, and the number.
    pub const fn of(header: &Header) -> (Self, u8) {
        let message = if header.via & Self::ANSWER == 0 {
            Self::Question(PortId::new(header.via as u8))
        } else {
            Self::Answer(header.via & 1 != 0)
        };
        (message, header.carried.spare())
    }
}

/// The header of a packet that takes the shortest way, and has a place on its global link.
#[must_use]
pub fn with_place(header: Header) -> Header {
    let progress = header.progress.with_via_ahead(false);
    Header { progress, carried: header.carried.with_spare(1), ..header }
}

/// Whether a packet that crosses a global link has a place there: it crosses no other.
pub const fn has_place(header: &Header) -> bool {
    header.carried.spare() != 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Whatever is asked and whatever crosses, no more packets have a place than there are places; each that is granted is taken.
        #[test]
        fn no_more_packets_have_a_place_than_there_are(threshold in 0u16..20, asks: Vec<bool>) {
            let (mut places, mut taken) = (Places::default(), 0_u16);
            for is_question in asks {
                if is_question {
                    let is_free = places.ask(threshold);
                    prop_assert_eq!(is_free, taken < threshold);
                    taken = taken.saturating_add(is_free.into());
                } else {
                    places.cross();
                    taken = taken.saturating_sub(1);
                }
                prop_assert_eq!(places.taken(), taken);
                prop_assert!(taken <= threshold);
            }
        }
    }

    #[test]
    fn what_is_said_is_understood() {
        let questions = (0..64).map(|port| Message::Question(PortId::new(port)));
        for message in questions.chain([Message::Answer(false), Message::Answer(true)]) {
            for number in [0, 1, 63, 255] {
                let header = Header { via: 5, length: 1, ..Header::default() };
                let header = Header { progress: header.progress.with_via_ahead(true), ..header };
                let said = message.onto(header, number);
                assert_eq!(Message::of(&said), (message, number));
                assert_eq!(Header::parse(said.emit()), Ok(said));
                assert!(!said.progress.via_ahead());
            }
        }
    }

    #[test]
    fn a_place_is_said_in_the_header() {
        let header = Header { length: 8, ..Header::default() };
        assert!(!has_place(&header) && has_place(&with_place(header)));
        assert!(Header::parse(with_place(header).emit()).is_ok_and(|header| has_place(&header)));
    }
}
