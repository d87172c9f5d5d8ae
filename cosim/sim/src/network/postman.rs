//! What mad postman needs beside flits and credits: dead addresses are killed, and addresses are no part of what nodes have sent.

use super::Switch;
use super::constants::Constants;
use super::shard::Shard;
use super::wires::{OnWheel, Outside, Shared};
use router_core::route::Route;
use router_core::units::Bits;

/// Flits of addresses.
#[derive(Debug, Clone)]
pub(crate) struct Postman {
    /// Those that each node has sent since the last reset.
    pub(crate) sent: Vec<u32>,
    /// Those that routers have killed since the start.
    pub(crate) killed: u64,
}

impl Postman {
    pub(crate) fn new(nodes: usize) -> Self {
        Self { sent: vec![0; nodes], killed: 0 }
    }
}

impl<const P: usize, const V: usize, B: Bits> Shard<P, V, B> {
    /// Routers kill the dead addresses that are blocked. Says whether there were any.
    #[inline(never)]
    pub(super) fn kill_dead<R: Route<B>>(&mut self, constants: &Constants<'_, P, R>, internal: u64) -> bool {
        let Self { routers, exits, down, wheel, packets, postman, moved, .. } = self;
        let outside = Outside {
            exits,
            down,
            outbox: &mut [],
            shadows: None,
            circuits: None,
            delays: None,
            reservations: None,
            waits: None,
            credits: None,
        };
        let speedup = constants.speedup;
        let mut shared = Shared { wheel, packets, outside, speedup, internal, moved: *moved };
        let mut killed = 0;
        for (at, Switch { router, plan, links }) in routers.iter_mut().enumerate() {
            let mut wires = OnWheel { router: at, links, shared: &mut shared };
            killed += router.kill_dead(plan, &constants.routing, &mut wires);
        }
        *moved = shared.moved;
        if let Some(postman) = postman {
            postman.killed += killed;
        }
        killed > 0
    }

    /// The flits of addresses that a packet brings, from a node to another one.
    pub(super) fn address_flits<R: Route<B>>(
        &mut self,
        constants: &Constants<'_, P, R>,
        node: usize,
        (from, to): (u32, u32),
    ) -> u16 {
        let Some(postman) = &mut self.postman else { return 0 };
        let each = constants.plans.first().map_or(0, |plan| plan.options.address_flits);
        let flits = each * constants.routing.legs(from, to);
        postman.sent[node] += u32::from(flits);
        flits
    }

    /// Flits of dead addresses that routers have killed since the start.
    pub(crate) fn flits_killed(&self) -> u64 {
        self.postman.as_ref().map_or(0, |postman| postman.killed)
    }
}
