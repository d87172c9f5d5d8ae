//! Up*/down*, routes in the header, and intervals of labels.

use super::*;

/// Proves: up*/down* offers the shortest ways up, then down, on any VC, and never up for a packet that came from above.
#[test]
fn up_down_goes_up_then_down() {
    for graph in &GRAPHS {
        for root in [0, graph.routers - 1] {
            let up = up_ports(graph, root);
            let ports = up_down_ports(graph, &up);
            let map = UpDownTable::load(&ports, &up, graph.wired()).unwrap();
            let net = Net::of(graph);
            for there in 0..graph.routers {
                agree(graph, &map, graph.starts(|_| graph.to(there)), |state| {
                    let gone_down = state.from.kind != PortClass::NODE
                        && up[state.router as usize].contains(state.from.port);
                    assert_eq!(
                        map.comes_down(state.router, state.from.port),
                        up[state.router as usize].contains(state.from.port)
                    );
                    let entry = (there * graph.routers + state.router) as usize * 2 + usize::from(gone_down);
                    assert_eq!(map.ports(state.router, there, gone_down), ports[entry]);
                    (state.router != there).then(|| (ports[entry], VcSet::from_bits(u8::MAX)))
                });
                for here in 0..graph.routers {
                    assert_eq!(map.up(here), up[here as usize]);
                    // Who has gone down and has no way further down has lost the order.
                    for port in up[here as usize].iter() {
                        let from = Arrival { port, kind: PortClass::LOCAL, vc: VcId::new(0) };
                        let has_way = here == there || !map.ports(here, there, true).is_empty();
                        assert_eq!(map.keeps_order(&net.here(here), from, &graph.to(there)), has_way);
                        let node = Arrival { port, kind: PortClass::NODE, vc: VcId::new(0) };
                        assert!(map.keeps_order(&net.here(here), node, &graph.to(there)));
                    }
                }
            }
            assert_eq!(map.ports(graph.routers, 0, false), PortSet::EMPTY);
            assert_eq!(map.ports(0, graph.routers, false), PortSet::EMPTY);
            // Entries that cannot be right.
            let n = graph.routers as usize;
            let size = UpDownTable::load(&ports[1..], &up, graph.wired()).map(|_| ());
            assert_eq!(size, Err(TableError::Size));
            for (entry, right) in ports.iter().enumerate() {
                let (there, here, gone_down) = (entry / 2 / n, entry / 2 % n, entry % 2 == 1);
                let load = |ports_here: PortSet| {
                    let mut wrong = ports.clone();
                    wrong[entry] = ports_here;
                    UpDownTable::load(&wrong, &up, graph.wired()).map(|_| ())
                };
                let at = (here as u32, there as u32);
                assert_eq!(
                    load(right.union(PortSet::only(PortId::new(0)))),
                    Err(TableError::WrongPort { here: at.0, there: at.1 })
                );
                if !gone_down && here != there {
                    assert_eq!(load(PortSet::EMPTY), Err(TableError::NoPort { here: at.0, there: at.1 }));
                }
                if gone_down && !up[here].is_empty() {
                    assert!(load(up[here]).is_err(), "no way up for who has gone down");
                }
            }
            let mut wrong = up.clone();
            wrong[1] = PortSet::only(PortId::new(0));
            assert_eq!(
                UpDownTable::load(&ports, &wrong, graph.wired()).map(|_| ()),
                Err(TableError::UpPort { here: 1 })
            );
        }
    }
}

