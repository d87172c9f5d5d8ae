//! What stands still because links have lost places: with a pulse for each credit they never come back.

use super::super::violation::Violation;
use super::{Buffer, Network};
use crate::scenario::Loss;
use router_core::route::{Candidate, HopKind};
use router_core::units::{Bits, Channel, PortId, VcId};
use router_core::vc::VcState;

impl<const P: usize, const V: usize, R, B: Bits> Network<'_, P, V, R, B> {
    /// A packet that would move on if its router knew of all places that are free. Where nothing moves and there is none, packets wait for
    /// each other.
    pub(in super::super) fn find_losses(&self) -> Option<Violation> {
        if self.constants.blueprint.scenario().links.loss == Loss::default() {
            return None;
        }
        let Buffer { router, at } = self.buffers().find(|&buffer| self.waits_for_losses(buffer))?;
        let vc = self.plan(router).links.relabel(at.port, at.vc).number();
        Some(Violation::Losses { cycle: self.cycle, router, port: at.port.number(), vc })
    }

    fn waits_for_losses(&self, Buffer { router, at }: Buffer) -> bool {
        let Some(input) = self.router(router).input(at.port, at.vc) else { return false };
        let links = &self.plan(router).links;
        match input.state() {
            VcState::Idle | VcState::Discarding { .. } => false,
            VcState::Active { out, vc } => input.flits() > 0 && self.is_short_of(router, (out, vc), 1),
            VcState::Waiting => input.candidates().iter().any(|Candidate { port, vc, kind }| {
                let room = links.room_at(port, links.flow.room(input.left(), kind == HopKind::Minimal));
                let is_held = self.router(router).owned(port).contains(vc);
                links.vcs(port).contains(vc) && !is_held && self.is_short_of(router, (port, vc), room)
            }),
        }
    }

    /// Whether a VC behind an output has so many free places, of which its router knows too few.
    fn is_short_of(&self, router: usize, (port, vc): (PortId, VcId), room: u16) -> bool {
        let plan = self.plan(router);
        let used = self.router(router).occupancy(plan, Channel::new(port, vc));
        let known = plan.links.depth(Channel::new(port, vc)).saturating_sub(used);
        let label = plan.links.relabel(port, vc);
        let owed = self.link_credits().map_or(0, |links| links.owed(router, port.index(), label));
        known < room && u64::from(known) + owed >= u64::from(room)
    }
}
