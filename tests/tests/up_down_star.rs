//! up*/down* routing, searched exhaustively on random graphs: it finds a way between any two routers, all shortest legal ones, and no
//! circle of buffers waits for itself, whatever the VCs.

use desvio_sim::topology::{self, Order, Wiring};
use desvio_tests::measure::{blueprint, measure};
use desvio_tests::networks::{ARRANGEMENTS, Dependencies, Network, Shape};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use router_core::PortClass;
use router_core::header::Header;
use router_core::map::table::TableError;
use router_core::map::up_down::UpDownTable;
use router_core::route::{Arrival, Candidates, Full, Here, HopKind, Route, consume};
use router_core::units::{PortId, PortSet, VcSet};
use std::collections::{BTreeSet, VecDeque};
use std::fmt::Write;

/// The network of a topology, routers addressed by number.
fn network(topology: impl Into<topology::Topology>) -> Network {
    let wiring = Wiring::build(&topology.into()).expect("a network");
    let addresses = (0..wiring.routers() as u32).collect();
    Network::new(wiring, addresses)
}

/// A random connected graph: a tree, and further edges, some of which are parallel to others.
fn random_graph(seed: u64) -> Network {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut below = |bound: usize| (random.next_u64() % bound as u64) as usize;
    let routers = 2 + below(15);
    let mut edges: Vec<_> = (1..routers).map(|router| (below(router), router)).collect();
    for _ in 0..below(2 * routers) {
        let (a, b) = (below(routers), below(routers));
        if a != b {
            edges.push((a, b));
        }
    }
    // The root is anywhere in the graph.
    let turn = below(routers);
    let text = edges.iter().fold(String::new(), |mut text, (a, b)| {
        writeln!(text, "{} {}", (a + turn) % routers, (b + turn) % routers).expect("room");
        text
    });
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("net.txt");
    std::fs::write(&file, text).expect("written");
    network(topology::Graph::new(file, topology::NodesPerRouter::Same(1)))
}

fn random_regular(routers: u32, degree: u32, wiring_seed: u64) -> Network {
    network(topology::RandomRegular { routers, degree, wiring_seed, nodes_per_router: 1 })
}

/// The tables of a network.
struct Tables {
    ports: Vec<PortSet>,
    up: Vec<PortSet>,
}

impl Tables {
    fn of(network: &Network, root: u32) -> Self {
        let order = Order::from(&network.wiring, root).expect("a root");
        let sets =
            |masks: Vec<u64>| masks.into_iter().map(|mask| PortSet::from_bits(mask as usize)).collect();
        Self { ports: sets(order.legal_ports()), up: sets(order.up_ports()) }
    }

    fn load(&self, network: &Network) -> Result<UpDownTable<'_>, TableError> {
        UpDownTable::load(&self.ports, &self.up, |router| {
            network.wiring.neighbours(router as usize).fold(PortSet::EMPTY, |mut ports, (port, _)| {
                ports.insert(PortId::new(port as u8));
                ports
            })
        })
    }
}

/// Remaining hops of legal routes to `there`, by router, for packets that may go up and for those that have gone down. They come from a
/// search back from `there` through pairs of a router and a packet's state.
fn legal_hops(network: &Network, root: usize, there: usize) -> Vec<[usize; 2]> {
    let from_root = network.distances_to(root);
    let is_up = |from: usize, to: usize| (from_root[to], to) < (from_root[from], from);
    let mut hops = vec![[usize::MAX; 2]; network.routers()];
    hops[there] = [0, 0];
    let mut next = VecDeque::from([(there, 0), (there, 1)]);
    while let Some((router, gone_down)) = next.pop_front() {
        for (_, before) in network.wiring.neighbours(router) {
            // A hop up leaves a packet free to go either way; after a hop down it has gone down.
            let states: &[usize] = match (is_up(before, router), gone_down) {
                (true, 0) => &[0],
                (true, _) | (false, 0) => &[],
                (false, _) => &[0, 1],
            };
            for &state in states {
                if hops[before][state] == usize::MAX {
                    hops[before][state] = hops[router][gone_down] + 1;
                    next.push_back((before, state));
                }
            }
        }
    }
    hops
}

