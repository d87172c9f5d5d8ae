//! Dragonfly: numbering, arrangements, published sizes and hops.

use super::*;

#[test]
fn published_sizes() {
    // h, routers, nodes, ports
    let table = [
        (2, 36, 72, 7),
        (3, 114, 342, 11),
        (4, 264, 1056, 15),
        (6, 876, 5256, 23),
        (8, 2064, 16_512, 31),
        (16, 16_416, 262_656, 63),
    ];
    for (h, routers, nodes, ports) in table {
        let wiring = wired(&full_dragonfly(h, Palmtree));
        assert_eq!((wiring.routers(), wiring.nodes(), wiring.ports()), (routers, nodes, ports), "h = {h}");
    }
}

#[test]
fn wired_both_ways_and_full() {
    for arrangement in ARRANGEMENTS {
        for h in [2, 3] {
            let wiring = wired(&full_dragonfly(h, arrangement));
            check_wiring(&wiring);
            let all =
                (0..wiring.routers()).all(|r| (0..wiring.ports()).all(|port| wiring.peer(r, port).is_some()));
            assert!(all, "no port is left over when every pair of groups has its link");
        }
    }
}

#[test]
fn each_pair_of_groups_has_one_link_when_full_and_more_otherwise() {
    for arrangement in ARRANGEMENTS {
        // Of 8 links per group, 4 groups get 8 / 3 and 5 groups 8 / 4 per pair.
        for (groups, least, most) in [(9, 1, 1), (8, 1, 2), (5, 2, 2), (4, 2, 3), (2, 8, 8)] {
            let dragonfly = SecondDragonfly::of(&dragonfly(2, groups, arrangement)).unwrap();
            for from in 0..groups {
                for to in (0..groups).filter(|&to| to != from) {
                    let links = dragonfly.links_between(from, to).count();
                    assert!(
                        (least..=most).contains(&links),
                        "{arrangement:?}, {groups} groups: {links} links"
                    );
                    assert_eq!(links, dragonfly.links_between(to, from).count());
                }
                assert_eq!(dragonfly.links_between(from, from).count(), 0);
            }
        }
    }
}

#[test]
fn groups_of_unequal_size() {
    for arrangement in ARRANGEMENTS {
        let topology = groups(1, &[4, 2, 3, 4, 1], 4, arrangement);
        let (wiring, dragonfly) = (wired(&topology), SecondDragonfly::of(&topology).unwrap());
        check_wiring(&wiring);
        assert_eq!((wiring.routers(), wiring.ports()), (14, 1 + 3 + 4));
        assert_eq!(dragonfly.place(5), (1, 1));
        assert_eq!(dragonfly.place(13), (4, 0));
        assert_eq!(wiring.peer(4, 2), None, "group 1 has no third router");
        assert_eq!(router_across(&wiring, 4, 1), 5);
        assert!((0..4).all(|group| dragonfly.links_between(group, 4).count() == 1));
    }
}

#[test]
fn too_few_global_links_are_refused() {
    let error = Wiring::build(&dragonfly(2, 10, Absolute)).unwrap_err();
    assert!(matches!(error, TopologyError::Dragonfly(_)), "{error}");
    let lopsided = groups(1, &[4, 4, 4, 4, 1], 2, Palmtree);
    assert!(Wiring::build(&lopsided).is_err(), "one router with two links cannot reach four groups");
}

/// The rule as published: global port `k` of router `r` of group `g` and its peer, in closed form.
#[test]
fn palm_tree() {
    for h in [2, 3] {
        let wiring = wired(&full_dragonfly(h, Palmtree));
        let (h, a, groups) = (usize::from(h), 2 * usize::from(h), 2 * usize::from(h) * usize::from(h) + 1);
        for (g, r, k) in (0..groups).flat_map(|g| (0..a).flat_map(move |r| (0..h).map(move |k| (g, r, k)))) {
            let there = (g + groups - (r * h + k + 1)) % groups;
            let index = ((there + groups - g) % groups - 1) / h;
            assert_eq!(router_across(&wiring, g * a + r, h + a - 1 + k), there * a + index);
        }
    }
}

