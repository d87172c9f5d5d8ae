//! The map of a Dragonfly: who is where, and which port leads to which group. Pure arithmetic, no state.
//!
//! Ports of a router: `p` nodes, then the local links to the `a − 1` other routers of the group in order of their
//! index (`a` is the largest group's size), one or several parallel ones to each, then `h` global links.
//!
//! Global port `k` of router `i` is link number `j = i·h + k` of its group. Each group lists the other `G − 1`
//! groups in the order of the arrangement, and its links go round that list. Link `j`, in round `q`, leads to the
//! link of the same round on the other side; where that side has no such link, the port stays unconnected. With
//! `G = a·h + 1` each pair of groups has exactly one link, with fewer groups several.

mod local;
pub mod ring;
use super::{Map, Peer, RouterClass};
use crate::header::{Address, ROUTER_BITS};
use crate::layout;
use crate::units::{PortClass, PortId, PortSet};

/// The classes of a Dragonfly's links.
impl PortClass {
    /// Links between routers of one group; in a grid or a graph, between any routers.
    pub const LOCAL: Self = Self::new(layout::PORT_KIND_LOCAL as u8);
    /// Links between groups.
    pub const GLOBAL: Self = Self::new(layout::PORT_KIND_GLOBAL as u8);
}

/// Bits of the router's index in its group, in an address; the group is above them.
pub const INDEX_BITS: u32 = layout::ADDRESS_INDEX_BITS;
/// Groups an address can tell apart.
pub const MAX_GROUPS: usize = 1 << (ROUTER_BITS - INDEX_BITS);
/// Routers of a group an address can tell apart.
pub const MAX_GROUP_SIZE: u8 = 1 << INDEX_BITS;

/// The order in which a group lists the other groups.
#[repr(u8)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Arrangement {
    /// Downwards from the own number: `g − 1, g − 2, …` (palm tree).
    #[default]
    Palmtree = layout::ARRANGEMENT_PALMTREE as u8,
    /// Upwards from the own number: `g + 1, g + 2, …`.
    Consecutive = layout::ARRANGEMENT_CONSECUTIVE as u8,
    /// By number, from group 0, the own group left out.
    Absolute = layout::ARRANGEMENT_ABSOLUTE as u8,
}

crate::words!(Arrangement {
    "palmtree" => [Self::Palmtree],
    "consecutive" => [Self::Consecutive],
    "absolute" => [Self::Absolute],
});

/// A router's place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Place {
    /// Its group.
    pub group: u32,
    /// Its index in the group.
    pub index: u32,
}

impl Place {
    /// The place that an address names.
    #[inline]
    pub const fn of(router: u32) -> Self {
        Self {
            group: router.wrapping_shr(INDEX_BITS),
            index: router & (MAX_GROUP_SIZE as u32).wrapping_sub(1),
        }
    }
    /// The address of a place.
    #[inline]
    pub const fn address(self) -> u32 {
        self.group.wrapping_shl(INDEX_BITS) | self.index
    }
}

/// The map: the same for every router of the network.
#[derive(Clone, Copy, Debug)]
pub struct Dragonfly<'t> {
    nodes: u32,
    locals: u32,
    globals: u32,
    /// Parallel local links between two routers of a group.
    width: u32,
    /// As many ports, from port 0 on.
    bundle: PortSet,
    arrangement: Arrangement,
    sizes: &'t [u8],
}

/// Why some numbers do not make a Dragonfly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum MapError {
    /// There are 2 to 4,096 groups.
    Groups,
    /// A group has 1 to 64 routers.
    GroupSize,
    /// A router has at least one node and one global link, and at most as many ports as a port set holds.
    Ports,
    /// Some group has fewer global links than there are other groups.
    Unconnected,
}

impl core::fmt::Display for MapError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Groups => "a Dragonfly has 2 to 4096 groups",
            Self::GroupSize => "a group has 1 to 64 routers",
            Self::Ports => "a router has nodes and global links, and no more ports than a port set holds",
            Self::Unconnected => "every group needs a global link to every other",
        })
    }
}

impl core::error::Error for MapError {}

/// One global link, seen from one of its groups.
#[derive(Clone, Copy)]
struct Link {
    /// Index of the router that owns it.
    owner: u32,
    /// The global port there, from 0.
    port: u32,
    /// Index of the router it lands on.
    landing: u32,
}