/// Proves: source routing writes the port of each hop, the first lowest, and each router takes its own off.
#[test]
fn a_source_writes_the_outputs_of_all_hops() {
    assert_eq!([1, 2, 3, 4, 5, 8, 9, 16, 17, 64].map(sign_bits), [0, 1, 2, 2, 3, 3, 4, 4, 5, 6]);
    // 24 bits: 8 hops of 3 bits, 6 of 4.
    assert!(with_hop(0, 7, PortId::new(7), 8).is_some() && with_hop(0, 8, PortId::new(0), 8).is_none());
    assert!(with_hop(0, 5, PortId::new(15), 16).is_some() && with_hop(0, 6, PortId::new(0), 16).is_none());
    assert_eq!(with_hop(0b101_001, 2, PortId::new(6), 8), Some(0b110_101_001));
    for graph in &GRAPHS {
        let (net, ports) = (Net::of(graph), graph.shortest());
        let lowest = |here: u32, there: u32| ports[(here * graph.routers + there) as usize].first().unwrap();
        let route = |mut here: u32, there: u32| {
            let (mut route, mut hops) = (0u32, 0);
            while here != there {
                let port = lowest(here, there);
                route |= u32::from(port.number()) << (3 * hops);
                hops += 1;
                let Some(Peer::Router { router, .. }) = net.peer(here, port) else { panic!() };
                here = router;
            }
            (route, hops)
        };
        let pairs = || (0..graph.routers).flat_map(|here| (0..graph.routers).map(move |there| (here, there)));
        let routes: Vec<_> = pairs().map(|(here, there)| route(here, there).0).collect();
        let most = pairs().map(|(here, there)| route(here, there).1).max().unwrap();
        let table = RouteTable::load(&routes, graph.routers, 5, most as u8).unwrap();
        assert_eq!((table.sign_bits(), table.bits()), (3, 3 * most));
        assert!(RouteTable::load(&routes[1..], graph.routers, 5, 1).is_err());
        for rises in [true, false] {
            let routing = Source { table, rises };
            for there in 0..graph.routers {
                let header = |router| {
                    let header = routing.launch(
                        &net.here(router),
                        Address { router: there, port: 0 },
                        9,
                        &mut Turn(0),
                    );
                    assert_eq!((header.to, header.length), (Address { router: there, port: 0 }, 9));
                    assert_eq!(table.route(router, there), routes[(router * graph.routers + there) as usize]);
                    header
                };
                let steps = agree(graph, &routing, graph.starts(header), |state| {
                    let vcs = if rises { risen(state.from) } else { VcSet::from_bits(u8::MAX) };
                    (state.router != there).then(|| (PortSet::only(lowest(state.router, there)), vcs))
                });
                // What a router has read is gone: nothing is left at the destination.
                for (step, hop) in steps.iter().flat_map(|step| step.hops.iter().map(move |hop| (step, hop)))
                {
                    let left = |header: &Header| u32::from(header.progress.bits()) << 18 | header.via;
                    assert_eq!(left(&steps[hop.1].state.header), left(&step.state.header) >> 3);
                }
            }
        }
    }
}

/// Proves: a packet leaves by the port whose interval, in a circle, has the label of its destination.
#[test]
fn a_packet_leaves_by_the_port_whose_interval_has_its_label() {
    // A line 0 – 3 – 1 – 2 with the labels 3, 1, 0, 2: that is 2, 1, 3, 0 from one end.
    let graph = &GRAPHS[2];
    let labels = [3, 1, 0, 2];
    let net = Net::of(graph);
    // Ports of each router and the first label behind each: by hand.
    // Router 0 (3): port 1 to router 3 with 0, 1, 2. Router 3 (2): port 1 to router 0 with 3, port 2 with 0, 1.
    // Router 1 (1): port 1 to router 3 with 2, 3, port 2 to router 2 with 0. Router 2 (0): port 1 with 1, 2, 3.
    let no = NO_INTERVAL;
    let starts = [no, 0, no, no, no, 2, 0, no, no, 1, no, no, no, 3, 0, no];
    let starts: Vec<_> = starts.to_vec();
    let table = IntervalTable::load(&labels, &starts, 4, graph.wired()).unwrap();
    assert_eq!(table.routers(), 4);
    for there in 0..4 {
        let header = |router| {
            let header = table.launch(&net.here(router), Address { router: there, port: 0 }, 5, &mut Turn(0));
            assert_eq!((header.via, header.length), (labels[there as usize], 5));
            header
        };
        agree(graph, &table, graph.starts(header), |state| {
            let distances = net.distances(there);
            let closer =
                net.neighbours(state.router).find(|(_, next)| distances[next] < distances[&state.router]);
            closer.map(|(port, _)| (PortSet::only(port), VcSet::from_bits(u8::MAX)))
        });
    }
    assert_eq!((table.label(0), table.label(3), table.label(4)), (Some(3), Some(2), None));
    assert_eq!(table.intervals(1).collect::<Vec<_>>(), [(PortId::new(1), 2), (PortId::new(2), 0)]);
    assert_eq!(
        (table.port(1, 3), table.port(1, 0), table.port(4, 0)),
        (Some(PortId::new(1)), Some(PortId::new(2)), None)
    );
    // A circle: what is before the first interval is in the last one.
    assert_eq!(
        (table.port(2, 0), table.port(2, 1), table.port(2, 3)),
        (Some(PortId::new(1)), Some(PortId::new(1)), Some(PortId::new(1)))
    );
    let load =
        |labels: &[u32], starts: &[u32]| IntervalTable::load(labels, starts, 4, graph.wired()).map(|_| ());
    assert!(load(&[4, 1, 0, 2], &starts).is_err(), "a label too high");
    assert!(load(&labels, &starts[1..]).is_err() && load(&labels[1..], &starts).is_err());
    for (entry, value) in [(0, 0), (3, 1), (6, 2), (6, 4)] {
        let mut wrong = starts.clone();
        wrong[entry] = value;
        assert!(load(&labels, &wrong).is_err(), "{entry} {value}");
    }
}
