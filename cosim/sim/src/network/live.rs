//! A network that is looked at while it runs: cycle by cycle, for a picture of it.

use router_core::route::Route;
use router_core::units::Bits;

use super::audit::channels;
use super::{Carried, Network, Partition, Violation};
use crate::blueprint::{Blueprint, BlueprintError};
use crate::topology::{Peer, WORD_PORTS};
use crate::traffic::Traffic;

/// A network in the middle of a run.
pub trait Live {
    /// The link cycle to come.
    fn cycle(&self) -> u64;
    /// Runs to the end of link cycle `end − 1`, or until an invariant is broken.
    fn run_to(&mut self, end: u64);
    /// Entry `router * ports + port`: flits that the wire behind a port has carried since the start.
    fn carried(&self) -> Vec<u32>;
    /// Entry `router`: flits in the buffers of its inputs.
    fn queued(&self) -> Vec<u32>;
    /// Heads on wires between routers.
    fn heads(&self) -> Vec<Head>;
    /// Sums over the packets delivered since the start.
    fn sums(&self) -> LiveSums;
    /// The invariant that was found broken, if one was.
    fn violation(&self) -> Option<&Violation>;
}

/// The head of a packet on a wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Head {
    /// The router and the port that it comes from.
    pub from: (u32, u32),
    /// Link cycles until it arrives, at most; and those that it takes.
    pub left: (u32, u32),
    /// Whether its packet has taken a detour.
    pub misrouted: bool,
}

/// What has been delivered since the start.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LiveSums {
    /// Flits.
    pub flits: u64,
    /// Packets.
    pub packets: u64,
    /// Cycles from generation to delivery, of all packets together.
    pub latency: u64,
    /// Packets that took a detour.
    pub misrouted: u64,
}

/// The network of a scenario, empty, on one thread. Routings that a program has registered are not among those that it runs.
///
/// # Errors
/// When the network cannot be built.
pub fn live<'b>(
    blueprint: &'b Blueprint,
    traffic: &'b Traffic,
) -> Result<Box<dyn Live + 'b>, BlueprintError> {
    match (blueprint.wiring().ports(), blueprint.scenario().router.vcs.highest()) {
        (..=8, ..=4) => sized::<8, 4>(blueprint, traffic),
        #[cfg(not(target_family = "wasm"))]
        (..=16, ..=4) => sized::<16, 4>(blueprint, traffic),
        (..=WORD_PORTS, _) => sized::<WORD_PORTS, 8>(blueprint, traffic),
        #[cfg(not(target_family = "wasm"))]
        (_, _) => {
            use router_core::units::{WideBits, WidePorts};
            let routing = (blueprint.wide_routing()?, blueprint.wide_routing_updates()?);
            by::<{ WidePorts::CAPACITY }, 8, _, WideBits>(blueprint, routing, traffic)
        }
        #[cfg(target_family = "wasm")]
        (_, _) => Err(router_core::links::LinksError::Ports.into()),
    }
}

fn sized<'b, const P: usize, const V: usize>(
    blueprint: &'b Blueprint,
    traffic: &'b Traffic,
) -> Result<Box<dyn Live + 'b>, BlueprintError> {
    by::<P, V, _, usize>(blueprint, (blueprint.routing()?, blueprint.routing_updates()?), traffic)
}

fn by<'b, const P: usize, const V: usize, R: Route<B> + Sync + 'b, B: Bits>(
    blueprint: &'b Blueprint,
    (routing, updates): (R, Vec<(u64, R)>),
    traffic: &'b Traffic,
) -> Result<Box<dyn Live + 'b>, BlueprintError> {
    let one = Partition::with(blueprint, 1);
    let mut network = Network::<P, V, R, B>::with(blueprint, routing, traffic, &one, &|| false)?;
    network.update_later(updates);
    Ok(Box::new(Watched { network, blueprint }))
}

struct Watched<'b, const P: usize, const V: usize, R, B: Bits> {
    network: Network<'b, P, V, R, B>,
    blueprint: &'b Blueprint,
}

impl<const P: usize, const V: usize, R: Route<B> + Sync, B: Bits> Live for Watched<'_, P, V, R, B> {
    fn cycle(&self) -> u64 {
        self.network.cycle()
    }

    fn run_to(&mut self, end: u64) {
        self.network.run_to(end);
    }

    fn carried(&self) -> Vec<u32> {
        let ports = self.blueprint.wiring().ports();
        let mut all = vec![0; self.blueprint.wiring().routers() * ports];
        for Carried { router, port, flits, .. } in self.network.carried() {
            all[router * ports + usize::from(port)] = flits;
        }
        all
    }

    fn queued(&self) -> Vec<u32> {
        let switches = self.network.shards.iter().flat_map(|shard| &shard.routers);
        let inputs = |router: &super::Router<P, V, B>| {
            let each = channels::<P, V>().filter_map(|at| router.input(at.port, at.vc));
            each.map(|input| u32::from(input.flits())).sum()
        };
        switches.map(|switch| inputs(&switch.router)).collect()
    }

    fn heads(&self) -> Vec<Head> {
        let (wiring, speedup) = (self.blueprint.wiring(), self.network.constants.speedup);
        let now = self.network.cycle * speedup;
        let mut found = Vec::new();
        for shard in &self.network.shards {
            for (when, head) in shard.wheel.heads_from(now) {
                let (at, port) = head.to.untapped().as_port::<P>();
                let peer = wiring.peer(shard.first_router + at, port.index());
                let Some(Peer::Router { router, port }) = peer else { continue };
                let (way, record) = (
                    self.blueprint.link_latency(router as usize, port.into()),
                    shard.packets.find(head.packet.tag),
                );
                found.push(Head {
                    from: (router, port.into()),
                    left: (((when - now) / speedup) as u32, way),
                    misrouted: record.is_some_and(|of| of.global_misroutes > 0 || of.local_misroutes > 0),
                });
            }
        }
        found
    }

    fn sums(&self) -> LiveSums {
        let tally = self.network.tally();
        LiveSums {
            flits: tally.load_flits(),
            packets: tally.packets,
            latency: tally.latency,
            misrouted: tally.misrouted,
        }
    }

    fn violation(&self) -> Option<&Violation> {
        self.network.violation()
    }
}
