//! Routers with more than 64 ports; and others, which do the same with sets of several words.

use super::super::{Outcome, in_shards, run};
use crate::blueprint::{Blueprint, BlueprintError};
use crate::network::{Network, Partition};
use crate::scenario::Scenario;
use crate::summary::State;
use crate::traffic::Traffic;
use router_core::header::{Address, Header};
use router_core::route::ways::{Exit, Ways};
use router_core::route::{Arrival, Candidates, Draw, Full, Here, HopKind, Route, Routing};
use router_core::units::{Bits, PortClass, PortId, PortSet, WideBits, WidePorts};
use std::path::Path;

/// A routing of routers with at most 64 ports, for the wide ones.
struct Widened<'b>(Routing<'b>);

fn sets<A: Bits, B: Bits>(ports: PortSet<A>) -> PortSet<B> {
    ports.into_iter().collect()
}

fn place<A: Bits, B: Bits>(here: &Here<A>) -> Here<B> {
    Here {
        router: here.router,
        wired: sets(here.wired),
        group_exits: sets(here.group_exits),
        channels: sets(here.channels),
    }
}

fn offers<A: Bits, B: Bits>(all: &Candidates<A>) -> Candidates<B> {
    let (mut wide, mut escape) = (Candidates::NONE, None);
    for set in all.sets() {
        let ports = sets(set.ports);
        if set.kind == HopKind::Escape {
            escape = Some((ports, set.vcs));
        } else {
            let router_core::route::CandidateSet { vcs, kind, hops, .. } = set;
            wide.offer(router_core::route::CandidateSet { ports, vcs, kind, hops }).unwrap();
        }
    }
    let wide = if all.is_forced() { wide.forced() } else { wide };
    escape.map_or(wide, |(ports, vcs)| wide.escaping(ports, vcs, all.enters()))
}

type Wide = Here<WideBits>;

impl Route<WideBits> for Widened<'_> {
    fn offer(&self, here: &Wide, from: Arrival, header: &Header) -> Result<Candidates<WideBits>, Full> {
        Ok(offers(&self.0.offer(&place(here), from, header)?))
    }
    fn passed_over(&self, here: &Wide, header: &Header) -> WidePorts {
        sets(self.0.passed_over(&place(here), header))
    }
    fn onward(&self, here: &Wide, header: &Header, out_kind: PortClass, hop: HopKind) -> Header {
        self.0.onward(&place(here), header, out_kind, hop)
    }
    fn launch(&self, here: &Wide, to: Address, length: u16, draw: &mut impl Draw) -> Header {
        self.0.launch(&place(here), to, length, draw)
    }
    fn level(&self, from: Address, to: Address) -> u8 {
        self.0.level(from, to)
    }
    fn leaves_for(&self, here: &Wide, from: Arrival, header: &Header) -> Option<u32> {
        self.0.leaves_for(&place(here), from, header)
    }
    fn exit(&self, here: &Wide, group: u32) -> Option<Exit> {
        self.0.exit(&place(here), group)
    }
    fn ways(&self, here: &Wide, from: Arrival, header: &Header) -> Option<Ways> {
        self.0.ways(&place(here), from, header)
    }
    fn straight(&self, from: Arrival) -> Option<PortId> {
        self.0.straight(from)
    }
    fn legs(&self, from: u32, to: u32) -> u16 {
        self.0.legs(from, to)
    }
    fn keeps_order(&self, here: &Wide, from: Arrival, header: &Header) -> bool {
        self.0.keeps_order(&place(here), from, header)
    }
}

fn blueprint(text: &str, sets: &[&str]) -> Blueprint {
    let sets: Vec<_> = sets.iter().map(ToString::to_string).collect();
    Blueprint::new(Scenario::parse(text, "net.toml", Path::new("."), &sets).unwrap()).unwrap()
}

/// The outcome in routers of 64 ports, and in those of 256.
fn both(on: &Blueprint, load: f64) -> [Outcome; 2] {
    let one = Partition::with(on, 1);
    let threads = (&one, &(|| false) as _);
    let routing = on.routing().unwrap();
    let narrow = in_shards::<64, 8, _, usize>(on, (routing, Vec::new()), load, &|_| (), threads);
    let wide = in_shards::<256, 8, _, WideBits>(on, (Widened(routing), Vec::new()), load, &|_| (), threads);
    [narrow.unwrap(), wide.unwrap()]
}

fn agree(text: &str, sets: &[&str]) {
    let run = ["run.warmup_cycles=100", "run.measure_cycles=400", "run.details=true"];
    let on = blueprint(text, &[&run[..], sets].concat());
    let [narrow, wide] = both(&on, 0.7);
    assert!(narrow.summary.packets_measured > 100, "{sets:?}: {narrow:?}");
    assert_eq!(format!("{narrow:?}"), format!("{wide:?}"), "{sets:?}");
}

