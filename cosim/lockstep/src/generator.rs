//! Constrained-random stimuli: each has a profile, so that every corner is visited by some of them.

use super::shrink::Shrink;
use super::stimulus::{Noise, NoiseKind, PacketIn, Stall, Stimulus};
use crate::rtl::Shape;
use desvio_sim::blueprint::Blueprint;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use router_core::header::Address;
use router_core::layout;
use router_core::route::{Arrival, Here, Route, Routing};
use router_core::units::{PortClass, PortId, VcId};

/// Makes stimuli for one router.
#[derive(Debug)]
pub struct StimulusGenerator<'b> {
    shape: &'b Shape,
    routing: Routing<'b>,
    here: Here,
    /// Every node of the network.
    nodes: Vec<Address>,
    /// Its connected ports.
    ports: Vec<usize>,
    seed: u64,
}

/// Where packets go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Destinations {
    /// Anywhere.
    Uniform,
    /// To nodes of one router.
    OneRouter(u32),
    /// To one node.
    OneNode(Address),
}

/// What a stimulus is like.
#[derive(Clone, Debug)]
struct Profile {
    cycles: u32,
    /// Flits per input port and internal cycle that are offered.
    load: f64,
    destinations: Destinations,
    lengths: Vec<u16>,
    pace: u32,
    credit_delay: u32,
    /// Stalls of outputs, and how long they last.
    stalls: (usize, u32),
    noise: usize,
    overdraws: bool,
    reset: bool,
    /// Whether headers may say what no router of the network would write.
    odd: bool,
}

impl<'b> StimulusGenerator<'b> {
    /// Stimuli for router number `router` of a network; the same ones for the same `seed`.
    ///
    /// # Errors
    /// When the network cannot be built.
    pub fn new(
        blueprint: &'b Blueprint,
        shape: &'b Shape,
        router: usize,
        seed: u64,
    ) -> Result<Self, desvio_sim::blueprint::BlueprintError> {
        let here = blueprint.here(router);
        Ok(Self {
            shape,
            routing: blueprint.routing()?,
            nodes: (0..blueprint.wiring().nodes()).map(|node| blueprint.address(node)).collect(),
            ports: here.wired.iter().map(PortId::index).collect(),
            here,
            seed,
        })
    }

