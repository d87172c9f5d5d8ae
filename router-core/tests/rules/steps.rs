//! Paths of several steps, by `docs/drb.md`: where they lead, which VCs each step may take, and tables that cannot be right.

use super::explore::{Net, State, each, explore, flat, injected, longest, sorted};
use super::graphs::{GRAPHS, Graph};
use desvio_core::drb::{Alternatives, MultiStep, Network, SupernodeShape};
use desvio_core::header::Address;
use desvio_core::map::forwarding::Entry;
use desvio_core::map::grid::Grid;
use desvio_core::map::steps::{StepParts, StepTable};
use desvio_core::map::table::TableError;
use desvio_core::map::{Map, Peer};
use desvio_core::route::dimension_order::DimensionOrder;
use desvio_core::route::drb::{Drb, header};
use desvio_core::route::{Arrival, HopKind, Route};
use desvio_core::units::{PortClass, PortId, PortSet, VcId, VcSet};
use std::collections::HashMap;

/// The first VC of each class, and the number of all VCs: equal numbers, as far as they allow.
const CLASSES: [[u8; 4]; 6] =
    [[0, 1, 2, 3], [0, 1, 2, 4], [0, 1, 3, 5], [0, 2, 4, 6], [0, 2, 4, 7], [0, 2, 5, 8]];

/// Where a packet is on its path.
#[derive(Clone, Copy, Debug)]
struct Leg {
    /// To *i*, to *j* or to the destination: 0, 1, 2.
    number: u8,
    to: u32,
    /// Steps after it.
    after: u8,
    starts: bool,
}

/// A path by its ends and the routers between its steps.
#[derive(Clone, Copy, Debug)]
struct Path {
    from: u32,
    via: [u32; 2],
    to: u32,
}

impl Path {
    /// Its steps: each with its number and where it leads. Points that are reached at once are no ends of steps.
    fn steps(&self) -> Vec<(u8, u32)> {
        let Self { from, via: [i, j], to } = *self;
        let ahead = [i != from, j != i && j != to];
        let points = [(0, i), (1, j)].into_iter().zip(ahead).filter(|&(_, ahead)| ahead && from != to);
        points.map(|(point, _)| point).chain([(2, to)]).collect()
    }

    /// The steps that a packet is on after each number of hops, by the distances between routers; the last one is that by which it arrives.
    fn legs(&self, distance: &impl Fn(u32, u32) -> u32) -> Vec<Leg> {
        let (steps, mut at, mut legs) = (self.steps(), self.from, Vec::new());
        for (nth, &(number, to)) in steps.iter().enumerate() {
            let after = (steps.len() - 1 - nth) as u8;
            legs.extend((0..distance(at, to)).map(|hop| Leg { number, to, after, starts: hop == 0 }));
            at = to;
        }
        legs
    }
}

/// Follows a path in all ways that are offered. Each hop has to be offered as the rule says, and to be on the step that is due.
fn follow(
    net: &Net,
    routing: &Drb<'_>,
    path: &Path,
    distance: &impl Fn(u32, u32) -> u32,
    rule: &impl Fn(&State, Leg) -> Vec<(u8, u8, HopKind)>,
    keeps: &impl Fn(u8, Leg) -> bool,
) {
    let to = Address { router: path.to, port: 0 };
    let first = header(path.from, to, 3, MultiStep { first: path.via[0], second: path.via[1] });
    let steps = explore(net, routing, vec![State { router: path.from, from: injected(0, 0), header: first }]);
    longest(&steps);
    let legs = path.legs(distance);
    let mut depths: Vec<Option<usize>> = vec![None; steps.len()];
    depths[0] = Some(0);
    for (at, step) in steps.iter().enumerate() {
        let depth = depths[at].unwrap();
        for &(_, next) in &step.hops {
            assert_eq!(*depths[next].get_or_insert(depth + 1), depth + 1, "{path:?}");
        }
        let State { router, from, header } = step.state;
        if let Some(before) = depth.checked_sub(1).map(|before| legs[before]) {
            let ends = legs.get(depth).is_none_or(|leg| leg.starts);
            assert!(!ends || router == before.to, "{path:?}: at {router} behind {depth} hops");
            for vc in 0..routing.vcs {
                let keeps_order =
                    routing.keeps_order(&net.here(router), Arrival { vc: VcId::new(vc), ..from }, &header);
                assert_eq!(keeps_order, keeps(vc, before), "{path:?}: VC {vc} behind {depth} hops");
            }
        } else {
            assert!(routing.keeps_order(&net.here(router), from, &header));
        }
        let expected = match legs.get(depth) {
            Some(&leg) => rule(&step.state, leg),
            None => each(PortSet::only(PortId::new(0)), VcSet::from_bits(u8::MAX), HopKind::Minimal),
        };
        assert!(!expected.is_empty(), "{path:?}");
        assert_eq!(flat(&step.offered), sorted(expected), "{path:?} behind {depth} hops: {:?}", step.state);
    }
    let reached = depths.into_iter().flatten().max();
    assert_eq!(reached, Some(legs.len()), "{path:?}");
}