#[test]
fn consecutive_and_absolute_lead_where_they_say() {
    let groups_of_router = |arrangement| {
        let topology = full_dragonfly(2, arrangement);
        let (wiring, dragonfly) = (wired(&topology), SecondDragonfly::of(&topology).unwrap());
        let router = dragonfly.router(3, 1);
        let ports = [dragonfly.global_port(0), dragonfly.global_port(1)];
        ports.map(|port| {
            let group = dragonfly.place(router_across(&wiring, router, port)).0;
            assert_eq!(dragonfly.group_across(router, port), Some(group));
            group
        })
    };
    // Links 2 and 3 of group 3.
    assert_eq!(groups_of_router(Palmtree), [0, 8]);
    assert_eq!(groups_of_router(Consecutive), [6, 7]);
    assert_eq!(groups_of_router(Absolute), [2, 4]);
}

#[test]
fn ports_and_places() {
    let topology = full_dragonfly(2, Palmtree);
    let (wiring, dragonfly) = (wired(&topology), SecondDragonfly::of(&topology).unwrap());
    let classes: Vec<u8> = wiring.port_classes(RouterClass(0)).iter().map(|class| class.number()).collect();
    assert_eq!(classes, [0, 0, 1, 1, 1, 2, 2]);
    assert_eq!(wiring.attachment(71), (35, 1));
    for router in 0..wiring.routers() {
        let (group, index) = dragonfly.place(router);
        assert_eq!(dragonfly.router(group, index), router);
        for to in (0..4).filter(|&to| to != index) {
            let port = dragonfly.local_port(index, to);
            assert_eq!(router_across(&wiring, router, port), dragonfly.router(group, to));
        }
        assert_eq!(dragonfly.group_across(router, 4), None);
    }
}

#[test]
fn links_between_groups_are_those_wired() {
    for arrangement in ARRANGEMENTS {
        let topology = dragonfly(2, 4, arrangement);
        let (wiring, dragonfly) = (wired(&topology), SecondDragonfly::of(&topology).unwrap());
        for link in (0..4).flat_map(|to| dragonfly.links_between(1, to).collect::<Vec<_>>()) {
            let far = Peer::Router { router: link.peer as u32, port: link.peer_port as u8 };
            assert_eq!(wiring.peer(link.router, link.port), Some(far));
        }
    }
}

/// Local and global hops of the shortest local–global–local route, found port by port on the wiring.
fn hops_on_wiring(wiring: &Wiring, dragonfly: &SecondDragonfly, from: usize, to: usize) -> (u32, u32) {
    let (here, there) = (dragonfly.place(from).0, dragonfly.place(to).0);
    if here == there {
        return (u32::from(from != to), 0);
    }
    let members = (0..dragonfly.group_size(here)).map(|index| dragonfly.router(here, index));
    let routes = members.flat_map(|exit| {
        let global =
            wiring.neighbours(exit).filter(|&(port, _)| wiring.class(from, port) == PortClass::GLOBAL);
        let entries = global.map(|(_, entry)| entry).filter(|&entry| dragonfly.place(entry).0 == there);
        entries.map(move |entry| u32::from(exit != from) + u32::from(entry != to))
    });
    (routes.min().unwrap(), 1)
}

#[test]
fn mean_hops_of_minimal_routes() {
    let unequal = groups(2, &[4, 2, 3], 2, Palmtree);
    for topology in [full_dragonfly(2, Palmtree), dragonfly(2, 4, Absolute), unequal] {
        let (wiring, dragonfly) = (wired(&topology), SecondDragonfly::of(&topology).unwrap());
        let (mut local, mut global, mut pairs) = (0, 0, 0);
        for (from, to) in (0..wiring.nodes()).flat_map(|from| (0..wiring.nodes()).map(move |to| (from, to))) {
            if from != to {
                let [from, to] = [from, to].map(|node| wiring.attachment(node).0);
                let hops = hops_on_wiring(&wiring, &dragonfly, from, to);
                (local, global, pairs) = (local + hops.0, global + hops.1, pairs + 1);
            }
        }
        let found = Facts::of(&wiring).minimal_hops.unwrap();
        assert!((found.local - f64::from(local) / f64::from(pairs)).abs() < 1e-9, "{topology:?}");
        assert!((found.global - f64::from(global) / f64::from(pairs)).abs() < 1e-9, "{topology:?}");
    }
}

