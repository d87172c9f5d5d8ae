//! The discards of an InfiniBand switch. Four are of packets that leave by no output of their forwarding table. The fifth is of packets
//! that wait at the head of a queue, or are in the router, for too long ([`crate::lifetime`]).
//!
//! A packet that is discarded leaves its VC flit by flit, in cycles in which no other flit of its input leaves; their credits go back as
//! those of any flit. It takes no output, asks for none and is counted at none. The same decision in SystemVerilog is `dsv_discard`.
//! Source: InfiniBand Architecture Specification, volume 1, 18.2.4.3 (relay of packets) and 18.2.4.3.3 (linear forwarding table).

use crate::layout;
use crate::plan::Plan;
use crate::route::Here;
use crate::units::{Bits, Channel, PortId, PortSet};

/// Why a packet is discarded.
#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Discard {
    /// The table has no entry for its destination.
    NotInTable = layout::DISCARD_NOT_IN_TABLE as u8,
    /// The output is a port that does not exist or leads to no other router; or the management port, where nothing takes what comes on a
    /// VC for management.
    InvalidPort = layout::DISCARD_INVALID_PORT as u8,
    /// The output is the port that it came by.
    InputPort = layout::DISCARD_INPUT_PORT as u8,
    /// The output is the management port, and it did not come on a VC for management.
    ManagementPort = layout::DISCARD_MANAGEMENT_PORT as u8,
    /// It waited at the front of its VC for longer than its output's limit, was in the router for longer than that has for a limit, or waited
    /// for a lane that is stalled.
    Lifetime = layout::DISCARD_LIFETIME as u8,
}

impl Discard {
    /// How many reasons there are.
    pub const COUNT: usize = layout::DISCARD_COUNT as usize;

    /// All of them, by number.
    pub const ALL: [Self; Self::COUNT] =
        [Self::NotInTable, Self::InvalidPort, Self::InputPort, Self::ManagementPort, Self::Lifetime];

    /// A number from 0 to `COUNT − 1`, for counters.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The reason of this number; above them all the last one.
    pub(crate) const fn numbered(number: u8) -> Self {
        match number as u32 {
            layout::DISCARD_NOT_IN_TABLE => Self::NotInTable,
            layout::DISCARD_INVALID_PORT => Self::InvalidPort,
            layout::DISCARD_INPUT_PORT => Self::InputPort,
            layout::DISCARD_MANAGEMENT_PORT => Self::ManagementPort,
            _ => Self::Lifetime,
        }
    }
}

impl core::fmt::Display for Discard {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::NotInTable => "its destination is not in the table",
            Self::InvalidPort => "its output leads to no other router",
            Self::InputPort => "its output is the port that it came by",
            Self::ManagementPort => "its output is the management port",
            Self::Lifetime => "its time at the head of its queue, or in the router, was up",
        })
    }
}

/// The port of a table that stands for the management of the router itself.
pub const MANAGEMENT_PORT: PortId = PortId::new(0);

/// Why a packet that came by `from` is discarded, if it is: the table has `outputs` for it, of which at most one leads to another router.
/// At the router of its destination (`is_here`) these are the connected ports of its node.
#[inline]
#[must_use]
pub fn why<const P: usize, B: Bits>(
    plan: &Plan<P>,
    here: &Here<B>,
    from: Channel,
    is_here: bool,
    outputs: PortSet<B>,
) -> Option<Discard> {
    if outputs.is_empty() {
        return Some(Discard::NotInTable);
    }
    let links = here.wired.minus(plan.links.nodes());
    if is_here || outputs.minus(links).is_empty() {
        return outputs.contains(from.port).then_some(Discard::InputPort);
    }
    let is_management = plan.lanes().is_some_and(|lanes| lanes.management.contains(from.vc));
    let to_management = outputs == PortSet::only(MANAGEMENT_PORT) && !is_management;
    Some(if to_management { Discard::ManagementPort } else { Discard::InvalidPort })
}