/// Some of all paths between these routers.
fn paths(routers: &[u32], every: usize) -> impl Iterator<Item = Path> {
    let count = routers.len();
    let path = move |n: usize| {
        let [from, i, j, to] = [0, 1, 2, 3].map(|digit| routers[n / count.pow(digit) % count]);
        Path { from, via: [i, j], to }
    };
    (0..count.pow(4)).step_by(every).map(path)
}

/// Proves: each step is in dimension order, on one class of VCs, with datelines of its own; the next one is on any higher class that leaves enough.
#[test]
fn steps_on_grids_rise_in_classes() {
    let shapes: [(&[u32], bool, usize); 4] =
        [(&[3, 2], false, 1), (&[4], true, 1), (&[5, 2], true, 7), (&[4, 5], true, 149)];
    for (dims, wraps, every) in shapes {
        let grid = Grid::new(dims, 1, wraps).unwrap();
        let net = Net::of(&grid);
        let hops: HashMap<_, _> = net.routers.iter().map(|&to| (to, net.distances(to))).collect();
        let distance = |one: u32, other: u32| hops[&other][&one];
        for firsts in CLASSES.into_iter().filter(|firsts| !wraps || firsts[3] >= 6) {
            let vcs = firsts[3];
            let class = |vc: u8| (0..3u8).find(|&class| vc < firsts[usize::from(class) + 1]).unwrap();
            let shape = SupernodeShape::gravity(1);
            let routing =
                Drb { network: Network::Grid(grid), vcs, ack_vcs: 0, source: shape, destination: shape };
            let rule = |state: &State, leg: Leg| {
                let classes = match (state.from.kind, leg.starts) {
                    (PortClass::NODE, _) => 0..3 - leg.after,
                    (_, true) => class(state.from.vc.number()) + 1..3 - leg.after,
                    (_, false) => class(state.from.vc.number())..class(state.from.vc.number()) + 1,
                };
                let mut all = Vec::new();
                for class in classes {
                    let first = firsts[usize::from(class)];
                    let alone = DimensionOrder { grid, vcs: firsts[usize::from(class) + 1] - first };
                    let from = match leg.starts {
                        true => injected(0, 0),
                        false => Arrival { vc: VcId::new(state.from.vc.number() - first), ..state.from },
                    };
                    let mut header = state.header;
                    header.to.router = leg.to;
                    let offered = flat(&alone.offer(&net.here(state.router), from, &header).unwrap());
                    all.extend(offered.into_iter().map(|(port, vc, kind)| (port, vc + first, kind)));
                }
                all
            };
            let keeps = |vc: u8, leg: Leg| class(vc) + leg.after < 3;
            for path in paths(&net.routers, every) {
                follow(&net, &routing, &path, &distance, &rule, &keeps);
            }
        }
    }
}

/// Tables of a graph, by the lowest port on a shortest route.
struct Tables {
    entries: Vec<Entry>,
    hops: Vec<u8>,
    peers: Vec<u32>,
}

/// The first VC of the second class, and that of the third.
const FIRST: [u8; 2] = [3, 5];

/// No router.
const NOBODY: u32 = 77;

impl Tables {
    /// Each entry may take VC 0, 3 or 5 and above, and one of the others or all, by its number.
    fn of(graph: &Graph) -> Self {
        let vcs = |at: usize| VcSet::from_bits([0b1110_1001, 0b1010_1011, u8::MAX][at % 3]);
        let entry = |(at, ports): (usize, PortSet)| {
            ports.first().map_or(Entry::NONE, |port| Entry::new(port, vcs(at)))
        };
        let net = Net::of(graph);
        let hop = |here, there| net.distances(there)[&here] as u8;
        let routers = 0..graph.routers;
        let hops = routers.clone().flat_map(|here| routers.clone().map(move |there| (here, there)));
        let hops = hops.map(|(here, there)| hop(here, there)).collect();
        let ends = routers.flat_map(|router| net.ports().map(move |port| (router, port)));
        let peer = |(router, port)| match net.peer(router, port) {
            Some(Peer::Router { router, .. }) => router,
            _ => NOBODY,
        };
        let entries = graph.shortest().into_iter().enumerate().map(entry).collect();
        Self { entries, hops, peers: ends.map(peer).collect() }
    }

    fn parts(&self, graph: &Graph) -> StepParts<'_> {
        let Self { entries, hops, peers } = self;
        StepParts {
            entries,
            hops,
            peers,
            width: graph.ports() as u32,
            routers: graph.routers,
            classes: FIRST,
        }
    }
}