#[test]
fn published_hops_and_channel_loads() {
    let facts = Facts::of(&wired(&full_dragonfly(2, Palmtree)));
    let hops = facts.minimal_hops.unwrap();
    assert!((hops.global - 64.0 / 71.0).abs() < 1e-12);
    assert!((hops.local - 1.4366).abs() < 5e-5);
    // Minimal routes, uniform traffic, load of local channels: 0.9577 at h = 2, 0.9962 at h = 8.
    assert!((facts.minimal_channel_load().unwrap().local - 0.9577).abs() < 5e-5);
    let facts = Facts::of(&wired(&full_dragonfly(8, Palmtree)));
    assert!((facts.minimal_channel_load().unwrap().local - 0.9962).abs() < 5e-5);
}

#[test]
fn diameter_is_three() {
    for arrangement in ARRANGEMENTS {
        for h in [2, 3, 8] {
            let distances = Facts::of(&wired(&full_dragonfly(h, arrangement))).distances;
            assert_eq!((distances.diameter, distances.sampled), (3, None), "{arrangement:?}, h = {h}");
        }
    }
}

/// Parallel local links: as many between any two routers of a group, each to the port of its number; global links and nodes stay where they
/// are. Links within groups of different sizes, and a router that would have too many ports.
#[test]
fn parallel_local_links() {
    use router_core::map::dragonfly::Dragonfly as DragonflyMap;
    for (sizes, links) in [(&[4u8; 5][..], 3u8), (&[4; 9], 2), (&[4, 3, 4, 4, 3], 2), (&[2; 3], 8)] {
        let single =
            Dragonfly { p: 2, group_sizes: sizes.to_vec(), h: 2, local_links: 1, arrangement: Palmtree };
        let several = Dragonfly { local_links: links, ..single.clone() };
        let (one, wiring) = (wired(&single.clone().into()), wired(&several.clone().into()));
        check_wiring(&wiring);
        let (one, all) = (Facts::of(&one), Facts::of(&wiring));
        assert_eq!(all.links_of(PortClass::LOCAL), u64::from(links) * one.links_of(PortClass::LOCAL));
        assert_eq!(all.links_of(PortClass::GLOBAL), one.links_of(PortClass::GLOBAL));
        let map = several.map().unwrap();
        assert_eq!(map.local_links(), links.into());
        for (group, &size) in sizes.iter().enumerate() {
            let first: usize = sizes[..group].iter().map(|&size| usize::from(size)).sum();
            let pairs = (0..u32::from(size)).flat_map(|at| (0..u32::from(size)).map(move |to| (at, to)));
            for (at, to) in pairs.filter(|(at, to)| at != to) {
                let ports = map.local_ports_to(at, to);
                assert_eq!(ports.len(), usize::from(links));
                assert!(ports.into_iter().all(|port| map.local_neighbour(at, port) == to));
                let [here, there] = [at, to].map(|index| first + index as usize);
                assert!(ports.into_iter().all(|port| router_across(&wiring, here, port.index()) == there));
                // Back by none of them, nor on by one that is minimal.
                let wired = map.local_ports();
                let detours = map.local_detours(wired, ports.first().unwrap(), PortSet::EMPTY);
                assert_eq!(detours, wired.minus(ports));
            }
        }
    }
    let wide = DragonflyMap::new(1, 1, &[31, 31], Palmtree).unwrap();
    assert!(
        wide.with_local_links(2).is_ok()
            && wide.with_local_links(3).is_err()
            && wide.with_local_links(0).is_err()
    );
}
