//! Up/down, Valiant and derouting over networks of levels.

use super::*;

/// Proves: up-down offers every port on a shortest way up, then down; or the one that the destination's number gives, or that was drawn.
#[test]
fn up_down_takes_shortest_ways_up_then_down() {
    for net in &folded() {
        let (tables, wiring) = (net.tables(), Net::of(net));
        let levels = tables.load(&net.sizes);
        let leaves = net.sizes[0];
        assert_eq!((levels.leaves(), levels.sizes()), (leaves, &net.sizes[..]));
        let pairs = || (0..leaves).flat_map(|from| (0..leaves).map(move |to| (from, to)));
        let table =
            |here: u32, leaf: u32| tables.ports[((leaf * net.sizes.iter().sum::<u32>() + here) * 2) as usize];
        let apart = pairs().find(|&(from, to)| from != to && table(from, to).is_empty());
        assert_eq!(levels.first_apart().is_some(), apart.is_some());
        assert_eq!(levels.first_apart(), apart);
        for router in 0..net.sizes.iter().sum() {
            assert_eq!(
                (levels.level(router), levels.up(router)),
                (net.level(router), tables.up[router as usize])
            );
            for leaf in 0..leaves {
                let is_below = router == leaf
                    || !tables.ports[((leaf * net.sizes.iter().sum::<u32>() + router) * 2 + 1) as usize]
                        .is_empty();
                assert_eq!(levels.is_below(leaf, router), is_below);
            }
            for port in wiring.ports() {
                let has = router < leaves && port.number() < net.nodes;
                assert_eq!(levels.has(Address { router, port: port.number() }), has, "{router} {port:?}");
            }
        }
        for ascent in [Ascent::Adaptive, Ascent::Destination, Ascent::Random] {
            let routing = UpDown { levels: Levelled::Table(levels), ascent };
            for (from, leaf) in pairs().filter(|&(from, to)| from == to || !table(from, to).is_empty()) {
                let to = Address { router: leaf, port: net.nodes - 1 };
                let headers = Script::all(|script| routing.launch(&wiring.here(from), to, 5, script));
                let mut routes = BTreeSet::new();
                for header in &headers {
                    assert_eq!((header.to, header.length), (to, 5));
                    let start = State { router: from, from: injected(0, 0), header: *header };
                    let steps = explore(&wiring, &routing, vec![start]);
                    longest(&steps);
                    for step in &steps {
                        let State { router, from, header } = step.state;
                        assert!(routing.keeps_order(&wiring.here(router), from, &header));
                        if router == leaf {
                            assert_eq!(
                                flat(&step.offered),
                                each(
                                    PortSet::only(PortId::new(to.port)),
                                    VcSet::from_bits(255),
                                    HopKind::Minimal
                                )
                            );
                            continue;
                        }
                        let ways = table(router, leaf);
                        let ports =
                            flat(&step.offered).iter().map(|one| PortId::new(one.0)).collect::<PortSet>();
                        assert_eq!(
                            flat(&step.offered),
                            sorted(each(ports, VcSet::from_bits(255), HopKind::Minimal))
                        );
                        match ascent {
                            Ascent::Adaptive => assert_eq!(ports, ways),
                            Ascent::Destination => {
                                // The node's number, divided by the ports up of a router of each level below.
                                let number = leaf * u32::from(net.nodes) + u32::from(to.port);
                                let below = (0..net.level(router)).map(|level| {
                                    let one = (0..).find(|&one| net.level(one) == level).unwrap();
                                    tables.up[one as usize].len() as u32
                                });
                                let digit = number / below.product::<u32>() % ways.len() as u32;
                                assert_eq!(ports, PortSet::only(ways.iter().nth(digit as usize).unwrap()));
                            }
                            Ascent::Random => assert!(ports.len() == 1 && ports.minus(ways).is_empty()),
                        }
                    }
                    routes.insert(steps.iter().map(|step| step.state.router).collect::<Vec<_>>());
                }
                // Each way is drawn once.
                if ascent == Ascent::Random {
                    let adaptive = UpDown { levels: Levelled::Table(levels), ascent: Ascent::Adaptive };
                    let header = Header { to, length: 5, ..Header::default() };
                    let all = explore(
                        &wiring,
                        &adaptive,
                        vec![State { router: from, from: injected(0, 0), header }],
                    );
                    let on_the_way: BTreeSet<_> = all.iter().map(|step| step.state.router).collect();
                    assert_eq!(routes.iter().flatten().copied().collect::<BTreeSet<_>>(), on_the_way);
                    assert_eq!(
                        headers.len(),
                        headers.iter().map(|header| header.via).collect::<BTreeSet<_>>().len()
                    );
                } else {
                    assert_eq!(headers.len(), 1);
                }
            }
        }
    }
}

