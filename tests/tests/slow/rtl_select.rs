//! The RTL's `select`, with its triggers and draws, beside `Selection::choose`: random packets before random
//! outputs.

use crate::rtl_unit::bench::{Bench, Chance, Packed, Tally, compiled, either, is_long};
use rayon::prelude::*;
use router_core::PortClass;
use router_core::contention::Contention;
use router_core::fixed::{U1F15, U8F8};
use router_core::lent::Lent;
use router_core::lfsr::Lfsr;
use router_core::links::{FlowControl, PortSizes};
use router_core::output::OutputPort;
use router_core::per_port::PerPort;
use router_core::plan::Plan;
use router_core::route::{CandidateSet, Candidates, HopKind};
use router_core::select::always::AlwaysTrigger;
use router_core::select::contention::ContentionTrigger;
use router_core::select::contention_average::AverageTrigger;
use router_core::select::ectn::EctnTrigger;
use router_core::select::hybrid::HybridTrigger;
use router_core::select::occupancy::{GlobalRestriction, OccupancyTrigger};
use router_core::select::ugal::{Queue, UgalTrigger};
use router_core::select::{Detour, Outputs, Preference, Selection, Trigger, Waiting};
use router_core::units::{Channel, PortId, PortSet, VcId, VcSet};
use verilated::{Input, Output};

const DRAW: [&str; 4] = ["multiples", "nth_member", "drawn_member", "draw"];
const SELECT: [&str; 10] = [
    DRAW[0],
    DRAW[1],
    DRAW[2],
    DRAW[3],
    "set_at",
    "trigger_occupancy",
    "trigger_ugal",
    "draws",
    "select",
    "selections",
];
/// Most ports and VCs of the routers here.
const P: usize = 16;
const V: usize = 8;

/// What has to have been asked for, by each trigger: number of the trigger times these, plus this.
const ASKED: [&str; 6] = [
    "the minimal output",
    "another minimal output",
    "a global misroute",
    "a local misroute",
    "an open output of a forced packet",
    "a closed output of a forced packet",
];
/// What the triggers have to have said.
const SAID: [&str; 13] = [
    "never fires, a packet with detours",
    "occupancy fires",
    "occupancy does not fire on a blocked output",
    "the minimal output is not blocked",
    "the global restriction forbids",
    "the global restriction lifts",
    "occupancy allows the detour",
    "occupancy refuses an open detour",
    "hybrid: a detour by occupancy alone",
    "hybrid: a detour by counters alone",
    "the draw between both kinds of misroutes",
    "always: several outputs at once",
    "ectn: a detour by what the group tells alone",
];
/// The triggers by their numbers, and behind them `always` where requests are registered, and a packet asks for one output.
const TRIGGERS: [&str; 9] = [
    "never",
    "occupancy",
    "contention",
    "contention_average",
    "hybrid",
    "always",
    "ectn",
    "ugal",
    "always, one output",
];
const ALWAYS_ONE: usize = 8;
/// The triggers of packets that have one minimal hop and one detour at most: no other one looks at a global misroute by any port.
const OF_TWO_WAYS: [usize; 4] = [0, 5, 7, ALWAYS_ONE];

/// Sizes of a router.
#[derive(Clone, Copy, Debug)]
struct Sizes {
    kinds: [usize; 3],
    vcs: [u8; 3],
    flits: [u16; 3],
    /// The kind of hop of each set of candidates.
    hops: &'static [HopKind],
    /// Whether what draws come to is known before.
    draws_ahead: bool,
}

/// One set of each kind, as on-the-fly local misrouting offers them.
const ONE_OF_EACH: &[HopKind] = &[HopKind::Minimal, HopKind::GlobalMisroute, HopKind::LocalMisroute];
/// Sets of a kind that may share ports.
const TWO_MINIMAL: &[HopKind] = &[HopKind::Minimal, HopKind::GlobalMisroute, HopKind::Minimal];
const TWO_GLOBAL: &[HopKind] = &[HopKind::GlobalMisroute, HopKind::Minimal, HopKind::GlobalMisroute];
const TWO_LOCAL: &[HopKind] = &[HopKind::LocalMisroute, HopKind::LocalMisroute, HopKind::Minimal];
/// Two ways of one hop each, by any port, and by the same one, too: UGAL where packets are injected.
const TWO_WAYS: &[HopKind] = &[HopKind::Minimal, HopKind::GlobalMisroute];

