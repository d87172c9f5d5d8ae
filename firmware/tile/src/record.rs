//! What a board tells its host.

use crate::content::Name;
use desvio_link::{Counters, PortState};
use tether::bytes::{Reader, Writer};

/// Something that happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Record {
    /// The board has booted and waits for its order.
    Booted,
    /// The board has its order.
    Started {
        /// Its life.
        life: u8,
    },
    /// The node is about to send a packet, and waits until this record is written.
    Offered {
        /// The packet.
        name: Name,
        /// The board that it is for.
        to: u8,
        /// Its flits.
        flits: u8,
    },
    /// All of a packet has been handed to a link.
    Left {
        /// The packet.
        name: Name,
        /// The port.
        port: u8,
    },
    /// All of a packet has come to the node, and each byte is right.
    Delivered {
        /// The packet.
        name: Name,
    },
    /// A packet has come to the node, and is not as it was sent.
    Broken {
        /// The packet, if its head can be read.
        name: Option<Name>,
        /// What is wrong.
        defect: Defect,
    },
    /// The link reports a flit lost, since the neighbour has restarted.
    Lost {
        /// The packet, unless its bytes are a filler's.
        name: Option<Name>,
        /// The port.
        port: u8,
    },
    /// The link did not take a flit, since the head of its packet went to a neighbour that has restarted.
    Severed {
        /// The packet.
        name: Option<Name>,
        /// The port.
        port: u8,
    },
    /// The state of a port has changed.
    Port {
        /// The port.
        port: u8,
        /// Its state.
        state: State,
    },
    /// The neighbour at a port has restarted. What left by the port before this record may be lost, what leaves after it may not.
    Restarted {
        /// The port.
        port: u8,
    },
    /// The router or a link refused a flit or a credit: never, as long as both keep the protocol.
    Refused {
        /// How many so far.
        count: u32,
    },
    /// The node has sent all its packets.
    Done,
    /// What happened at a port so far.
    Counted {
        /// The port.
        port: u8,
        /// Counts.
        counts: Counts,
    },
}

/// What is wrong with a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defect {
    /// It ends with flits that a link made up: a board on its way has restarted.
    CutShort,
    /// A byte is wrong, a flit is missing or too many, or it is for another board.
    Wrong,
}

/// The state of a port, without reasons.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum State {
    /// Silence.
    #[default]
    Down,
    /// On the way.
    Training,
    /// It carries flits.
    Up,
    /// The neighbour does not fit.
    Failed,
}

impl From<PortState> for State {
    fn from(state: PortState) -> Self {
        match state {
            PortState::Down => Self::Down,
            PortState::Training => Self::Training,
            PortState::Up => Self::Up,
            PortState::Failed(_) => Self::Failed,
        }
    }
}

impl State {
    const ALL: [Self; 4] = [Self::Down, Self::Training, Self::Up, Self::Failed];
}

/// Counters of a link.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Flits sent for the first time.
    pub sent: u32,
    /// Flits sent again.
    pub resent: u32,
    /// Frames with a wrong check sum or broken framing.
    pub broken: u32,
    /// Frames that make no sense.
    pub senseless: u32,
    /// How often the time for an acknowledgement ran out.
    pub timeouts: u32,
    /// How often the port went down.
    pub flaps: u32,
    /// How often the neighbour had restarted.
    pub restarts: u32,
    /// Flits reported lost.
    pub lost: u32,
}

impl From<&Counters> for Counts {
    fn from(of: &Counters) -> Self {
        Self {
            sent: of.sent,
            resent: of.resent,
            broken: of.crc_errors,
            senseless: of.protocol_errors,
            timeouts: of.timeouts,
            flaps: of.flaps,
            restarts: of.restarts,
            lost: of.lost,
        }
    }
}

/// Bytes of the longest record.
pub(crate) const LONGEST: usize = 2 + 8 * 4;

const BOOTED: u8 = 0;
const STARTED: u8 = 1;
const OFFERED: u8 = 2;
const LEFT: u8 = 3;
const DELIVERED: u8 = 4;
const BROKEN: u8 = 5;
const LOST: u8 = 6;
const SEVERED: u8 = 7;
const PORT: u8 = 8;
const DONE: u8 = 9;
const COUNTED: u8 = 10;
const RESTARTED: u8 = 11;
const REFUSED: u8 = 12;