/// Searches all places that packets reach; gives the dependencies, and the places where there was a choice.
fn search(network: &Network, root: usize) -> (Dependencies, usize) {
    let tables = Tables::of(network, root as u32);
    let table = tables.load(network).expect("good tables");
    let mut dependencies = Dependencies::new(network);
    let mut choices = 0;
    let mut pairs = BTreeSet::new();
    for destination in 0..network.routers() {
        let legal = legal_hops(network, root, destination);
        let reach = network.reach(&table, destination, network.header_to(destination), |_, _| true);
        for (number, place) in reach.places.iter().enumerate() {
            let comes_down = || tables.up[place.router].contains(place.from.port);
            let state = usize::from(place.from.kind != PortClass::NODE && comes_down());
            let left = legal[place.router][state];
            assert!(table.keeps_order(&network.heres[place.router], place.from, &place.header));
            assert_eq!(left == 0, reach.is_arrived(number));
            let offered: BTreeSet<usize> = reach.hops(number).iter().map(|hop| hop.by.port.index()).collect();
            let closer = |&(port, next): &(usize, usize)| {
                let is_up = tables.up[place.router].contains(PortId::new(port as u8));
                let after = legal[next][usize::from(!is_up)];
                !(state == 1 && is_up) && after != usize::MAX && after + 1 == left
            };
            let all: BTreeSet<usize> =
                network.wiring.neighbours(place.router).filter(closer).map(|(port, _)| port).collect();
            assert_eq!(offered, all, "{place:?} to router {destination}");
            assert!(reach.hops(number).iter().all(|hop| hop.by.kind == HopKind::Minimal));
            choices += usize::from(all.len() > 1);
            if number < reach.sources {
                pairs.insert((place.router, destination));
            }
        }
        // From any source, however it goes, a packet arrives after the fewest legal hops.
        assert_eq!(Some(reach.longest_route()), legal.iter().map(|hops| hops[0]).max());
        dependencies.add_all(network, &reach, |_, _| true);
    }
    assert_eq!(pairs.len(), network.routers() * network.routers());
    (dependencies, choices)
}

#[test]
fn any_two_routers_of_a_random_graph_are_joined_and_no_buffers_wait_in_a_circle() {
    let (mut waiting, mut choices) = (0, 0);
    for seed in 0..60 {
        let network = random_graph(seed);
        for root in [0, network.routers() - 1] {
            let (dependencies, several) = search(&network, root);
            assert!(dependencies.are_acyclic(), "seed {seed}, root {root}");
            (waiting, choices) = (waiting + dependencies.len(), choices + several);
        }
    }
    for (routers, degree, seed) in [(10, 3, 1), (24, 4, 2), (30, 5, 3)] {
        let (dependencies, several) = search(&random_regular(routers, degree, seed), 7);
        assert!(dependencies.are_acyclic(), "{routers} routers of degree {degree}");
        (waiting, choices) = (waiting + dependencies.len(), choices + several);
    }
    assert!(waiting > 200_000 && choices > 20_000, "{waiting} dependencies, {choices} choices");
}

#[test]
fn so_it_is_on_the_other_topologies() {
    let grid = topology::Grid { dims: vec![4, 3], nodes_per_router: 1 };
    let ring = topology::Ring { routers: 9, chords: vec![], nodes_per_router: 1 };
    let dragonfly = Shape::balanced(1, 3, ARRANGEMENTS[0]).network().wiring;
    let addresses = (0..dragonfly.routers() as u32).collect();
    let networks = [
        network(topology::Mesh(grid.clone())),
        network(topology::Torus(grid)),
        network(ring),
        network(topology::Hypercube { dims: 4, nodes_per_router: 1 }),
        network(topology::BinaryTree { levels: 4, nodes_per_router: 1 }),
        Network::new(dragonfly, addresses),
    ];
    for network in networks {
        for root in 0..network.routers() {
            assert!(search(&network, root).0.are_acyclic());
        }
    }
}

/// On a tree there is one route, and it is legal: it is as long as the shortest.
#[test]
fn routes_of_a_tree_are_the_shortest() {
    let network = network(topology::BinaryTree { levels: 4, nodes_per_router: 1 });
    for (root, there) in [(0, 14), (9, 3), (14, 14)] {
        let legal = legal_hops(&network, root, there);
        assert!(legal.iter().zip(network.distances_to(there)).all(|(legal, hops)| legal[0] == hops));
    }
    // In a ring, no route passes the link between the two lowest routers.
    let ring = self::network(topology::Ring { routers: 6, chords: vec![], nodes_per_router: 1 });
    assert_eq!(legal_hops(&ring, 0, 2).iter().map(|hops| hops[0]).collect::<Vec<_>>(), [2, 1, 0, 1, 4, 3]);
}

/// The same table without its rule: packets go where they are nearer, up or down.
#[derive(Clone, Copy)]
struct Lawless<'n> {
    network: &'n Network,
}

impl Route for Lawless<'_> {
    fn offer(&self, here: &Here, _from: Arrival, header: &Header) -> Result<Candidates, Full> {
        let (at, to) = (here.router as usize, header.to.router as usize);
        if at == to {
            return Ok(consume(here, header.to));
        }
        let bits = self.network.wiring.minimal_ports()[at * self.network.routers() + to];
        Ok(Candidates::minimal(PortSet::from_bits(bits as usize), VcSet::from_bits(u8::MAX)))
    }
}