const PAPER: Sizes =
    Sizes { kinds: [2, 3, 2], vcs: [3, 3, 2], flits: [32, 32, 256], hops: ONE_OF_EACH, draws_ahead: true };
const TINY: Sizes =
    Sizes { kinds: [1, 1, 1], vcs: [3, 3, 3], flits: [8, 8, 8], hops: ONE_OF_EACH, draws_ahead: true };
const ODD: Sizes =
    Sizes { kinds: [4, 7, 4], vcs: [1, 8, 2], flits: [7, 20, 1000], hops: ONE_OF_EACH, draws_ahead: true };
const DEEP_LOCALS: Sizes =
    Sizes { kinds: [1, 4, 3], vcs: [2, 2, 4], flits: [16, 50, 12], hops: ONE_OF_EACH, draws_ahead: false };

impl Sizes {
    fn ports(&self) -> usize {
        self.kinds.iter().sum()
    }
    fn has_two_ways(&self) -> bool {
        self.hops == TWO_WAYS
    }
    fn most_vcs(&self) -> usize {
        usize::from(self.vcs.into_iter().max().unwrap_or(1))
    }
    fn credit_bits(&self) -> usize {
        let most = self.flits.into_iter().max().unwrap_or(1);
        most.ilog2() as usize + 1
    }
    fn kind(&self, port: usize) -> PortClass {
        let [nodes, locals, _] = self.kinds;
        match port {
            port if port < nodes => PortClass::NODE,
            port if port < nodes + locals => PortClass::LOCAL,
            _ => PortClass::GLOBAL,
        }
    }
    fn all(&self, kind: PortClass) -> usize {
        (0..self.ports()).filter(|&port| self.kind(port) == kind).fold(0, |bits, port| bits | 1 << port)
    }
    fn plan(&self) -> Plan<P> {
        let kinds: Vec<_> = (0..self.ports()).map(|port| self.kind(port)).collect();
        let [node, local, global] = [0, 1, 2].map(|k| PortSizes { vcs: self.vcs[k], buffer: self.flits[k] });
        Plan::new(&kinds, &[node, local, global]).expect("a plan")
    }
}

/// The outputs of a router at some moment.
struct State {
    plan: Plan<P>,
    ports: PerPort<OutputPort<V>, P>,
    owned: PerPort<VcSet, P>,
    contention: Contention<P>,
    wired: PortSet,
}

impl State {
    fn random(sizes: &Sizes, chance: &mut Chance) -> Self {
        let mut plan = sizes.plan();
        plan.options.output_flits = 1 + chance.below(6) as u32;
        plan.links.flow =
            [FlowControl::Vct, FlowControl::Wormhole, FlowControl::StoreAndForward][chance.below(3)];
        let fullness = chance.below(5);
        let mut owned = PerPort::default();
        let ports = PerPort::from_fn(|port| {
            let (out, held) = random_output(sizes, &plan, port, fullness, chance);
            owned.set(PortId::new(port as u8), held);
            out
        });
        let mut contention = Contention::default();
        for port in 0..sizes.ports() {
            let most = [1, 4, 12][chance.below(3)];
            (0..chance.below(most)).for_each(|_| contention.rise(PortId::new(port as u8)));
        }
        // Some group's word on the way that the packet is about to take.
        contention.notices.replace([0].into_iter());
        contention.notices.heed(Channel::default(), chance.happens(1, 3).then_some(0));
        let all = (1 << sizes.ports()) - 1;
        let wired = if chance.happens(1, 2) { all } else { chance.some(all) };
        Self { plan, ports, owned, contention, wired: PortSet::from_bits(wired) }
    }

    fn view(&self) -> Outputs<'_, P, V> {
        let Self { plan, ports, owned, contention, wired } = self;
        let is_full =
            |port: &PortId| ports.get(*port).is_some_and(|out| out.is_full(0, plan.options.output_flits));
        let full = (0..P as u8)
            .map(PortId::new)
            .filter(is_full)
            .fold(PortSet::EMPTY, |all, port| all.union(PortSet::only(port)));
        let (links, wired) = (&plan.links, *wired);
        let (lent, waits_for_detours, asks_one) = (&Lent::NONE, false, false);
        let held = PortSet::EMPTY;
        let preference = Preference::RANDOM;
        Outputs {
            links,
            ports,
            owned,
            lent,
            contention,
            wired,
            waits_for_detours,
            asks_one,
            preference,
            full,
            held,
        }
    }
}

