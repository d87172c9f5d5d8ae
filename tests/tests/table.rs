//! Two ways to the same ports: the arithmetic of minimal routing on a Dragonfly, and a table that was made from the
//! wiring by looking at every global link.

use desvio_sim::scenario::Arrangement;
use desvio_tests::networks::{ARRANGEMENTS, Network, Shape};
use router_core::PortClass;
use router_core::map::table::{Table, TableError};
use router_core::route::minimal::Minimal;
use router_core::route::{Arrival, Route};
use router_core::units::{PortId, PortSet};

/// Global links, each seen from both of its ends.
struct Link {
    exit: usize,
    port: usize,
    landing: usize,
}

fn global_links(network: &Network) -> Vec<Link> {
    let wiring = &network.wiring;
    (0..network.routers())
        .flat_map(|exit| wiring.neighbours(exit).map(move |(port, landing)| Link { exit, port, landing }))
        .filter(|link| wiring.class(link.exit, link.port) == PortClass::GLOBAL)
        .collect()
}

fn local_port(network: &Network, from: usize, to: usize) -> usize {
    let wiring = &network.wiring;
    let mut ports = wiring.neighbours(from).filter(|&(port, _)| wiring.class(from, port) == PortClass::LOCAL);
    ports.find(|&(_, there)| there == to).map(|(port, _)| port).expect("a group is fully connected")
}

/// Rules b–d of `docs/olm.md`: to the router itself inside the group; else by the own links to the
/// destination's group; else to every router of the group that owns one.
fn rules(network: &Network, group: &[usize]) -> Vec<PortSet> {
    let links = global_links(network);
    let mut table = Vec::new();
    for (here, there) in pairs(network.routers()) {
        let mut ports = PortSet::EMPTY;
        let mut insert = |port: usize| ports.insert(PortId::new(port as u8));
        let useful = |link: &&Link| group[link.exit] == group[here] && group[link.landing] == group[there];
        if here == there {
        } else if group[here] == group[there] {
            insert(local_port(network, here, there));
        } else if links.iter().filter(useful).any(|link| link.exit == here) {
            links.iter().filter(useful).filter(|link| link.exit == here).for_each(|link| insert(link.port));
        } else {
            links.iter().filter(useful).for_each(|link| insert(local_port(network, here, link.exit)));
        }
        table.push(ports);
    }
    table
}

/// First ports of the shortest routes among those with at most one global hop, by direct enumeration.
fn shortest(network: &Network, group: &[usize], here: usize, there: usize) -> PortSet {
    if here == there || group[here] == group[there] {
        return if here == there {
            PortSet::EMPTY
        } else {
            PortSet::only(PortId::new(local_port(network, here, there) as u8))
        };
    }
    let routes = global_links(network)
        .into_iter()
        .filter(|link| group[link.exit] == group[here] && group[link.landing] == group[there])
        .map(|link| {
            let hops = usize::from(link.exit != here) + 1 + usize::from(link.landing != there);
            let first = if link.exit == here { link.port } else { local_port(network, here, link.exit) };
            (hops, first)
        })
        .collect::<Vec<_>>();
    let least = routes.iter().map(|route| route.0).min();
    let mut ports = PortSet::EMPTY;
    for (_, port) in routes.iter().filter(|route| Some(route.0) == least) {
        ports.insert(PortId::new(*port as u8));
    }
    ports
}

fn pairs(routers: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..routers).flat_map(move |from| (0..routers).map(move |to| (from, to)))
}

fn links_of(network: &Network, router: u32) -> PortSet {
    let mut ports = PortSet::EMPTY;
    for (port, _) in network.wiring.neighbours(router as usize) {
        ports.insert(PortId::new(port as u8));
    }
    ports
}

/// Compares the two routings for every pair of routers; says how many pairs it compared and in how many of them
/// there was a choice.
fn compare(shape: &Shape) -> (usize, usize) {
    let network = shape.network();
    let group = shape.groups_of_routers();
    let entries = rules(&network, &group);
    let routers = network.routers() as u32;
    let table = Table::load(&entries, routers, |router| links_of(&network, router)).expect("a table");
    let arithmetic = Minimal { map: shape.map() };
    let from = Arrival { kind: PortClass::NODE, ..Arrival::default() };
    let single = shape.sizes.iter().all(|&a| usize::from(a * shape.h) == shape.sizes.len() - 1);
    let (mut compared, mut choices) = (0, 0);
    for (here, there) in pairs(network.routers()) {
        let at = network.heres[here];
        let by_arithmetic = arithmetic.offer(&at, from, &network.header_to(there)).expect("room for one set");
        let mut header = network.header_to(there);
        header.to.router = there as u32;
        let at = router_core::route::Here { router: here as u32, ..at };
        let by_table = table.offer(&at, from, &header).expect("room for one set");
        let what = format!("{shape:?}: {here} to {there}");
        assert_eq!(by_arithmetic.ports(), by_table.ports(), "{what}");
        assert_eq!(by_arithmetic, by_table, "{what}: from a node all VCs are the first");
        if here == there {
            assert_eq!(by_table.ports(), PortSet::only(PortId::new(0)));
        } else {
            assert_eq!(by_table.ports(), table.ports(here as u32, there as u32), "{what}");
        }
        if single && here % 5 == 0 && here != there {
            assert_eq!(by_table.ports(), shortest(&network, &group, here, there), "{what}");
        }
        compared += 1;
        choices += usize::from(by_table.ports().len() > 1);
    }
    (compared, choices)
}

