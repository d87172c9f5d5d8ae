//! Meshes and tori, and the routings on them, by `docs/scenarios.md`: what is offered in every state that a packet can reach.

mod maps;
mod meshes;
mod rings;

use super::explore::{Net, State, each, explore, flat, injected, longest, sorted};
use desvio_core::header::{Address, Header};
use desvio_core::map::grid::{Grid, GridError, Ties};
use desvio_core::map::{AnyMap, Map, Peer};
use desvio_core::route::dateline_adaptive::{DatelineAdaptiveScheme, Datelines};
use desvio_core::route::dimension_order::DimensionOrder;
use desvio_core::route::duato::Duato;
use desvio_core::route::negative_hop::NegativeHop;
use desvio_core::route::odd_even::OddEven;
use desvio_core::route::planar_adaptive::PlanarAdaptive;
use desvio_core::route::turn_model::{TurnModel, Turns};
use desvio_core::route::{Arrival, Draw, Here, HopKind, Route, Scheme, Vcs};
use desvio_core::units::{PortClass, PortId, PortSet, VcId, VcSet};

type Flat = Vec<(u8, u8, HopKind)>;

/// A grid by its text.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Mesh,
    Torus,
    OneWay,
}

#[derive(Clone, Copy, Debug)]
struct Shape {
    kind: Kind,
    dims: &'static [u32],
    nodes: u8,
}

impl Shape {
    fn grid(&self) -> Grid {
        let grid = Grid::new(self.dims, self.nodes, self.kind != Kind::Mesh).unwrap();
        if self.kind == Kind::OneWay { grid.one_way() } else { grid }
    }

    /// All coordinates, the first counting fastest.
    fn all(&self) -> Vec<Vec<u32>> {
        let mut all = vec![Vec::new()];
        for &size in self.dims.iter().rev() {
            let longer = |rest: &Vec<u32>| (0..size).map(|x| [&[x], &rest[..]].concat()).collect::<Vec<_>>();
            all = all.iter().flat_map(longer).collect();
        }
        all.sort_by_key(|coordinates| coordinates.iter().rev().copied().collect::<Vec<_>>());
        all
    }

    /// Each coordinate in as many bits as its size needs, the first one lowest.
    fn address(&self, coordinates: &[u32]) -> u32 {
        let bits = |size: u32| (1..).find(|bits| size <= 1 << bits).unwrap();
        self.dims.iter().zip(coordinates).rev().fold(0, |address, (&size, x)| address << bits(size) | x)
    }

    fn coordinates(&self, address: u32) -> Vec<u32> {
        let bits = |size: u32| (1..).find(|bits| size <= 1 << bits).unwrap();
        let next = |left: &mut u32, size: u32| {
            let x = *left & ((1 << bits(size)) - 1);
            *left >>= bits(size);
            Some(x)
        };
        self.dims.iter().scan(address, |left, &size| next(left, size)).collect()
    }

    fn port(&self, dimension: usize, up: bool) -> PortId {
        PortId::new(self.nodes + 2 * dimension as u8 + u8::from(!up))
    }

    /// Hops up and down in a dimension; nothing where there is no such way.
    fn ways(&self, dimension: usize, x: u32, y: u32) -> [Option<u32>; 2] {
        let size = self.dims[dimension];
        match self.kind {
            Kind::Mesh => [y.checked_sub(x), x.checked_sub(y)],
            Kind::Torus => [Some((y + size - x) % size), Some((x + size - y) % size)],
            Kind::OneWay => [Some((y + size - x) % size), None],
        }
    }

    /// Hops of the shortest way in a dimension, and whether up and down are as short.
    fn shortest(&self, dimension: usize, x: u32, y: u32) -> (u32, [bool; 2]) {
        let ways = self.ways(dimension, x, y);
        let least = ways.into_iter().flatten().min().unwrap();
        (least, ways.map(|way| way == Some(least)))
    }

    /// The direction of dimension order: the shorter one; half-way round up from even coordinates.
    fn goes_up(&self, dimension: usize, x: u32, y: u32) -> bool {
        match self.shortest(dimension, x, y).1 {
            [true, true] => x.is_multiple_of(2),
            [up, _] => up,
        }
    }
}

const SHAPES: [Shape; 11] = [
    Shape { kind: Kind::Mesh, dims: &[4, 3], nodes: 2 },
    Shape { kind: Kind::Mesh, dims: &[5], nodes: 1 },
    Shape { kind: Kind::Mesh, dims: &[2, 2, 2, 2], nodes: 1 },
    Shape { kind: Kind::Mesh, dims: &[3, 4, 2], nodes: 1 },
    Shape { kind: Kind::Torus, dims: &[4, 5], nodes: 1 },
    Shape { kind: Kind::Torus, dims: &[8], nodes: 3 },
    Shape { kind: Kind::Torus, dims: &[2, 3, 4], nodes: 1 },
    Shape { kind: Kind::Torus, dims: &[6, 2], nodes: 1 },
    Shape { kind: Kind::OneWay, dims: &[5, 2], nodes: 1 },
    Shape { kind: Kind::OneWay, dims: &[3, 3], nodes: 2 },
    Shape { kind: Kind::Torus, dims: &[4, 6], nodes: 1 },
];