/// Proves: whatever port a header names as drawn, none is offered that is on no way.
#[test]
fn up_down_offers_nothing_but_ways() {
    for net in &folded() {
        let (tables, wiring) = (net.tables(), Net::of(net));
        let levels = Levelled::Table(tables.load(&net.sizes));
        for router in 0..net.sizes.iter().sum() {
            for (leaf, via) in (0..net.sizes[0]).flat_map(|leaf| (0..64).map(move |via| (leaf, via))) {
                let header =
                    Header { to: Address { router: leaf, port: 0 }, via, length: 1, ..Header::default() };
                let offered = |ascent| {
                    let offered =
                        UpDown { levels, ascent }.offer(&wiring.here(router), injected(0, 0), &header);
                    flat(&offered.unwrap())
                };
                let all = offered(Ascent::Adaptive);
                for ascent in [Ascent::Random, Ascent::Destination] {
                    assert!(offered(ascent).iter().all(|one| all.contains(one)), "{router} {leaf} {via}");
                }
            }
        }
    }
}

/// Proves: with more than two levels a packet goes by way of a leaf, any but for its own traffic and, where it may be lazy, for leaves with a way up
/// and down between them.
#[test]
fn derouting_by_a_leaf_is_drawn_where_it_is_due() {
    for net in &folded()[2..] {
        let (tables, wiring) = (net.tables(), Net::of(net));
        let levels = tables.load(&net.sizes);
        let leaves = net.sizes[0];
        for derouting in [Derouting::Lazy, Derouting::Always] {
            let routing = UpDownDerouting { levels, derouting };
            for (from, leaf) in (0..leaves).flat_map(|from| (0..leaves).map(move |to| (from, to))) {
                let to = Address { router: leaf, port: 0 };
                let headers = Script::all(|script| routing.launch(&wiring.here(from), to, 4, script));
                let reaches = |one: u32, other: u32| one != other && !levels.ways(one, other).is_empty();
                let straight = from == leaf || derouting == Derouting::Lazy && reaches(from, leaf);
                let between = |&via: &u32| reaches(from, via) && reaches(via, leaf);
                let expected: Vec<_> =
                    if straight { vec![leaf] } else { (0..leaves).filter(between).collect() };
                assert_eq!(
                    headers.iter().map(|header| header.via).collect::<Vec<_>>(),
                    expected,
                    "{from} {leaf}"
                );
                assert!(
                    headers
                        .iter()
                        .all(|header| header.progress.via_ahead() != straight && header.length == 4)
                );
            }
        }
    }
}

const EVEN: VcSet = VcSet::from_bits(0b0101_0101);

const ODD: VcSet = VcSet::from_bits(0b1010_1010);

