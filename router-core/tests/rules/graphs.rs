//! Routings by tables on any graph: tables made here by their definitions, and what is offered by each of them in every state.

use super::explore::{Net, State, Step, each, explore, flat, injected, longest, sorted, vc};
use desvio_core::header::{Address, Header};
use desvio_core::map::distance::DistanceTable;
use desvio_core::map::forwarding::{Entry, ForwardingTable, VcRule};
use desvio_core::map::intervals::{IntervalTable, NO_INTERVAL};
use desvio_core::map::routes::{RouteTable, sign_bits, with_hop};
use desvio_core::map::sl_to_vl::{SlToVl, lane};
use desvio_core::map::table::{Table, TableError};
use desvio_core::map::up_down::UpDownTable;
use desvio_core::map::{Map, Peer, RouterClass};
use desvio_core::route::multipath::Multipath;
use desvio_core::route::source::Source;
use desvio_core::route::ugal::Ugal;
use desvio_core::route::valiant_table::ValiantTable;
use desvio_core::route::{Arrival, Draw, HopKind, Route};
use desvio_core::units::{PortClass, PortId, PortSet, VcId, VcSet};
use std::collections::HashMap;

/// Routers with a node each at port 0, and links by their ends.
#[derive(Debug)]
pub(crate) struct Graph {
    pub(crate) routers: u32,
    pub(crate) links: &'static [(u32, u32)],
}

/// A ring of five with a chord; six routers with two links between two of them; a tree; a square with a tail.
pub(crate) const GRAPHS: [Graph; 4] = [
    Graph { routers: 5, links: &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 0), (0, 2)] },
    Graph { routers: 6, links: &[(0, 1), (0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0), (1, 4)] },
    Graph { routers: 4, links: &[(0, 3), (3, 1), (1, 2)] },
    Graph { routers: 5, links: &[(3, 0), (0, 1), (1, 2), (2, 3), (2, 4)] },
];

impl Map for Graph {
    fn routers(&self) -> impl Iterator<Item = u32> {
        0..self.routers
    }

    fn ports(&self) -> usize {
        5
    }

    fn port_class(&self, _of: RouterClass, port: PortId) -> PortClass {
        if port.index() == 0 { PortClass::NODE } else { PortClass::LOCAL }
    }

    fn peer(&self, router: u32, port: PortId) -> Option<Peer> {
        if port.index() == 0 {
            return (router < self.routers).then_some(Peer::Node);
        }
        // Ports in the order of links.
        let ends = |at: u32| {
            let mine = self.links.iter().enumerate().filter(move |(_, link)| link.0 == at || link.1 == at);
            mine.map(|(number, _)| number).collect::<Vec<_>>()
        };
        let number = *ends(router).get(port.index() - 1)?;
        let (one, other) = self.links[number];
        let there = if one == router { other } else { one };
        let at = ends(there).iter().position(|&end| end == number)?;
        Some(Peer::Router { router: there, port: PortId::new(at as u8 + 1) })
    }
}

impl Graph {
    pub(crate) fn wired(&self) -> impl Fn(u32) -> PortSet + use<'_> {
        |router| (1..5).map(PortId::new).filter(|&port| self.peer(router, port).is_some()).collect()
    }

    /// Entry `here · routers + there`.
    fn table(&self, entry: impl Fn(&Net, &HashMap<u32, u32>, u32, u32) -> PortSet) -> Vec<PortSet> {
        let net = Net::of(self);
        let distances: Vec<_> = (0..self.routers).map(|to| net.distances(to)).collect();
        let pairs = (0..self.routers).flat_map(|here| (0..self.routers).map(move |there| (here, there)));
        pairs.map(|(here, there)| entry(&net, &distances[there as usize], here, there)).collect()
    }

    /// The ports on shortest routes.
    pub(crate) fn shortest(&self) -> Vec<PortSet> {
        self.table(|net, distances, here, _| {
            let closer = net.neighbours(here).filter(|(_, next)| distances[next] < distances[&here]);
            closer.map(|(port, _)| port).collect()
        })
    }

    fn hops(&self) -> Vec<u8> {
        let net = Net::of(self);
        (0..self.routers)
            .flat_map(|here| (0..self.routers).map(move |there| (here, there)))
            .map(|(here, there)| net.distances(there)[&here] as u8)
            .collect()
    }

    fn to(&self, router: u32) -> Header {
        Header { to: Address { router, port: 0 }, length: 3, ..Header::default() }
    }

    fn starts(&self, header: impl Fn(u32) -> Header) -> Vec<State> {
        (0..self.routers)
            .map(|router| State { router, from: injected(0, 0), header: header(router) })
            .collect()
    }
}

