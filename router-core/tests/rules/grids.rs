//! Meshes and tori, and the routings on them, by `docs/scenarios.md`: what is offered in every state that a packet can reach.

use super::explore::{Net, State, each, explore, flat, injected, longest, sorted};
use desvio_core::header::{Address, Header};
use desvio_core::map::grid::{Grid, GridError};
use desvio_core::map::{Map, Peer};
use desvio_core::route::dateline_adaptive::{DatelineAdaptive, Datelines};
use desvio_core::route::dimension_order::DimensionOrder;
use desvio_core::route::duato::Duato;
use desvio_core::route::negative_hop::NegativeHop;
use desvio_core::route::odd_even::OddEven;
use desvio_core::route::planar_adaptive::PlanarAdaptive;
use desvio_core::route::turn_model::{TurnModel, Turns};
use desvio_core::route::{Arrival, Here, HopKind, Route};
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

/// Proves: ports lead one up and one down in each dimension, round a torus, and one-way links send up alone.
#[test]
fn ports_lead_up_and_down_in_each_dimension() {
    for shape in SHAPES {
        let grid = shape.grid();
        let net = Net::of(&grid);
        net.check_symmetry();
        let addresses: Vec<_> = shape.all().iter().map(|one| shape.address(one)).collect();
        assert_eq!(net.routers, addresses);
        assert_eq!(
            (grid.ports(), grid.last()),
            (usize::from(shape.nodes) + 2 * shape.dims.len(), *addresses.iter().max().unwrap())
        );
        assert_eq!((grid.wraps(), grid.is_one_way()), (shape.kind != Kind::Mesh, shape.kind == Kind::OneWay));
        for coordinates in shape.all() {
            let router = shape.address(&coordinates);
            assert_eq!(grid.address(&coordinates), router);
            for node in 0..shape.nodes {
                assert_eq!(grid.peer(router, PortId::new(node)), Some(Peer::Node));
                assert_eq!(net.class(router, PortId::new(node)), PortClass::NODE);
                assert!(grid.sends(router, PortId::new(node)));
            }
            for (dimension, &size) in shape.dims.iter().enumerate() {
                for up in [true, false] {
                    let x = coordinates[dimension];
                    let next = if up { x + 1 } else { x + size - 1 };
                    let is_there = shape.kind != Kind::Mesh || if up { x + 1 < size } else { x > 0 };
                    let mut there = coordinates.clone();
                    there[dimension] = next % size;
                    let peer =
                        Peer::Router { router: shape.address(&there), port: shape.port(dimension, !up) };
                    assert_eq!(
                        grid.peer(router, shape.port(dimension, up)),
                        is_there.then_some(peer),
                        "{shape:?} {coordinates:?}"
                    );
                    assert_eq!(net.class(router, shape.port(dimension, up)), PortClass::LOCAL);
                    assert_eq!(
                        grid.sends(router, shape.port(dimension, up)),
                        up || shape.kind != Kind::OneWay
                    );
                }
            }
            assert_eq!(grid.peer(router, PortId::new(grid.ports() as u8)), None);
        }
    }
    // Bits 0 to 1, 2 to 3 and 4 of an address begin the coordinates.
    assert_eq!(Grid::new(&[4, 3, 2], 1, false).unwrap().starts(), 0b1_0101);
}

/// Proves: 1 to 8 dimensions of 2 routers or more, whose coordinates fit 18 bits, with as many ports as a set holds.
#[test]
fn numbers_that_make_no_grid_are_refused() {
    let of = |dims: &[u32], nodes| Grid::new(dims, nodes, true).map(|_| ());
    assert_eq!(of(&[], 1), Err(GridError::Dimensions));
    assert_eq!((of(&[2; 8], 1), of(&[2; 9], 1)), (Ok(()), Err(GridError::Dimensions)));
    assert_eq!((of(&[1], 1), of(&[3, 1], 1)), (Err(GridError::Size), Err(GridError::Size)));
    assert_eq!((of(&[1 << 18], 1), of(&[(1 << 18) + 1], 1)), (Ok(()), Err(GridError::Size)));
    assert_eq!((of(&[512, 512], 1), of(&[512, 513], 1)), (Ok(()), Err(GridError::Size)));
    // Two dimensions have four ports: 60 nodes are the most.
    assert_eq!(
        (of(&[2, 2], 60), of(&[2, 2], 61), of(&[2, 2], 255)),
        (Ok(()), Err(GridError::Ports), Err(GridError::Ports))
    );
}

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