/// An output with some flits sent, its FIFO full now and then; and the VCs behind it that are held.
fn random_output(
    sizes: &Sizes,
    plan: &Plan<P>,
    port: usize,
    fullness: usize,
    chance: &mut Chance,
) -> (OutputPort<V>, VcSet) {
    let mut held = VcSet::EMPTY;
    if port >= sizes.ports() {
        return (OutputPort::new(0), held);
    }
    let id = PortId::new(port as u8);
    let depth = plan.links.buffer(id);
    let mut out = OutputPort::new(depth);
    let mut waiting = if chance.happens(1, 4) {
        plan.options.output_flits as usize
    } else {
        chance.below(plan.options.output_flits as usize)
    };
    for vc in plan.links.vcs(id) {
        let used = match chance.below(8) {
            0 => 0,
            1 => depth,
            2 => depth - 1,
            _ => chance.below(usize::from(depth) * (fullness + 1) / 5 + 1) as u16,
        };
        for _ in 0..used {
            if waiting > 0 {
                waiting -= 1;
                out.push(vc, 0);
            } else {
                out.credits.take(vc);
            }
        }
        if chance.happens(1, 8) {
            held.insert(vc);
        }
    }
    (out, held)
}

/// A packet's candidates, such as the routings offer.
fn random_sets(sizes: &Sizes, chance: &mut Chance) -> (Vec<CandidateSet>, bool) {
    let [nodes, locals, globals] =
        [PortClass::NODE, PortClass::LOCAL, PortClass::GLOBAL].map(|kind| sizes.all(kind));
    if chance.happens(1, 12) {
        let all = VcSet::from_bits(u8::MAX);
        let node = CandidateSet::new(PortSet::from_bits(chance.one(nodes)), all, HopKind::Minimal);
        let none = |&kind| CandidateSet::new(PortSet::EMPTY, VcSet::EMPTY, kind);
        let mut sets: Vec<_> = sizes.hops.iter().map(none).collect();
        let first = sets.iter_mut().find(|set| set.kind == HopKind::Minimal);
        *first.expect("a set of minimal hops") = node;
        return (sets, false);
    }
    if sizes.has_two_ways() {
        return (two_ways(sizes, locals | globals, chance), false);
    }
    let forced = chance.happens(1, 6);
    let towards = match chance.below(8) {
        0 if !forced => nodes,
        1..4 if !forced => locals,
        _ => globals,
    };
    let minimal = match chance.below(4) {
        0 => chance.some(towards),
        _ if forced && chance.happens(1, 3) => 0,
        _ => chance.one(towards),
    };
    // Now and then a VC beyond those that exist, and several where routings offer one.
    let one = |chance: &mut Chance| VcSet::only(VcId::new(chance.below(sizes.most_vcs().min(7) + 1) as u8));
    let vc = |chance: &mut Chance| {
        let more = if chance.happens(1, 8) { VcSet::from_bits(chance.word() as u8) } else { VcSet::EMPTY };
        one(chance).union(more)
    };
    let some = |of: usize, chance: &mut Chance| match chance.below(3) {
        0 => 0,
        1 => of,
        _ => chance.some(of),
    };
    let mut one_set = |&kind| {
        let ports = match kind {
            HopKind::Minimal => minimal,
            HopKind::GlobalMisroute => some(globals & !minimal, chance),
            HopKind::LocalMisroute if forced => 0,
            HopKind::LocalMisroute => some(locals & !minimal, chance),
            HopKind::Escape => panic!("the RTL has no escapes"),
        };
        // Of two sets of a kind the one may hold fewer ports than the other.
        let fewer = sizes.hops.iter().filter(|&&other| other == kind).count() > 1 && chance.happens(1, 2);
        let ports = if fewer { chance.some(ports) } else { ports };
        let set = CandidateSet::new(PortSet::from_bits(ports), vc(chance), kind);
        CandidateSet { hops: chance.below(8) as u8, ..set }
    };
    (sizes.hops.iter().map(&mut one_set).collect(), forced)
}

/// One minimal hop, and one detour or none.
fn two_ways(sizes: &Sizes, transit: usize, chance: &mut Chance) -> Vec<CandidateSet> {
    let none = chance.happens(1, 4);
    let mut one_set = |&kind| {
        let ports = if kind == HopKind::GlobalMisroute && none { 0 } else { chance.one(transit) };
        let vcs = VcSet::only(VcId::new(chance.below(sizes.most_vcs()) as u8));
        let set = CandidateSet::new(PortSet::from_bits(ports), vcs, kind);
        CandidateSet { hops: chance.below(8) as u8, ..set }
    };
    sizes.hops.iter().map(&mut one_set).collect()
}