/// Draws each number in turn.
struct Turn(u32);

impl Draw for Turn {
    fn below(&mut self, n: u32) -> u32 {
        self.0 % n.max(1)
    }
}

/// Compares what is offered with a rule in all states; `None` is where the packet leaves to its node.
fn agree(
    graph: &Graph,
    routing: &impl Route,
    starts: Vec<State>,
    rule: impl Fn(&State) -> Option<(PortSet, VcSet)>,
) -> Vec<Step> {
    let net = Net::of(graph);
    let steps = explore(&net, routing, starts);
    for step in &steps {
        let (ports, vcs) =
            rule(&step.state).unwrap_or((PortSet::only(PortId::new(0)), VcSet::from_bits(u8::MAX)));
        assert_eq!(
            flat(&step.offered),
            sorted(each(ports, vcs, HopKind::Minimal)),
            "{graph:?} {:?}",
            step.state
        );
        assert!(routing.keeps_order(&net.here(step.state.router), step.state.from, &step.state.header));
    }
    longest(&steps);
    steps
}

/// One VC more with each hop.
fn risen(from: Arrival) -> VcSet {
    vc(if from.kind == PortClass::NODE { 0 } else { from.vc.number() + 1 })
}

/// Proves: `table` and `multipath` offer all shortest routes, the one on a VC more with each hop, the other on any.
#[test]
fn all_shortest_routes_are_offered() {
    for graph in &GRAPHS {
        let ports = graph.shortest();
        let table = Table::load(&ports, graph.routers, graph.wired()).unwrap();
        assert_eq!(table.routers(), graph.routers);
        let entry = |here: u32, there: u32| ports[(here * graph.routers + there) as usize];
        for there in 0..graph.routers {
            let starts = || graph.starts(|_| graph.to(there));
            agree(graph, &table, starts(), |state| {
                (state.router != there).then(|| (entry(state.router, there), risen(state.from)))
            });
            agree(graph, &Multipath { table }, starts(), |state| {
                (state.router != there).then(|| (entry(state.router, there), VcSet::from_bits(u8::MAX)))
            });
            // Not for routers that there are not, nor for ports without a node.
            let net = Net::of(graph);
            for to in [Address { router: graph.routers, port: 0 }, Address { router: there, port: 4 }] {
                let header = Header { to, ..Header::default() };
                for offered in [
                    table.offer(&net.here(there), injected(0, 0), &header),
                    Multipath { table }.offer(&net.here(there), injected(0, 0), &header),
                ] {
                    assert!(offered.unwrap().is_empty() || net.peer(there, PortId::new(4)).is_some());
                }
            }
            assert_eq!(
                (table.ports(graph.routers, there), table.ports(there, graph.routers)),
                (PortSet::EMPTY, PortSet::EMPTY)
            );
        }
    }
}

/// Proves: a table is refused by its first entry that cannot be right.
#[test]
fn a_table_that_cannot_be_right_is_refused() {
    let graph = &GRAPHS[0];
    let right = graph.shortest();
    let load = |ports: &[PortSet], routers| Table::load(ports, routers, graph.wired()).map(|_| ());
    assert_eq!(load(&right, 5), Ok(()));
    assert_eq!(load(&[], 0), Err(TableError::Size));
    assert_eq!((load(&right[..24], 5), load(&right, 4)), (Err(TableError::Size), Err(TableError::Size)));
    for here in 0..5 {
        for there in 0..5 {
            let with = |entry| {
                let mut ports = right.clone();
                ports[here * 5 + there] = entry;
                load(&ports, 5)
            };
            let (here, there) = (here as u32, there as u32);
            let wrong = Err(TableError::WrongPort { here, there });
            assert_eq!(with(PortSet::only(PortId::new(0))), wrong, "a node");
            assert_eq!(with(PortSet::only(PortId::new(9))), wrong, "nothing");
            if here == there {
                assert_eq!(with(PortSet::only(PortId::new(1))), wrong, "to itself");
            } else {
                assert_eq!(with(PortSet::EMPTY), Err(TableError::NoPort { here, there }));
            }
        }
    }
    let hops = graph.hops();
    let table = Table::load(&right, 5, graph.wired()).unwrap();
    let distances = |hops: &[u8]| DistanceTable::new(table, hops).map(|_| ());
    assert_eq!(distances(&hops), Ok(()));
    assert_eq!(distances(&hops[..24]), Err(TableError::Size));
    for entry in 0..25 {
        let mut wrong = hops.clone();
        wrong[entry] = if entry % 6 == 0 { 1 } else { 0 };
        assert!(distances(&wrong).is_err(), "{entry}");
    }
    let map = DistanceTable::new(table, &hops).unwrap();
    let all = (0..5).flat_map(|here| (0..5).map(move |there| (here, there)));
    assert!(all.map(|(here, there)| map.hops(here, there)).eq(hops.iter().copied()));
    assert_eq!((map.hops(5, 0), map.hops(0, 5), map.hops(4, 5)), (0, 0, 0));
}