#[test]
fn without_the_rule_buffers_wait_in_a_circle() {
    for network in [
        network(topology::Ring { routers: 5, chords: vec![], nodes_per_router: 1 }),
        random_regular(10, 3, 1),
        random_regular(12, 4, 2),
    ] {
        let mut dependencies = Dependencies::new(&network);
        for destination in 0..network.routers() {
            let routing = Lawless { network: &network };
            let reach = network.reach(&routing, destination, network.header_to(destination), |_, _| true);
            dependencies.add_all(&network, &reach, |_, _| true);
        }
        assert!(!dependencies.are_acyclic());
        assert!(search(&network, 0).0.are_acyclic());
    }
}

#[test]
fn a_packet_that_should_not_be_there_breaks_the_order() {
    // Root 0, below it 1 and 2, 3 below 1: what came down to 3 is not for 2.
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("net.txt");
    std::fs::write(&file, "0 1\n0 2\n1 3\n").expect("written");
    let network = network(topology::Graph::new(file, topology::NodesPerRouter::Same(1)));
    let tables = Tables::of(&network, 0);
    let table = tables.load(&network).expect("good tables");
    let down = Arrival { port: PortId::new(1), kind: PortClass::LOCAL, ..Arrival::default() };
    let keeps = |at: usize, to: usize| table.keeps_order(&network.heres[at], down, &network.header_to(to));
    assert_eq!([0, 1, 2, 3].map(|to| keeps(3, to)), [false, false, false, true]);
    assert_eq!([0, 1, 2, 3].map(|to| keeps(1, to)), [false, true, false, true]);
    let offered = table.offer(&network.heres[3], down, &network.header_to(2)).expect("room");
    assert!(offered.is_empty(), "no way up for a packet that has gone down");
    assert_eq!(table.ports(4, 0, false), PortSet::EMPTY);
    assert_eq!(table.ports(0, 4, true), PortSet::EMPTY);
}

#[test]
fn bad_tables_are_refused_by_name() {
    let network = random_regular(6, 3, 1);
    let good = || Tables::of(&network, 0);
    assert!(good().load(&network).is_ok());
    let refused = |change: &dyn Fn(&mut Tables)| {
        let mut tables = good();
        change(&mut tables);
        tables.load(&network).map(drop)
    };
    let entry = |here: usize, there: usize| (there * 6 + here) * 2;
    let (here, there) = (5, 0);
    let up = good().up[here];
    assert!(!up.is_empty());
    assert_eq!(refused(&|tables| tables.ports.truncate(71)), Err(TableError::Size));
    assert_eq!(refused(&|tables| tables.up.clear()), Err(TableError::Size));
    let none = |tables: &mut Tables| tables.ports[entry(5, 0)] = PortSet::EMPTY;
    assert_eq!(refused(&none), Err(TableError::NoPort { here: 5, there: 0 }));
    let node = |tables: &mut Tables| tables.ports[entry(5, 0)].insert(PortId::new(0));
    assert_eq!(refused(&node), Err(TableError::WrongPort { here: 5, there: 0 }));
    let home = |tables: &mut Tables| tables.ports[entry(3, 3) + 1].insert(PortId::new(1));
    assert_eq!(refused(&home), Err(TableError::WrongPort { here: 3, there: 3 }));
    // Up again after going down: the rule itself.
    let again = |tables: &mut Tables| tables.ports[entry(here, there) + 1] = up;
    assert_eq!(refused(&again), Err(TableError::WrongPort { here: 5, there: 0 }));
    let unconnected = |tables: &mut Tables| tables.up[2].insert(PortId::new(0));
    assert_eq!(refused(&unconnected), Err(TableError::UpPort { here: 2 }));
    assert_eq!(TableError::UpPort { here: 2 }.to_string(), "a port up of router 2 is not connected");
    assert!(Order::from(&network.wiring, 6).is_none());
}

/// Full load, one VC, wormhole: what deadlocks first where anything can. Shortest routes on one VC do.
#[test]
fn one_vc_suffices_at_full_load() {
    for topology in [
        "kind = \"ring\", routers = 8",
        "kind = \"random-regular\", routers = 16, degree = 4",
        "kind = \"torus\", dims = [4, 4]",
    ] {
        for flow in ["vct", "wormhole"] {
            let text = format!(
                "topology = {{ {topology} }}
                routing = {{ algorithm = \"up*/down*\", root = 3 }}
                router = {{ vcs = 1, buffer_flits = 8, flow_control = \"{flow}\" }}
                traffic = {{ loads = [1.0] }}
                run = {{ warmup_cycles = 500, measure_cycles = 1500 }}"
            );
            let full = measure(&blueprint(&text, &[]), 1.0);
            assert!(full.accepted > 0.05, "{topology}, {flow}: {}", full.accepted);
        }
    }
}
