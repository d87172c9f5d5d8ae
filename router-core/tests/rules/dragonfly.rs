//! The map of a Dragonfly by its text: which link leads where, and what follows from the links alone.

use desvio_core::header::Address;
use desvio_core::map::dragonfly::{Arrangement, Dragonfly, MapError, Place, Towards};
use desvio_core::map::{Map, Peer};
use desvio_core::units::{PortClass, PortId, PortSet};

use super::explore::Net;
use std::cell::RefCell;
use std::collections::HashMap;

/// The numbers of a Dragonfly, and its links by the text of its map.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    pub(crate) p: u8,
    pub(crate) h: u8,
    pub(crate) sizes: &'static [u8],
    pub(crate) arrangement: Arrangement,
}

pub(crate) const ARRANGEMENTS: [Arrangement; 3] =
    [Arrangement::Palmtree, Arrangement::Consecutive, Arrangement::Absolute];

/// What links follow from: links of a router, sizes of groups, arrangement.
type Numbers = (u8, &'static [u8], u8);

/// A global link: from a router's global port to another's, ports from 0.
pub(crate) type Link = ((u32, u32, u32), (u32, u32, u32));

impl Shape {
    pub(crate) fn map(&self) -> Dragonfly<'static> {
        Dragonfly::new(self.p, self.h, self.sizes, self.arrangement).unwrap()
    }

    fn groups(&self) -> u32 {
        self.sizes.len() as u32
    }

    /// The other groups as a group lists them.
    fn list(&self, group: u32) -> Vec<u32> {
        let groups = self.groups();
        match self.arrangement {
            Arrangement::Palmtree => (1..groups).map(|n| (group + groups - n) % groups).collect(),
            Arrangement::Consecutive => (1..groups).map(|n| (group + n) % groups).collect(),
            Arrangement::Absolute => (0..groups).filter(|&other| other != group).collect(),
        }
    }

    /// All links, from both sides; found once.
    pub(crate) fn links(&self) -> &'static [Link] {
        thread_local!(static FOUND: RefCell<HashMap<Numbers, &'static [Link]>> = RefCell::default());
        let key = (self.h, self.sizes, self.arrangement as u8);
        FOUND.with_borrow_mut(|found| *found.entry(key).or_insert_with(|| self.find_links().leak()))
    }

    /// Links of a group go round its list; link `j` of round `q` leads to the link of that round of the
    /// other group, if it has one.
    fn find_links(&self) -> Vec<Link> {
        let h = u32::from(self.h);
        let others = self.groups() - 1;
        let mut links = Vec::new();
        for group in 0..self.groups() {
            for j in 0..u32::from(self.sizes[group as usize]) * h {
                let there = self.list(group)[(j % others) as usize];
                let back = self.list(there).iter().position(|&one| one == group).unwrap() as u32;
                let other = j / others * others + back;
                if other < u32::from(self.sizes[there as usize]) * h {
                    links.push(((group, j / h, j % h), (there, other / h, other % h)));
                }
            }
        }
        links
    }

    fn widest(&self) -> u8 {
        *self.sizes.iter().max().unwrap()
    }

    /// The number of a global port.
    pub(crate) fn global(&self, k: u32) -> PortId {
        PortId::new(self.p + self.widest() - 1 + k as u8)
    }

    /// The port from one router of a group to another: in order of the others' indices.
    pub(crate) fn local(&self, from: u32, to: u32) -> PortId {
        PortId::new(self.p + (to - u32::from(to > from)) as u8)
    }

    /// The global ports of a router to a group.
    pub(crate) fn own(&self, at: Place, group: u32) -> PortSet {
        let mine = self
            .links()
            .iter()
            .copied()
            .filter(|&((g, i, _), (to, ..))| (g, i, to) == (at.group, at.index, group));
        mine.map(|((_, _, k), _)| self.global(k)).collect()
    }

    /// The local ports to the other routers of the group that have a link to another one.
    pub(crate) fn exits(&self, at: Place, group: u32) -> PortSet {
        let others = self.indices(at.group).filter(|&index| index != at.index);
        let owners = others.filter(|&index| !self.own(Place { group: at.group, index }, group).is_empty());
        owners.map(|index| self.local(at.index, index)).collect()
    }

    fn indices(&self, group: u32) -> std::ops::Range<u32> {
        0..u32::from(self.sizes[group as usize])
    }

    pub(crate) fn places(&self) -> Vec<Place> {
        (0..self.groups())
            .flat_map(|group| self.indices(group).map(move |index| Place { group, index }))
            .collect()
    }

    /// Hops of the shortest way by at most one global link; only by a certain group's if it is given.
    fn hops(&self, from: Place, to: Place) -> u32 {
        if from.group == to.group {
            return u32::from(from != to);
        }
        let ways = self.links().iter().filter(|(here, there)| (here.0, there.0) == (from.group, to.group));
        ways.map(|(here, there)| u32::from(here.1 != from.index) + 1 + u32::from(there.1 != to.index))
            .min()
            .unwrap()
    }

    fn hops_through(&self, from: Place, group: u32, to: Place) -> u32 {
        let ways = self.links().iter().filter(|(here, there)| (here.0, there.0) == (from.group, group));
        let behind = |there: (u32, u32, u32)| Place { group: there.0, index: there.1 };
        ways.map(|(here, there)| u32::from(here.1 != from.index) + 1 + self.hops(behind(*there), to))
            .min()
            .unwrap()
    }
}

