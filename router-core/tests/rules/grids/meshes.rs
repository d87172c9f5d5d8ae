//! Adaptive routings of meshes.

use super::*;

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

/// Proves: on a torus the lower or the upper VC of a class by the wrap-around link of the plane's first dimension, and no wrap-around link in
/// the second one.
#[test]
fn planar_adaptive_on_tori_crosses_datelines() {
    for shape in SHAPES.into_iter().filter(|shape| shape.kind == Kind::Torus) {
        let vcs = 6;
        agree(&shape, vcs, &PlanarAdaptive { grid: shape.grid(), vcs }, |seen| {
            let first = seen.left()[0];
            let (port, up) = seen.in_order(first);
            let half = usize::from(!seen.wrap_ahead(first, up));
            // Two VCs for each of those that go up and down in the dimension before, and for its own plane.
            let part = |dimension: usize, which: usize| match dimension {
                0 => VcSet::range(3 * half, 3 * half + 3),
                _ => VcSet::only(VcId::new((2 * which + half) as u8)),
            };
            let mut all = one(port, part(first, 2));
            if seen.left().contains(&(first + 1)) {
                let (port, second_up) = seen.in_order(first + 1);
                if !seen.wrap_ahead(first + 1, second_up) {
                    all.extend(one(port, part(first + 1, usize::from(!up))));
                }
            }
            all
        });
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
