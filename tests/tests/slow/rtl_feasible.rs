//! Where a head may leave, of sets of candidates that share ports, or none: the RTL's `feasible`, `Outputs::open`, and a plain reading
//! of the rule — one after the other, the first set with an open VC.

use crate::rtl_unit::bench::{Bench, Chance, Tally, compiled, either};
use router_core::PortClass;
use router_core::contention::Contention;
use router_core::layout;
use router_core::lent::Lent;
use router_core::links::{FlowControl, PortSizes};
use router_core::output::OutputPort;
use router_core::per_port::PerPort;
use router_core::plan::Plan;
use router_core::route::{CandidateSet, Candidates, HopKind};
use router_core::select::{Outputs, Preference};
use router_core::units::{PortId, PortSet, VcId, VcSet};
use verilated::{Input, Output};

const PORTS: usize = 4;
const VCS: usize = 3;
const DEPTH: u16 = 8;

const MINIMAL: HopKind = HopKind::Minimal;
const GLOBAL: HopKind = HopKind::GlobalMisroute;
const LOCAL: HopKind = HopKind::LocalMisroute;

/// Places in use behind each port and VC, VCs that are held, and FIFOs that are full.
struct State {
    plan: Plan<PORTS>,
    ports: PerPort<OutputPort<VCS>, PORTS>,
    owned: PerPort<VcSet, PORTS>,
    contention: Contention<PORTS>,
    full: PortSet,
}

impl State {
    fn empty(flow: FlowControl) -> Self {
        let sizes = PortSizes { vcs: VCS as u8, buffer: DEPTH };
        let mut plan = Plan::new(&[PortClass::LOCAL; PORTS], &[sizes; 3]).expect("a plan");
        plan.links.flow = flow;
        Self {
            plan,
            ports: PerPort::from_fn(|_| OutputPort::new(DEPTH)),
            owned: PerPort::default(),
            contention: Contention::default(),
            full: PortSet::EMPTY,
        }
    }

    fn use_up(&mut self, port: usize, vc: usize, flits: u16) {
        let out = self.ports.get_mut(PortId::new(port as u8)).expect("a port");
        (0..flits).for_each(|_| out.credits.take(VcId::new(vc as u8)));
    }

    fn random(flow: FlowControl, chance: &mut Chance) -> Self {
        let mut state = Self::empty(flow);
        for port in 0..PORTS {
            let id = PortId::new(port as u8);
            state.owned.set(id, VcSet::from_bits((chance.word() & chance.word()) as u8 & 0b111));
            (0..VCS).for_each(|vc| state.use_up(port, vc, chance.below(usize::from(DEPTH) + 1) as u16));
        }
        state.full = PortSet::from_bits(chance.below(1 << PORTS) & chance.below(1 << PORTS));
        state
    }

    fn view(&self) -> Outputs<'_, PORTS, VCS> {
        let Self { plan, ports, owned, contention, full } = self;
        Outputs {
            links: &plan.links,
            ports,
            owned,
            lent: &Lent::NONE,
            contention,
            wired: PortSet::first_n(PORTS),
            waits_for_detours: false,
            asks_one: false,
            preference: Preference::RANDOM,
            full: *full,
            held: PortSet::EMPTY,
        }
    }

    fn left(&self, port: usize, vc: usize) -> u16 {
        self.ports.get(PortId::new(port as u8)).expect("a port").credits.left(VcId::new(vc as u8))
    }

    /// The rule, read word by word.
    fn may_leave(&self, port: usize, vc: usize, kind: HopKind, length: u16) -> bool {
        let room = if self.plan.links.flow == FlowControl::Wormhole && kind == MINIMAL { 1 } else { length };
        let id = PortId::new(port as u8);
        !self.full.contains(id)
            && !self.owned.at(id).contains(VcId::new(vc as u8))
            && self.left(port, vc) >= room
    }
}

struct Pair {
    bench: Bench,
    set_ports: Input,
    set_vcs: Input,
    accepts: Input,
    planes: [Input; 3],
    open: Output,
    by_kind: [Output; 3],
    flow: FlowControl,
    overlap: bool,
}

impl Pair {
    fn new(kinds: &'static [HopKind], flow: FlowControl, overlap: bool) -> Option<Self> {
        let parameters = [
            ("PORTS", PORTS as u32),
            ("VCS", VCS as u32),
            ("FLOW", flow as u32),
            ("SETS", kinds.len() as u32),
            ("KINDS", kinds.iter().rev().fold(0, |word, &kind| word << 8 | kind as u32)),
            ("OVERLAP", overlap.into()),
        ];
        let bench = Bench::new(&compiled("feasible", &["feasible"], &parameters)?);
        Some(Self {
            set_ports: bench.input("set_ports", kinds.len() * PORTS),
            set_vcs: bench.input("set_vcs", kinds.len() * VCS),
            accepts: bench.input("accepts", PORTS),
            planes: ["free", "credited", "fits"].map(|name| bench.input(name, VCS * PORTS)),
            open: bench.output("open", VCS * PORTS),
            by_kind: ["minimal_open", "global_misroutes", "local_misroutes"]
                .map(|name| bench.output(name, PORTS)),
            bench,
            flow,
            overlap,
        })
    }

