//! Stages 4 and 6: buffers whose places VCs share ([`Plan::with_reserved`]).
//!
//! Where they do, the buffers that VCs have of their own are those of no places: what is quick for others is refused, and done here.

use super::Router;
use crate::event::ProtocolError;
use crate::plan::Plan;
use crate::units::{Channel, PortId};
use crate::vc::Descriptor;

impl<S, const P: usize, const V: usize> Router<S, P, V>
where
    S: AsRef<[Descriptor]> + AsMut<[Descriptor]>,
{
    /// Flits that the buffer of an input VC holds now: as many as are in it, where nothing is left for it.
    #[inline(always)]
    pub(super) fn depth(&self, plan: &Plan<P>, to: Channel) -> u16 {
        if plan.is_shared(to.port) { self.shared_depth(plan, to) } else { plan.buffer(to.port) }
    }

    #[cold]
    fn shared_depth(&self, plan: &Plan<P>, Channel { port, vc }: Channel) -> u16 {
        let flits = self.flows.get(port, vc).map_or(0, |flow| flow.flits());
        let is_left = flits < plan.reserved(port) || self.lent(plan, port) < plan.shared(port);
        if is_left { plan.buffer(port) } else { flits }
    }

    /// Shared places of an input port that are in use.
    fn lent(&self, plan: &Plan<P>, port: PortId) -> u16 {
        let flits = plan.vcs(port).iter().filter_map(|vc| self.flows.get(port, vc)).map(|flow| flow.flits());
        flits.map(|flits| flits.saturating_sub(plan.reserved(port))).fold(0, u16::wrapping_add)
    }

    /// Writes a later flit, where VCs share places.
    #[cold]
    pub(super) fn write_shared(
        &mut self,
        plan: &Plan<P>,
        to @ Channel { port, vc }: Channel,
        tail: bool,
    ) -> Option<Result<(), ProtocolError>> {
        if !plan.is_shared(port) {
            return None;
        }
        let depth = self.shared_depth(plan, to);
        Some(self.flows.get_mut(port, vc)?.write_body(tail, depth))
    }

    /// Flits in the FIFO of an output with which more is to be done as one enters it than to count it.
    #[inline(always)]
    pub(super) const fn looked_at(&self) -> u32 {
        #[cfg(not(feature = "small"))]
        return self.looked_at;
        #[cfg(feature = "small")]
        self.full_at
    }

    /// A flit has left by an output: behind it VCs may share places.
    #[inline(always)]
    pub(super) fn lend(&mut self, plan: &Plan<P>, Channel { port, vc }: Channel) {
        #[cfg(not(feature = "small"))]
        if let (true, Some(out)) = (plan.is_shared(port), self.outputs.get_mut(port)) {
            out.credits.lend(vc, plan.buffer(port), plan.reserved(port));
        }
        #[cfg(feature = "small")]
        let _ = (plan, port, vc);
    }

    /// A credit comes where VCs may share places: whether they do, and one was missing.
    #[cold]
    pub(super) fn take_back_shared(&mut self, plan: &Plan<P>, Channel { port, vc }: Channel) -> bool {
        #[cfg(not(feature = "small"))]
        if let (true, Some(out)) = (plan.is_shared(port), self.outputs.get_mut(port)) {
            return out.credits.give_back(vc, plan.buffer(port), plan.reserved(port)).is_ok();
        }
        let _ = (plan, port, vc);
        false
    }
}