/// Proves: Valiant's routing goes up and down to the leaf that was drawn on even VCs, and from there on odd ones.
#[test]
fn valiant_goes_by_any_leaf() {
    let net = &folded()[1];
    let (tables, wiring) = (net.tables(), Net::of(net));
    let levels = tables.load(&net.sizes);
    let routing = ValiantLeaves { levels };
    let routers: u32 = net.sizes.iter().sum();
    for (from, leaf) in (0..4).flat_map(|from| (0..4).map(move |to| (from, to))) {
        let to = Address { router: leaf, port: 1 };
        let headers = Script::all(|script| routing.launch(&wiring.here(from), to, 6, script));
        let vias: Vec<_> = headers.iter().map(|header| header.via).collect();
        assert_eq!((vias.as_slice(), headers[0].length), (&[0, 1, 2, 3][..], 6));
        for header in headers {
            assert_eq!(header.progress.via_ahead(), ![from, leaf].contains(&header.via), "{from} {header:?}");
            for step in explore(&wiring, &routing, vec![State { router: from, from: injected(0, 0), header }])
            {
                let State { router, from: came, header } = step.state;
                let ahead = header.progress.via_ahead() && router != header.via;
                let towards = if ahead { header.via } else { leaf };
                let expected = if router == towards {
                    each(PortSet::only(PortId::new(1)), VcSet::from_bits(255), HopKind::Minimal)
                } else {
                    let ports = tables.ports[((towards * routers + router) * 2) as usize];
                    sorted(each(ports, if ahead { EVEN } else { ODD }, HopKind::Minimal))
                };
                assert_eq!(flat(&step.offered), expected, "{from} to {leaf} at {router}");
                assert!(routing.keeps_order(&wiring.here(router), came, &header));
            }
        }
    }
}

/// Proves: derouting goes up and down twice by all ways that its text allows, each hop by one port, on even VCs and from the last way up on odd ones.
#[test]
fn derouting_goes_up_and_down_twice() {
    for net in &folded()[..2] {
        let (tables, wiring) = (net.tables(), Net::of(net));
        let levels = tables.load(&net.sizes);
        let leaves = net.sizes[0];
        let above = |leaf: u32| -> BTreeSet<u32> { wiring.neighbours(leaf).map(|way| way.1).collect() };
        let reaches = |one: u32, other: u32| one != other && !above(one).is_disjoint(&above(other));
        for derouting in [Derouting::Lazy, Derouting::Always] {
            let routing = UpDownDerouting { levels, derouting };
            for (from, leaf) in (0..leaves)
                .flat_map(|from| (0..leaves).map(move |to| (from, to)))
                .filter(|(from, to)| from != to)
            {
                let to = Address { router: leaf, port: 0 };
                let headers = Script::all(|script| routing.launch(&wiring.here(from), to, 4, script));
                let mut routes = BTreeSet::new();
                let straight = derouting == Derouting::Lazy && reaches(from, leaf);
                for header in headers {
                    let steps = explore(
                        &wiring,
                        &routing,
                        vec![State { router: from, from: injected(0, 0), header }],
                    );
                    let mut route: Vec<_> = steps.iter().map(|step| step.state.router).collect();
                    // One VC or several: one router.
                    route.dedup();
                    assert!(
                        straight || steps.iter().all(|step| step.offered.ports().is_single()),
                        "{steps:?}"
                    );
                    assert_eq!(*route.last().unwrap(), leaf);
                    for step in &steps {
                        let State { router, from: came, header } = step.state;
                        assert!(routing.keeps_order(&wiring.here(router), came, &header), "{:?}", step.state);
                        if router == leaf {
                            continue;
                        }
                        // At a spine above the destination, and at the leaf below the last spine, the second VCs begin.
                        let is_spine = router >= leaves;
                        let is_last = if is_spine {
                            above(leaf).contains(&router)
                        } else {
                            straight || came.kind != PortClass::NODE
                        };
                        let vcs: VcSet = flat(&step.offered).iter().map(|one| VcId::new(one.1)).collect();
                        assert_eq!(vcs, if is_last { ODD } else { EVEN }, "{route:?} at {router}");
                    }
                    if !straight {
                        routes.insert(route);
                    }
                }
                if straight {
                    continue;
                }
                // All ways of the text.
                let mut all = BTreeSet::new();
                for middle in (0..leaves).filter(|&middle| reaches(from, middle) && reaches(middle, leaf)) {
                    for &spine in above(from).intersection(&above(middle)) {
                        if above(leaf).contains(&spine) {
                            all.insert(vec![from, spine, leaf]);
                            continue;
                        }
                        for &last in &above(leaf) {
                            for below in (0..leaves).filter(|&below| {
                                above(below).contains(&spine) && above(below).contains(&last)
                            }) {
                                for &up in above(below).intersection(&above(leaf)) {
                                    all.insert(vec![from, spine, below, up, leaf]);
                                }
                            }
                        }
                    }
                }
                assert_eq!(routes, all, "{derouting:?} {from} to {leaf}");
            }
        }
    }
}
