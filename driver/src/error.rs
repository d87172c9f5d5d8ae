//! What can go wrong.

use crate::registers::{Answer, Outcome};
use core::fmt;

/// A register could not be read or written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum BusError<S> {
    /// The SPI of this side failed, in every attempt; this is how it did in the last one.
    Spi(S),
    /// Frames were damaged on the way, in every attempt.
    Corrupt {
        /// How many attempts that were.
        attempts: u8,
    },
    /// The switch understood and did not follow.
    Refused {
        /// The address of the register.
        address: u16,
        /// Its reason.
        answer: Answer,
    },
    /// The register does not hold what was written to it: this switch has fewer bits, or something else writes.
    NotHeld {
        /// The address of the register.
        address: u16,
        /// What was written.
        written: u32,
        /// What it holds.
        held: u32,
    },
}

/// An operation on a switch failed. `S` is the error of the SPI, `P` that of its pins.
///
/// Unless a variant's description differs, the configuration in use is the one from before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Error<S, P> {
    /// A register could not be read or written. When that happens to the commit itself, the old configuration or the new one is in
    /// use, all of it: the register `status` shows which.
    Bus(BusError<S>),
    /// The reset line could not be set, or the interrupt line not be read.
    Pin(P),
    /// Something answers, and it is no switch.
    NoSwitch {
        /// The register `version`.
        found: u32,
    },
    /// The switch has another map of registers than this driver.
    OtherMap {
        /// The version of its map.
        major: u32,
    },
    /// The table has another number of rows than the switch.
    WrongRows {
        /// Rows of the table.
        given: usize,
        /// Rows of the switch.
        expected: usize,
    },
    /// A set of ports has some that the switch has not.
    NoSuchPort {
        /// The set, one bit for each port.
        ports: usize,
    },
    /// The switch was built without this trigger.
    NotBuilt {
        /// The trigger that it was built with, by its number in `router_core::layout`.
        trigger: u32,
    },
    /// The random register cannot start at 0.
    ZeroSeed,
    /// The switch looked at what is staged, and did not put it to use.
    NotCommitted(Outcome),
    /// The commit did not come to an end in time; it may still do so.
    Timeout,
}

impl<S, P> From<BusError<S>> for Error<S, P> {
    fn from(error: BusError<S>) -> Self {
        Self::Bus(error)
    }
}

impl<S: fmt::Debug> fmt::Display for BusError<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Spi(error) => write!(f, "the SPI failed: {error:?}"),
            Self::Corrupt { attempts } => write!(f, "no frame came through whole in {attempts} attempts"),
            Self::Refused { address, answer } => write!(f, "register {address:#06x}: {answer}"),
            Self::NotHeld { address, written, held } => {
                write!(f, "register {address:#06x} holds {held:#x}, not {written:#x} as was written")
            }
        }
    }
}

impl<S: fmt::Debug, P: fmt::Debug> fmt::Display for Error<S, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bus(error) => error.fmt(f),
            Self::Pin(error) => write!(f, "the reset or interrupt line failed: {error:?}"),
            Self::NoSwitch { found } => write!(f, "what answers is no switch: its version is {found:#010x}"),
            Self::OtherMap { major } => write!(f, "the switch has version {major} of the register map"),
            Self::WrongRows { given, expected } => {
                write!(f, "a table of {given} rows for a switch with {expected}")
            }
            Self::NoSuchPort { ports } => write!(f, "the switch does not have all of the ports {ports:#b}"),
            Self::NotBuilt { trigger } => {
                write!(f, "the switch was built with trigger {trigger}, which cannot do that")
            }
            Self::ZeroSeed => f.write_str("the random register cannot start at 0"),
            Self::NotCommitted(outcome) => write!(f, "not committed: {outcome}"),
            Self::Timeout => f.write_str("the commit did not end in time"),
        }
    }
}

impl<S: fmt::Debug> core::error::Error for BusError<S> {}
impl<S: fmt::Debug, P: fmt::Debug> core::error::Error for Error<S, P> {}
