//! Routings whose VCs depend on rings: dimension order, datelines, negative hop.

use super::*;

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
            let sizes = Vcs { node: 1, local: vcs, global: 1 };
            let scheme = DatelineAdaptiveScheme { datelines };
            agree(&shape, vcs, &scheme.build(&AnyMap::Grid(shape.grid()), sizes).unwrap(), |seen| {
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

/// Proves: a packet on a VC that the routing has not is out of order, but for one from a node.
#[test]
fn what_is_on_no_vc_of_the_routing_is_out_of_order() {
    for shape in SHAPES.into_iter().filter(|shape| shape.kind == Kind::Mesh) {
        let (grid, here, header) = (shape.grid(), Here::default(), Header::default());
        for (vcs, vc) in (3..6).flat_map(|vcs| (0..8).map(move |vc| (vcs, vc))) {
            for kind in [PortClass::NODE, PortClass::LOCAL] {
                let from = Arrival { port: PortId::new(0), kind, vc: VcId::new(vc) };
                let found = [
                    DimensionOrder { grid, vcs }.keeps_order(&here, from, &header),
                    PlanarAdaptive { grid, vcs }.keeps_order(&here, from, &header),
                ];
                assert_eq!(found, [kind == PortClass::NODE || vc < vcs; 2], "VC {vc} of {vcs}");
            }
        }
    }
}

/// Draws 1 each time, and counts.
struct Ones(u32);

impl Draw for Ones {
    fn below(&mut self, n: u32) -> u32 {
        self.0 += 1;
        n - 1
    }
}

/// Proves: a new packet has a bit for each dimension that it crosses half-way round, where that is drawn; nothing is drawn elsewhere.
#[test]
fn ties_are_drawn_where_they_are_drawn_at_all() {
    for shape in SHAPES.into_iter().filter(|shape| shape.kind == Kind::Torus) {
        for ties in [Ties::Parity, Ties::Up, Ties::Random] {
            let routing = DimensionOrder { grid: shape.grid().with_ties(ties), vcs: 2 };
            for (from, to) in
                shape.all().iter().flat_map(|from| shape.all().into_iter().map(move |to| (from.clone(), to)))
            {
                let is_tie = |&dimension: &usize| {
                    let (x, y) = (from[dimension], to[dimension]);
                    x != y && shape.shortest(dimension, x, y).1 == [true, true] && ties == Ties::Random
                };
                let expected = (0..from.len()).filter(is_tie).fold(0, |via, dimension| via | 1 << dimension);
                let here = Here { router: shape.address(&from), ..Here::default() };
                let (to, mut draw) = (Address { router: shape.address(&to), port: 0 }, Ones(0));
                let header = routing.launch(&here, to, 3, &mut draw);
                assert_eq!(header, Header { to, length: 3, via: expected, ..Header::default() }, "{from:?}");
                assert_eq!(draw.0, expected.count_ones());
            }
        }
    }
}
