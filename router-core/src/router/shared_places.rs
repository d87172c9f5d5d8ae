//! Stages 4 and 6: buffers whose places VCs share ([`Links::with_reserved`](crate::links::Links::with_reserved)).
//!
//! Where they do, the buffers that VCs have of their own are those of no places: a credit is refused where that is quick, and comes back here.

use super::Router;
use crate::event::ProtocolError;
use crate::header::Flit;
#[cfg(not(feature = "small"))]
use crate::lent::Lent;
use crate::output::OutputPort;
use crate::plan::Plan;
use crate::route::Route;
use crate::units::{Bits, Channel, PortId};
use crate::vc::Descriptor;

impl<S, const P: usize, const V: usize, B: Bits> Router<S, P, V, B>
where
    S: AsRef<[Descriptor]> + AsMut<[Descriptor]>,
{
    /// Places that are in use of a VC behind an output, by its credits.
    pub fn occupancy(&self, plan: &Plan<P>, Channel { port, vc }: Channel) -> u16 {
        let used = |out: &OutputPort<V>| out.credits.occupancy(vc, plan.links.depth(Channel::new(port, vc)));
        self.outputs.get(port).map_or(0, used).wrapping_sub(self.lent.at(port, vc))
    }

    /// [`handle_flit`](Router::handle_flit) for a neighbour that may overdraw its credits of places that VCs share.
    ///
    /// # Errors
    /// As there; when no place is left for the flit.
    #[inline]
    pub fn take_flit(
        &mut self,
        plan: &Plan<P>,
        routing: &impl Route<B>,
        Channel { port, vc }: Channel,
        flit: &Flit,
    ) -> Result<(), ProtocolError> {
        let to = Channel::new(port, plan.links.relabel(port, vc));
        if plan.links.is_shared(port) && !self.has_place(plan, to) {
            return Err(self.refuse(plan, to, ProtocolError::Overflow));
        }
        self.handle_flit(plan, routing, Channel::new(port, vc), flit)
    }

    /// Whether a place is left for a flit of an input VC: one that is reserved for it, or one that no VC uses of the shared ones.
    fn has_place(&self, plan: &Plan<P>, Channel { port, vc }: Channel) -> bool {
        let flits = self.flows.get(port, vc).map_or(0, |flow| flow.flits());
        !Self::is_known(&self.here, plan, port, vc)
            || flits < plan.links.reserved(port)
            || flits < plan.links.buffer(port) && self.lent_by(plan, port) < plan.links.shared(port)
    }

    /// Shared places of an input port that are in use.
    fn lent_by(&self, plan: &Plan<P>, port: PortId) -> u16 {
        let flits =
            plan.links.vcs(port).iter().filter_map(|vc| self.flows.get(port, vc)).map(|flow| flow.flits());
        flits.map(|flits| flits.saturating_sub(plan.links.reserved(port))).fold(0, u16::wrapping_add)
    }

    /// Where VCs share places, none is taken after reset: each VC has credits for a whole buffer.
    pub(super) fn begin_sharing(&mut self, plan: &Plan<P>) {
        #[cfg(not(feature = "small"))]
        if plan.links.shares_places() {
            self.lent = Lent::with_ahead(plan.options.pipeline.ahead() as u16);
        }
        #[cfg(feature = "small")]
        let _ = plan;
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
    #[cold]
    #[inline(never)]
    pub(super) fn lend(&mut self, plan: &Plan<P>, Channel { port, vc }: Channel) {
        #[cfg(not(feature = "small"))]
        if let (true, Some(out)) = (plan.links.is_shared(port), self.outputs.get_mut(port)) {
            self.lent.lend(&mut out.credits, Channel::new(port, vc), plan.links.sharing(port));
        }
        #[cfg(feature = "small")]
        let _ = (plan, port, vc);
    }

    /// A credit that no VC of its own lacks: where VCs share places, which have none of their own, one of them may.
    #[cold]
    pub(super) fn give_back_shared(&mut self, plan: &Plan<P>, at: Channel) -> Result<(), ProtocolError> {
        #[cfg(not(feature = "small"))]
        if plan.links.is_shared(at.port)
            && Self::is_place(at.port, at.vc)
            && let Some(out) = self.outputs.get_mut(at.port)
            && self.lent.give_back(&mut out.credits, at, plan.links.sharing(at.port)).is_ok()
        {
            return Ok(());
        }
        Err(self.refuse(plan, at, ProtocolError::CreditOverflow))
    }
}
