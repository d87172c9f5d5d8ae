//! The two ways of a new packet, of which its first router takes one by queues and by the broadcasts of its group.

use crate::units::{PortId, VcId};

/// A way: its first hop, and how many there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Way {
    /// The output.
    pub port: PortId,
    /// The VC behind it: the first of several.
    pub vc: VcId,
    /// Hops between routers.
    pub hops: u32,
}

/// The global link of a way in the packet's own group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Exit {
    /// The local port to the router that has it; nothing where it is the router's own.
    pub behind: Option<PortId>,
    /// The port there.
    pub port: PortId,
    /// The VC behind the link.
    pub vc: VcId,
}

/// Both ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Ways {
    /// The shortest.
    pub minimal: Way,
    /// The link by which that leaves the group, if it does.
    pub exit: Option<Exit>,
    /// The other one.
    pub detour: Way,
}