    /// Stimulus number `number`, at most `cycles` long.
    ///
    /// # Errors
    /// When proptest gives up: no packet fits the network.
    pub fn tree(&self, number: u64, cycles: u32) -> Result<Shrink, String> {
        let mut seed = [0; 32];
        seed[..8].copy_from_slice(&self.seed.to_le_bytes());
        seed[8..16].copy_from_slice(&number.to_le_bytes());
        let config = Config { max_local_rejects: 1 << 20, ..Config::default() };
        let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &seed));
        let profile =
            self.profile(cycles).new_tree(&mut runner).map_err(|reason| reason.to_string())?.current();
        let tree = self.stimulus(profile).new_tree(&mut runner).map_err(|reason| reason.to_string())?;
        Ok(Shrink::new(tree.current()))
    }

    fn profile(&self, cycles: u32) -> impl Strategy<Value = Profile> + use<> {
        let shortest = self.shape.shortest();
        let deepest = (0..self.shape.ports).map(|port| self.shape.depth_of(port)).max().unwrap_or(shortest);
        let lengths = prop_oneof![
            3 => Just(vec![shortest]),
            2 => Just(vec![shortest, shortest + 1, 2 * shortest]),
            1 => Just(vec![shortest, deepest.min(4 * shortest), deepest.min(1000)]),
            // Longer than any buffer: with wormhole they are in several routers at once, else they stay where they are.
            1 => Just(vec![shortest, (3 * deepest).min(1000)]),
        ];
        let nodes = self.nodes.clone();
        let here = self.here.router;
        let own: Vec<_> = nodes.iter().copied().filter(|node| node.router == here).collect();
        let own = if own.is_empty() { nodes.clone() } else { own };
        let destinations = prop_oneof![
            3 => Just(Destinations::Uniform),
            2 => select(nodes.clone()).prop_map(|node| Destinations::OneRouter(node.router)),
            1 => select(nodes).prop_map(Destinations::OneNode),
            1 => select(own).prop_map(Destinations::OneNode),
        ];
        let speedup = self.shape.speedup as u32;
        let pace = prop_oneof![1 => Just(1), 3 => Just(speedup), 1 => 1..=4 * speedup];
        let delay = prop_oneof![3 => 0u32..8, 2 => 8u32..100, 1 => 100u32..600];
        let stalls = prop_oneof![3 => Just((0, 0)), 2 => (1usize..6, 10u32..400), 1 => (1usize..20, 10..=cycles.max(10))];
        let rare = |of: u32| prop_oneof![of => Just(false), 1 => Just(true)];
        let noise = prop_oneof![8 => Just(0usize), 1 => 1usize..200];
        let load = prop_oneof![1 => 0.01..0.1, 2 => 0.1..0.6, 2 => 0.6..1.3];
        let length = (cycles / 4).max(2)..=cycles.max(2);
        let traffic = (length, load, destinations, lengths, pace);
        (traffic, delay, stalls, noise, rare(12), rare(6), rare(8)).prop_map(
            |(
                (cycles, load, destinations, lengths, pace),
                credit_delay,
                stalls,
                noise,
                overdraws,
                reset,
                odd,
            )| {
                Profile {
                    cycles,
                    load,
                    destinations,
                    lengths,
                    pace,
                    credit_delay,
                    stalls,
                    noise,
                    overdraws,
                    reset,
                    odd,
                }
            },
        )
    }

    fn stimulus(&self, profile: Profile) -> impl Strategy<Value = Stimulus> + use<'b> {
        let mean = profile.lengths.iter().map(|&length| f64::from(length)).sum::<f64>()
            / profile.lengths.len() as f64;
        let packets = profile.load * f64::from(profile.cycles) * self.ports.len() as f64 / mean;
        let packets = (packets as usize).clamp(1, 4000);
        let ports = self.ports.clone();
        let (cycles, vcs) = (profile.cycles, 1u8 << self.shape.vc_bits());
        let (stalls, length) = profile.stalls;
        let stall = (select(ports.clone()), 0..cycles, 1..=length.max(1))
            .prop_map(|(port, from, cycles)| Stall { port, from, cycles });
        let kinds =
            vec![NoiseKind::Credit, NoiseKind::EmptyHead, NoiseKind::Head, NoiseKind::Body, NoiseKind::Tail];
        let noise = (0..cycles, 0..self.shape.ports, 0..vcs, select(kinds))
            .prop_map(|(at, port, vc, kind)| Noise { at, port, vc, kind });
        let reset = if profile.reset { proptest::option::of(1..cycles).boxed() } else { Just(None).boxed() };
        (
            prop::collection::vec(self.packet(&profile), packets / 2..=packets),
            prop::collection::vec(stall, stalls / 2..=stalls),
            prop::collection::vec(noise, profile.noise / 2..=profile.noise),
            reset,
        )
            .prop_map(move |(packets, stalls, mut noise, reset_at)| {
                noise.sort_by_key(|noise| noise.at);
                let Profile { cycles, pace, credit_delay, overdraws, .. } = profile;
                Stimulus { cycles, pace, credit_delay, overdraws, reset_at, stalls, noise, packets }
            })
    }

    /// Addresses that are too large: of a node, by one and by much, of a router in its group, of a group.
    fn nowhere(&self) -> [Address; 4] {
        let Address { router, port } = self.nodes[0];
        [
            Address { router, port: self.shape.nodes() as u8 },
            Address { router, port: (1 << layout::PORT_BITS) - 1 },
            Address { router: router | ((1 << layout::ADDRESS_INDEX_BITS) - 1), port },
            Address { router: (1 << layout::ROUTER_BITS) - 1, port },
        ]
    }

    fn packet(&self, profile: &Profile) -> impl Strategy<Value = PacketIn> + use<'b> {
        let nodes = match profile.destinations {
            Destinations::Uniform if profile.odd => {
                self.nodes.iter().chain(&self.nowhere()).copied().collect()
            }
            Destinations::Uniform => self.nodes.clone(),
            Destinations::OneRouter(router) => {
                self.nodes.iter().copied().filter(|node| node.router == router).collect()
            }
            Destinations::OneNode(node) => vec![node],
        };
        let shape = self.shape.clone();
        let at =
            select(self.ports.clone()).prop_flat_map(move |port| (Just(port), 0..shape.vcs_of(port) as u8));
        let lengths = if profile.overdraws { vec![1, 2, 3] } else { profile.lengths.clone() };
        let progress =
            if profile.odd { (0u8..64).boxed() } else { select(vec![0u8, 0, 1, 8, 8, 9, 16]).boxed() };
        let (routing, here, odd, shape) = (self.routing, self.here, profile.odd, self.shape.clone());
        let parts = (0..profile.cycles, at, select(nodes), select(lengths), progress);
        parts
            .prop_map(|(at, (port, vc), to, length, progress)| PacketIn {
                at,
                port,
                vc,
                to_router: to.router,
                to_port: to.port,
                length,
                progress,
            })
            .prop_filter("a packet that could have come there", move |packet| {
                odd || is_plausible(&routing, &here, &shape, packet)
            })
    }
}

/// Whether a packet could be in that VC of that port: it keeps the order that excludes deadlock, and has a way on.
fn is_plausible(routing: &Routing<'_>, here: &Here, shape: &Shape, packet: &PacketIn) -> bool {
    let port = PortId::new(packet.port as u8);
    let kind = shape.plan().class(port);
    let from = Arrival { port, kind, vc: shape.plan().relabel(port, VcId::new(packet.vc)) };
    let header = packet.packet(0).header;
    let fresh = kind != PortClass::NODE || packet.progress == 0;
    let Ok(found) = routing.offer(here, from, &header) else { return false };
    let exists = |port: PortId, vc: VcId| shape.plan().vcs(port).contains(vc);
    fresh && routing.keeps_order(here, from, &header) && found.iter().any(|c| exists(c.port, c.vc))
}