/// What a rule sees: the dimensions that are left, each with both coordinates.
struct Seen<'s> {
    shape: &'s Shape,
    here: Vec<u32>,
    there: Vec<u32>,
    from: Arrival,
    vcs: u8,
}

impl Seen<'_> {
    fn left(&self) -> Vec<usize> {
        (0..self.here.len()).filter(|&d| self.here[d] != self.there[d]).collect()
    }

    fn all(&self) -> VcSet {
        VcSet::first_n(self.vcs.into())
    }

    fn hops(&self) -> u32 {
        (0..self.here.len()).map(|d| self.shape.shortest(d, self.here[d], self.there[d]).0).sum()
    }

    /// The port of dimension order in a dimension.
    fn in_order(&self, dimension: usize) -> (PortId, bool) {
        let up = self.shape.goes_up(dimension, self.here[dimension], self.there[dimension]);
        (self.shape.port(dimension, up), up)
    }

    /// Every port on a shortest way.
    fn closer(&self) -> PortSet {
        let ports = |d: usize| {
            let (_, [up, down]) = self.shape.shortest(d, self.here[d], self.there[d]);
            [(up, true), (down, false)].into_iter().filter(|way| way.0).map(move |way| (d, way.1))
        };
        self.left().into_iter().flat_map(ports).map(|(d, up)| self.shape.port(d, up)).collect()
    }

    fn wrap_ahead(&self, dimension: usize, up: bool) -> bool {
        let (x, y) = (self.here[dimension], self.there[dimension]);
        if up { y < x } else { y > x }
    }

    /// Whether it is already travelling in this direction: it came by the port opposite.
    fn is_straight(&self, dimension: usize, up: bool) -> bool {
        self.from.port == self.shape.port(dimension, !up)
    }
}

/// Compares what is offered with a rule, in every state on the way to each destination.
fn agree(shape: &Shape, vcs: u8, routing: &impl Route, rule: impl Fn(&Seen<'_>) -> Flat) {
    let net = Net::of(&shape.grid());
    for there in shape.all() {
        let to = Address { router: shape.address(&there), port: shape.nodes - 1 };
        let header = Header { to, length: 4, ..Header::default() };
        let start = |&router: &u32| State { router, from: injected(0, 0), header };
        let steps = explore(&net, routing, net.routers.iter().map(start).collect());
        for step in &steps {
            let State { router, from, header } = step.state;
            let here = shape.coordinates(router);
            let expected = if here == there {
                each(PortSet::only(PortId::new(to.port)), VcSet::from_bits(u8::MAX), HopKind::Minimal)
            } else {
                rule(&Seen { shape, here: here.clone(), there: there.clone(), from, vcs })
            };
            assert_eq!(flat(&step.offered), sorted(expected), "{shape:?} {here:?} to {there:?}: {from:?}");
            assert!(
                routing.keeps_order(&net.here(router), from, &header),
                "{shape:?} {here:?} to {there:?}: {from:?}"
            );
        }
        // Every way is a shortest one.
        let far = shape
            .all()
            .iter()
            .map(|from| (0..from.len()).map(|d| shape.shortest(d, from[d], there[d]).0).sum::<u32>())
            .max();
        assert_eq!(longest(&steps) as u32, far.unwrap());
    }
    nothing_beyond(shape, routing);
}

/// Nothing is offered where no link is connected; nothing for a node that is not there, nor for a router beyond the grid in the one dimension in which it differs.
fn nothing_beyond(shape: &Shape, routing: &impl Route) {
    let net = Net::of(&shape.grid());
    let (mut start, mut beyond) = (1, Vec::new());
    for &size in shape.dims {
        let room = size.next_power_of_two();
        beyond.extend((size..room).map(|x| Address { router: x * start, port: 0 }));
        start *= room;
    }
    let (first, here) = (net.routers[0], net.here(net.routers[0]));
    let no_node = [Address { router: first, port: 63 }];
    for to in beyond.into_iter().chain(no_node) {
        let header = Header { to, length: 1, ..Header::default() };
        assert!(routing.offer(&here, injected(0, 0), &header).unwrap().is_empty(), "{shape:?} {to:?}");
    }
    let cut = Here { wired: PortSet::first_n(shape.nodes.into()), ..here };
    for to in net.routers.iter().skip(1).map(|&router| Address { router, port: 0 }) {
        let header = Header { to, length: 1, ..Header::default() };
        assert!(routing.offer(&cut, injected(0, 0), &header).unwrap().is_empty(), "{shape:?} {to:?}");
    }
}

fn halves(vcs: u8) -> (VcSet, VcSet) {
    let lower = VcSet::first_n(usize::from(vcs / 2));
    (lower, VcSet::first_n(vcs.into()).minus(lower))
}

fn one(port: PortId, vcs: VcSet) -> Flat {
    each(PortSet::only(port), vcs, HopKind::Minimal)
}