fn candidates_of(sets: &[CandidateSet], forced: bool) -> Candidates {
    let mut all = Candidates::NONE;
    sets.iter().for_each(|&set| all.offer(set).expect("room for all sets"));
    if forced { all.forced() } else { all }
}

/// The triggers, with thresholds of all magnitudes.
#[derive(Clone, Copy)]
struct Thresholds {
    occupancy: OccupancyTrigger,
    fixed: ContentionTrigger,
    average: AverageTrigger,
    ugal: UgalTrigger,
}

impl Thresholds {
    fn random(queue: Queue, chance: &mut Chance) -> Self {
        let mut share = |one: usize| match chance.below(8) {
            0 => 0,
            1 => 1,
            2 => one as u16,
            3 => u16::MAX,
            4 => chance.word() as u16,
            5 => (one / 8 * chance.below(9)) as u16,
            _ => chance.below(one * 2) as u16,
        };
        let (minimal, relative, factor, average) =
            (share(1 << 14), share(1 << 8), share(1 << 8), share(1 << 8));
        let packets = [0, 1, 2, 5, 255, 256, 512, u16::MAX][chance.below(8)];
        let global_restriction =
            chance.happens(2, 3).then_some(GlobalRestriction { factor: U8F8::from_bits(factor), packets });
        Self {
            occupancy: OccupancyTrigger {
                minimal_occupancy: U1F15::from_bits(minimal),
                relative_threshold: U8F8::from_bits(relative),
                global_restriction,
            },
            fixed: ContentionTrigger { threshold: chance.below(12) as u16 },
            average: AverageTrigger { factor: U8F8::from_bits(average) },
            ugal: UgalTrigger { bias: [0, 0, 1, 40, chance.word() as u16][chance.below(5)], queue },
        }
    }

    /// In the order of `TRIGGERS`.
    fn selections(&self) -> [Selection; TRIGGERS.len()] {
        [
            Selection::NEVER,
            Selection::Occupancy(self.occupancy),
            Selection::Contention(self.fixed),
            Selection::ContentionAverage(self.average),
            Selection::Hybrid(HybridTrigger { occupancy: self.occupancy, contention: self.fixed }),
            Selection::Always(AlwaysTrigger),
            Selection::Ectn(EctnTrigger { contention: self.fixed, ..EctnTrigger::default() }),
            Selection::Ugal(self.ugal),
            Selection::Always(AlwaysTrigger),
        ]
    }
}

/// The names of all inputs of `selections`, and their widths.
struct Pins {
    wired: Input,
    set_ports: Input,
    set_vcs: Input,
    forced: Input,
    minimal: Input,
    length: Input,
    tap: Input,
    open: Input,
    minimal_open: Input,
    accepts: Input,
    credits: Input,
    counters: [Input; 4],
    told: Input,
    set_hops: Input,
    counts: Input,
    bias: Input,
    minimal_occupancy: Input,
    relative_threshold: Input,
    restriction: Input,
    restriction_factor: Input,
    restriction_packets: Input,
    requests: Output,
}

impl Pins {
    fn new(bench: &Bench, sizes: &Sizes) -> Self {
        let (ports, vcs) = (sizes.ports(), sizes.most_vcs());
        let sets = sizes.hops.len();
        Self {
            wired: bench.input("wired", ports),
            set_ports: bench.input("set_ports", sets * ports),
            set_vcs: bench.input("set_vcs", sets * vcs),
            forced: bench.input("forced", 1),
            minimal: bench.input("minimal", ports),
            length: bench.input("length", 10),
            tap: bench.input("tap", 32),
            open: bench.input("open", ports),
            minimal_open: bench.input("minimal_open", ports),
            accepts: bench.input("accepts", ports),
            credits: bench.input("credits", ports * vcs * sizes.credit_bits()),
            counters: ["fixed_fires", "fixed_allows", "average_fires", "average_allows"]
                .map(|name| bench.input(name, ports)),
            told: bench.input("told", 1),
            set_hops: bench.input("set_hops", sets * 3),
            counts: bench.input("counts", ports * 8),
            bias: bench.input("bias", 16),
            minimal_occupancy: bench.input("minimal_occupancy", 16),
            relative_threshold: bench.input("relative_threshold", 16),
            restriction: bench.input("restriction", 1),
            restriction_factor: bench.input("restriction_factor", 16),
            restriction_packets: bench.input("restriction_packets", 16),
            requests: bench.output("requests", TRIGGERS.len() * 64),
        }
    }
}