impl<'t> Dragonfly<'t> {
    /// A Dragonfly of `p` nodes and `h` global links per router, with `sizes[g]` routers in group `g`.
    ///
    /// # Errors
    /// When the numbers are out of range, or some pair of groups would have no link.
    pub fn new(p: u8, h: u8, sizes: &'t [u8], arrangement: Arrangement) -> Result<Self, MapError> {
        if sizes.len() < 2 || sizes.len() > MAX_GROUPS {
            return Err(MapError::Groups);
        }
        if sizes.iter().any(|&a| a == 0 || a > MAX_GROUP_SIZE) {
            return Err(MapError::GroupSize);
        }
        let locals = u32::from(sizes.iter().copied().max().unwrap_or(1)).wrapping_sub(1);
        let (nodes, globals) = (u32::from(p), u32::from(h));
        let ports = nodes.wrapping_add(locals).wrapping_add(globals);
        if p == 0 || h == 0 || ports as usize > <PortSet>::CAPACITY {
            return Err(MapError::Ports);
        }
        let others = sizes.len().wrapping_sub(1) as u32;
        if sizes.iter().any(|&a| u32::from(a).wrapping_mul(globals) < others) {
            return Err(MapError::Unconnected);
        }
        Ok(Self { nodes, locals, globals, width: 1, bundle: PortSet::first_n(1), arrangement, sizes })
    }

    /// The order in which groups list each other.
    pub const fn arrangement(&self) -> Arrangement {
        self.arrangement
    }

    /// Groups.
    #[inline]
    pub fn groups(&self) -> u32 {
        self.sizes.len() as u32
    }

    /// Routers of a group.
    #[inline]
    pub fn size(&self, group: u32) -> u32 {
        self.sizes.get(group as usize).map_or(0, |&a| u32::from(a))
    }

    /// Whether an address names a node of this network, as far as the map knows.
    #[inline]
    pub fn has(&self, to: Address) -> bool {
        let place = Place::of(to.router);
        place.index < self.size(place.group) && u32::from(to.port) < self.nodes
    }

    /// The class of a port.
    #[inline]
    pub const fn class(&self, port: PortId) -> PortClass {
        let port = port.number() as u32;
        if port < self.nodes {
            PortClass::NODE
        } else if port < self.first_global() {
            PortClass::LOCAL
        } else {
            PortClass::GLOBAL
        }
    }

    #[inline]
    const fn first_global(&self) -> u32 {
        self.nodes.wrapping_add(self.locals)
    }

    /// All global ports of a router.
    #[inline]
    pub fn global_ports(&self) -> PortSet {
        let first = self.first_global();
        PortSet::range(first as usize, first.wrapping_add(self.globals) as usize)
    }

    /// Place of group `of` in the list of group `at`.
    #[inline]
    fn rank(&self, at: u32, of: u32) -> u32 {
        let groups = self.groups();
        let around = |from: u32, to: u32| {
            let ahead = to.wrapping_add(groups).wrapping_sub(from).wrapping_sub(1);
            if ahead >= groups { ahead.wrapping_sub(groups) } else { ahead }
        };
        match self.arrangement {
            Arrangement::Palmtree => around(of, at),
            Arrangement::Consecutive => around(at, of),
            Arrangement::Absolute => of.wrapping_sub(u32::from(of > at)),
        }
    }

    /// The group at place `rank` in the list of group `at`: the inverse of [`Self::rank`].
    fn listed(&self, at: u32, rank: u32) -> u32 {
        let groups = self.groups();
        let around = |sum: u32| if sum >= groups { sum.wrapping_sub(groups) } else { sum };
        let ahead = rank.wrapping_add(1);
        match self.arrangement {
            Arrangement::Palmtree => around(at.wrapping_add(groups).wrapping_sub(ahead)),
            Arrangement::Consecutive => around(at.wrapping_add(ahead)),
            Arrangement::Absolute => rank.wrapping_add(u32::from(rank >= at)),
        }
    }

    /// Place and port at the other end of global port number `k` of a router; `None` where it is not connected.
    fn across(&self, at: Place, k: u32) -> Option<(Place, PortId)> {
        if k >= self.globals {
            return None;
        }
        let others = self.groups().wrapping_sub(1);
        let link = at.index.wrapping_mul(self.globals).wrapping_add(k);
        let round = link.checked_div(others)?;
        let group = self.listed(at.group, link.checked_rem(others)?);
        let far = round.wrapping_mul(others).wrapping_add(self.rank(group, at.group));
        let index = far.checked_div(self.globals).filter(|&index| index < self.size(group))?;
        let port = self.first_global().wrapping_add(far.checked_rem(self.globals)?);
        Some((Place { group, index }, PortId::new(port as u8)))
    }

    /// The local ports that lead to a router with a connected global port: all of them in a full Dragonfly, fewer where
    /// links do not come out even.
    pub fn group_exits(&self, at: Place) -> PortSet {
        let mut found = PortSet::EMPTY;
        for index in (0..self.size(at.group)).filter(|&index| index != at.index) {
            let other = Place { index, ..at };
            if (0..self.globals).any(|k| self.across(other, k).is_some()) {
                found = found.union(self.local_ports_to(at.index, index));
            }
        }
        found
    }