const DRAGONFLY: &str = "[topology]\nkind = \"dragonfly\"\np = 2\na = 4\nh = 2\n[traffic]\nloads = [1]\n";
const TORUS: &str = "[topology]\nkind = \"torus\"\ndims = [4, 4]\n[traffic]\nloads = [1]\n";
const TREE: &str = "[topology]\nkind = \"fat-tree\"\nradix = 8\n[traffic]\nloads = [1]\n";

/// Proves: sets of four words do in routers of few ports what one word does, to the last digit of every result, by each trigger, allocator
/// and arbiter, and with most of what a router can be.
#[test]
fn small_routers_do_the_same_with_wide_sets() {
    let adversarial = "traffic.pattern={ adversarial = 1 }";
    for trigger in ["occupancy", "contention", "contention-average", "hybrid", "always", "ectn"] {
        agree(DRAGONFLY, &[adversarial, &format!("selection.trigger={trigger}")]);
    }
    let allocators =
        ["separable-input-first", "separable-output-first", "wavefront", "separable-one-arbiter"];
    for (allocator, arbiter) in
        allocators.into_iter().flat_map(|kind| ["matrix", "round-robin"].map(|arbiter| (kind, arbiter)))
    {
        let set = [format!("router.allocator={allocator}"), format!("router.arbiter={arbiter}")];
        agree(TREE, &[&set[0], &set[1], "router.speedup=1", "router.priority=transit"]);
    }
    agree(DRAGONFLY, &["routing.algorithm=ofar", "router.vcs=3", "router.vc_allocation=bubble"]);
    agree(DRAGONFLY, &["routing.algorithm=ugal-dragonfly", adversarial]);
    agree(DRAGONFLY, &["router.pipeline=5", "router.allocation_unit=flit"]);
    agree(DRAGONFLY, &["router.pipeline=6", "selection.count_at=arrival"]);
    let reserved = "router.reserved_flits={ global = 8 }";
    agree(DRAGONFLY, &[reserved, "router.buffer_flits={ node = 16, local = 20, global = 40 }"]);
    agree(TORUS, &["routing.algorithm=duato", "router.vcs=3", "selection.ports=most-credits"]);
    agree(TORUS, &["router.flow_control=wormhole", "router.allocation_unit=flit"]);
    agree(TORUS, &["router.flow_control=pipelined-circuit", "routing.algorithm=multipath", "router.vcs=2"]);
    agree(TORUS, &["router.allocation_unit=packet", "router.head_lifetime=64"]);
    agree(TREE, &["congestion.threshold=15", "injection.control=congestion-control"]);
}

/// Proves: the tables of wide sets lead where those of one word do.
#[test]
fn tables_of_wide_sets_lead_where_others_do() {
    let graph = "[topology]\nkind = \"random-regular\"\nrouters = 12\ndegree = 4\nnodes_per_router = 2\n\
                 [router]\nvcs = 8\n[traffic]\nloads = [1]\n";
    let clos = "[topology]\nkind = \"xgft\"\nchildren = [4, 3]\nparents = [1, 2]\n[traffic]\nloads = [1]\n";
    let run = ["run.warmup_cycles=200", "run.measure_cycles=600"];
    let table = |word| format!("routing.algorithm={word}");
    let words = ["table", "multipath", "valiant-table", "up*/down*", "layered", "interval", "ugal"];
    let of_graph = words.map(|word| (graph, table(word)));
    let of_levels = ["adaptive", "destination"].map(|ascent| (clos, format!("routing.ascent={ascent}")));
    for (text, set) in of_graph.into_iter().chain(of_levels) {
        let [narrow, wide] =
            [blueprint(text, &[&run[..], &[&set]].concat()), blueprint(text, &[&run[..], &[&set]].concat())];
        let wide = wide.widened();
        let one = Partition::with(&narrow, 1);
        let threads = (&one, &(|| false) as _);
        let load = if set.contains("interval") { 0.2 } else { 0.4 };
        let by = (narrow.routing().unwrap(), Vec::new());
        let narrow = in_shards::<64, 8, _, usize>(&narrow, by, load, &|_| (), threads).unwrap();
        let by = (wide.wide_routing().unwrap(), Vec::new());
        let wide = in_shards::<256, 8, _, WideBits>(&wide, by, load, &|_| (), threads).unwrap();
        assert!(narrow.summary.packets_measured > 100, "{set}: {narrow:?}");
        assert_eq!(format!("{narrow:?}"), format!("{wide:?}"), "{set}");
    }
}