/// Proves: dimension order takes the first dimension that is left, and on a torus the half of the VCs that its row says.
#[test]
fn dimension_order_takes_the_vcs_of_its_table() {
    for shape in SHAPES {
        for vcs in if shape.kind == Kind::Mesh { [1, 3, 4] } else { [2, 3, 4] } {
            agree(&shape, vcs, &DimensionOrder { grid: shape.grid(), vcs }, |seen| {
                let dimension = seen.left()[0];
                let (port, up) = seen.in_order(dimension);
                let (size, x) = (shape.dims[dimension], seen.here[dimension]);
                let single = if shape.kind == Kind::OneWay { 2 } else { 3 };
                let (lower, upper) = halves(vcs);
                let has_crossed = if up { x == 0 } else { x == size - 1 };
                let vcs = if shape.kind == Kind::Mesh || size <= single {
                    seen.all()
                } else if seen.wrap_ahead(dimension, up) || !seen.is_straight(dimension, up) {
                    lower
                } else if has_crossed || upper.contains(seen.from.vc) {
                    upper
                } else {
                    seen.all()
                };
                one(port, vcs)
            });
        }
    }
}

/// Proves: with a wrap-around link ahead all VCs but VC 1, otherwise all; strictly the lower half, otherwise the upper one.
#[test]
fn datelines_leave_the_vcs_of_their_table() {
    for shape in SHAPES.into_iter().filter(|shape| shape.kind == Kind::Torus) {
        for (datelines, vcs) in [
            (Datelines::Adaptive, 2),
            (Datelines::Adaptive, 4),
            (Datelines::Strict, 2),
            (Datelines::Strict, 5),
        ] {
            agree(&shape, vcs, &DatelineAdaptive { grid: shape.grid(), datelines, vcs }, |seen| {
                let (port, up) = seen.in_order(seen.left()[0]);
                let ahead = seen.wrap_ahead(seen.left()[0], up);
                let (lower, upper) = halves(vcs);
                one(
                    port,
                    match datelines {
                        Datelines::Adaptive if ahead => seen.all().minus(VcSet::only(VcId::new(1))),
                        Datelines::Adaptive => seen.all(),
                        Datelines::Strict => {
                            if ahead {
                                lower
                            } else {
                                upper
                            }
                        }
                    },
                )
            });
        }
    }
}

/// Proves: every shortest way on the adaptive VCs, dimension order on the escape VCs.
#[test]
fn duato_has_every_shortest_way_and_an_escape() {
    for shape in SHAPES.into_iter().filter(|shape| shape.kind != Kind::OneWay) {
        for vcs in [3, 5] {
            agree(&shape, vcs, &Duato { grid: shape.grid(), vcs }, |seen| {
                let (port, up) = seen.in_order(seen.left()[0]);
                let escapes = match shape.kind {
                    Kind::Mesh => 1,
                    _ if seen.wrap_ahead(seen.left()[0], up) => 1,
                    _ => 2,
                };
                let kept = VcSet::first_n(if shape.kind == Kind::Mesh { 1 } else { 2 });
                let free = each(seen.closer(), seen.all().minus(kept), HopKind::Minimal);
                [free, one(port, VcSet::first_n(escapes))].concat()
            });
        }
    }
}

/// Proves: two dimensions at a time, on the part of the VCs for packets that go up or down in the first of them.
#[test]
fn planar_adaptive_crosses_planes_in_their_order() {
    for shape in SHAPES.into_iter().filter(|shape| shape.kind == Kind::Mesh) {
        let vcs = 6;
        agree(&shape, vcs, &PlanarAdaptive { grid: shape.grid(), vcs }, |seen| {
            let last = shape.dims.len() - 1;
            // The parts of a dimension: for those that go up and down in the one before, and for its own plane.
            let part = |dimension: usize, which: usize| match dimension {
                0 => seen.all(),
                d if d == last => VcSet::range(3 * which, 3 * which + 3),
                _ => VcSet::range(2 * which, 2 * which + 2),
            };
            let first = seen.left()[0];
            let (port, up) = seen.in_order(first);
            if first == last && last > 0 {
                // The class of those that go up; who is in the other one may stay.
                let (up_part, down_part) = (part(last, 0), part(last, 1));
                // Those that went down in the dimension before are of the other one, too.
                let came = seen.from.port == shape.port(last - 1, true)
                    || seen.from.port == shape.port(last, !up) && down_part.contains(seen.from.vc);
                return one(port, if came { up_part.union(down_part) } else { up_part });
            }
            let mut all = one(port, part(first, 2));
            if first < last && seen.left().contains(&(first + 1)) {
                all.extend(one(seen.in_order(first + 1).0, part(first + 1, usize::from(!up))));
            }
            all
        });
    }
}

