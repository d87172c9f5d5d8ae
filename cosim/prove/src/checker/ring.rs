//! What the bubble of an escape ring rests on.

use super::{Channel, Checker, named};
use desvio_sim::scenario::VcAllocation;
use router_core::route::Route;
use router_core::units::{Bits, PortId};
use std::collections::HashSet;

impl<R: Route<B>, B: Bits, const P: usize> Checker<'_, R, B, P> {
    /// A hop along the ring, which leads from each channel to one other: it counts as one to a node.
    pub(super) fn note_ring(&mut self, from: Channel, to: Channel) -> Result<u64, String> {
        match self.ring.insert(from, to) {
            Some(other) if other != to => {
                Err(format!("the ring leads from {} to {} and {}", named(from), named(other), named(to)))
            }
            _ => Ok(0),
        }
    }

    /// The ring is one circle through all routers, all packets come on to it, and its buffers have room for two of their one length.
    pub(super) fn compare_ring(&self) -> Result<(), String> {
        let Some(&start) = self.ring.keys().min() else {
            return if self.entries.is_empty() {
                Ok(())
            } else {
                Err("escapes that lead on to no ring".into())
            };
        };
        let circle =
            std::iter::successors(Some(start), |at| self.ring.get(at).copied().filter(|to| *to != start));
        let routers: HashSet<_> = circle.take(self.ring.len()).map(|(router, ..)| router).collect();
        if routers.len() != self.wiring.routers() || self.ring.len() != routers.len() {
            return Err("the ring is no circle through all routers".to_owned());
        }
        if !self.entries.iter().all(|channel| self.ring.contains_key(channel)) {
            return Err("packets come on to what is no channel of the ring".to_owned());
        }
        let scenario = self.blueprint.scenario();
        let (shortest, longest) = (scenario.shortest_packet(), scenario.longest_packet());
        let has_room = |&(router, port, _): &Channel| {
            u32::from(self.plans[router].links.buffer(PortId::new(port))) >= 2 * longest
        };
        let has_bubble = scenario.router.options.vc_allocation == VcAllocation::Bubble
            && shortest == longest
            && self.ring.keys().all(has_room);
        if has_bubble { Ok(()) } else { Err("the ring has no bubble".to_owned()) }
    }
}
