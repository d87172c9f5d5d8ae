//! What a board finds wrong with itself.

use super::reset::Reset;
#[cfg(feature = "storage")]
use crate::store::Trouble;
use core::fmt;
use desvio_driver::registers::Outcome;
use router_core::event::ProtocolError;
use router_core::units::{PortId, PortSet, VcId};

/// Something that a board found wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Finding {
    /// A register has changed by itself: one of the eight from this address on.
    Registers {
        /// Address.
        from: u16,
    },
    /// The checksum of the table in use is not the one that the driver declared.
    Table,
    /// A row of the table in use names ports that are not there, are not connected, or lead to a node.
    Row {
        /// The row: the router that it leads to.
        row: u16,
        /// These ports.
        ports: PortSet,
    },
    /// A commit was refused: the staged table is not what the driver declared, or there is none.
    Commit(Outcome),
    /// A threshold in use is out of the range in which it means something in this router.
    Threshold {
        /// Its name, as in scenarios.
        name: &'static str,
    },
    /// The router does not select as the registers in use say.
    Selection,
    /// The router is not at the place that the registers in use say.
    Place,
    /// What the router is built as has changed.
    Plan {
        /// At this port; nothing: what all ports have in common.
        port: Option<PortId>,
    },
    /// There are more credits than places behind an output.
    Credits {
        /// The output,
        port: PortId,
        /// and the VC behind it.
        vc: VcId,
        /// Its credits,
        left: u16,
        /// and its places.
        places: u16,
    },
    /// The credits of an output do not agree with the flits that left and the credits that came.
    Balance {
        /// The output.
        port: PortId,
        /// Credits that nothing brought; below 0: that are missing.
        gained: i32,
    },
    /// An input VC holds more flits than it has places, or its front packet leaves by a port that is not there.
    Queue {
        /// The input,
        port: PortId,
        /// and its VC.
        vc: VcId,
        /// Flits.
        flits: u16,
    },
    /// A contention counter is not the number of packets that it counts.
    Contention {
        /// Of this output.
        port: PortId,
        /// What it says,
        counted: u16,
        /// and the packets that there are.
        packets: u16,
    },
    /// A neighbour broke the protocol, or a packet had no route.
    Protocol(ProtocolError),
    /// A tick came late: so long after the one before, in units of the clock.
    LateTick {
        /// Time.
        took: u32,
    },
    /// The board started after something had gone wrong.
    Reset(Reset),
    /// What is kept in flash could not be used, or not be written.
    #[cfg(feature = "storage")]
    Store(Trouble),
}

impl Finding {
    /// Hands it to the logger, if one is built in.
    #[inline(always)]
    pub(super) fn emit(self, cycle: u64) {
        #[cfg(feature = "defmt")]
        defmt::warn!("{=u64}: found: {}", cycle, self);
        let _ = (cycle, self);
    }

    /// How many kinds there are.
    pub const KINDS: usize = 16;

    /// The number of its kind: its bit in [`Findings::bits`](super::Findings::bits).
    #[must_use]
    pub const fn kind(&self) -> usize {
        match self {
            Self::Registers { .. } => 0,
            Self::Table => 1,
            Self::Row { .. } => 2,
            Self::Commit(_) => 3,
            Self::Threshold { .. } => 4,
            Self::Selection => 5,
            Self::Place => 6,
            Self::Plan { .. } => 7,
            Self::Credits { .. } => 8,
            Self::Balance { .. } => 9,
            Self::Queue { .. } => 10,
            Self::Contention { .. } => 11,
            Self::Protocol(_) => 12,
            Self::LateTick { .. } => 13,
            Self::Reset(_) => 14,
            #[cfg(feature = "storage")]
            Self::Store(_) => 15,
        }
    }

    /// Whether the board is not to be relied on: its watchdog is not fed. The others are faults of what it was given.
    #[must_use]
    pub const fn is_fault(&self) -> bool {
        match self {
            Self::Row { .. }
            | Self::Commit(_)
            | Self::Threshold { .. }
            | Self::Protocol(_)
            | Self::Reset(_) => false,
            #[cfg(feature = "storage")]
            Self::Store(_) => false,
            _ => true,
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Registers { from } => write!(f, "a register has changed by itself, from address {from} on"),
            Self::Table => f.write_str("the routing table in use is not what the driver declared"),
            Self::Row { row, ports } => {
                write!(f, "row {row} of the routing table names wrong ports:")?;
                ports.iter().try_for_each(|port| write!(f, " {}", port.number()))
            }
            Self::Commit(outcome) => write!(f, "a commit was refused: {outcome}"),
            Self::Threshold { name } => write!(f, "the threshold {name} is out of range"),
            Self::Selection => f.write_str("the router does not select as was committed"),
            Self::Place => f.write_str("the router is not at the place that was committed"),
            Self::Plan { port: Some(port) } => write!(f, "the plan of port {} has changed", port.number()),
            Self::Plan { port: None } => f.write_str("the plan of all ports has changed"),
            Self::Credits { port, vc, left, places } => {
                let (port, vc) = (port.number(), vc.number());
                write!(f, "port {port} VC {vc} has {left} credits for {places} places")
            }
            Self::Balance { port, gained } => {
                let what = if *gained < 0 { "misses" } else { "has too many" };
                write!(f, "port {} {what} credits: {}", port.number(), gained.unsigned_abs())
            }
            Self::Queue { port, vc, flits } => {
                write!(f, "input port {} VC {} is wrong: {flits} flits", port.number(), vc.number())
            }
            Self::Contention { port, counted, packets } => {
                write!(f, "port {} counts {counted} packets of {packets}", port.number())
            }
            Self::Protocol(error) => write!(f, "{error}"),
            Self::LateTick { took } => write!(f, "a tick took {took}"),
            Self::Reset(reset) => write!(f, "the board was reset: {reset}"),
            #[cfg(feature = "storage")]
            Self::Store(trouble) => write!(f, "flash: {trouble}"),
        }
    }
}
