//! Forwarding tables, and lanes by service levels.

use super::super::levels::Script;
use super::*;
use desvio_core::congestion::with_lid;
use desvio_core::route::drb_infiniband::DrbInfiniBandScheme;

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

/// Proves: packets of a LID follow its row, in the place of a port of the destination, and are consumed there whatever their LID.
#[test]
fn packets_follow_the_row_of_their_lid() {
    let graph = &GRAPHS[0];
    let (shortest, lids) = (graph.shortest(), 2u32);
    let first: Vec<_> = (0..=5).map(|router| router * lids).collect();
    // The lowest port for LID 0, the highest for LID 1.
    let port = |here: u32, there: u32, lid: u8| {
        let mut ports = shortest[(here * 5 + there) as usize].iter();
        if lid == 0 { ports.next() } else { ports.last() }
    };
    let all = (0..5u32).flat_map(|here| (0..5).map(move |there| (here, there)));
    let entries: Vec<_> = all
        .flat_map(|(here, there)| [(here, there, 0), (here, there, 1)])
        .map(|(here, there, lid)| {
            port(here, there, lid).map_or(Entry::NONE, |port| Entry::new(port, vc(lid + 3)))
        })
        .collect();
    let table = ForwardingTable::load(&entries, &first, &[], 5, VcRule::PerHop, graph.wired()).unwrap();
    let scheme = DrbInfiniBandScheme { lmc: 1, ..DrbInfiniBandScheme::default() };
    let vcs = Vcs { node: 1, local: 8, global: 8 };
    let routing = scheme.build(&AnyMap::Forwarding(table), vcs).unwrap();
    for (there, lid) in (0..5u32).flat_map(|there| [(there, 0), (there, 1)]) {
        agree(graph, &routing, graph.starts(|_| with_lid(graph.to(there), lid)), |state| {
            port(state.router, there, lid).map(|port| (PortSet::only(port), vc(lid + 3)))
        });
        for here in 0..5 {
            assert_eq!(routing.port(here, there, lid), port(here, there, lid));
        }
    }
}

/// Proves: a source has the LIDs of a destination by whose row its router sends, on a VC that the pair has. It draws each of them alike, and LID 0
/// where it has none.
#[test]
fn a_source_draws_from_the_lids_that_it_has() {
    // Two routers with a node at port 0, joined by port 1, and four LIDs each.
    let (first, lids, wired) = ([0, 4, 8], 4, |_| <PortSet>::only(PortId::new(1)));
    let vcs = Vcs { node: 1, local: 8, global: 8 };
    for (rows, levels) in (0..16u8).flat_map(|rows| (0..16).map(move |levels| (rows, levels))) {
        let has = |bits: u8, lid: u32| bits >> lid & 1 == 1;
        // From router 0 by the rows that there are, on VC 2 for the LIDs with a level; from router 1 never.
        let entry = |n: u32| match n.checked_sub(lids) {
            Some(lid) if lid < lids && has(rows, lid) => Entry::new(PortId::new(1), vc(0)),
            _ => Entry::NONE,
        };
        let entries: Vec<_> = (0..2 * 2 * lids).map(entry).collect();
        let layer = |pair: u32| match pair.checked_sub(lids) {
            Some(lid) if lid < lids && !has(levels, lid) => VcSet::EMPTY,
            _ => vc(2),
        };
        let layers: Vec<_> = (0..64).map(layer).collect();
        let table = ForwardingTable::load(&entries, &first, &layers, 2, VcRule::PerRoute, wired).unwrap();
        let scheme = DrbInfiniBandScheme { lmc: 2, ..DrbInfiniBandScheme::default() };
        let routing = scheme.build(&AnyMap::Forwarding(table), vcs).unwrap();
        let own: Vec<_> = (0..4u8).filter(|&lid| has(rows & levels, lid.into())).collect();
        assert_eq!(routing.paths(0, 1).collect::<Vec<_>>(), own, "{rows:b} {levels:b}");
        assert_eq!(routing.paths(1, 0).count() + routing.paths(0, 0).count(), 0);
        let (here, to) = (Here::default(), Address { router: 1, port: 0 });
        let drawn = Script::all(|script| routing.launch(&here, to, 3, script));
        let header = Header { to, length: 3, ..Header::default() };
        let own = if own.is_empty() { vec![0] } else { own };
        assert_eq!(drawn, own.into_iter().map(|lid| with_lid(header, lid)).collect::<Vec<_>>());
    }
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
    assert_eq!((Entry::NONE.port(), Entry::NONE.ports()), (None, <PortSet>::EMPTY));
    assert_eq!((two.port(), two.ports()), (Some(PortId::new(2)), <PortSet>::only(PortId::new(2))));
    assert_eq!((Entry::UNSUPPORTED.port(), Entry::UNSUPPORTED.ports::<usize>().len()), (None, 64));
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
    let level = |table: &ForwardingTable<'_>, to| Route::<usize>::level(table, one, to);
    assert_eq!((level(&routing, other), level(&routing, one), level(&table, other)), (3, 0, 0));
    let header = Header { to: other, length: 1, ..Header::default() };
    let header = Header { carried: header.carried.with_level(3).with_source(one), ..header };
    let pair = Graph { routers: 2, links: &[(0, 1)] };
    let steps = explore(&Net::of(&pair), &routing, vec![State { router: 0, from: injected(0, 0), header }]);
    let offered: Vec<_> = steps.iter().map(|step| flat(&step.offered)).collect();
    assert_eq!(offered, [vec![(1, 5, HopKind::Minimal)], vec![(0, 2, HopKind::Minimal)]]);
}