/// Proves: Valiant's routing takes shortest routes to the router that was drawn, and from there, a VC more with each hop.
#[test]
fn valiant_goes_through_the_router_that_was_drawn() {
    for graph in &GRAPHS {
        let ports = graph.shortest();
        let table = Table::load(&ports, graph.routers, graph.wired()).unwrap();
        let (net, routing) = (Net::of(graph), ValiantTable { table });
        for (via, there) in
            (0..graph.routers).flat_map(|via| (0..graph.routers).map(move |there| (via, there)))
        {
            let starts = graph.starts(|router| {
                let header =
                    routing.launch(&net.here(router), Address { router: there, port: 0 }, 7, &mut Turn(via));
                assert_eq!(
                    (header.to, header.length, header.via),
                    (Address { router: there, port: 0 }, 7, via)
                );
                assert_eq!(header.progress.via_ahead(), via != router && via != there);
                header
            });
            let steps = agree(graph, &routing, starts, |state| {
                let ahead = state.header.progress.via_ahead() && state.router != via;
                let towards = if ahead { via } else { there };
                (state.router != towards)
                    .then(|| (ports[(state.router * graph.routers + towards) as usize], risen(state.from)))
            });
            // Who leaves the router that was drawn has it behind.
            for (step, hop) in steps.iter().flat_map(|step| step.hops.iter().map(move |hop| (step, hop))) {
                let ahead = step.state.header.progress.via_ahead() && step.state.router != via;
                assert_eq!(steps[hop.1].state.header.progress.via_ahead(), ahead);
            }
        }
    }
}

/// Proves: UGAL offers both ways with their hops at a packet's first router alone, and the detour takes it through the router that was drawn.
#[test]
fn ugal_offers_both_ways_at_the_first_router() {
    for graph in &GRAPHS {
        let (ports, hops) = (graph.shortest(), graph.hops());
        let map =
            DistanceTable::new(Table::load(&ports, graph.routers, graph.wired()).unwrap(), &hops).unwrap();
        let (net, routing) = (Net::of(graph), Ugal { map });
        let entry = |here: u32, there: u32| (here * graph.routers + there) as usize;
        for (via, there) in
            (0..graph.routers).flat_map(|via| (0..graph.routers).map(move |there| (via, there)))
        {
            let header = |router| {
                let header =
                    routing.launch(&net.here(router), Address { router: there, port: 0 }, 7, &mut Turn(via));
                assert_eq!((header.via, header.length, header.progress.via_ahead()), (via, 7, false));
                header
            };
            for step in explore(&net, &routing, graph.starts(header)) {
                let State { router, from, header } = step.state;
                let ahead = header.progress.via_ahead() && router != via;
                let towards = if ahead { via } else { there };
                let sets: Vec<_> =
                    step.offered.sets().map(|set| (set.ports, set.vcs, set.kind, set.hops)).collect();
                if router == towards {
                    assert_eq!(
                        flat(&step.offered),
                        each(PortSet::only(PortId::new(0)), VcSet::from_bits(u8::MAX), HopKind::Minimal)
                    );
                } else if from.kind == PortClass::NODE && via != router && via != there {
                    let through = hops[entry(router, via)] + hops[entry(via, there)];
                    let minimal =
                        (ports[entry(router, there)], vc(0), HopKind::Minimal, hops[entry(router, there)]);
                    assert_eq!(
                        sets,
                        [minimal, (ports[entry(router, via)], vc(0), HopKind::GlobalMisroute, through)]
                    );
                } else {
                    assert_eq!(
                        flat(&step.offered),
                        sorted(each(ports[entry(router, towards)], risen(from), HopKind::Minimal))
                    );
                }
                for &(hop, _) in &step.hops {
                    let onward = routing.onward(&net.here(router), &header, PortClass::LOCAL, hop.kind);
                    assert_eq!(onward.progress.via_ahead(), hop.kind == HopKind::GlobalMisroute || ahead);
                }
            }
        }
    }
}

