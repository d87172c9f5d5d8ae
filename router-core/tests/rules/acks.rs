//! What a source of DRB may send, and the VCs of ACKs, by `docs/drb.md`.

use super::explore::{Net, State, each, explore, flat, injected, longest, sorted};
use super::levels::Script;
use desvio_core::drb::{MultiStep, Network, SupernodeShape};
use desvio_core::header::{Address, Header};
use desvio_core::map::grid::Grid;
use desvio_core::route::dimension_order::DimensionOrder;
use desvio_core::route::drb::{ACK_LEVEL, Drb, header};
use desvio_core::route::{Arrival, HopKind, Route};
use desvio_core::units::{PortClass, PortId, PortSet, VcId, VcSet};

/// A mesh with one VC for ACKs and three for others, a torus with two and six.
fn networks() -> [(Grid, u8, u8); 2] {
    let grid = |dims: &[u32], wraps| Grid::new(dims, 1, wraps).unwrap();
    [(grid(&[3, 3], false), 1, 3), (grid(&[4, 3], true), 2, 6)]
}

/// Routing whose sources have one neighbourhood and whose destinations another one.
fn drb(grid: Grid, ack_vcs: u8, vcs: u8, [source, destination]: [u8; 2]) -> Drb<'static> {
    let [source, destination] = [source, destination].map(SupernodeShape::gravity);
    Drb { network: Network::Grid(grid), vcs: ack_vcs + vcs, ack_vcs, source, destination }
}

/// Each router with each node.
fn pairs(net: &Net) -> impl Iterator<Item = (u32, Address)> {
    let all = move |&from: &u32| net.routers.iter().map(move |&router| (from, Address { router, port: 0 }));
    net.routers.iter().flat_map(all)
}

fn ack(from: u32, to: Address) -> Header {
    let first = header(from, to, 3, MultiStep::canonical(from, to.router));
    Header { carried: first.carried.with_level(ACK_LEVEL), ..first }
}

/// Proves: a source draws each router near itself with each near the destination, once, and an ACK where those have VCs of their own.
#[test]
fn a_source_draws_routers_near_both_ends() {
    for (grid, ack_vcs, vcs) in networks() {
        let net = Net::of(&grid);
        let near = |end: u32, radius: u8| {
            let hops = net.distances(end);
            net.routers.iter().copied().filter(move |router| hops[router] <= radius.into())
        };
        for (radii, has_acks) in [([1, 0], true), ([0, 2], true), ([2, 1], false)] {
            let acks = if has_acks { ack_vcs } else { 0 };
            let routing = drb(grid, acks, vcs, radii);
            for (from, to) in pairs(&net) {
                let fields = |header: Header| {
                    assert_eq!((header.to, header.length), (to, 3));
                    (header.via, header.progress.bits(), header.carried.level())
                };
                let drawn = Script::all(|script| routing.launch(&net.here(from), to, 3, script));
                let mut drawn: Vec<_> = drawn.into_iter().map(fields).collect();
                let pairs = near(from, radii[0]).flat_map(|first| {
                    near(to.router, radii[1]).map(move |second| MultiStep { first, second })
                });
                let paths = pairs.map(|path| header(from, to, 3, path));
                let mut expected: Vec<_> = paths.chain(has_acks.then(|| ack(from, to))).map(fields).collect();
                drawn.sort_unstable();
                expected.sort_unstable();
                assert_eq!(drawn, expected, "{radii:?}: {from} to {to:?}");
            }
        }
    }
}

/// Proves: ACKs go in dimension order on the lowest VCs alone. Other packets have the VCs above, and go on them as they would without ACKs.
/// On a VC of the other kind no packet keeps the order.
#[test]
fn acks_and_others_have_vcs_apart() {
    for (grid, ack_vcs, vcs) in networks() {
        let net = Net::of(&grid);
        let (routing, alone) = (drb(grid, ack_vcs, vcs, [1, 1]), drb(grid, 0, vcs, [1, 1]));
        let in_order = DimensionOrder { grid, vcs: ack_vcs };
        let middle = net.routers[4];
        for (source, to) in pairs(&net) {
            let path = |first, second| header(source, to, 3, MultiStep { first, second });
            let others = [path(middle, net.routers[0]), path(source, middle), path(source, to.router)];
            for first in [ack(source, to)].into_iter().chain(others) {
                let is_ack = first.carried.level() == ACK_LEVEL;
                let from = injected(0, if is_ack { 0 } else { ack_vcs });
                let steps = explore(&net, &routing, vec![State { router: source, from, header: first }]);
                longest(&steps);
                for step in &steps {
                    let State { router, from, header } = step.state;
                    let here = net.here(router);
                    let below =
                        |vc: VcId| Arrival { vc: VcId::new(vc.number().saturating_sub(ack_vcs)), ..from };
                    let expected = if !is_ack {
                        let offered = flat(&alone.offer(&here, below(from.vc), &header).unwrap()).into_iter();
                        let risen = offered.map(|(port, vc, kind)| (port, vc + ack_vcs, kind));
                        risen.filter(|&(_, vc, _)| usize::from(vc) < VcSet::CAPACITY).collect()
                    } else if router == to.router {
                        each(PortSet::only(PortId::new(0)), VcSet::first_n(ack_vcs.into()), HopKind::Minimal)
                    } else {
                        flat(&in_order.offer(&here, from, &header).unwrap())
                    };
                    assert_eq!(flat(&step.offered), sorted(expected), "{:?}", step.state);
                    for vc in (0..ack_vcs + vcs).map(VcId::new) {
                        let is_low = vc.number() < ack_vcs;
                        let leaves =
                            || from.kind == PortClass::NODE || alone.keeps_order(&here, below(vc), &header);
                        let keeps = is_low == is_ack && (is_ack || leaves());
                        let found = routing.keeps_order(&here, Arrival { vc, ..from }, &header);
                        assert_eq!(found, keeps, "{vc:?} {:?}", step.state);
                    }
                }
            }
        }
    }
}