impl Record {
    /// Writes it.
    pub fn write(&self, to: &mut Writer<'_>) {
        match self {
            Self::Booted => to.u8(BOOTED),
            Self::Started { life } => to.bytes(&[STARTED, *life]),
            Self::Offered { name, to: board, flits } => {
                to.bytes(&[OFFERED, *board, *flits]);
                name.write(to);
            }
            Self::Left { name, port } => {
                to.bytes(&[LEFT, *port]);
                name.write(to);
            }
            Self::Delivered { name } => {
                to.u8(DELIVERED);
                name.write(to);
            }
            Self::Broken { name, defect } => {
                to.bytes(&[BROKEN, u8::from(*defect == Defect::Wrong)]);
                write_option(*name, to);
            }
            Self::Lost { name, port } => {
                to.bytes(&[LOST, *port]);
                write_option(*name, to);
            }
            Self::Severed { name, port } => {
                to.bytes(&[SEVERED, *port]);
                write_option(*name, to);
            }
            Self::Port { port, state } => to.bytes(&[PORT, *port, *state as u8]),
            Self::Restarted { port } => to.bytes(&[RESTARTED, *port]),
            Self::Refused { count } => {
                to.u8(REFUSED);
                to.u32(*count);
            }
            Self::Done => to.u8(DONE),
            Self::Counted { port, counts } => {
                to.bytes(&[COUNTED, *port]);
                counts.all().iter().for_each(|&count| to.u32(count));
            }
        }
    }

    /// Reads it.
    pub fn read(from: &mut Reader<'_>) -> Option<Self> {
        Some(match from.u8().ok()? {
            BOOTED => Self::Booted,
            STARTED => Self::Started { life: from.u8().ok()? },
            OFFERED => {
                let [to, flits] = from.take().ok()?;
                Self::Offered { name: Name::read(from)?, to, flits }
            }
            LEFT => {
                let port = from.u8().ok()?;
                Self::Left { name: Name::read(from)?, port }
            }
            DELIVERED => Self::Delivered { name: Name::read(from)? },
            BROKEN => {
                let defect = if from.u8().ok()? == 0 { Defect::CutShort } else { Defect::Wrong };
                Self::Broken { name: Name::read(from), defect }
            }
            LOST => {
                let port = from.u8().ok()?;
                Self::Lost { name: Name::read(from), port }
            }
            SEVERED => {
                let port = from.u8().ok()?;
                Self::Severed { name: Name::read(from), port }
            }
            PORT => {
                let [port, state] = from.take().ok()?;
                Self::Port { port, state: *State::ALL.get(usize::from(state))? }
            }
            RESTARTED => Self::Restarted { port: from.u8().ok()? },
            REFUSED => Self::Refused { count: from.u32().ok()? },
            DONE => Self::Done,
            COUNTED => {
                let port = from.u8().ok()?;
                Self::Counted { port, counts: Counts::read(from)? }
            }
            _ => return None,
        })
    }
}

fn write_option(name: Option<Name>, to: &mut Writer<'_>) {
    if let Some(name) = name {
        name.write(to);
    }
}

impl Counts {
    /// With another link's.
    #[must_use]
    pub const fn plus(&self, other: &Self) -> Self {
        Self {
            sent: self.sent.saturating_add(other.sent),
            resent: self.resent.saturating_add(other.resent),
            broken: self.broken.saturating_add(other.broken),
            senseless: self.senseless.saturating_add(other.senseless),
            timeouts: self.timeouts.saturating_add(other.timeouts),
            flaps: self.flaps.saturating_add(other.flaps),
            restarts: self.restarts.saturating_add(other.restarts),
            lost: self.lost.saturating_add(other.lost),
        }
    }

    const fn all(&self) -> [u32; 8] {
        let Self { sent, resent, broken, senseless, timeouts, flaps, restarts, lost } = *self;
        [sent, resent, broken, senseless, timeouts, flaps, restarts, lost]
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let mut next = || from.u32().ok();
        Some(Self {
            sent: next()?,
            resent: next()?,
            broken: next()?,
            senseless: next()?,
            timeouts: next()?,
            flaps: next()?,
            restarts: next()?,
            lost: next()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let name = Name { source: 8, life: 1, number: 1_000_000 };
        let counts = Counts { sent: 1, resent: 2, lost: u32::MAX, ..Counts::default() };
        for record in [
            Record::Booted,
            Record::Started { life: 3 },
            Record::Offered { name, to: 4, flits: 2 },
            Record::Left { name, port: 4 },
            Record::Delivered { name },
            Record::Broken { name: Some(name), defect: Defect::CutShort },
            Record::Broken { name: None, defect: Defect::Wrong },
            Record::Lost { name: Some(name), port: 1 },
            Record::Lost { name: None, port: 2 },
            Record::Severed { name: None, port: 2 },
            Record::Port { port: 1, state: State::Failed },
            Record::Restarted { port: 2 },
            Record::Refused { count: 70_000 },
            Record::Done,
            Record::Counted { port: 3, counts },
        ] {
            let mut bytes = [0; LONGEST];
            let mut writer = Writer::new(&mut bytes);
            record.write(&mut writer);
            let length = writer.length().unwrap_or_default();
            let read = Record::read(&mut Reader::new(bytes.get(..length).unwrap_or_default()));
            assert_eq!(read, Some(record));
        }
    }
}