/// Proves: hops are those from the router to the point and from there, also where a way back has others.
#[test]
fn ugal_counts_hops_in_their_direction() {
    let graph = &GRAPHS[0];
    let ports = graph.shortest();
    let hops: Vec<u8> = (0..25).map(|entry| if entry % 6 == 0 { 0 } else { 1 + entry }).collect();
    let map = DistanceTable::new(Table::load(&ports, 5, graph.wired()).unwrap(), &hops).unwrap();
    let header = Header { to: Address { router: 3, port: 0 }, via: 1, length: 2, ..Header::default() };
    let offered = Ugal { map }.offer(&Net::of(graph).here(4), injected(0, 0), &header).unwrap();
    // From 4 to 3 it is entry 23; from 4 to 1 entry 21, from 1 to 3 entry 8.
    assert_eq!(offered.sets().map(|set| set.hops).collect::<Vec<_>>(), [24, 22 + 9]);
}

/// The links that lead up: to the end nearer to a root, of two at one distance to the lower number.
pub(crate) fn up_ports(graph: &Graph, root: u32) -> Vec<PortSet> {
    let net = Net::of(graph);
    let distances = net.distances(root);
    let key = |router: u32| (distances[&router], router);
    let up = |router: u32| {
        net.neighbours(router).filter(|&(_, there)| key(there) < key(router)).map(|(port, _)| port).collect()
    };
    (0..graph.routers).map(up).collect()
}

/// Entry `(there · routers + here) · 2`, and the one after it for packets that have gone down: ports on shortest routes that go up, then down.
pub(crate) fn up_down_ports(graph: &Graph, up: &[PortSet]) -> Vec<PortSet> {
    let net = Net::of(graph);
    let mut table = Vec::new();
    for there in 0..graph.routers {
        // Hops of the shortest legal ways from each router, for a packet that may go up and for one that may not.
        let mut hops = vec![[u32::MAX - 1; 2]; graph.routers as usize];
        hops[there as usize] = [0, 0];
        for _ in 0..2 * graph.routers {
            for here in 0..graph.routers {
                for (port, next) in net.neighbours(here) {
                    let is_up = up[here as usize].contains(port);
                    let further = hops[next as usize][usize::from(!is_up)] + 1;
                    let own = &mut hops[here as usize];
                    own[0] = own[0].min(further);
                    if !is_up {
                        own[1] = own[1].min(further);
                    }
                }
            }
        }
        for here in 0..graph.routers {
            for gone_down in [0, 1] {
                let ways = net.neighbours(here).filter(|&(port, next)| {
                    let is_up = up[here as usize].contains(port);
                    let further = hops[next as usize][usize::from(!is_up)] + 1;
                    here != there
                        && (gone_down == 0 || !is_up)
                        && further == hops[here as usize][gone_down]
                        && further < u32::MAX / 2
                });
                table.push(ways.map(|way| way.0).collect());
            }
        }
    }
    table
}

