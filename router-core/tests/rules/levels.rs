//! Networks of levels: fat trees by their digits, others by their links, and the routings up and down on both, by all that can be drawn.

use super::explore::{Net, State, each, explore, flat, injected, longest, sorted};
use desvio_core::header::{Address, Header};
use desvio_core::map::levels::{Levels, Parts};
use desvio_core::map::tree::{Tree, TreeError};
use desvio_core::map::{AnyMap, Map, Peer, RouterClass};
use desvio_core::route::up_down::{Ascent, Levelled, UpDown};
use desvio_core::route::up_down_derouting::{Derouting, UpDownDerouting};
use desvio_core::route::valiant_leaves::ValiantLeaves;
use desvio_core::route::{Draw, HopKind, Route};
use desvio_core::units::{PortClass, PortId, PortSet, VcId, VcSet};
use std::collections::{BTreeMap, BTreeSet};

/// Draws every number in turn: one run for each list of choices.
#[derive(Default)]
pub(crate) struct Script {
    choices: Vec<(u32, u32)>,
    at: usize,
}

impl Draw for Script {
    fn below(&mut self, n: u32) -> u32 {
        if self.at == self.choices.len() {
            self.choices.push((0, n));
        }
        self.at += 1;
        self.choices[self.at - 1].0
    }
}

impl Script {
    /// What all draws make, each list of choices once.
    pub(crate) fn all<T>(mut make: impl FnMut(&mut Self) -> T) -> Vec<T> {
        let (mut script, mut all) = (Self::default(), Vec::new());
        loop {
            script.at = 0;
            all.push(make(&mut script));
            while let Some((chosen, of)) = script.choices.pop() {
                if chosen + 1 < of {
                    script.choices.push((chosen + 1, of));
                    break;
                }
            }
            if script.choices.is_empty() {
                return all;
            }
        }
    }
}

/// The digits of a router of a fat tree, w₁ first, and its level, by its address.
fn digits(tree: &Tree, half: u8, router: u32) -> (Vec<u32>, u8) {
    let levels = tree.levels();
    let bits = (1..).find(|bits| 2 * u32::from(half) <= 1 << bits).unwrap();
    let digits = (0..u32::from(levels) - 1).map(|n| router >> (n * bits) & ((1 << bits) - 1)).collect();
    (digits, (router >> ((u32::from(levels) - 1) * bits)) as u8)
}

/// Proves: in a fat tree up port `u` of a router of level `l` leads to the router of the next level whose digit `l + 1` is `u`, all else alike.
#[test]
fn fat_trees_are_joined_by_their_digits() {
    for (radix, levels) in [(4, 2), (6, 2), (4, 3), (8, 2), (4, 4)] {
        let tree = Tree::new(radix, levels).unwrap();
        let half = radix / 2;
        let (net, top) = (Net::of(&tree), levels - 1);
        net.check_symmetry();
        assert_eq!((tree.levels(), tree.nodes_per_leaf(), tree.ports()), (levels, half, usize::from(radix)));
        let lower = 2 * u32::from(half).pow(u32::from(top));
        assert_eq!(net.routers.len() as u32, lower * u32::from(top) + lower / 2);
        for (number, &router) in net.routers.iter().enumerate() {
            let (own, level) = digits(&tree, half, router);
            assert_eq!(
                (tree.level(router), u32::from(level)),
                (level, (number as u32 / lower).min(top.into()))
            );
            assert_eq!(tree.router_class(router), RouterClass(level));
            let down = if level == top { radix } else { half };
            assert_eq!(tree.up_ports(router), PortSet::range(down.into(), radix.into()));
            for port in 0..radix {
                let id = PortId::new(port);
                let class = if port >= down { level + 1 } else { level };
                assert_eq!(
                    tree.port_class(RouterClass(level), id),
                    PortClass::new(class),
                    "{radix} {levels} {level} {port}"
                );
                let Some(Peer::Router { router: there, port: at }) = tree.peer(router, id) else {
                    assert!(level == 0 && port < down && tree.peer(router, id) == Some(Peer::Node));
                    continue;
                };
                let (theirs, their_level) = digits(&tree, half, there);
                // The digit that may differ is that of the upper level.
                let (upper, digit) =
                    if port >= down { (level + 1, u32::from(port - down)) } else { (level, u32::from(port)) };
                let differs = usize::from(upper) - 1;
                assert_eq!(their_level, if port >= down { level + 1 } else { level - 1 });
                for n in 0..own.len() {
                    assert!(
                        if n == differs { theirs[n] == digit } else { theirs[n] == own[n] },
                        "{own:?} {port} {theirs:?}"
                    );
                }
                let back = if port >= down { own[differs] } else { u32::from(half) + own[differs] };
                assert_eq!(u32::from(at.number()), back);
            }
            assert_eq!(tree.peer(router, PortId::new(radix)), None);
        }
    }
    let of = |radix, levels| Tree::new(radix, levels).map(|_| ());
    assert_eq!([of(2, 2), of(3, 2), of(5, 2), of(66, 2)], [Err(TreeError::Radix); 4]);
    assert_eq!([of(4, 1), of(4, 5)], [Err(TreeError::Levels); 2]);
    assert_eq!([of(4, 2), of(64, 2), of(4, 4)], [Ok(()); 3]);
}

