//! What all records of a run amount to.

use desvio_tile::Name;
use std::fmt;

/// A packet that is lost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Loss {
    pub(super) name: Name,
    pub(super) to: u8,
    pub(super) reason: Reason,
}

/// Why a packet is lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reason {
    /// The link of a board reported flits of it lost: its neighbour had restarted.
    Reported { by: u8, neighbour: u8 },
    /// It came without its end, from a board that restarted.
    CutShort,
    /// It was in this board when that one restarted, or on its way there.
    Inside { board: u8 },
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Reported { by, neighbour } => {
                write!(f, "reported by board {by}, whose neighbour {neighbour} restarted")
            }
            Self::CutShort => f.write_str("came without its end, from a board that restarted"),
            Self::Inside { board } => write!(f, "in board {board} when it restarted, or on the way there"),
        }
    }
}

/// What all that amounts to.
#[derive(Debug, Default)]
pub(super) struct Verdict {
    pub(super) offered: usize,
    pub(super) delivered: usize,
    /// Reported lost by a link, and delivered: its acknowledgement was lost with the board.
    pub(super) spared: usize,
    /// Flits and hops of what was delivered.
    pub(super) flits: usize,
    pub(super) hops: usize,
    pub(super) losses: Vec<Loss>,
    pub(super) violations: Vec<String>,
}

/// As people say it: source, life where it is not the first, number.
pub(super) struct Shown(pub(super) Name);

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Name { source, life, number } = self.0;
        write!(f, "packet {number} of board {source}")?;
        if life > 0 { write!(f, " after restart {life}") } else { Ok(()) }
    }
}