/// Proves: up*/down* offers the shortest ways up, then down, on any VC, and never up for a packet that came from above.
#[test]
fn up_down_goes_up_then_down() {
    for graph in &GRAPHS {
        for root in [0, graph.routers - 1] {
            let up = up_ports(graph, root);
            let ports = up_down_ports(graph, &up);
            let map = UpDownTable::load(&ports, &up, graph.wired()).unwrap();
            let net = Net::of(graph);
            for there in 0..graph.routers {
                agree(graph, &map, graph.starts(|_| graph.to(there)), |state| {
                    let gone_down = state.from.kind != PortClass::NODE
                        && up[state.router as usize].contains(state.from.port);
                    assert_eq!(
                        map.comes_down(state.router, state.from.port),
                        up[state.router as usize].contains(state.from.port)
                    );
                    let entry = (there * graph.routers + state.router) as usize * 2 + usize::from(gone_down);
                    assert_eq!(map.ports(state.router, there, gone_down), ports[entry]);
                    (state.router != there).then(|| (ports[entry], VcSet::from_bits(u8::MAX)))
                });
                for here in 0..graph.routers {
                    assert_eq!(map.up(here), up[here as usize]);
                    // Who has gone down and has no way further down has lost the order.
                    for port in up[here as usize].iter() {
                        let from = Arrival { port, kind: PortClass::LOCAL, vc: VcId::new(0) };
                        let has_way = here == there || !map.ports(here, there, true).is_empty();
                        assert_eq!(map.keeps_order(&net.here(here), from, &graph.to(there)), has_way);
                        let node = Arrival { port, kind: PortClass::NODE, vc: VcId::new(0) };
                        assert!(map.keeps_order(&net.here(here), node, &graph.to(there)));
                    }
                }
            }
            assert_eq!(map.ports(graph.routers, 0, false), PortSet::EMPTY);
            assert_eq!(map.ports(0, graph.routers, false), PortSet::EMPTY);
            // Entries that cannot be right.
            let n = graph.routers as usize;
            let size = UpDownTable::load(&ports[1..], &up, graph.wired()).map(|_| ());
            assert_eq!(size, Err(TableError::Size));
            for (entry, right) in ports.iter().enumerate() {
                let (there, here, gone_down) = (entry / 2 / n, entry / 2 % n, entry % 2 == 1);
                let load = |ports_here: PortSet| {
                    let mut wrong = ports.clone();
                    wrong[entry] = ports_here;
                    UpDownTable::load(&wrong, &up, graph.wired()).map(|_| ())
                };
                let at = (here as u32, there as u32);
                assert_eq!(
                    load(right.union(PortSet::only(PortId::new(0)))),
                    Err(TableError::WrongPort { here: at.0, there: at.1 })
                );
                if !gone_down && here != there {
                    assert_eq!(load(PortSet::EMPTY), Err(TableError::NoPort { here: at.0, there: at.1 }));
                }
                if gone_down && !up[here].is_empty() {
                    assert!(load(up[here]).is_err(), "no way up for who has gone down");
                }
            }
            let mut wrong = up.clone();
            wrong[1] = PortSet::only(PortId::new(0));
            assert_eq!(
                UpDownTable::load(&ports, &wrong, graph.wired()).map(|_| ()),
                Err(TableError::UpPort { here: 1 })
            );
        }
    }
}

/// Proves: source routing writes the port of each hop, the first lowest, and each router takes its own off.
#[test]
fn a_source_writes_the_outputs_of_all_hops() {
    assert_eq!([1, 2, 3, 4, 5, 8, 9, 16, 17, 64].map(sign_bits), [0, 1, 2, 2, 3, 3, 4, 4, 5, 6]);
    // 24 bits: 8 hops of 3 bits, 6 of 4.
    assert!(with_hop(0, 7, PortId::new(7), 8).is_some() && with_hop(0, 8, PortId::new(0), 8).is_none());
    assert!(with_hop(0, 5, PortId::new(15), 16).is_some() && with_hop(0, 6, PortId::new(0), 16).is_none());
    assert_eq!(with_hop(0b101_001, 2, PortId::new(6), 8), Some(0b110_101_001));
    for graph in &GRAPHS {
        let (net, ports) = (Net::of(graph), graph.shortest());
        let lowest = |here: u32, there: u32| ports[(here * graph.routers + there) as usize].first().unwrap();
        let route = |mut here: u32, there: u32| {
            let (mut route, mut hops) = (0u32, 0);
            while here != there {
                let port = lowest(here, there);
                route |= u32::from(port.number()) << (3 * hops);
                hops += 1;
                let Some(Peer::Router { router, .. }) = net.peer(here, port) else { panic!() };
                here = router;
            }
            (route, hops)
        };
        let pairs = || (0..graph.routers).flat_map(|here| (0..graph.routers).map(move |there| (here, there)));
        let routes: Vec<_> = pairs().map(|(here, there)| route(here, there).0).collect();
        let most = pairs().map(|(here, there)| route(here, there).1).max().unwrap();
        let table = RouteTable::load(&routes, graph.routers, 5, most as u8).unwrap();
        assert_eq!((table.sign_bits(), table.bits()), (3, 3 * most));
        assert!(RouteTable::load(&routes[1..], graph.routers, 5, 1).is_err());
        for rises in [true, false] {
            let routing = Source { table, rises };
            for there in 0..graph.routers {
                let header = |router| {
                    let header = routing.launch(
                        &net.here(router),
                        Address { router: there, port: 0 },
                        9,
                        &mut Turn(0),
                    );
                    assert_eq!((header.to, header.length), (Address { router: there, port: 0 }, 9));
                    assert_eq!(table.route(router, there), routes[(router * graph.routers + there) as usize]);
                    header
                };
                let steps = agree(graph, &routing, graph.starts(header), |state| {
                    let vcs = if rises { risen(state.from) } else { VcSet::from_bits(u8::MAX) };
                    (state.router != there).then(|| (PortSet::only(lowest(state.router, there)), vcs))
                });
                // What a router has read is gone: nothing is left at the destination.
                for (step, hop) in steps.iter().flat_map(|step| step.hops.iter().map(move |hop| (step, hop)))
                {
                    let left = |header: &Header| u32::from(header.progress.bits()) << 18 | header.via;
                    assert_eq!(left(&steps[hop.1].state.header), left(&step.state.header) >> 3);
                }
            }
        }
    }
}

