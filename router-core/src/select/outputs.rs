//! What selection, admission and the way out see of the outputs.

use crate::contention::Contention;
use crate::output::OutputPort;
use crate::per_port::PerPort;
use crate::plan::Plan;
use crate::route::{CandidateSet, Candidates, HopKind};
use crate::units::{PortId, PortSet, VcId, VcSet};

/// The outputs, with what is behind them, as they were at the end of the cycle before.
#[derive(Clone, Copy)]
pub struct Outputs<'a, const P: usize, const V: usize> {
    /// The common settings.
    pub plan: &'a Plan<P>,
    /// The output ports.
    pub ports: &'a PerPort<OutputPort<V>, P>,
    /// VCs of the next router that a packet holds, from its head's grant to its tail's.
    pub owned: &'a PerPort<VcSet, P>,
    /// The contention counters.
    pub contention: &'a Contention<P>,
    /// The connected ports.
    pub wired: PortSet,
    /// Those whose FIFO takes no flit more.
    pub full: PortSet,
}

impl<const P: usize, const V: usize> Outputs<'_, P, V> {
    /// Whether the FIFO of a port takes one flit more.
    #[inline(always)]
    pub const fn accepts(&self, port: PortId) -> bool {
        !self.full.contains(port)
    }

    /// Whether a port cannot take a packet for lack of space: in the buffer of this VC, or in the FIFO. That another
    /// packet is just passing into the VC does not count.
    #[inline(always)]
    pub fn is_blocked(&self, port: PortId, vc: VcId, length: u16) -> bool {
        !self.accepts(port) || self.ports.get(port).is_some_and(|out| out.credits.left(vc) < length)
    }

    /// The set by which a head may leave by `port` now, the first in offer order, and the VCs that it may take there. None:
    /// infeasible.
    #[inline]
    pub fn open(&self, port: PortId, all: &Candidates, length: u16) -> Option<(CandidateSet, VcSet)> {
        // A loop, not `find`: the compiler leaves that in a function of its own.
        for set in all.every() {
            if set.ports.contains(port) {
                let vcs = self.open_to(port, &set, length);
                if !vcs.is_empty() {
                    return Some((set, vcs));
                }
            }
        }
        None
    }

    /// The VCs of one set by which a head may leave now: FIFO, VC and credits have room for it.
    #[inline]
    pub fn open_to(&self, port: PortId, set: &CandidateSet, length: u16) -> VcSet {
        let room = self.plan.flow.room(length, set.kind);
        match self.ports.get(port) {
            Some(out) if self.accepts(port) => {
                out.roomy(set.vcs.and(self.plan.vcs(port)).minus(self.owned.at(port)), room)
            }
            _ => VcSet::EMPTY,
        }
    }

    /// Whether a head may leave by `port` now, on a hop of this kind.
    #[inline]
    pub(super) fn is_open_to(&self, kind: HopKind, port: PortId, all: &Candidates, length: u16) -> bool {
        for set in all.every() {
            if set.ports.contains(port) && set.kind == kind && !self.open_to(port, &set, length).is_empty() {
                return true;
            }
        }
        false
    }

    /// The ports by which a head may leave now.
    pub fn open_ports(&self, all: &Candidates, length: u16) -> PortSet {
        all.ports().minus(self.full).iter().filter(|&port| self.open(port, all, length).is_some()).collect()
    }
}
