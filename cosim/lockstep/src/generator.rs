//! Constrained-random stimuli: each has a profile, so that every corner is visited by some of them.

mod flood;
mod notices;
mod outside;
mod plausible;
mod thresholds;

use super::settings::Settings;
use super::shrink::Shrink;
use super::stimulus::{Noise, NoiseKind, PacketIn, Stall, Stimulus};
use crate::shape::Shape;
use desvio_sim::blueprint::Blueprint;
use outside::outside;
use plausible::is_plausible;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use router_core::header::{Address, Progress};
use router_core::layout;
use router_core::route::ugal_dragonfly::UgalDragonfly;
use router_core::route::up_down::{Ascent, UpDown};
use router_core::route::{Here, Routing};
use router_core::units::PortId;

/// Internal cycles of the longest stimulus, but for a [`Flood`].
const LONGEST: u32 = 12_000;
/// Of so many stimuli one is a flood, and one a jam: by their numbers, so that every long lockstep has them.
const PERIOD: u64 = 32;
/// The number of a flood, in which counters of errors come to their end: early, so that a lane of a short lockstep has it, too.
pub const FLOOD: u64 = 1;
/// The number of a jam, in which everything waits for one output.
const JAM: u64 = 13;

/// Makes stimuli for one router, or for several of a network.
#[derive(Debug)]
pub struct StimulusGenerator<'b> {
    blueprint: &'b Blueprint,
    shape: &'b Shape,
    routing: Routing<'b>,
    /// Every node of the network.
    nodes: Vec<Address>,
    /// Where the router may be, and whether stimuli say where it is.
    routers: Vec<usize>,
    says_where: bool,
    draws_thresholds: bool,
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
    /// Whether some packets are for addresses outside of the network.
    strays: bool,
    /// Whether packets may be where the order of the VCs would not bring them.
    in_any_vc: bool,
}

/// Where the router is.
#[derive(Clone, Debug)]
struct Place {
    here: Here,
    /// Its connected ports.
    ports: Vec<usize>,
}

