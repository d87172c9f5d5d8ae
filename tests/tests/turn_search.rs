//! Routings of meshes that forbid turns, searched exhaustively: each offers every shortest way that its turns leave over, and no other.
//!
//! Which turns are forbidden is written here once more, as in the papers, with the headings of packets found from the wiring.

use crate::route_search::grid;
use desvio_tests::networks::{Dependencies, Network};
use router_core::map::grid::Grid;
use router_core::route::duato::Duato;
use router_core::route::odd_even::OddEven;
use router_core::route::turn_model::{TurnModel, Turns};
use router_core::route::{Arrival, Route};
use router_core::units::{PortClass, PortId, VcId};
use std::collections::{BTreeMap, BTreeSet};

/// A direction of movement: a dimension, and whether its coordinate rises.
type Heading = (usize, bool);
const EAST: Heading = (0, true);
const WEST: Heading = (0, false);
const NORTH: Heading = (1, true);
const SOUTH: Heading = (1, false);

/// Whether a packet in column `x` may not turn from one direction to another.
type Forbidden = fn(u32, Heading, Heading) -> bool;

const WEST_FIRST: Forbidden = |_, from, to| to == WEST && [NORTH, SOUTH].contains(&from);
const NORTH_LAST: Forbidden = |_, from, to| from == NORTH && [EAST, WEST].contains(&to);
const NEGATIVE_FIRST: Forbidden = |_, from, to| from.1 && !to.1 && from.0 != to.0;
const ODD_EVEN: Forbidden = |x, from, to| match x % 2 {
    0 => from == EAST && [NORTH, SOUTH].contains(&to),
    _ => [NORTH, SOUTH].contains(&from) && to == WEST,
};

/// A mesh, with the coordinates of its routers.
struct Mesh {
    network: Network,
    dims: &'static [u32],
}

impl Mesh {
    fn coordinate(&self, router: usize, dimension: usize) -> u32 {
        let below: u32 = self.dims[..dimension].iter().product();
        router as u32 / below % self.dims[dimension]
    }

    /// The direction from a router to its neighbour.
    fn heading(&self, from: usize, to: usize) -> Heading {
        let differ = |&dimension: &usize| self.coordinate(from, dimension) != self.coordinate(to, dimension);
        let dimension = (0..self.dims.len()).find(differ).expect("two routers");
        (dimension, self.coordinate(to, dimension) > self.coordinate(from, dimension))
    }

    /// The direction in which a packet came to a router; nothing from a node.
    fn moved(&self, router: usize, from: Arrival) -> Option<Heading> {
        let (before, _) = self.network.across(router, from.port)?;
        (from.kind != PortClass::NODE).then(|| self.heading(before, router))
    }

    /// The ports on shortest ways by which a packet that moved like this can still arrive without a forbidden turn.
    fn ways(
        &self,
        forbidden: Forbidden,
        distances: &[usize],
        at: (usize, Option<Heading>),
        known: &mut BTreeMap<(usize, Option<Heading>), BTreeSet<PortId>>,
    ) -> BTreeSet<PortId> {
        if let Some(found) = known.get(&at) {
            return found.clone();
        }
        let (router, moved) = at;
        let mut found = BTreeSet::new();
        for (port, next) in self.network.wiring.neighbours(router) {
            let heading = self.heading(router, next);
            let turns = moved.is_some_and(|moved| forbidden(self.coordinate(router, 0), moved, heading));
            if distances[next] + 1 == distances[router] && !turns {
                let arrives = distances[next] == 0
                    || !self.ways(forbidden, distances, (next, Some(heading)), known).is_empty();
                arrives.then(|| found.insert(PortId::new(port as u8)));
            }
        }
        known.insert(at, found.clone());
        found
    }

    /// Every packet to every router, wherever it can be: gives how often it has one way on, and how often several.
    fn check(&self, routing: &impl Route, forbidden: Forbidden, vcs: u8) -> [usize; 2] {
        let mut dependencies = Dependencies::new(&self.network);
        let mut choices = [0; 2];
        for destination in 0..self.network.routers() {
            let distances = self.network.distances_to(destination);
            let header = self.network.header_to(destination);
            let reach = self.network.reach(routing, destination, header, |_, vc| vc.number() < vcs);
            let mut known = BTreeMap::new();
            for (number, place) in reach.places.iter().enumerate() {
                let here = &self.network.heres[place.router];
                assert!(routing.keeps_order(here, place.from, &place.header), "{place:?}");
                if reach.is_arrived(number) {
                    continue;
                }
                let offered: BTreeSet<PortId> = reach.hops(number).iter().map(|hop| hop.by.port).collect();
                assert_eq!(reach.hops(number).len(), offered.len() * usize::from(vcs), "{place:?}: VCs");
                let at = (place.router, self.moved(place.router, place.from));
                let ways = self.ways(forbidden, &distances, at, &mut known);
                assert_eq!(offered, ways, "{:?}, {place:?} to router {destination}", self.dims);
                choices[usize::from(offered.len() > 1)] += 1;
            }
            assert_eq!(reach.longest_route(), distances.iter().copied().max().unwrap_or(0));
            dependencies.add_all(&self.network, &reach, |_, _| true);
        }
        assert!(dependencies.are_acyclic(), "{:?}: channels wait for each other in a circle", self.dims);
        choices
    }
}