/// A network of levels by its links, from a router below to one above, in the order of ports. Nodes are at the leaves.
struct Folded {
    sizes: Vec<u32>,
    nodes: u8,
    links: Vec<(u32, u32)>,
}

impl Map for Folded {
    fn routers(&self) -> impl Iterator<Item = u32> {
        0..self.sizes.iter().sum()
    }

    fn ports(&self) -> usize {
        8
    }

    fn port_class(&self, of: RouterClass, port: PortId) -> PortClass {
        if of.0 == 0 && port.number() < self.nodes { PortClass::NODE } else { PortClass::LOCAL }
    }

    fn router_class(&self, router: u32) -> RouterClass {
        RouterClass(u8::from(router >= self.sizes[0]))
    }

    fn peer(&self, router: u32, port: PortId) -> Option<Peer> {
        let first = |at: u32| if at < self.sizes[0] { self.nodes } else { 0 };
        let mine = |at: u32| {
            // Down first, then up.
            let down = self.links.iter().filter(move |link| link.1 == at).copied();
            let up = self.links.iter().filter(move |link| link.0 == at).copied();
            down.chain(up).collect::<Vec<_>>()
        };
        if port.number() < first(router) {
            return Some(Peer::Node);
        }
        let link = *mine(router).get(usize::from(port.number() - first(router)))?;
        let there = if link.0 == router { link.1 } else { link.0 };
        let at = mine(there).iter().position(|&other| other == link)? as u8 + first(there);
        Some(Peer::Router { router: there, port: PortId::new(at) })
    }
}

/// The tables of [`Levels`].
struct Tables {
    ports: Vec<PortSet>,
    up: Vec<PortSet>,
    peers: Vec<u32>,
    wired: Vec<PortSet>,
}

impl Folded {
    fn level(&self, router: u32) -> usize {
        let mut sum = 0;
        self.sizes
            .iter()
            .position(|&size| {
                sum += size;
                router < sum
            })
            .unwrap()
    }

    fn tables(&self) -> Tables {
        let net = Net::of(self);
        let routers: u32 = self.sizes.iter().sum();
        let up: Vec<PortSet> = (0..routers)
            .map(|router| {
                net.neighbours(router)
                    .filter(|way| self.level(way.1) > self.level(router))
                    .map(|way| way.0)
                    .collect()
            })
            .collect();
        let wired = (0..routers).map(|router| net.neighbours(router).map(|way| way.0).collect()).collect();
        let mut peers = vec![u32::MAX; (routers * 8) as usize];
        for router in 0..routers {
            net.neighbours(router)
                .for_each(|(port, there)| peers[(router * 8) as usize + port.index()] = there);
        }
        let mut ports = Vec::new();
        for leaf in 0..self.sizes[0] {
            // Hops up, then down: first those that go down alone, then those that may go up.
            let mut down: BTreeMap<u32, u32> = BTreeMap::from([(leaf, 0)]);
            let mut any: BTreeMap<u32, u32> = BTreeMap::from([(leaf, 0)]);
            for _ in 0..routers {
                for router in 0..routers {
                    for (port, there) in net.neighbours(router) {
                        let is_up = up[router as usize].contains(port);
                        if !is_up && let Some(&hops) = down.get(&there) {
                            let own = down.entry(router).or_insert(u32::MAX);
                            *own = (*own).min(hops + 1);
                        }
                        if let Some(&hops) = if is_up { any.get(&there) } else { down.get(&there) } {
                            let own = any.entry(router).or_insert(u32::MAX);
                            *own = (*own).min(hops + 1);
                        }
                    }
                }
            }
            for router in 0..routers {
                for gone_down in [false, true] {
                    let ways = net.neighbours(router).filter(|&(port, there)| {
                        let is_up = up[router as usize].contains(port);
                        let next = if is_up { any.get(&there) } else { down.get(&there) };
                        let own = if gone_down { down.get(&router) } else { any.get(&router) };
                        router != leaf
                            && !(is_up && gone_down)
                            && next.is_some_and(|next| Some(&(next + 1)) == own)
                    });
                    ports.push(ways.map(|way| way.0).collect());
                }
            }
        }
        Tables { ports, up, peers, wired }
    }
}

impl Tables {
    fn load<'t>(&'t self, sizes: &'t [u32]) -> Levels<'t> {
        let Self { ports, up, peers, wired } = self;
        Levels::load(Parts { ports, up, peers, width: 8, sizes }, |router| wired[router as usize]).unwrap()
    }
}