impl Place {
    fn of(blueprint: &Blueprint, router: usize) -> Self {
        let here = blueprint.here(router);
        Self { ports: here.wired.iter().map(PortId::index).collect(), here }
    }
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
        Ok(Self {
            blueprint,
            shape,
            routing: blueprint.routing()?,
            nodes: (0..blueprint.wiring().nodes()).map(|node| blueprint.address(node)).collect(),
            routers: vec![router],
            says_where: false,
            draws_thresholds: false,
            seed,
        })
    }

    /// Each stimulus puts the router in one of these places of the network.
    #[must_use]
    pub fn among(self, routers: &[usize]) -> Self {
        Self { routers: routers.to_vec(), says_where: true, ..self }
    }

    /// Some stimuli have thresholds of their own.
    #[must_use]
    pub fn with_thresholds(self, draws: bool) -> Self {
        Self { draws_thresholds: draws, ..self }
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
        let runner = |seed: &[u8; 32]| {
            TestRunner::new_with_rng(config.clone(), TestRng::from_seed(RngAlgorithm::ChaCha, seed))
        };
        let mut own = seed;
        own[16] = 1;
        let (mut runner, mut own) = (runner(&seed), runner(&own));
        let settings = self.with_tables(drawn(&self.settings(), &mut runner)?, &mut own)?;
        let router = settings.router.unwrap_or(self.routers[0]);
        let place = Place::of(self.blueprint, router);
        let usual = cycles.clamp(1, LONGEST);
        let stimulus = match number % PERIOD {
            FLOOD if cycles >= flood::cycles(place.ports.len()) => {
                drawn(&flood::flood(self.shape, &place.ports), &mut runner)?
            }
            JAM => drawn(&self.stimulus(&place, self.jam(&place, usual)), &mut runner)?,
            _ => {
                let profile = drawn(&self.profile(&place, usual), &mut runner)?;
                drawn(&self.stimulus(&place, profile), &mut runner)?
            }
        };
        Ok(Shrink::new(Stimulus { settings, ..stimulus }))
    }

    /// Chance always begins elsewhere; the rest is as the scenario has it, in half of the cases.
    fn settings(&self) -> impl Strategy<Value = Settings> + use<> {
        let thresholds = if self.draws_thresholds {
            proptest::option::of(thresholds::thresholds(self.shape)).boxed()
        } else {
            Just(None).boxed()
        };
        let says_where = self.says_where;
        (any::<u32>(), select(self.routers.clone()), thresholds).prop_map(
            move |(seed, router, thresholds)| {
                let router = says_where.then_some(router);
                Settings { seed: Some(seed), router, thresholds, ..Settings::default() }
            },
        )
    }

    /// Those of outputs, by chance of their own: traffic is the same with them and without.
    fn with_tables(&self, settings: Settings, chance: &mut TestRunner) -> Result<Settings, String> {
        let plan = self.shape.plan();
        let mut seed_if = |it: bool| match it && self.draws_thresholds {
            true => drawn(&proptest::option::weighted(0.75, any::<u32>()), chance),
            false => Ok(None),
        };
        let vl_tables = seed_if(plan.vl_arbitration.is_some())?;
        let marks = seed_if(plan.marking.is_on())?;
        Ok(Settings { vl_tables, marks, lifetimes: seed_if(plan.lifetimes.limits_heads())?, ..settings })
    }

    /// Every VC of every port has packets for one node, whose output does not move.
    fn jam(&self, place: &Place, cycles: u32) -> Profile {
        let own = self.own_nodes(place).first().copied();
        let to = own.unwrap_or(self.nodes[0]);
        Profile {
            cycles,
            load: 1.0,
            destinations: Destinations::OneNode(to),
            lengths: vec![self.shape.shortest()],
            pace: 1,
            credit_delay: cycles,
            stalls: (0, 0),
            noise: 0,
            overdraws: false,
            reset: false,
            odd: false,
            strays: false,
            in_any_vc: own.is_some(),
        }
    }

    /// The nodes at the router itself.
    fn own_nodes(&self, place: &Place) -> Vec<Address> {
        self.nodes.iter().copied().filter(|node| node.router == place.here.router).collect()
    }

    fn profile(&self, place: &Place, cycles: u32) -> impl Strategy<Value = Profile> + use<> {
        let shortest = self.shape.shortest();
        let deepest = (0..self.shape.ports).map(|port| self.shape.depth_of(port)).max().unwrap_or(shortest);
        let lengths = prop_oneof![
            3 => Just(vec![shortest]),
            2 => Just(vec![shortest, shortest + 1, 2 * shortest]),
            1 => Just(vec![shortest, deepest.min(4 * shortest), deepest.min(1000)]),
            // Longer than any buffer: with wormhole they are in several routers at once, else they stay where they are.
            1 => Just(vec![shortest, (3 * deepest).min(1000)]),
        ];
        let shape = self.shape.clone();
        let lengths = lengths.prop_map(move |lengths| shape.lengths_of(&lengths));
        let nodes = self.nodes.clone();
        let own = self.own_nodes(place);
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
        (traffic, delay, stalls, noise, (rare(12), rare(6)), (rare(10), rare(6))).prop_map(
            |(
                (cycles, load, destinations, lengths, pace),
                credit_delay,
                stalls,
                noise,
                (overdraws, reset),
                (odd, strays),
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
                    strays,
                    in_any_vc: odd,
                }
            },
        )
    }

    fn stimulus(&self, place: &Place, profile: Profile) -> impl Strategy<Value = Stimulus> + use<'b> {
        let mean = profile.lengths.iter().map(|&length| f64::from(length)).sum::<f64>()
            / profile.lengths.len() as f64;
        let packets = profile.load * f64::from(profile.cycles) * place.ports.len() as f64 / mean;
        let packets = (packets as usize).clamp(1, 4000);
        let ports = place.ports.clone();
        let (cycles, vcs) = (profile.cycles, 1u8 << self.shape.vc_bits());
        let (stalls, length) = profile.stalls;
        let stall = (select(ports.clone()), 0..cycles, 1..=length.max(1))
            .prop_map(|(port, from, cycles)| Stall { port, from, cycles });
        let mut kinds =
            vec![NoiseKind::Credit, NoiseKind::EmptyHead, NoiseKind::Head, NoiseKind::Body, NoiseKind::Tail];
        kinds.retain(|&kind| kind != NoiseKind::Head || self.shape.takes_length(NoiseKind::FLITS));
        let noise = (0..cycles, 0..self.shape.ports, 0..vcs, select(kinds))
            .prop_map(|(at, port, vc, kind)| Noise { at, port, vc, kind });
        let reset = if profile.reset { proptest::option::of(1..cycles).boxed() } else { Just(None).boxed() };
        (
            prop::collection::vec(self.packet(place, &profile), packets / 2..=packets),
            prop::collection::vec(stall, stalls / 2..=stalls),
            prop::collection::vec(noise, profile.noise / 2..=profile.noise),
            reset,
            notices::notices(self.shape, cycles),
        )
            .prop_map(move |(packets, stalls, mut noise, reset_at, mut notices)| {
                noise.sort_by_key(|noise| noise.at);
                notices.sort_by_key(|notice| notice.at);
                let Profile { cycles, pace, credit_delay, overdraws, .. } = profile;
                Stimulus {
                    cycles,
                    pace,
                    credit_delay,
                    overdraws,
                    reset_at,
                    stalls,
                    noise,
                    notices,
                    packets,
                    ..Stimulus::default()
                }
            })
    }

    /// The field `via` of a header, if the routing finds its way by it: any route, a label, a way that was drawn, a group or a router, of the
    /// network in most cases.
    fn via(&self) -> BoxedStrategy<Option<u32>> {
        let any = 0u32..1 << layout::VIA_BITS;
        match &self.routing {
            Routing::Source(_) => any.prop_map(Some).boxed(),
            Routing::Interval(table) => {
                prop_oneof![15 => 0..table.routers(), 1 => any].prop_map(Some).boxed()
            }
            Routing::UpDown(UpDown { ascent: Ascent::Random, .. }) => {
                let way = (any, 0..self.shape.ports as u32);
                way.prop_map(|(rest, port)| Some(rest >> layout::PORT_BITS << layout::PORT_BITS | port))
                    .boxed()
            }
            Routing::Valiant(valiant) | Routing::UgalDragonfly(UgalDragonfly { valiant, .. }) => {
                let points: Vec<_> = self.nodes.iter().map(|node| valiant.point(node.router)).collect();
                prop_oneof![11 => select(points), 1 => any].prop_map(Some).boxed()
            }
            _ => Just(None).boxed(),
        }
    }

    fn packet(&self, place: &Place, profile: &Profile) -> impl Strategy<Value = PacketIn> + use<'b> {
        let nodes = match profile.destinations {
            Destinations::Uniform => self.nodes.clone(),
            Destinations::OneRouter(router) => {
                self.nodes.iter().copied().filter(|node| node.router == router).collect()
            }
            Destinations::OneNode(node) => vec![node],
        };
        // A head that goes nowhere stays, and with it all that comes behind it.
        let outside = if profile.strays { outside(&self.nodes) } else { Vec::new() };
        let nodes = match outside.as_slice() {
            [] => select(nodes).boxed(),
            some => prop_oneof![11 => select(nodes), 1 => select(some.to_vec())].boxed(),
        };
        let shape = self.shape.clone();
        let at =
            select(place.ports.clone()).prop_flat_map(move |port| (Just(port), 0..shape.vcs_of(port) as u8));
        let lengths =
            if profile.overdraws { self.shape.lengths_of(&[1, 2, 3]) } else { profile.lengths.clone() };
        let progress = match self.routing {
            _ if profile.odd => (0u8..64).boxed(),
            Routing::Valiant(_) | Routing::UgalDragonfly(_) => {
                select(vec![0u8, VIA_AHEAD, VIA_AHEAD]).boxed()
            }
            _ => select(vec![0u8, 0, 1, 8, 8, 9, 16]).boxed(),
        };
        let (routing, here, shape) = (self.routing, place.here, self.shape.clone());
        let in_any_vc = profile.in_any_vc;
        let via = self.via();
        let parts = (0..profile.cycles, at, nodes, select(lengths), progress, via);
        parts
            .prop_map(|(at, (port, vc), to, length, progress, via)| PacketIn {
                at,
                port,
                vc,
                to_router: to.router,
                to_port: to.port,
                length,
                progress,
                via,
            })
            .prop_filter("a packet that could have come there", move |packet| {
                let to = Address { router: packet.to_router, port: packet.to_port };
                in_any_vc || outside.contains(&to) || is_plausible(&routing, &here, &shape, packet)
            })
    }
}

/// A header's progress where the intermediate point is ahead.
const VIA_AHEAD: u8 = Progress::from_bits(0).with_via_ahead(true).bits();

/// One value of a strategy.
fn drawn<S: Strategy>(of: &S, runner: &mut TestRunner) -> Result<S::Value, String> {
    of.new_tree(runner).map(|tree| tree.current()).map_err(|reason| reason.to_string())
}
