//! Fat trees by their digits.

use super::*;

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
            assert_eq!(tree.up_ports(router), <PortSet>::range(down.into(), radix.into()));
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
        // Nodes are at leaves that there are, and no address has another digit.
        for router in 0..1 << 11 {
            let is_leaf = net.routers.contains(&router) && tree.level(router) == 0;
            for port in 0..=radix {
                assert_eq!(
                    tree.has(Address { router, port }),
                    is_leaf && port < half,
                    "{radix} {router} {port}"
                );
            }
        }
    }
    let of = |radix, levels| Tree::new(radix, levels).map(|_| ());
    assert_eq!([of(2, 2), of(3, 2), of(5, 2), of(66, 2)], [Err(TreeError::Radix); 4]);
    assert_eq!([of(4, 1), of(4, 5)], [Err(TreeError::Levels); 2]);
    assert_eq!([of(4, 2), of(64, 2), of(4, 4)], [Ok(()); 3]);
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

/// Proves: what does not fit a routing of levels is refused: leaves apart, other maps. Derouting takes three levels.
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
    assert_eq!(derouting.check(&map(2)), Ok(()));
    assert!((0..3).all(|at| derouting.build(&map(at), derouting.default_vcs()).is_some()));
}