type Counts = Tally<67>;

/// The ports for which something holds, as bits.
fn ports_where(sizes: &Sizes, holds: impl Fn(PortId) -> bool) -> u64 {
    (0..sizes.ports()).filter(|&port| holds(PortId::new(port as u8))).fold(0, |bits, port| bits | 1 << port)
}

/// The open ports of a set.
fn open_of(set: &CandidateSet, length: u16, outputs: &Outputs<'_, P, V>) -> PortSet {
    outputs.open_ports(&Candidates::of([*set]), length)
}

struct Pair {
    sizes: Sizes,
    bench: Bench,
    pins: Pins,
    tally: Counts,
}

impl Pair {
    fn set_state(&mut self, state: &State) {
        let (sizes, outputs) = (self.sizes, state.view());
        let mut credits = Packed::default();
        for port in 0..sizes.ports() {
            let left = |vc: usize| {
                state
                    .ports
                    .get(PortId::new(port as u8))
                    .map_or(0, |out| out.credits.left(VcId::new(vc as u8)))
            };
            (0..sizes.most_vcs()).for_each(|vc| credits.push(u64::from(left(vc)), sizes.credit_bits()));
        }
        self.bench.set_packed(self.pins.credits, &credits);
        let mut counts = Packed::default();
        (0..sizes.ports())
            .for_each(|port| counts.push(state.contention.at(PortId::new(port as u8)).into(), 8));
        self.bench.set_packed(self.pins.counts, &counts);
        self.bench.set(self.pins.told, outputs.contention.notices.has_told(Channel::default()).into());
        self.bench.set(self.pins.wired, state.wired.bits() as u64);
        self.bench.set(self.pins.accepts, ports_where(&sizes, |port| outputs.accepts(port)));
    }

    fn set_thresholds(&mut self, thresholds: &Thresholds, outputs: &Outputs<'_, P, V>) {
        let Thresholds { occupancy, fixed, average, ugal } = thresholds;
        let counters = [
            ports_where(&self.sizes, |port| fixed.is_contended(port, outputs)),
            ports_where(&self.sizes, |port| !fixed.is_contended(port, outputs)),
            ports_where(&self.sizes, |port| average.is_crowded(port, outputs)),
            ports_where(&self.sizes, |port| !average.is_contended(port, outputs)),
        ];
        for (pin, value) in self.pins.counters.iter().zip(counters) {
            self.bench.set(*pin, value);
        }
        self.bench.set(self.pins.bias, ugal.bias.into());
        let restriction = occupancy.global_restriction;
        let of = |bits: u16| u64::from(bits);
        self.bench.set(self.pins.minimal_occupancy, of(occupancy.minimal_occupancy.to_bits()));
        self.bench.set(self.pins.relative_threshold, of(occupancy.relative_threshold.to_bits()));
        self.bench.set(self.pins.restriction, u64::from(restriction.is_some()));
        self.bench.set(self.pins.restriction_factor, restriction.map_or(0, |r| of(r.factor.to_bits())));
        self.bench.set(self.pins.restriction_packets, restriction.map_or(0, |r| of(r.packets)));
    }

