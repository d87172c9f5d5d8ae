//! How packets share an output.

use crate::layout;

/// What an output, and the input that sends to it, are allocated to.
#[repr(u8)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum AllocationUnit {
    /// A flit: flits of packets in different VCs take turns.
    #[default]
    Flit = layout::ALLOCATION_UNIT_FLIT as u8,
    /// A packet: from its head's grant to its tail's nothing else leaves its input port, and nothing else enters its output.
    ///
    /// Not with [`FlowControl::Wormhole`](crate::links::FlowControl::Wormhole): a packet that waits for credits would hold the link before all other VCs, and VCs
    /// would not keep packets from waiting for each other in a circle.
    Packet = layout::ALLOCATION_UNIT_PACKET as u8,
}

crate::words!(AllocationUnit {
    "flit" => [Self::Flit],
    "packet" => [Self::Packet],
});

impl AllocationUnit {
    /// The number of the RTL's parameter `ALLOCATION_UNIT`.
    pub const fn rtl(self) -> Option<u32> {
        Some(self as u32)
    }
}

/// Which inputs an output serves first.
#[repr(u8)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Priority {
    /// The one whose turn it is.
    #[default]
    None = layout::PRIORITY_NONE as u8,
    /// Those from other routers, then those from nodes; among each the one whose turn it is.
    Transit = layout::PRIORITY_TRANSIT as u8,
}

crate::words!(Priority {
    "none" => [Self::None],
    "transit" => [Self::Transit],
});

impl Priority {
    /// The number of the RTL's parameter `PRIORITY`.
    pub const fn rtl(self) -> Option<u32> {
        Some(self as u32)
    }
}
