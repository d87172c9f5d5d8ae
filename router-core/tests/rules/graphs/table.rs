//! Tables of shortest routes, and Valiant and UGAL over them.

use super::*;

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
        let vcs = Vcs { node: 1, local: 1, global: 1 };
        let (net, routing) = (Net::of(graph), ValiantTableScheme.build(&AnyMap::Graph(table), vcs).unwrap());
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