    /// The links between two different groups, seen from the first.
    #[inline]
    fn links(&self, from: u32, to: u32) -> impl Iterator<Item = Link> {
        let others = self.groups().wrapping_sub(1);
        let globals = self.globals;
        let (near_end, far_end) =
            (self.size(from).wrapping_mul(globals), self.size(to).wrapping_mul(globals));
        let (mut near, mut far) = (self.rank(from, to), self.rank(to, from));
        core::iter::from_fn(move || {
            if near >= near_end || far >= far_end {
                return None;
            }
            let owner = near.checked_div(globals)?;
            let port = near.wrapping_sub(owner.wrapping_mul(globals));
            let link = Link { owner, port, landing: far.checked_div(globals)? };
            near = near.wrapping_add(others);
            far = far.wrapping_add(others);
            Some(link)
        })
    }

    /// The router's own global ports to another group: `has(E, G)`.
    #[inline]
    pub fn own_links(&self, at: Place, to_group: u32) -> PortSet {
        let first = self.first_global();
        let mut found = PortSet::EMPTY;
        for link in self.links(at.group, to_group).filter(|link| link.owner == at.index) {
            found.insert(PortId::new(first.wrapping_add(link.port) as u8));
        }
        found
    }

    /// The local ports to every other router of the group that owns a link to another group: `Eout`.
    #[inline]
    pub fn exits(&self, at: Place, to_group: u32) -> PortSet {
        let mut found = PortSet::EMPTY;
        for link in self.links(at.group, to_group).filter(|link| link.owner != at.index) {
            found = found.union(self.local_ports_to(at.index, link.owner));
        }
        found
    }

    /// Router hops of the shortest local–global–local route between two routers, 0…3.
    pub fn distance(&self, from: Place, to: Place) -> u32 {
        if from.group == to.group {
            return u32::from(from.index != to.index);
        }
        let length = |link: Link| {
            1u32.wrapping_add(u32::from(link.owner != from.index))
                .wrapping_add(u32::from(link.landing != to.index))
        };
        self.links(from.group, to.group).map(length).min().unwrap_or(u32::MAX)
    }

    /// Router hops of the shortest route from a router to another that enters a group other than the first one's, by a link from the
    /// first one's group to it.
    pub fn distance_through(&self, from: Place, group: u32, to: Place) -> u32 {
        let length = |link: Link| {
            let landing = Place { group, index: link.landing };
            let exit = 1u32.wrapping_add(u32::from(link.owner != from.index));
            exit.saturating_add(self.distance(landing, to))
        };
        self.links(from.group, group).map(length).min().unwrap_or(u32::MAX)
    }

    /// The ports of rules b to d: the local port to a router of this group, the own links to another group, or
    /// the local ports to those that have one. Only the last of these is not the packet's own link.
    #[inline]
    pub fn towards_group(&self, at: Place, group: u32) -> Towards {
        let own = self.own_links(at, group);
        if own.is_empty() { Towards::Exit(self.exits(at, group)) } else { Towards::Link(own) }
    }

    /// The global ports of those that are `wired`, by which a packet may be misrouted: not those it would take anyway.
    #[inline]
    pub fn global_detours(&self, wired: PortSet, minimal: PortSet) -> PortSet {
        self.global_ports().and(wired).minus(minimal)
    }
}

impl Map for Dragonfly<'_> {
    fn routers(&self) -> impl Iterator<Item = u32> {
        let places = |group| (0..self.size(group)).map(move |index| Place { group, index }.address());
        (0..self.groups()).flat_map(places)
    }

    fn ports(&self) -> usize {
        self.first_global().wrapping_add(self.globals) as usize
    }

    fn port_class(&self, _of: RouterClass, port: PortId) -> PortClass {
        self.class(port)
    }

    fn peer(&self, router: u32, port: PortId) -> Option<Peer> {
        let (at, number) = (Place::of(router), u32::from(port.number()));
        let (there, port) = match self.class(port) {
            PortClass::NODE => return Some(Peer::Node),
            PortClass::LOCAL => {
                let index = self.local_neighbour(at.index, port);
                let first = self.local_port(index, at.index);
                (Place { index, ..at }, PortId::new(first.number().wrapping_add(self.parallel(port) as u8)))
            }
            _ => self.across(at, number.wrapping_sub(self.first_global()))?,
        };
        (there.index < self.size(there.group)).then(|| Peer::Router { router: there.address(), port })
    }

    fn blocks(&self) -> impl Iterator<Item = u32> {
        (0..self.groups()).map(|group| self.size(group))
    }
}

/// The first hop towards another group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Towards {
    /// The router owns links there.
    Link(PortSet),
    /// Local ports to the routers that do.
    Exit(PortSet),
}