/// Two levels: five leaves, some without a spine in common; a fat tree of two levels; three levels.
fn folded() -> Vec<Folded> {
    let some = [(0, 5), (0, 6), (1, 6), (1, 7), (2, 7), (2, 8), (3, 5), (3, 8), (4, 5), (4, 7)];
    let full = (0..4).flat_map(|leaf| (4..6).map(move |spine| (leaf, spine)));
    let three = [
        (0, 4),
        (0, 5),
        (1, 4),
        (1, 5),
        (2, 6),
        (2, 7),
        (3, 6),
        (3, 7),
        (4, 8),
        (4, 9),
        (5, 8),
        (5, 9),
        (6, 8),
        (6, 9),
        (7, 8),
        (7, 9),
    ];
    vec![
        Folded { sizes: vec![5, 4], nodes: 2, links: some.into() },
        Folded { sizes: vec![4, 2], nodes: 3, links: full.collect() },
        Folded { sizes: vec![4, 4, 2], nodes: 2, links: three.into() },
    ]
}

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

/// Proves: in a fat tree the ways are those of the table of its links, by arithmetic.
#[test]
fn a_fat_tree_goes_up_until_the_destination_is_below() {
    for (radix, levels) in [(4, 2), (6, 2), (4, 3)] {
        let tree = Tree::new(radix, levels).unwrap();
        let (net, half) = (Net::of(&tree), radix / 2);
        let leaves: Vec<_> = net.routers.iter().copied().filter(|&router| tree.level(router) == 0).collect();
        for ascent in [Ascent::Adaptive, Ascent::Destination] {
            let routing = UpDown { levels: Levelled::Tree(tree), ascent };
            for &leaf in &leaves {
                let to = Address { router: leaf, port: half - 1 };
                let header = Header { to, length: 2, ..Header::default() };
                assert!(tree.has(to) && !tree.has(Address { router: leaf, port: half }));
                let starts =
                    leaves.iter().map(|&router| State { router, from: injected(0, 0), header }).collect();
                for step in explore(&net, &routing, starts) {
                    let router = step.state.router;
                    let (own, level) = digits(&tree, half, router);
                    let (theirs, _) = digits(&tree, half, leaf);
                    let is_below = own[usize::from(level)..] == theirs[usize::from(level)..];
                    assert_eq!(tree.is_below(leaf, router), is_below);
                    let ports = if router == leaf {
                        PortSet::only(PortId::new(to.port))
                    } else if is_below {
                        PortSet::only(PortId::new(theirs[usize::from(level) - 1] as u8))
                    } else if ascent == Ascent::Adaptive {
                        PortSet::range(half.into(), radix.into())
                    } else {
                        // The port of the node at a leaf, above it the digits of its leaf.
                        let digit =
                            if level == 0 { u32::from(to.port) } else { theirs[usize::from(level) - 1] };
                        PortSet::only(PortId::new(half + digit as u8))
                    };
                    assert_eq!(
                        flat(&step.offered),
                        each(ports, VcSet::from_bits(255), HopKind::Minimal),
                        "{radix} {levels} {router}"
                    );
                }
                // Not beyond the tree, nor to a router above the leaves.
                let beyond = net.routers.iter().find(|&&router| tree.level(router) > 0).unwrap();
                assert!(!tree.has(Address { router: *beyond, port: 0 }));
                let offered = routing.offer(
                    &net.here(leaf),
                    injected(0, 0),
                    &Header { to: Address { router: *beyond, port: 0 }, ..header },
                );
                assert!(offered.unwrap().is_empty());
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

/// Proves: what does not fit a routing of levels is refused: leaves apart, three levels, other maps.
#[test]
fn networks_that_do_not_fit_are_refused() {
    use desvio_core::route::{Misfit, RoutingScheme};
    use desvio_core::settings::Choice;
    let named = |word| RoutingScheme::named(word).unwrap();
    let nets = folded();
    let tables: Vec<_> = nets.iter().map(Folded::tables).collect();
    let map = |at: usize| AnyMap::Levels(tables[at].load(&nets[at].sizes));
    for word in ["up-down", "valiant-leaves"] {
        assert!(matches!(named(word).check(&map(0)), Err(Misfit::Apart { .. })), "{word}");
        assert_eq!((named(word).check(&map(1)), named(word).check(&map(2))), (Ok(()), Ok(())));
        let vcs = named(word).default_vcs();
        assert!(named(word).build(&map(1), vcs).is_some());
    }
    let derouting = named("up-down-derouting");
    assert_eq!((derouting.check(&map(0)), derouting.check(&map(1))), (Ok(()), Ok(())));
    assert_eq!(derouting.check(&map(2)), Err(Misfit::Levels { needed: 2, found: 3 }));
    assert!(
        derouting.build(&map(2), derouting.default_vcs()).is_none()
            && derouting.build(&map(0), derouting.default_vcs()).is_some()
    );
}
