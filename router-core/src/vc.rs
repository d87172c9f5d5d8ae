//! Stage 4. Virtual channels of an input port: their buffers and their state.
//!
//! ```text
//!        1              2              3
//! Idle ─────► Waiting ─────► Waiting ─────► Active
//!   ▲        (no request)   (requesting)      │ 4
//!   └─────────────────────────────────────────┘   5: to Waiting, when another packet is behind
//!   ▲
//! Idle ◄────► Discarding
//! 1 wait (a head at the front)   2 select   3 activate (the head is granted)   4, 5 finish (the tail is granted)
//! ```
//!
//! Where packets follow each other, the one behind is routed and selected while the tail before it leaves, so that it is
//! requesting as it comes to the front: a packet of L flits takes L cycles.
//!
//! A buffer stores one descriptor per packet and counts flits; the flits themselves are the RTL's business. What changes with
//! every flit ([`Flow`]) is kept apart from what changes with every packet ([`Front`]), so that streaming touches little memory.

mod descriptor;
mod flow;
mod front;

use crate::discard::Discard;
use crate::route::Candidates;
use crate::units::{Bits, PortId, PortSet, VcId};
pub use descriptor::Descriptor;
pub use flow::Flow;
pub use front::Front;

/// What the front packet of a VC is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum VcState {
    /// There is no packet.
    #[default]
    Idle,
    /// Its head waits for an output.
    Waiting,
    /// It is leaving.
    Active {
        /// By this port,
        out: PortId,
        /// into this VC.
        vc: VcId,
    },
    /// It is leaving by no output.
    Discarding {
        /// For this reason.
        why: Discard,
    },
}

/// One VC of an input port, to look at.
#[derive(Clone, Copy, Debug)]
pub struct InputVc<B: Bits = usize> {
    pub(crate) flow: Flow,
    pub(crate) front: Front<B>,
}

impl<B: Bits> InputVc<B> {
    /// What the front packet is doing.
    pub fn state(&self) -> VcState {
        self.flow.state()
    }
    /// The port that the front packet is counted at.
    pub const fn minimal(&self) -> PortId {
        self.front.minimal()
    }
    /// Flits in the buffer.
    pub const fn flits(&self) -> u16 {
        self.flow.flits()
    }
    /// Packets in the buffer.
    pub const fn packets(&self) -> u16 {
        self.front.packets()
    }
    /// Flits of the front packet that have yet to leave.
    pub const fn left(&self) -> u16 {
        self.flow.left()
    }
    /// Flits of the newest packet that have yet to arrive.
    pub const fn expected(&self) -> u16 {
        self.flow.expected()
    }
    /// The outputs that the front packet requests.
    pub fn request(&self) -> PortSet<B> {
        self.front.request()
    }
    /// The front packet's candidates.
    pub const fn candidates(&self) -> &Candidates<B> {
        self.front.candidates()
    }
}
