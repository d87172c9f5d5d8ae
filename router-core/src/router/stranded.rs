//! Packets that can never leave, whatever comes: what they need, no output has.

use super::Router;
use crate::links::FlowControl;
use crate::plan::Plan;
use crate::route::{Candidate, Candidates, HopKind};
use crate::units::{Bits, Channel, PortId, VcId};
use crate::vc::{Descriptor, VcState};

/// Why a packet can never leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Stranded {
    /// No output that it may leave by has a VC that it may take there.
    NoSuchVc,
    /// Flow control asks for room for all of it, and no buffer that it may go to holds so many flits; with store-and-forward, nor does
    /// its own.
    TooLong,
}

impl Stranded {
    /// How many reasons there are.
    pub const COUNT: usize = 2;

    /// All of them, by number.
    pub const ALL: [Self; Self::COUNT] = [Self::NoSuchVc, Self::TooLong];

    /// A number from 0 to `COUNT − 1`, for counters.
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl core::fmt::Display for Stranded {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::NoSuchVc => "no output that it may leave by has a virtual channel that it may take",
            Self::TooLong => "it is longer than the buffers that have to hold all of it",
        })
    }
}

impl<S, const P: usize, const V: usize, B: Bits> Router<S, P, V, B>
where
    S: AsRef<[Descriptor]> + AsMut<[Descriptor]>,
{
    /// The VCs whose front packet can never leave, and why. Such a packet stays, so that they can be counted at any time, and a router
    /// that has none has had none. No protocol error: its neighbour has done nothing wrong. A routing that needs more VCs than there
    /// are is the usual cause, or a packet on a VC on which it never comes.
    pub fn stranded<'a>(&'a self, plan: &'a Plan<P>) -> impl Iterator<Item = (Channel, Stranded)> + 'a {
        let ports = plan.links.each();
        let all = ports.flat_map(|port| plan.links.vcs(port).iter().map(move |vc| Channel::new(port, vc)));
        all.filter_map(|at| Some((at, self.why_stranded(plan, at.port, at.vc)?)))
    }

    fn why_stranded(&self, plan: &Plan<P>, port: PortId, vc: VcId) -> Option<Stranded> {
        let (flow, front) = (self.flows.get(port, vc)?, self.fronts.get(port, vc)?);
        // One without a route is not routed yet: that is an error, and counted as such. A probe without a way left goes back, and a dead
        // address is killed.
        if flow.state() != VcState::Waiting || plan.links.flow.backtracks() || plan.links.flow.goes_ahead() {
            return None;
        }
        let length = flow.left();
        if plan.links.flow == FlowControl::StoreAndForward
            && length > plan.links.depth(Channel::new(port, vc))
        {
            return Some(Stranded::TooLong);
        }
        Self::why_no_way(plan, front.candidates(), length)
    }

    /// Why no candidate will ever take a packet of `length` flits.
    fn why_no_way(plan: &Plan<P>, all: &Candidates<B>, length: u16) -> Option<Stranded> {
        let mut why = Stranded::NoSuchVc;
        for Candidate { port, vc, kind } in all.iter() {
            if !Self::is_place(port, vc) || !plan.links.vcs(port).contains(vc) {
                continue;
            }
            if plan.links.can_take(Channel::new(port, vc), length, kind == HopKind::Minimal) {
                return None;
            }
            why = Stranded::TooLong;
        }
        Some(why)
    }
}