    /// What all triggers ask for; `word` is the packet's random bits.
    fn compare(
        &mut self,
        thresholds: &Thresholds,
        (packet, sets): (&Waiting<'_>, &[CandidateSet]),
        word: u32,
        outputs: &Outputs<'_, P, V>,
    ) {
        let (ports, vcs) = (self.sizes.ports(), self.sizes.most_vcs());
        let existing = VcSet::first_n(vcs);
        let (mut set_ports, mut set_vcs, mut set_hops) = (0, 0, 0);
        for set in sets.iter().rev() {
            let known = set.vcs.and(existing).bits();
            let is_empty = set.ports.is_empty();
            set_ports = set_ports << ports | set.ports.bits() as u64;
            set_vcs = set_vcs << vcs | if is_empty { 0 } else { u64::from(known) };
            set_hops = set_hops << 3 | if is_empty { 0 } else { u64::from(set.hops) };
        }
        self.bench.set(self.pins.set_ports, set_ports);
        self.bench.set(self.pins.set_vcs, set_vcs);
        self.bench.set(self.pins.set_hops, set_hops);
        let open_by = |wanted: &dyn Fn(HopKind) -> bool| {
            let wanted = sets.iter().filter(|set| wanted(set.kind));
            wanted.fold(PortSet::EMPTY, |all, set| all.union(open_of(set, packet.length, outputs)))
        };
        let open = open_by(&|_| true);
        let minimal_open = open_by(&|kind| kind == HopKind::Minimal);
        self.bench.set(self.pins.minimal_open, minimal_open.bits() as u64);
        self.bench.set(self.pins.forced, u64::from(packet.candidates.is_forced()));
        self.bench.set(self.pins.minimal, 1 << packet.minimal.number());
        self.bench.set(self.pins.length, u64::from(packet.length));
        self.bench.set(self.pins.tap, u64::from(word));
        self.bench.set(self.pins.open, open.bits() as u64);
        self.bench.eval();
        let requests = self.bench.places(self.pins.requests);
        for (at, (selection, rtl)) in thresholds.selections().iter().zip(requests).enumerate() {
            if self.sizes.has_two_ways() && !OF_TWO_WAYS.contains(&at) {
                continue;
            }
            let outputs = Outputs { asks_one: at == ALWAYS_ONE, ..*outputs };
            let rust = selection.choose(packet, &outputs);
            assert_eq!(
                rtl,
                rust.bits() as u64,
                "{}: RTL asks for {:?}, Rust for {rust:?}; {:?}: {selection:?}, \
                 {:?} counted at {:?}, {} flits, tap {word:#x}, open {open:?}",
                TRIGGERS[at],
                PortSet::from_bits(rtl as usize),
                self.sizes,
                packet.candidates,
                packet.minimal,
                packet.length,
            );
            note_asked(&mut self.tally, at, rust, packet, open);
        }
        note_said(&mut self.tally, thresholds, packet, outputs);
        self.tally.compared += TRIGGERS.len() as u64;
    }
}

fn note_asked(tally: &mut Counts, trigger: usize, asked: PortSet, packet: &Waiting<'_>, open: PortSet) {
    let kind = asked.first().and_then(|port| packet.candidates.holding(port).next()).map(|set| set.kind);
    let own = asked == PortSet::only(packet.minimal);
    let outcome = match kind {
        None => return,
        Some(_) if packet.candidates.is_forced() => 4 + usize::from(asked.and(open).is_empty()),
        Some(HopKind::Minimal) => usize::from(!own),
        Some(HopKind::GlobalMisroute) => 2,
        Some(HopKind::LocalMisroute) => 3,
        Some(HopKind::Escape) => panic!("the RTL has no escapes"),
    };
    tally.saw(trigger * ASKED.len() + outcome, 1);
}

fn note_said(tally: &mut Counts, thresholds: &Thresholds, packet: &Waiting<'_>, outputs: &Outputs<'_, P, V>) {
    let minimal = packet.candidates.vcs_of(HopKind::Minimal, packet.minimal);
    if packet.candidates.ports_of(HopKind::Minimal).is_empty() {
        return;
    }
    let minimal_ports = packet.candidates.ports_of(HopKind::Minimal);
    if packet.candidates.is_forced() || !packet.candidates.has_detours() {
        return;
    }
    let trigger = &thresholds.occupancy;
    let unrestricted = OccupancyTrigger { global_restriction: None, ..*trigger };
    let fires = trigger.fires(packet, outputs);
    let free = unrestricted.fires(packet, outputs);
    let vc = minimal.and(outputs.links.vcs(packet.minimal)).first().unwrap_or_default();
    let blocked = outputs.is_blocked(packet.minimal, vc, packet.length);
    let restricted =
        outputs.links.class(packet.minimal) == PortClass::GLOBAL && trigger.global_restriction.is_some();
    let asks = |selection: Selection| selection.choose(packet, outputs);
    let is_detour = |asked: PortSet| asked.and(minimal_ports).is_empty();
    let by_occupancy = is_detour(asks(Selection::Occupancy(*trigger)));
    let by_count = is_detour(asks(Selection::Contention(thresholds.fixed)));
    let drawn = asks(Selection::Hybrid(HybridTrigger {
        occupancy: OccupancyTrigger {
            relative_threshold: U8F8::MAX,
            minimal_occupancy: U1F15::ZERO,
            global_restriction: None,
        },
        contention: ContentionTrigger { threshold: 0 },
    }));
    let allowed = drawn.first().filter(|_| is_detour(drawn)).and_then(|port| {
        let kind = packet.candidates.holding(port).next()?.kind;
        Some(trigger.allows(packet, Detour { port, kind }, outputs))
    });
    let misroutes = [HopKind::GlobalMisroute, HopKind::LocalMisroute];
    let both = misroutes.iter().all(|&kind| !packet.candidates.ports_of(kind).is_empty());
    let said = [
        true,
        fires,
        blocked && !fires,
        !blocked,
        restricted && free && !fires,
        restricted && fires,
        fires && allowed == Some(true),
        fires && allowed == Some(false),
        by_occupancy && !by_count,
        by_count && !by_occupancy,
        both && (by_occupancy || by_count),
        asks(Selection::Always(AlwaysTrigger)).len() > 1,
        is_detour(asks(Selection::Ectn(EctnTrigger {
            contention: thresholds.fixed,
            ..EctnTrigger::default()
        }))) && !by_count,
    ];
    let first = TRIGGERS.len() * ASKED.len();
    said.iter().enumerate().for_each(|(at, &yes)| tally.saw(first + at, u64::from(yes)));
}

fn names() -> [&'static str; 67] {
    let asked = TRIGGERS.iter().flat_map(|trigger| ASKED.map(|asked| format!("{trigger}: {asked}")));
    let all: Vec<String> = asked.chain(SAID.map(String::from)).collect();
    std::array::from_fn(|at| &*all[at].clone().leak())
}

fn every_trigger(sizes: Sizes, queue: Queue, packets: usize) -> Option<Counts> {
    let kinds = ["NODES", "LOCALS", "GLOBALS"].into_iter().zip(sizes.kinds.map(|n| n as u32));
    let vcs = ["NODE_VCS", "LOCAL_VCS", "GLOBAL_VCS"].into_iter().zip(sizes.vcs.map(u32::from));
    let flits = ["NODE_FLITS", "LOCAL_FLITS", "GLOBAL_FLITS"].into_iter().zip(sizes.flits.map(u32::from));
    let kinds_of_sets = sizes.hops.iter().rev().fold(0, |word, &kind| word << 8 | kind as u32);
    let widths = [
        ("VCS", sizes.most_vcs() as u32),
        ("CREDIT_W", sizes.credit_bits() as u32),
        ("SETS", sizes.hops.len() as u32),
        ("KINDS", kinds_of_sets),
        ("UGAL_QUEUE", queue as u32),
        ("DRAWS_AHEAD", sizes.draws_ahead.into()),
        ("ONE_EACH", sizes.has_two_ways().into()),
    ];
    let parameters: Vec<_> = kinds.chain(vcs).chain(flits).chain(widths).collect();
    let bench = Bench::new(&compiled("selections", &SELECT, &parameters)?);
    let mut pair = Pair { sizes, pins: Pins::new(&bench, &sizes), bench, tally: Tally::new(names()) };
    let mut chance = Chance::new(6);
    let mut lfsr = Lfsr::new(6, 0);
    for _ in 0..packets / 64 {
        let state = State::random(&sizes, &mut chance);
        let outputs = state.view();
        pair.set_state(&state);
        for n in 0..64 {
            if n % 4 == 0 {
                lfsr = Lfsr::new(chance.word(), 0);
            }
            lfsr.step();
            let thresholds = Thresholds::random(queue, &mut chance);
            pair.set_thresholds(&thresholds, &outputs);
            let (sets, forced) = random_sets(&sizes, &mut chance);
            let candidates = candidates_of(&sets, forced);
            if n % 32 == 0 {
                lfsr = at_an_edge(&candidates, &mut chance);
            }
            let some = chance.one(candidates.preferred().bits()).max(usize::from(candidates.is_empty()));
            let deep = usize::from(sizes.flits[chance.below(3)]);
            let length = match chance.below(6) {
                0 => 1 + chance.below(1023),
                1 | 2 => 1 + chance.below(4),
                _ => 1 + chance.below(deep),
            };
            let packet = Waiting {
                at: Channel::default(),
                candidates: &candidates,
                minimal: PortId::new(some.trailing_zeros() as u8),
                length: length as u16,
                tap: lfsr.tap(0, 0),
            };
            pair.compare(&thresholds, (&packet, &sets), lfsr.word(), &outputs);
        }
    }
    Some(pair.tally)
}

#[test]
fn every_trigger_asks_for_the_same() {
    let packets = either(1 << 16, 1 << 21);
    let with = |hops| Sizes { hops, ..PAPER };
    let of_all = [PAPER, TINY, ODD, DEEP_LOCALS, with(TWO_MINIMAL), with(TWO_GLOBAL), with(TWO_LOCAL)];
    // The last three with a queue of each kind.
    let all = [&of_all[..], &[with(TWO_WAYS); 3]].concat();
    let tallies: Vec<_> = { all.par_iter().enumerate() }
        .map(|(at, &sizes)| every_trigger(sizes, [Queue::Port, Queue::Vc, Queue::Packets][at % 3], packets))
        .collect();
    let Some(tally) = tallies.into_iter().flatten().reduce(|all, one| all.with(&one)) else { return };
    // `never` makes no detour; `always` asks for several at once, of which the first is noted.
    let impossible = [2, 3, 5 * ASKED.len() + 1];
    tally
        .without(impossible)
        .conclude("select", ((of_all.len() * TRIGGERS.len() + 3 * OF_TWO_WAYS.len()) * packets) as u64);
}

/// A word whose lower 16 bits are the last that draw one router to misroute from, or the first that draw the next one.
fn at_an_edge(candidates: &Candidates, chance: &mut Chance) -> Lfsr {
    let [_, local] = candidates.misroutes();
    let edges = telling(local.len() + 1, chance);
    let words = std::iter::repeat_with(|| Lfsr::new(chance.word(), 0)).take(1 << 14);
    let is_telling = |lfsr: &Lfsr| edges.contains(&u64::from(lfsr.word() & 0xffff));
    { words }.find(is_telling).unwrap_or(Lfsr::new(0, 0))
}

/// All numbers of 16 bits where the drawn member changes for `n` members, and their neighbours; and some
/// others.
fn telling(n: usize, chance: &mut Chance) -> Vec<u64> {
    let edges =
        (0..=n).map(|k| (k * 65536).div_ceil(n.max(1))).flat_map(|edge| [edge, edge.saturating_sub(1)]);
    let mut found: Vec<_> = edges.filter(|&bits| bits < 65536).map(|bits| bits as u64).collect();
    found.extend((0..4).map(|_| chance.word() & 0xffff));
    found
}

#[test]
fn draws_are_the_same() {
    let mut tally = Tally::new(["none of none", "the lowest", "the highest", "one between"]);
    for (width, ahead) in [(1, 8), (2, 8), (3, 8), (7, 8), (15, 8), (15, 16)] {
        let parameters = [("WIDTH", width as u32), ("AHEAD", ahead)];
        let Some(library) = compiled("draw", &DRAW, &parameters) else { return };
        let mut bench = Bench::new(&library);
        let (members, random) = (bench.input("members", width), bench.input("random", 16));
        let one = bench.output("one", width);
        let mut chance = Chance::new(7);
        for set in 0..1_usize << width {
            let ports = PortSet::from_bits(set);
            bench.set(members, set as u64);
            let all = is_long() && width <= 7;
            let words = if all { (0..1 << 16).collect() } else { telling(ports.len(), &mut chance) };
            for word in words {
                bench.set(random, word);
                bench.eval();
                let rust = ports.nth((word as usize * ports.len()) >> 16);
                let bits = rust.map_or(0, |port| 1 << port.number());
                assert_eq!(bench.get(one), bits, "one of {ports:?} by {word:#x}");
                let seen = [
                    set == 0,
                    rust.is_some() && rust == ports.first(),
                    ports.len() > 1 && rust == ports.nth(ports.len() - 1),
                    ports.len() > 2 && rust != ports.first() && rust != ports.nth(ports.len() - 1),
                ];
                seen.iter().enumerate().for_each(|(at, &yes)| tally.saw(at, u64::from(yes)));
                tally.compared += 1;
            }
        }
    }
    tally.conclude("draw", either(100_000, 8_000_000));
}

/// The formula of the draw is the one that taps use.
#[test]
fn the_draw_is_that_of_a_tap() {
    let mut lfsr = Lfsr::new(8, 0);
    for n in (0..64).cycle().take(10_000) {
        lfsr.step();
        let word = lfsr.word() as usize;
        assert_eq!(lfsr.tap(0, 0).below(n), ((word >> 16) * n) >> 16);
        assert_eq!(lfsr.tap(0, 0).second_below(n), ((word & 0xffff) * n) >> 16);
    }
}