    /// Port by port: the set it may leave by and the VCs there.
    fn compare(&mut self, sets: &[CandidateSet], state: &State, length: u16) -> Vec<Option<(usize, VcSet)>> {
        self.show(sets, state, length);
        let mut candidates = Candidates::NONE;
        sets.iter().for_each(|&set| candidates.offer(set).expect("room for all sets"));
        let (open, by_kind) = (self.bench.get(self.open), self.by_kind.map(|pin| self.bench.get(pin)));
        (0..PORTS)
            .map(|port| {
                let id = PortId::new(port as u8);
                let way = |set: &CandidateSet| -> VcSet {
                    let vcs = set.vcs.iter().filter(|_| set.ports.contains(id));
                    vcs.filter(|vc| state.may_leave(port, vc.index(), set.kind, length)).collect()
                };
                let first = (0..).zip(sets.iter().map(way)).find(|(_, vcs)| !vcs.is_empty());
                let context = format!("port {port} of {sets:?}, {length} flits");
                let rust = state.view().open(id, &candidates, length);
                assert_eq!(rust.1, first.map_or(VcSet::EMPTY, |(_, vcs)| vcs), "{context}");
                assert!(first.is_none_or(|(set, _)| rust.0 == sets[set].kind), "{context}");
                let planes = (0..VCS).filter(|vc| open >> (vc * PORTS + port) & 1 == 1);
                let rtl: VcSet = planes.map(|vc| VcId::new(vc as u8)).collect();
                assert_eq!(rtl, first.map_or(VcSet::EMPTY, |(_, vcs)| vcs), "RTL, {context}");
                let minimal = sets.iter().any(|set| set.kind == MINIMAL && !way(set).is_empty());
                assert_eq!(by_kind[0] >> port & 1 == 1, minimal, "RTL, minimal, {context}");
                // Of sets that share no port these are the ports of a kind, whether open or not.
                let told = if first.is_some() || self.overlap { &[(1, GLOBAL), (2, LOCAL)][..] } else { &[] };
                for &(nth, kind) in told {
                    let misroutes = first.is_some_and(|(set, _)| sets[set].kind == kind);
                    assert_eq!(by_kind[nth] >> port & 1 == 1, misroutes, "RTL, {kind:?}, {context}");
                }
                first
            })
            .collect()
    }

    fn show(&mut self, sets: &[CandidateSet], state: &State, length: u16) {
        let word = |bits: usize, of: &dyn Fn(&CandidateSet) -> u64| {
            sets.iter().rev().fold(0, |word, set| word << bits | of(set))
        };
        self.bench.set(self.set_ports, word(PORTS, &|set| set.ports.bits() as u64));
        self.bench.set(self.set_vcs, word(VCS, &|set| set.vcs.bits().into()));
        self.bench.set(self.accepts, (!state.full.bits() & ((1 << PORTS) - 1)) as u64);
        let plane = |holds: &dyn Fn(usize, usize) -> bool| {
            (0..VCS * PORTS).filter(|n| holds(n % PORTS, n / PORTS)).fold(0, |bits, n| bits | 1 << n)
        };
        let held =
            |port: usize, vc: usize| state.owned.at(PortId::new(port as u8)).contains(VcId::new(vc as u8));
        self.bench.set(self.planes[0], plane(&|port, vc| !held(port, vc)));
        self.bench.set(self.planes[1], plane(&|port, vc| state.left(port, vc) > 0));
        self.bench.set(self.planes[2], plane(&|port, vc| state.left(port, vc) >= length));
        self.bench.eval();
    }
}

fn set(ports: usize, vcs: u8, kind: HopKind) -> CandidateSet {
    CandidateSet::new(PortSet::from_bits(ports), VcSet::from_bits(vcs), kind)
}