/// Two routers with so many nodes each, joined by so many links.
fn pair(nodes: usize, links: usize, sets: &[&str]) -> Result<Blueprint, BlueprintError> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("edges.txt"), "0 1\n".repeat(links)).unwrap();
    let text = format!(
        "[topology]\nkind = \"graph\"\nfile = \"edges.txt\"\nnodes_per_router = {nodes}\n\
         [routing]\nalgorithm = \"up*/down*\"\n[router]\nspeedup = 1\n[links]\nlatency = {{ node = 2, local = 7 }}\n\
         [traffic]\nloads = [1]\npacket_flits = 8\n"
    );
    let sets: Vec<_> = sets.iter().map(ToString::to_string).collect();
    Blueprint::new(Scenario::parse(&text, "pair.toml", folder.path(), &sets).unwrap())
}

/// Proves: packets between the highest ports of two wide routers take the time of the formula of [`router_core::router::router_cycles`], each
/// of them, on each side of the ends of words.
#[test]
fn a_packet_through_wide_routers_takes_the_time_of_the_formula() {
    for (nodes, links) in [(40, 32), (63, 2), (64, 1), (120, 9), (200, 56)] {
        // A node of each router, its last one: far from the lowest port.
        let pattern = format!("traffic.pattern={{ pairs = [[{}, {}]] }}", nodes - 1, 2 * nodes - 1);
        let run = ["run.warmup_cycles=0", "run.measure_cycles=20000", &pattern];
        let on = pair(nodes, links, &run).unwrap();
        assert!(on.is_wide() && on.wiring().ports() == nodes + links);
        let outcome = run_at(&on, 0.004);
        let expected = f64::from(2 * 2 + 7 + 2 * 4 + 8 - 1);
        assert!(outcome.summary.packets_measured > 5, "{outcome:?}");
        assert_eq!((outcome.summary.latency_mean, outcome.summary.hops_mean), (expected, 1.0), "{nodes}");
    }
}

fn run_at(on: &Blueprint, load: f64) -> Outcome {
    let outcome = run(on, load, &|_| ()).unwrap();
    assert!(outcome.violation.is_none(), "{outcome:?}");
    outcome
}

/// Proves: wide routers lose no flit under all load that they take, by every allocator, and count each packet as it leaves where they counted it
/// as it came.
#[test]
fn wide_routers_keep_every_flit() {
    let counted = "selection.count_at=arrival";
    for (allocator, further) in [
        ("separable-input-first", "router.pipeline=6"),
        ("separable-output-first", counted),
        ("wavefront", counted),
    ] {
        let on = pair(80, 60, &[&format!("router.allocator={allocator}"), further]).unwrap();
        let traffic = Traffic::new(&on.scenario().traffic, &on.node_map(), 1.0, 1).unwrap();
        let partition = Partition::with(&on, 2);
        let routing = on.wide_routing().unwrap();
        let mut network =
            Network::<256, 8, _, WideBits>::with(&on, routing, &traffic, &partition, &|| true).unwrap();
        for end in (200..=1200).step_by(200) {
            network.run_to(end);
            network.audit();
            assert_eq!(network.violation(), None, "{allocator}");
        }
        let flits = network.tally().flits;
        assert!(flits > 80 * 1200, "{flits}");
        assert_eq!(network.drained(), (None, 0), "{allocator}");
    }
}

#[test]
fn wide_routers_accept_what_is_offered() {
    let on = pair(100, 60, &["run.warmup_cycles=1000", "run.measure_cycles=3000"]).unwrap();
    let outcome = run_at(&on, 0.5);
    assert_eq!(outcome.summary.state, State::Fixed);
    assert!((outcome.summary.accepted - 0.5).abs() < 0.01, "{}", outcome.summary.accepted);
}

#[test]
fn what_wide_routers_have_not_is_refused() {
    let refused = |set: &[&str]| pair(80, 8, set).unwrap_err().to_string();
    let algorithm = refused(&["routing.algorithm=source"]);
    assert!(
        algorithm.starts_with(
            "routing.algorithm = \"source\" is for routers of at most 64 ports, and the widest router of this network has 88;"
        ) && algorithm.contains("up*/down*"),
        "{algorithm}"
    );
    assert!(pair(56, 8, &["routing.algorithm=source"]).is_ok());
    assert!(pair(200, 56, &[]).is_ok());
    let most = pair(200, 57, &[]).unwrap_err().to_string();
    assert!(
        most.contains("needs 257 ports (200 to nodes, 57 to routers); at most 256 are possible"),
        "{most}"
    );
    let layered = pair(200, 55, &["routing.algorithm=layered"]).unwrap_err().to_string();
    assert!(layered.contains("at most 254 ports"), "{layered}");
    // Those of at most 64 ports have no wide routing, and wide ones no other.
    let (narrow, wide) = (pair(56, 8, &[]).unwrap(), pair(80, 8, &[]).unwrap());
    assert!(narrow.wide_routing().is_err() && narrow.routing().is_ok());
    assert!(wide.wide_routing().is_ok() && wide.routing().is_err() && wide.map().is_err());
}