/// Proves: a packet keeps the VC of a step's first hop, each further step is on a higher one, and no VC of the classes behind a step is taken.
#[test]
fn steps_by_a_table_rise_in_vcs() {
    for graph in &GRAPHS {
        let net = Net::of(graph);
        let tables = Tables::of(graph);
        let table = StepTable::load(tables.parts(graph), graph.wired()).unwrap();
        let hops: Vec<_> = (0..graph.routers).map(|to| net.distances(to)).collect();
        let distance = |one: u32, other: u32| hops[other as usize][&one];
        let shape = SupernodeShape::gravity(1);
        let routing =
            Drb { network: Network::Table(table), vcs: 8, ack_vcs: 0, source: shape, destination: shape };
        let end = |number: u8| [FIRST[0], FIRST[1], 8][usize::from(number)];
        let entry = |here: u32, there: u32| tables.entries[(here * graph.routers + there) as usize];
        let rule = |state: &State, leg: Leg| {
            let found = entry(state.router, leg.to);
            let vcs: VcSet = match (state.from.kind, leg.starts) {
                (PortClass::NODE, _) => found.vcs.iter().filter(|vc| vc.number() < end(leg.number)).collect(),
                (_, true) => {
                    let above = |vc: &VcId| *vc > state.from.vc && vc.number() < end(leg.number);
                    found.vcs.iter().filter(above).collect()
                }
                (_, false) => VcSet::only(state.from.vc),
            };
            each(PortSet::only(found.port().unwrap()), vcs, HopKind::Minimal)
        };
        let keeps = |vc: u8, leg: Leg| vc < end(leg.number);
        for path in paths(&net.routers, 1) {
            follow(&net, &routing, &path, &distance, &rule, &keeps);
        }
        // The links of a path are those of its steps, also where it leads through a router twice.
        let all = Alternatives {
            network: Network::Table(table),
            source: shape,
            destination: shape,
            own_links: false,
        };
        for Path { from, via: [first, second], to } in paths(&net.routers, 3) {
            let mut expected = Vec::new();
            for (mut at, there) in [(from, first), (first, second), (second, to)] {
                while at != there {
                    let port = entry(at, there).port().unwrap();
                    expected.push((at, port));
                    let Some(Peer::Router { router, .. }) = net.peer(at, port) else { panic!("no link") };
                    at = router;
                }
            }
            let path = MultiStep { first, second };
            assert_eq!(all.links(from, to, path).collect::<Vec<_>>(), expected);
            assert_eq!(all.length(from, to, path), expected.len() as u32);
        }
        // Beyond the last router there is nothing.
        let network = Network::Table(table);
        for (here, there) in [(0, graph.routers), (graph.routers, 0), (graph.routers, graph.routers)] {
            assert_eq!((table.entry(here, there), network.distance(here, there)), (Entry::NONE, 0));
            assert_eq!(network.links(here, there).count(), 0);
        }
        assert_eq!(table.routers(), graph.routers);
        // A route may be longer than that back.
        let mut hops = tables.hops.clone();
        hops[1] += 4;
        let table = StepTable::load(StepParts { hops: &hops, ..tables.parts(graph) }, graph.wired()).unwrap();
        let network = Network::Table(table);
        assert_eq!((network.distance(0, 1), network.distance(1, 0)), (distance(0, 1) + 4, distance(1, 0)));
    }
}

/// Proves: a table with too few or too many entries of any kind, without a way or by a port that leads to no router is refused by its first fault.
#[test]
fn tables_of_steps_that_cannot_be_right_are_refused() {
    let graph = &GRAPHS[0];
    let tables = Tables::of(graph);
    let right = tables.parts(graph);
    let loaded = |parts: StepParts<'_>| StepTable::load(parts, graph.wired()).map(drop);
    assert_eq!(loaded(right), Ok(()));
    let size = Err(TableError::Size);
    assert_eq!(loaded(StepParts { entries: &tables.entries[1..], ..right }), size);
    assert_eq!(loaded(StepParts { hops: &tables.hops[1..], ..right }), size);
    assert_eq!(loaded(StepParts { peers: &tables.peers[1..], ..right }), size);
    assert_eq!(loaded(StepParts { width: 4, ..right }), size);
    assert_eq!(loaded(StepParts { routers: 4, ..right }), size);
    assert_eq!(loaded(StepParts { entries: &[], hops: &[], peers: &[], routers: 0, ..right }), size);
    let columns = graph.routers as usize;
    let with = |here: u32, there: u32, entry: Entry| {
        let mut entries = tables.entries.clone();
        entries[here as usize * columns + there as usize] = entry;
        loaded(StepParts { entries: &entries, ..right })
    };
    let by = |port: u8| Entry::new(PortId::new(port), VcSet::first_n(8));
    for (here, there) in (0..5).flat_map(|here| (0..5).map(move |there| (here, there))) {
        let no_way = if here == there { Ok(()) } else { Err(TableError::NoPort { here, there }) };
        assert_eq!(with(here, there, Entry::NONE), no_way);
        // Port 0 is a node's; router 0 has links at ports 1 to 3, router 1 at 1 and 2.
        for port in 0..5 {
            let leads = matches!(graph.peer(here, PortId::new(port)), Some(Peer::Router { .. }));
            let found = if leads { Ok(()) } else { Err(TableError::WrongPort { here, there }) };
            assert_eq!(with(here, there, by(port)), found, "{here} {there} by {port}");
        }
    }
    // The first one.
    let mut entries = tables.entries.clone();
    (entries[7], entries[8]) = (by(4), Entry::NONE);
    let found = loaded(StepParts { entries: &entries, ..right });
    assert_eq!(found, Err(TableError::WrongPort { here: 1, there: 2 }));
}