#[test]
fn full_dragonflies() {
    for arrangement in ARRANGEMENTS {
        for h in 2..=4u8 {
            let groups = 2 * usize::from(h) * usize::from(h) + 1;
            let (compared, choices) = compare(&Shape::balanced(h, groups, arrangement));
            let routers = groups * 2 * usize::from(h);
            assert_eq!((compared, choices), (routers * routers, 0), "one link per pair of groups, one way");
        }
    }
}

#[test]
fn fewer_groups_and_parallel_links() {
    let (mut compared, mut choices) = (0, 0);
    for arrangement in ARRANGEMENTS {
        for (h, groups) in
            (2..=8).map(|groups| (2, groups)).chain([(3, 2), (3, 7), (3, 10), (3, 18), (4, 11)])
        {
            let (pairs, several) = compare(&Shape::balanced(h, groups, arrangement));
            compared += pairs;
            choices += several;
        }
    }
    assert!(compared > 60_000 && choices > 5_000, "{compared}, {choices}");
}

#[test]
fn unequal_groups() {
    let mut compared = 0;
    for arrangement in ARRANGEMENTS {
        for (h, sizes) in [
            (4, vec![4, 2, 3, 4, 1]),
            (2, vec![2, 5, 3]),
            (3, vec![3, 1, 2, 2]),
            (1, vec![7, 4, 5, 6, 4]),
            (2, vec![1, 1]),
            (2, vec![16, 3, 3, 9, 4, 3, 3]),
        ] {
            compared += compare(&Shape { p: 1, sizes, h, arrangement }).0;
        }
    }
    assert_eq!(compared, 3 * (14 * 14 + 10 * 10 + 8 * 8 + 26 * 26 + 2 * 2 + 41 * 41));
}

#[test]
fn a_bad_table_is_refused_by_name() {
    let shape = Shape::balanced(2, 9, Arrangement::Palmtree);
    let network = shape.network();
    let good = rules(&network, &shape.groups_of_routers());
    let load = |entries: &[PortSet], routers| {
        Table::load(entries, routers, |router| links_of(&network, router)).map(|_| ())
    };
    let with = |here: usize, there: usize, ports: PortSet| {
        let mut entries = good.clone();
        entries[here * 36 + there] = ports;
        load(&entries, 36)
    };
    assert_eq!(load(&good, 36), Ok(()));
    assert_eq!(load(&good[1..], 36), Err(TableError::Size));
    assert_eq!(load(&good, 35), Err(TableError::Size));
    assert_eq!(load(&good, 37), Err(TableError::Size));
    assert_eq!(load(&[], 0), Err(TableError::Size));
    assert_eq!(load(&[], 36), Err(TableError::Size));
    // 65,536² entries are 2³², which a 32-bit product would take for none.
    assert_eq!(load(&[], 1 << 16), Err(TableError::Size));
    assert_eq!(load(&[], u32::MAX), Err(TableError::Size));
    assert_eq!(with(35, 0, PortSet::EMPTY), Err(TableError::NoPort { here: 35, there: 0 }));
    let node = PortSet::only(PortId::new(1));
    assert_eq!(with(3, 7, node), Err(TableError::WrongPort { here: 3, there: 7 }));
    let beyond = PortSet::range(6, 8);
    assert_eq!(with(0, 35, beyond), Err(TableError::WrongPort { here: 0, there: 35 }));
    assert_eq!(with(12, 12, good[1]), Err(TableError::WrongPort { here: 12, there: 12 }));
}

#[test]
fn a_router_that_is_not_in_the_table_has_no_way_to_it() {
    let entries =
        [<PortSet>::EMPTY, PortSet::only(PortId::new(1)), PortSet::only(PortId::new(1)), PortSet::EMPTY];
    let table = Table::load(&entries, 2, |_| PortSet::only(PortId::new(1))).expect("a table");
    for (here, there) in [(0, 2), (1, 3), (2, 0), (2, 1), (u32::MAX, 1), (0, u32::MAX)] {
        assert!(table.ports(here, there).is_empty(), "{here} to {there}");
    }
}