const PLANES: [&[u32]; 7] = [&[2, 2], &[3, 3], &[2, 6], &[5, 2], &[4, 4], &[5, 6], &[7, 4]];
const OTHERS: [&[u32]; 4] = [&[5], &[3, 4, 2], &[3, 3, 3], &[2, 2, 2, 2]];

/// Checks a routing on meshes, by 1 and by 3 VCs; `routing` is given the map and the VCs.
fn on<R: Route>(meshes: &[&'static [u32]], forbidden: Forbidden, routing: impl Fn(Grid, u8) -> R) {
    let mut choices = [0; 2];
    for &dims in meshes {
        let (network, map) = grid(dims, false);
        let mesh = Mesh { network, dims };
        for vcs in [1, 3] {
            let more = mesh.check(&routing(map, vcs), forbidden, vcs);
            choices.iter_mut().zip(more).for_each(|(all, more)| *all += more);
        }
    }
    println!("one way on at {} places, several at {}", choices[0], choices[1]);
    assert!(choices.iter().all(|&count| count > 8_000), "{choices:?}");
}

fn turn_model(turns: Turns) -> impl Fn(Grid, u8) -> TurnModel {
    move |grid, vcs| TurnModel { grid, turns, vcs }
}

#[test]
fn west_first_leaves_out_the_turns_to_the_west() {
    on(&PLANES, WEST_FIRST, turn_model(Turns::WestFirst));
}

#[test]
fn north_last_leaves_out_the_turns_from_the_north() {
    on(&PLANES, NORTH_LAST, turn_model(Turns::NorthLast));
}

#[test]
fn negative_first_leaves_out_the_turns_to_negative_directions() {
    on(&[&PLANES[..], &OTHERS].concat(), NEGATIVE_FIRST, turn_model(Turns::NegativeFirst));
}

#[test]
fn odd_even_leaves_out_other_turns_in_odd_columns_than_in_even_ones() {
    on(&PLANES, ODD_EVEN, |grid, vcs| OddEven { grid, vcs });
}

/// `ROUTE` of Chiu's paper, as printed: for a packet from column `s` to `d`, at `c`, each a pair of column and row.
fn chiu(s: [i32; 2], c: [i32; 2], d: [i32; 2]) -> BTreeSet<Heading> {
    let mut available = BTreeSet::new();
    let [e0, e1] = [d[0] - c[0], d[1] - c[1]];
    let vertical = if e1 > 0 { NORTH } else { SOUTH };
    if e0 == 0 {
        available.insert(vertical);
    } else if e0 > 0 {
        if e1 == 0 {
            available.insert(EAST);
        } else {
            if c[0] % 2 == 1 || c[0] == s[0] {
                available.insert(vertical);
            }
            if d[0] % 2 == 1 || e0 != 1 {
                available.insert(EAST);
            }
        }
    } else {
        available.insert(WEST);
        if c[0] % 2 == 0 && e1 != 0 {
            available.insert(vertical);
        }
    }
    available
}

/// The port by which a packet came says what Chiu's function asks its source for.
#[test]
fn odd_even_is_the_published_function() {
    let mut compared = 0;
    const MESHES: [&[u32]; 2] = [&[5, 6], &[6, 3]];
    for dims in MESHES {
        let (network, map) = grid(dims, false);
        let mesh = Mesh { network, dims };
        let routing = OddEven { grid: map, vcs: 1 };
        let of = |router: usize| [0, 1].map(|dimension| mesh.coordinate(router, dimension) as i32);
        let routers = mesh.network.routers();
        for (source, destination) in (0..routers * routers).map(|n| (n / routers, n % routers)) {
            let header = mesh.network.header_to(destination);
            let mut next = BTreeSet::from([(source, 0)]);
            while let Some((at, port)) = next.pop_first().filter(|&(at, _)| at != destination) {
                let kind = mesh.network.wiring.class(at, port);
                let from = Arrival { port: PortId::new(port as u8), kind, vc: VcId::new(0) };
                let offered = routing.offer(&mesh.network.heres[at], from, &header).expect("room for a set");
                let hops = offered.ports().iter().filter_map(|port| mesh.network.across(at, port));
                let headings: BTreeSet<_> = hops.clone().map(|(to, _)| mesh.heading(at, to)).collect();
                let published = chiu(of(source), of(at), of(destination));
                assert_eq!(headings, published, "{dims:?}: from {source} to {destination}, at {at}");
                next.extend(hops);
                compared += 1;
            }
        }
    }
    assert!(compared > 5_000, "{compared}");
}

/// A mesh without forbidden turns has cycles of channels, so that the searches above would see one.
#[test]
fn every_turn_together_is_a_circle() {
    let (network, grid) = grid(&[3, 3], false);
    let duato = Duato { grid, vcs: 2 };
    let mut dependencies = Dependencies::new(&network);
    for destination in 0..network.routers() {
        let header = network.header_to(destination);
        let reach = network.reach(&duato, destination, header, |_, vc| vc.number() < 2);
        dependencies.add_all(&network, &reach, |_, hop| hop.by.vc.number() == 1);
    }
    assert!(!dependencies.are_acyclic());
}