/// Proves: a packet leaves by the port whose interval, in a circle, has the label of its destination.
#[test]
fn a_packet_leaves_by_the_port_whose_interval_has_its_label() {
    // A line 0 – 3 – 1 – 2 with the labels 3, 1, 0, 2: that is 2, 1, 3, 0 from one end.
    let graph = &GRAPHS[2];
    let labels = [3, 1, 0, 2];
    let net = Net::of(graph);
    // Ports of each router and the first label behind each: by hand.
    // Router 0 (3): port 1 to router 3 with 0, 1, 2. Router 3 (2): port 1 to router 0 with 3, port 2 with 0, 1.
    // Router 1 (1): port 1 to router 3 with 2, 3, port 2 to router 2 with 0. Router 2 (0): port 1 with 1, 2, 3.
    let no = NO_INTERVAL;
    let starts = [no, 0, no, no, no, 2, 0, no, no, 1, no, no, no, 3, 0, no];
    let starts: Vec<_> = starts.to_vec();
    let table = IntervalTable::load(&labels, &starts, 4, graph.wired()).unwrap();
    assert_eq!(table.routers(), 4);
    for there in 0..4 {
        let header = |router| {
            let header = table.launch(&net.here(router), Address { router: there, port: 0 }, 5, &mut Turn(0));
            assert_eq!((header.via, header.length), (labels[there as usize], 5));
            header
        };
        agree(graph, &table, graph.starts(header), |state| {
            let distances = net.distances(there);
            let closer =
                net.neighbours(state.router).find(|(_, next)| distances[next] < distances[&state.router]);
            closer.map(|(port, _)| (PortSet::only(port), VcSet::from_bits(u8::MAX)))
        });
    }
    assert_eq!((table.label(0), table.label(3), table.label(4)), (Some(3), Some(2), None));
    assert_eq!(table.intervals(1).collect::<Vec<_>>(), [(PortId::new(1), 2), (PortId::new(2), 0)]);
    assert_eq!(
        (table.port(1, 3), table.port(1, 0), table.port(4, 0)),
        (Some(PortId::new(1)), Some(PortId::new(2)), None)
    );
    // A circle: what is before the first interval is in the last one.
    assert_eq!(
        (table.port(2, 0), table.port(2, 1), table.port(2, 3)),
        (Some(PortId::new(1)), Some(PortId::new(1)), Some(PortId::new(1)))
    );
    let load =
        |labels: &[u32], starts: &[u32]| IntervalTable::load(labels, starts, 4, graph.wired()).map(|_| ());
    assert!(load(&[4, 1, 0, 2], &starts).is_err(), "a label too high");
    assert!(load(&labels, &starts[1..]).is_err() && load(&labels[1..], &starts).is_err());
    for (entry, value) in [(0, 0), (3, 1), (6, 2), (6, 4)] {
        let mut wrong = starts.clone();
        wrong[entry] = value;
        assert!(load(&labels, &wrong).is_err(), "{entry} {value}");
    }
}