/// Full ones, some with several links between two groups, and uneven ones.
pub(crate) fn shapes() -> Vec<Shape> {
    let kinds: [(u8, u8, &'static [u8]); 9] = [
        (2, 2, &[4; 9]),
        (2, 2, &[4; 8]),
        (2, 2, &[4; 5]),
        (1, 2, &[4; 4]),
        (2, 2, &[4; 2]),
        (1, 4, &[4, 2, 3, 4, 1]),
        (2, 2, &[2, 5, 3]),
        (3, 1, &[7, 4, 5, 6, 4]),
        (1, 1, &[1, 1]),
    ];
    let of = |arrangement| kinds.map(|(p, h, sizes)| Shape { p, h, sizes, arrangement });
    ARRANGEMENTS.into_iter().flat_map(of).collect()
}

/// Proves: each port has the class and the peer that the text gives it.
#[test]
fn ports_lead_where_the_arrangement_says() {
    for shape in shapes() {
        let map = shape.map();
        let net = Net::of(&map);
        net.check_symmetry();
        assert_eq!(map.ports(), usize::from(shape.p + shape.widest() - 1 + shape.h));
        assert_eq!(
            net.routers,
            shape.places().iter().map(|place| place.group << 6 | place.index).collect::<Vec<_>>()
        );
        assert_eq!(
            map.blocks().collect::<Vec<_>>(),
            shape.sizes.iter().map(|&size| u32::from(size)).collect::<Vec<_>>()
        );
        assert_eq!((map.groups(), map.arrangement()), (shape.groups(), shape.arrangement));
        let links = shape.links();
        for place in shape.places() {
            assert_eq!(
                (Place::of(place.address()), map.size(place.group)),
                (place, u32::from(shape.sizes[place.group as usize]))
            );
            for port in net.ports() {
                let n = port.number();
                let (first_local, first_global) = (shape.p, shape.p + shape.widest() - 1);
                let class = [PortClass::NODE, PortClass::LOCAL, PortClass::GLOBAL]
                    [usize::from(n >= first_local) + usize::from(n >= first_global)];
                let of = map.router_class(place.address());
                assert_eq!((map.class(port), map.port_class(of, port)), (class, class), "{shape:?} {port:?}");
                let expected = if n < first_local {
                    Some(Peer::Node)
                } else if n < first_global {
                    let there = shape
                        .indices(place.group)
                        .find(|&i| i != place.index && shape.local(place.index, i) == port);
                    there.map(|index| Peer::Router {
                        router: Place { group: place.group, index }.address(),
                        port: shape.local(index, place.index),
                    })
                } else {
                    let mine = (place.group, place.index, u32::from(n - first_global));
                    links.iter().find(|link| link.0 == mine).map(|&(_, (group, index, k))| Peer::Router {
                        router: Place { group, index }.address(),
                        port: shape.global(k),
                    })
                };
                assert_eq!(map.peer(place.address(), port), expected, "{shape:?} {place:?} {port:?}");
            }
        }
    }
}

/// Proves: owners, exits and distances are those of the links.
#[test]
fn exits_and_distances_follow_from_the_links() {
    for shape in shapes() {
        let map = shape.map();
        let range = |from: u8, count: u8| PortSet::range(from.into(), (from + count).into());
        assert_eq!(map.local_ports(), range(shape.p, shape.widest() - 1));
        assert_eq!(map.global_ports(), range(shape.p + shape.widest() - 1, shape.h));
        let leads_out =
            |place: Place| shape.links().iter().any(|&((g, i, _), _)| (g, i) == (place.group, place.index));
        for at in shape.places() {
            let others = shape.indices(at.group).filter(|&index| index != at.index);
            for index in others.clone() {
                assert_eq!(map.local_port(at.index, index), shape.local(at.index, index));
                assert_eq!(map.local_neighbour(at.index, shape.local(at.index, index)), index);
            }
            let exits = others.filter(|&index| leads_out(Place { group: at.group, index }));
            assert_eq!(
                map.group_exits(at),
                exits.map(|index| shape.local(at.index, index)).collect(),
                "{shape:?} {at:?}"
            );
            for group in (0..shape.groups()).filter(|&group| group != at.group) {
                let (own, exits) = (shape.own(at, group), shape.exits(at, group));
                assert_eq!(
                    (map.own_links(at, group), map.exits(at, group)),
                    (own, exits),
                    "{shape:?} {at:?} {group}"
                );
                match map.towards_group(at, group) {
                    Towards::Link(ports) => assert_eq!(ports, own),
                    Towards::Exit(ports) => assert_eq!((own, ports), (PortSet::EMPTY, exits)),
                }
                for to in shape.places() {
                    assert_eq!(
                        map.distance_through(at, group, to),
                        shape.hops_through(at, group, to),
                        "{shape:?} {at:?} {group} {to:?}"
                    );
                }
            }
            for to in shape.places() {
                assert_eq!(map.distance(at, to), shape.hops(at, to), "{shape:?} {at:?} {to:?}");
            }
        }
    }
}

/// Proves: a local detour is a wired local port that is neither minimal nor the way back, a global one a wired global port that is not minimal.
#[test]
fn detours_leave_out_what_is_minimal_and_the_way_back() {
    let shape = &shapes()[0];
    let map = shape.map();
    // Two nodes, local ports 2 to 4, global ports 5 and 6.
    let wired = PortSet::from_bits(0b101_1011);
    let cases = [
        (2, 0b0000, 0b001_1000),
        (3, 0b0, 0b1_0000),
        (3, 0b1_0000, 0),
        (0, 0b1000, 0b1_0000),
        (6, 0b0, 0b001_1000),
    ];
    for (back, minimal, expected) in cases {
        let found = map.local_detours(wired, PortId::new(back), PortSet::from_bits(minimal));
        assert_eq!(found.bits(), expected & 0b1_1100 & wired.bits(), "{back} {minimal:b}");
    }
    let globals = [(0b0, 0b100_0000), (0b100_0000, 0), (0b010_0000, 0b100_0000)];
    for (minimal, expected) in globals {
        assert_eq!(map.global_detours(wired, PortSet::from_bits(minimal)).bits(), expected);
    }
    assert_eq!(map.global_detours(PortSet::first_n(7), PortSet::EMPTY).bits(), 0b110_0000);
}

/// Proves: an address is of the network if its group, its router and its node's port are.
#[test]
fn an_address_names_a_node_that_is_there() {
    let shape = Shape { p: 2, h: 2, sizes: &[2, 5, 3], arrangement: Arrangement::Palmtree };
    let map = shape.map();
    let has = |group: u32, index: u32, port: u8| map.has(Address { router: group << 6 | index, port });
    for (group, size) in [(0, 2), (1, 5), (2, 3)] {
        for port in [0, 1] {
            assert!(has(group, 0, port) && has(group, size - 1, port));
            assert!(!has(group, size, port) && !has(group, 63, port));
        }
        assert!(!has(group, 0, 2) && !has(group, 0, 5));
    }
    assert!(!has(3, 0, 0) && !has(4095, 0, 0));
}

/// Proves: each limit of the numbers is held on both sides.
#[test]
fn numbers_that_make_no_dragonfly_are_refused() {
    use Arrangement::Palmtree;
    let of = |p, h, sizes: &'static [u8]| Dragonfly::new(p, h, sizes, Palmtree).map(|_| ());
    assert_eq!(of(1, 1, &[2]), Err(MapError::Groups));
    assert_eq!(of(1, 1, &[1, 1]), Ok(()));
    static MANY: [u8; 4097] = [64; 4097];
    assert_eq!(of(1, 1, &MANY), Err(MapError::Groups));
    assert_eq!(of(1, 1, &[0, 1]), Err(MapError::GroupSize));
    assert_eq!(of(1, 1, &[65, 1]), Err(MapError::GroupSize));
    // 1 node, 62 local and 1 global ports are 64; 63 local ones are 65.
    assert_eq!(of(1, 1, &[63, 63]), Ok(()));
    assert_eq!(of(1, 1, &[64, 64]), Err(MapError::Ports));
    assert_eq!(of(0, 1, &[2, 2]), Err(MapError::Ports));
    assert_eq!(of(1, 0, &[2, 2]), Err(MapError::Ports));
    // Two links for two other groups, and for three.
    assert_eq!(of(1, 1, &[2, 2, 2]), Ok(()));
    assert_eq!(of(1, 1, &[2, 2, 2, 2]), Err(MapError::Unconnected));
    assert_eq!(of(1, 1, &[2, 2, 1]), Err(MapError::Unconnected));
}