/// Duato's protocol on a mesh: adaptive VC 1 by ports 1 and 2, escape VC 0 by port 1.
#[test]
fn an_escape_channel_is_offered_at_its_port_and_nowhere_else() {
    let (adaptive, escape) = (set(0b0110, 0b010, MINIMAL), set(0b0010, 0b001, MINIMAL));
    let Some(mut pair) = Pair::new(&[MINIMAL, MINIMAL], FlowControl::Vct, true) else { return };
    for sets in [[adaptive, escape], [escape, adaptive]] {
        let escape_at = sets.iter().position(|set| *set == escape).expect("it is there");
        let vcs = |found: Option<(usize, VcSet)>| found.map(|(_, vcs)| vcs.bits());
        // All is free: at port 1 the set that was offered first, at port 2 the adaptive one.
        let free = State::empty(FlowControl::Vct);
        let found = pair.compare(&sets, &free, 4);
        let first = if escape_at == 0 { 0b001 } else { 0b010 };
        assert_eq!([vcs(found[0]), vcs(found[1]), vcs(found[2])], [None, Some(first), Some(0b010)]);
        // No room in the adaptive VCs: the escape channel, at port 1 only.
        let mut crowded = State::empty(FlowControl::Vct);
        (1..3).for_each(|port| crowded.use_up(port, 1, DEPTH));
        let found = pair.compare(&sets, &crowded, 4);
        assert_eq!([vcs(found[1]), vcs(found[2])], [Some(0b001), None]);
        // No room in the escape channel: the adaptive one, at both.
        let mut no_escape = State::empty(FlowControl::Vct);
        no_escape.use_up(1, 0, DEPTH);
        let found = pair.compare(&sets, &no_escape, 4);
        assert_eq!([vcs(found[1]), vcs(found[2])], [Some(0b010), Some(0b010)]);
    }
}

/// Compares random sets, made by `draw`, in random states; counts how they are left.
fn compare_at_random(
    kinds: &'static [HopKind],
    overlap: bool,
    tally: &mut Tally<4>,
    draw: impl Fn(&mut Chance) -> Vec<CandidateSet>,
) -> Option<()> {
    for flow in [FlowControl::Vct, FlowControl::Wormhole] {
        let mut pair = Pair::new(kinds, flow, overlap)?;
        let mut chance = Chance::new(9);
        for _ in 0..times() {
            let state = State::random(pair.flow, &mut chance);
            let sets = draw(&mut chance);
            let length = 1 + chance.below(usize::from(DEPTH)) as u16;
            for (port, found) in pair.compare(&sets, &state, length).into_iter().enumerate() {
                let holds = |set: &&CandidateSet| set.ports.contains(PortId::new(port as u8));
                tally.saw(0, u64::from(found.is_none()));
                tally.saw(1, u64::from(found.is_some_and(|(nth, _)| nth == 0)));
                tally.saw(2, u64::from(found.is_some_and(|(nth, _)| nth > 0)));
                let passed = found.is_some_and(|(nth, _)| sets[..nth].iter().any(|set| holds(&set)));
                tally.saw(3, u64::from(passed));
                tally.compared += 1;
            }
        }
    }
    Some(())
}

fn times() -> usize {
    either(5_000, 200_000)
}

const LEFT: [&str; 4] = ["no way", "the first set", "a later one", "a later one, of two that hold it"];

#[test]
fn sets_that_share_ports_are_left_by_the_same() {
    const ORDERS: [&[HopKind]; 4] = [
        &[MINIMAL, MINIMAL],
        &[GLOBAL, MINIMAL, LOCAL],
        &[MINIMAL, GLOBAL, MINIMAL],
        &[LOCAL, LOCAL, GLOBAL],
    ];
    let mut tally = Tally::new(LEFT);
    for kinds in ORDERS {
        let any = |chance: &mut Chance| {
            let any = |&kind| set(chance.below(1 << PORTS), chance.below(1 << VCS) as u8, kind);
            kinds.iter().map(any).map(emptied).collect()
        };
        if compare_at_random(kinds, true, &mut tally, any).is_none() {
            return;
        }
    }
    let least = ORDERS.len() * 2 * times() * PORTS;
    tally.conclude("sets that share ports", least as u64);
    assert_eq!(layout::CANDIDATE_SETS, 3, "the longest order here");
}

/// As on-the-fly misrouting offers them: each port is in one set at most.
#[test]
fn sets_that_share_no_port_are_left_by_the_same() {
    const KINDS: &[HopKind] = &[MINIMAL, GLOBAL, LOCAL];
    let mut tally = Tally::new(LEFT);
    let apart = |chance: &mut Chance| {
        let mut ports = [0; 3];
        for port in 0..PORTS {
            if let Some(of) = ports.get_mut(chance.below(4)) {
                *of |= 1 << port;
            }
        }
        let sets = KINDS.iter().zip(ports);
        sets.map(|(&kind, ports)| set(ports, chance.below(1 << VCS) as u8, kind)).map(emptied).collect()
    };
    if compare_at_random(KINDS, false, &mut tally, apart).is_none() {
        return;
    }
    tally.without([3]).conclude("sets that share no port", (2 * times() * PORTS) as u64);
}

/// A set without a VC has no port either, as routings of the RTL show it.
fn emptied(set: CandidateSet) -> CandidateSet {
    if set.is_empty() { CandidateSet { ports: PortSet::EMPTY, vcs: VcSet::EMPTY, ..set } } else { set }
}