/// Proves: a forwarding table gives one port for each router and destination, on the VCs of the hop, or of the packet's first one.
#[test]
fn forwarding_tables_give_one_port() {
    let graph = &GRAPHS[1];
    let shortest = graph.shortest();
    let last = |entry: usize| shortest[entry].iter().last();
    let entries: Vec<_> = (0..36)
        .map(|entry| last(entry).map_or(Entry::NONE, |port| Entry::new(port, vc((entry % 3) as u8))))
        .collect();
    for rule in [VcRule::PerHop, VcRule::PerRoute] {
        let table = ForwardingTable::load(&entries, &[], &[], 6, rule, graph.wired()).unwrap();
        assert_eq!(
            (table.destinations(), table.rule(), table.is_by_router(), table.ports_by_node()),
            (6, rule, true, None)
        );
        assert!(table.has(Address { router: 5, port: 3 }) && !table.has(Address { router: 6, port: 0 }));
        for there in 0..6u32 {
            agree(graph, &table, graph.starts(|_| graph.to(there)), |state| {
                let entry = (state.router * 6 + there) as usize;
                let keeps = rule == VcRule::PerRoute && state.from.kind != PortClass::NODE;
                let vcs = if keeps { VcSet::only(state.from.vc) } else { vc((entry % 3) as u8) };
                last(entry).map(|port| (PortSet::only(port), vcs))
            });
        }
    }
    let load = |entries: &[Entry]| {
        ForwardingTable::load(entries, &[], &[], 6, VcRule::PerHop, graph.wired()).map(|_| ())
    };
    assert_eq!((load(&entries[1..]), load(&[])), (Err(TableError::Size), Err(TableError::Size)));
    let with = |at: usize, entry| {
        let mut wrong = entries.clone();
        wrong[at] = entry;
        load(&wrong)
    };
    assert_eq!(with(8, Entry::new(PortId::new(0), vc(0))), Err(TableError::WrongPort { here: 1, there: 2 }));
    assert!(with(8, Entry::UNSUPPORTED).is_err());
}

/// Proves: where destinations are nodes each has an entry of its own, and layers are those of pairs of nodes.
#[test]
fn forwarding_tables_by_node() {
    // Two routers, 0 with two nodes at ports 0 and 1, 1 with one at port 0; port 2 joins them.
    let first = [0, 2, 3];
    let two = Entry::new(PortId::new(2), vc(1));
    let own = |port| Entry::new(PortId::new(port), vc(0));
    let entries = [own(0), own(1), two, two, Entry::new(PortId::new(2), vc(2)), own(0)];
    let layers: Vec<_> = (0..9).map(|pair| vc(pair % 7)).collect();
    let table = ForwardingTable::load_unverified(&entries, &first, &layers, 2, VcRule::PerRoute).unwrap();
    assert_eq!((table.destinations(), table.is_by_router()), (3, false));
    let at = |router, port| Address { router, port };
    let has = [at(0, 0), at(0, 1), at(0, 2), at(1, 0), at(1, 1), at(2, 0)].map(|to| table.has(to));
    assert_eq!(has, [true, true, false, true, false, false]);
    assert_eq!(table.entry(1, at(0, 1)), entries[4]);
    assert_eq!(table.entry(0, at(1, 0)), two);
    assert_eq!((table.entry(2, at(0, 0)), table.entry(0, at(0, 2))), (Entry::NONE, Entry::NONE));
    // Layers of sources: pair 1 · 3 + 2 from node 1 to node 2.
    assert_eq!(table.first_vcs(two, at(0, 1), at(1, 0)), vc(5));
    assert_eq!(table.first_vcs(two, at(1, 0), at(0, 1)), vc(0));
    assert_eq!(table.vcs_after(two, VcId::new(6)), vc(6));
    let by_hop = ForwardingTable::load_unverified(&entries, &first, &[], 2, VcRule::PerHop).unwrap();
    assert_eq!(
        (by_hop.vcs_after(two, VcId::new(6)), by_hop.first_vcs(two, at(0, 0), at(1, 0))),
        (vc(1), vc(1))
    );
    assert!(ForwardingTable::load_unverified(&entries[1..], &first, &[], 2, VcRule::PerHop).is_err());
    assert!(ForwardingTable::load_unverified(&entries, &first, &layers[1..], 2, VcRule::PerHop).is_err());
    assert!(ForwardingTable::load_unverified(&entries, &first[1..], &[], 2, VcRule::PerHop).is_err());
    // As many ports for each router, and any VC.
    let any = [Entry::new(PortId::new(2), VcSet::from_bits(u8::MAX)); 8];
    let even = ForwardingTable::load_unverified(&any, &[0, 2, 4], &[], 2, VcRule::PerHop).unwrap();
    assert_eq!(even.ports_by_node(), Some(2));
    assert_eq!(by_hop.ports_by_node(), None);
    assert_eq!((Entry::NONE.port(), Entry::NONE.ports()), (None, PortSet::EMPTY));
    assert_eq!((two.port(), two.ports()), (Some(PortId::new(2)), PortSet::only(PortId::new(2))));
    assert_eq!((Entry::UNSUPPORTED.port(), Entry::UNSUPPORTED.ports().len()), (None, 64));
}