/// Proves: every shortest way, on VCs above the one it came by where it has come to an even router, and with enough left for the rest.
#[test]
fn negative_hops_take_higher_vcs() {
    for shape in SHAPES
        .into_iter()
        .filter(|shape| shape.kind == Kind::Mesh || shape.dims.iter().all(|size| size % 2 == 0))
    {
        if shape.kind == Kind::OneWay {
            continue;
        }
        let most = shape
            .dims
            .iter()
            .map(|size| if shape.kind == Kind::Mesh { size - 1 } else { size / 2 })
            .sum::<u32>();
        for spare in [0, 2] {
            let vcs = (most / 2 + 1 + spare) as u8;
            agree(&shape, vcs, &NegativeHop { grid: shape.grid(), vcs }, |seen| {
                let is_even = seen.here.iter().sum::<u32>() % 2 == 0;
                let lowest = match seen.from.kind {
                    PortClass::NODE => 0,
                    _ => seen.from.vc.index() + usize::from(is_even),
                };
                // Behind the next hop each hop from an even router takes a higher VC.
                let rises = (1..seen.hops()).filter(|n| (n % 2 == 0) == is_even).count();
                each(seen.closer(), VcSet::range(lowest, usize::from(vcs) - rises), HopKind::Minimal)
            });
        }
    }
}

/// Proves: a packet takes any early port that leads closer, and a late one where no early one is left.
#[test]
fn turns_from_late_to_early_directions_are_forbidden() {
    for shape in SHAPES.into_iter().filter(|shape| shape.kind == Kind::Mesh) {
        for turns in [Turns::WestFirst, Turns::NorthLast, Turns::NegativeFirst] {
            if turns != Turns::NegativeFirst && shape.dims.len() != 2 {
                continue;
            }
            agree(&shape, 3, &TurnModel { grid: shape.grid(), turns, vcs: 3 }, |seen| {
                let is_early = |port: &PortId| match turns {
                    Turns::WestFirst => *port == shape.port(0, false),
                    Turns::NorthLast => *port != shape.port(1, true),
                    Turns::NegativeFirst => (port.number() - shape.nodes) % 2 == 1,
                };
                let early: PortSet = seen.closer().iter().filter(is_early).collect();
                let ports = if early.is_empty() { seen.closer() } else { early };
                each(ports, seen.all(), HopKind::Minimal)
            });
        }
    }
}

/// Proves: Chiu's function ROUTE, with the port of arrival in the place of the source's column.
#[test]
fn odd_even_turns_follow_the_column() {
    for dims in [&[4, 3][..], &[5, 5], &[2, 6]] {
        let shape = Shape { kind: Kind::Mesh, dims: Box::leak(dims.to_vec().into_boxed_slice()), nodes: 2 };
        agree(&shape, 2, &OddEven { grid: shape.grid(), vcs: 2 }, |seen| {
            let (x, east) = (seen.here[0], seen.there[0] as i64 - seen.here[0] as i64);
            let up_or_down: PortSet =
                seen.closer().minus([shape.port(0, true), shape.port(0, false)].into_iter().collect());
            let mut ports = PortSet::EMPTY;
            if east == 0 {
                ports = up_or_down;
            } else if east > 0 {
                let moved_east = seen.from.port == shape.port(0, false);
                if up_or_down.is_empty() {
                    ports.insert(shape.port(0, true));
                } else {
                    if x % 2 == 1 || !moved_east {
                        ports = up_or_down;
                    }
                    if seen.there[0] % 2 == 1 || east != 1 {
                        ports.insert(shape.port(0, true));
                    }
                }
            } else {
                ports.insert(shape.port(0, false));
                if x % 2 == 0 {
                    ports = ports.union(up_or_down);
                }
            }
            each(ports, seen.all(), HopKind::Minimal)
        });
    }
}

/// Proves: straight ahead is the port opposite to that by which a packet came, and it travels in as many dimensions as differ.
#[test]
fn straight_ahead_is_the_port_opposite() {
    for shape in SHAPES {
        let routing = DimensionOrder { grid: shape.grid(), vcs: 2 };
        for dimension in 0..shape.dims.len() {
            for up in [true, false] {
                let arrival =
                    Arrival { port: shape.port(dimension, up), kind: PortClass::LOCAL, vc: VcId::new(0) };
                assert_eq!(routing.straight(arrival), Some(shape.port(dimension, !up)));
            }
        }
        assert_eq!(routing.straight(injected(0, 0)), None);
        for (from, to) in
            shape.all().iter().flat_map(|from| shape.all().into_iter().map(move |to| (from.clone(), to)))
        {
            let differ = from.iter().zip(&to).filter(|(x, y)| x != y).count();
            assert_eq!(routing.legs(shape.address(&from), shape.address(&to)), differ as u16);
        }
    }
}
