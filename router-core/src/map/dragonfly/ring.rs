//! A Hamiltonian ring: once through all routers of a Dragonfly, group by group.
//!
//! Each group passes the ring on to the one `stride` further, by the first of its links there. Inside a group the ring goes from the router
//! that it comes in at to the others in the order of their indices, and last to the one that it leaves by. These two have to be different,
//! where a group has more than one router: the stride is the least one with which they are everywhere. It is 1 for a palm tree.

use super::{Dragonfly, Place};
use crate::units::PortId;

/// The ring of a Dragonfly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HamiltonianRing {
    /// Groups from one to the next.
    stride: u32,
}

impl HamiltonianRing {
    /// The ring of the least stride; nothing where no stride gives one.
    pub fn of(map: &Dragonfly<'_>) -> Option<Self> {
        (1..map.groups()).map(|stride| Self { stride }).find(|ring| ring.is_whole(map))
    }

    /// Whether it comes through all groups, and through all routers of each.
    fn is_whole(self, map: &Dragonfly<'_>) -> bool {
        let groups = map.groups();
        let joins = |group| {
            let (first, last) = self.ends(map, group);
            map.size(group) == 1 || first != last
        };
        highest_common_factor(self.stride, groups) == 1 && (0..groups).all(joins)
    }

    /// The group behind one.
    fn next_group(self, map: &Dragonfly<'_>, group: u32) -> u32 {
        wrapped(map, group.wrapping_add(self.stride))
    }

    /// Indices of the routers of a group that the ring comes in at and leaves by.
    fn ends(self, map: &Dragonfly<'_>, group: u32) -> (u32, u32) {
        let before = wrapped(map, group.wrapping_add(map.groups()).wrapping_sub(self.stride));
        let came = map.links(before, group).next().map_or(0, |link| link.landing);
        let leaves = map.links(group, self.next_group(map, group)).next().map_or(0, |link| link.owner);
        (came, leaves)
    }

    /// The port by which the ring goes on from a router.
    pub fn onward(self, map: &Dragonfly<'_>, at: Place) -> PortId {
        let (first, last) = self.ends(map, at.group);
        if at.index == last {
            let link = map.links(at.group, self.next_group(map, at.group)).next();
            let port = map.first_global().wrapping_add(link.map_or(0, |link| link.port));
            return PortId::new(port as u8);
        }
        let from = if at.index == first { 0 } else { at.index.wrapping_add(1) };
        let inner = (from..map.size(at.group)).find(|&index| index != first && index != last);
        map.local_port(at.index, inner.unwrap_or(last))
    }
}

/// A group's number, at most once round too high.
fn wrapped(map: &Dragonfly<'_>, group: u32) -> u32 {
    if group >= map.groups() { group.wrapping_sub(map.groups()) } else { group }
}

fn highest_common_factor(mut a: u32, mut b: u32) -> u32 {
    while let Some(left) = b.checked_rem(a) {
        (a, b) = (left, a);
    }
    b
}

#[cfg(test)]
#[allow(clippy::arithmetic_side_effects)]
mod tests {
    use super::*;
    use crate::map::dragonfly::Arrangement;
    use crate::map::{Map, Peer};

    /// Routers from the first one's way round back to it, each once.
    fn round(map: &Dragonfly<'_>) -> Option<usize> {
        let ring = HamiltonianRing::of(map)?;
        let start = map.routers().next()?;
        let (mut at, mut seen) = (start, std::collections::BTreeSet::new());
        while seen.insert(at) {
            let Some(Peer::Router { router, .. }) = map.peer(at, ring.onward(map, Place::of(at))) else {
                panic!("a link that is not there")
            };
            at = router;
        }
        assert_eq!(at, start, "it closes where it began");
        Some(seen.len())
    }

    #[test]
    fn it_comes_through_every_router_once() {
        use Arrangement::{Absolute, Consecutive, Palmtree};
        let mut found = 0;
        for arrangement in [Palmtree, Consecutive, Absolute] {
            for (a, h) in [(1, 2), (2, 1), (2, 2), (3, 2), (4, 2), (6, 3), (8, 4)] {
                for groups in 2..=u32::from(a * h) + 1 {
                    let sizes = vec![a; groups as usize];
                    let map = Dragonfly::new(h, h, &sizes, arrangement).unwrap();
                    let routers = round(&map);
                    assert!(routers.is_none_or(|routers| routers == map.routers().count()));
                    found += usize::from(routers.is_some());
                    let is_full = groups == u32::from(a * h) + 1 && (arrangement != Absolute || a == 2 * h);
                    assert!(!is_full || routers.is_some(), "{arrangement:?} {a} {h} {groups}");
                }
            }
        }
        assert!(found > 150, "{found}");
    }

    #[test]
    fn groups_of_different_sizes_are_on_it_too() {
        let map = Dragonfly::new(1, 2, &[4, 3, 4, 2], Arrangement::Palmtree).unwrap();
        assert_eq!(round(&map), Some(13));
    }
}