/// Proves: the lane of a service level is in its four bits, none from lane 8 on, by the ports that a packet comes and leaves by.
#[test]
fn service_levels_choose_lanes_by_both_ports() {
    // Level n has lane n, from 8 on none.
    let lanes = 0xfedc_ba98_7654_3210;
    for level in 0..16 {
        let expected = if level < 8 { vc(level) } else { VcSet::EMPTY };
        assert_eq!(lane(lanes, level), expected);
    }
    let tables: Vec<u64> = (0..18).collect();
    let levels: Vec<u8> = (0..9).collect();
    let map = SlToVl::load(&tables, &levels, (2, 3, 3)).unwrap();
    for (router, input, output) in
        (0..2).flat_map(|r| (0..3).flat_map(move |i| (0..3).map(move |o| (r, i, o))))
    {
        let entry = u64::from((router * 3 + input) * 3 + output);
        let ports = (PortId::new(input as u8), PortId::new(output as u8));
        assert_eq!(map.lanes(router, ports.0, ports.1), entry);
        assert_eq!(map.vcs(router, ports, 0), lane(entry, 0));
        assert_eq!(map.vcs(router, ports, 1), vc(u8::from(entry >= 16)));
    }
    assert!(
        SlToVl::load(&tables[1..], &levels, (2, 3, 3)).is_err()
            && SlToVl::load(&tables, &levels[1..], (2, 3, 3)).is_err()
    );
    assert!(SlToVl::load(&tables, &[], (2, 3, 3)).is_ok());
    // A forwarding table with lanes: the level of a packet says the VC of each hop, that to its node included.
    let entries =
        [Entry::NONE, Entry::new(PortId::new(1), vc(7)), Entry::new(PortId::new(1), vc(7)), Entry::NONE];
    let table = ForwardingTable::load_unverified(&entries, &[], &[], 2, VcRule::PerHop).unwrap();
    // Two ports: from port 0 to port 1 level 3 takes lane 5; from port 1 to port 0 lane 2.
    let (to_link, to_node) = (5 << 12, 2 << 12);
    let tables = [0, to_link, to_node, 0, 0, to_link, to_node, 0];
    let levels = [0, 3, 3, 0];
    let routing = table.with_lanes(SlToVl::load(&tables, &levels, (2, 2, 2)).unwrap());
    assert!(routing.lanes().is_some() && table.lanes().is_none());
    let (one, other) = (Address { router: 0, port: 0 }, Address { router: 1, port: 0 });
    assert_eq!((routing.level(one, other), routing.level(one, one), table.level(one, other)), (3, 0, 0));
    let header = Header { to: other, length: 1, ..Header::default() };
    let header = Header { carried: header.carried.with_level(3).with_source(one), ..header };
    let pair = Graph { routers: 2, links: &[(0, 1)] };
    let steps = explore(&Net::of(&pair), &routing, vec![State { router: 0, from: injected(0, 0), header }]);
    let offered: Vec<_> = steps.iter().map(|step| flat(&step.offered)).collect();
    assert_eq!(offered, [vec![(1, 5, HopKind::Minimal)], vec![(0, 2, HopKind::Minimal)]]);
}
