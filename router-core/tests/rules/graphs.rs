//! Routings by tables on any graph: tables made here by their definitions, and what is offered by each of them in every state.

mod forwarding;
mod labels;
mod table;

use super::explore::{Net, State, Step, each, explore, flat, injected, longest, sorted, vc};
use desvio_core::header::{Address, Header};
use desvio_core::map::distance::DistanceTable;
use desvio_core::map::forwarding::{Entry, ForwardingTable, VcRule};
use desvio_core::map::intervals::{IntervalTable, NO_INTERVAL};
use desvio_core::map::routes::{RouteTable, sign_bits, with_hop};
use desvio_core::map::sl_to_vl::{SlToVl, lane};
use desvio_core::map::table::{Table, TableError};
use desvio_core::map::up_down::UpDownTable;
use desvio_core::map::{AnyMap, Map, Peer, RouterClass};
use desvio_core::route::multipath::Multipath;
use desvio_core::route::source::Source;
use desvio_core::route::ugal::Ugal;
use desvio_core::route::valiant_table::ValiantTableScheme;
use desvio_core::route::{Arrival, Draw, Here, HopKind, Route, Scheme, Vcs};
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
