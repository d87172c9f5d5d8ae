//! Which output a packet is counted for that has a duty to leave its group: that of its shortest way, which it may not take.
#![cfg(not(feature = "small"))]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use desvio_core::header::{Address, Flit, Header, Packet};
use desvio_core::links::PortSizes;
use desvio_core::map::dragonfly::{Arrangement, Dragonfly, Place};
use desvio_core::map::{AnyMap, Map, Peer};
use desvio_core::plan::{CountAt, Plan};
use desvio_core::route::ofar::OfarScheme;
use desvio_core::route::olm::{Olm, OlmScheme};
use desvio_core::route::par::{LocalMisrouting, Par};
use desvio_core::route::rlm::Rlm;
use desvio_core::route::{Arrival, Here, HopKind, Route, Routing, Scheme};
use desvio_core::router::Router;
use desvio_core::units::{Channel, PortClass, PortId, PortSet, VcId};
use desvio_core::vc::Descriptor;

const NODES: u8 = 2;
const PORTS: usize = 7;
/// One link between two groups; two, or three.
const SIZES: [&[u8]; 2] = [&[4; 9], &[4; 4]];

fn routings(map: Dragonfly<'static>) -> [Routing<'static>; 4] {
    let any = AnyMap::Dragonfly(map);
    [
        Routing::Olm(Olm { map, scheme: OlmScheme::default() }),
        Routing::Par(Par { map, local_misrouting: LocalMisrouting::All }),
        Routing::Rlm(Rlm { map }),
        Routing::Ofar(OfarScheme::default().build(&any, OfarScheme::default().default_vcs()).unwrap()),
    ]
}

fn ports() -> impl Iterator<Item = PortId> {
    (0..PORTS as u8).map(PortId::new)
}

fn here(map: &Dragonfly<'_>, router: u32) -> Here {
    let wired: PortSet = ports().filter(|&port| map.peer(router, port).is_some()).collect();
    let locals = ports().filter(|&port| map.class(port) == PortClass::LOCAL);
    Here { router, wired, group_exits: locals.collect(), ..Here::default() }
}

/// Whether a router has a link to a group.
fn owns_link(map: &Dragonfly<'_>, router: u32, group: u32) -> bool {
    let leads_there = |port| match map.peer(router, port) {
        Some(Peer::Router { router: there, .. }) if map.class(port) == PortClass::GLOBAL => {
            Place::of(there).group == group
        }
        _ => false,
    };
    ports().any(leads_there)
}

/// The ports to the routers of the own group that have a link to another one.
fn to_owners(map: &Dragonfly<'_>, at: u32, group: u32) -> PortSet {
    let owns = |&port: &PortId| match map.peer(at, port) {
        Some(Peer::Router { router, .. }) => {
            map.class(port) == PortClass::LOCAL && owns_link(map, router, group)
        }
        _ => false,
    };
    ports().filter(owns).collect()
}

/// A packet for another group after a local misroute at `before`.
fn misrouted(routing: &Routing<'_>, map: &Dragonfly<'_>, before: u32, group: u32) -> Header {
    let to = Address { router: Place { group, index: 1 }.address(), port: 0 };
    let header = Header { to, length: 2, ..Header::default() };
    let header = routing.onward(&here(map, before), &header, PortClass::LOCAL, HopKind::LocalMisroute);
    assert!(header.progress.must_leave());
    header
}

/// Every router that a local misroute may lead to from one with a link to the destination's group, for every group.
fn duties(map: &Dragonfly<'_>, mut found: impl FnMut(u32, PortId, u32)) {
    for router in map.routers() {
        for group in (0..map.groups()).filter(|&group| group != Place::of(router).group) {
            for port in ports().filter(|&port| map.class(port) == PortClass::LOCAL) {
                let Some(Peer::Router { router: before, .. }) = map.peer(router, port) else { continue };
                if owns_link(map, before, group) {
                    found(router, port, group);
                }
            }
        }
    }
}

/// Where the packet may not take its shortest way it is counted there all the same, and where it may, too.
#[test]
fn a_duty_does_not_change_what_a_packet_is_counted_for() {
    for sizes in SIZES {
        let map = Dragonfly::new(NODES, 2, sizes, Arrangement::Palmtree).unwrap();
        for routing in routings(map) {
            let (mut passes, mut takes) = (0, 0);
            duties(&map, |router, port, group| {
                let Some(Peer::Router { router: before, .. }) = map.peer(router, port) else { return };
                let header = misrouted(&routing, &map, before, group);
                let from = Arrival { port, kind: PortClass::LOCAL, vc: VcId::new(0) };
                let offered = routing.offer(&here(&map, router), from, &header).unwrap();
                let counted = routing.counted(&here(&map, router), &header, &offered);
                if owns_link(&map, router, group) {
                    assert_eq!(counted, offered.minimal_ports());
                    takes += 1;
                } else {
                    assert_eq!(
                        counted,
                        to_owners(&map, router, group),
                        "{routing:?} at {router} by {port:?}"
                    );
                    assert!(counted.contains(port), "the way back is one");
                    assert!(offered.minimal_ports().is_empty());
                    passes += 1;
                }
            });
            assert!(passes > 0 && (takes > 0) == (sizes.len() < 9), "{passes} {takes}");
        }
    }
}

/// In a router: one counter rises, by one, as the packet comes to the front or as it arrives.
#[test]
fn its_counter_rises_at_the_way_back() {
    let map = Dragonfly::new(NODES, 2, SIZES[0], Arrangement::Palmtree).unwrap();
    let kinds: Vec<_> = ports().map(|port| map.class(port)).collect();
    let sizes = [3, 4, 3].map(|vcs| PortSizes { vcs, buffer: 8 });
    for routing in routings(map) {
        for count_at in [CountAt::Head, CountAt::Arrival] {
            let mut plan = Plan::<PORTS>::new(&kinds, &sizes).unwrap();
            plan.count_at = count_at;
            duties(&map, |router, port, group| {
                let Some(Peer::Router { router: before, .. }) = map.peer(router, port) else { return };
                let packet = Packet { header: misrouted(&routing, &map, before, group), tag: 0 };
                let store = vec![Descriptor::default(); plan.links.places()];
                let mut core = Router::<_, PORTS, 4>::new(&plan, here(&map, router), store, 0, 1);
                core.handle_flit(&plan, &routing, Channel::new(port, VcId::new(0)), &Flit::Head(packet))
                    .unwrap();
                let counts: Vec<_> = ports().map(|at| core.contention(at)).collect();
                let expected: Vec<_> = ports().map(|at| u16::from(at == port)).collect();
                assert_eq!(counts, expected, "{routing:?} at {router} by {port:?}");
            });
        }
    }
}
