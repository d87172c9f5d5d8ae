//! The map of a network whose routers stand in levels, with nodes at the lowest, the leaves: a table of the ports up, then down.
//!
//! Routers are numbered level by level from the leaves up; a link joins routers of two levels that follow each other. A fat tree is such a
//! network, as are those whose leaves have few routers above them in common, or none. A route goes up by as many levels as it must, then
//! down.

use super::table::TableError;
use super::up_down::UpDownTable;
use crate::header::Address;
use crate::units::{Bits, PortId, PortSet};

/// What [`Levels::load`] is given.
#[derive(Clone, Copy, Debug)]
pub struct Parts<'t, B: Bits = usize> {
    /// The ports of `here` towards leaf `there`: entry `(there · routers + here) · 2`, and the entry after it for packets that have gone
    /// down.
    pub ports: &'t [PortSet<B>],
    /// Entry `router`: its ports up.
    pub up: &'t [PortSet<B>],
    /// Entry `router · width + port`: the number of the router there; any where there is none.
    pub peers: &'t [u32],
    /// Ports of the widest router.
    pub width: u32,
    /// Routers of each level, the leaves first.
    pub sizes: &'t [u32],
}

/// The tables of all routers of a network.
///
/// An address is the number of a router.
#[derive(Clone, Copy, Debug)]
pub struct Levels<'t, B: Bits = usize> {
    table: UpDownTable<'t, B>,
    peers: &'t [u32],
    width: u32,
    sizes: &'t [u32],
}

impl<'t, B: Bits> Levels<'t, B> {
    /// Loads and verifies the tables; `wired(r)` are the ports of router `r` that lead to other routers.
    ///
    /// # Errors
    /// Names the first entry that cannot be right. That there is no way from one leaf to another is no error here: see
    /// [`Levels::first_apart`].
    pub fn load(parts: Parts<'t, B>, wired: impl Fn(u32) -> PortSet<B>) -> Result<Self, TableError> {
        let Parts { ports, up, peers, width, sizes } = parts;
        let leaves = sizes.first().copied().unwrap_or(0);
        let routers = sizes.iter().fold(0, |all: u32, &size| all.saturating_add(size));
        let entries = u64::from(routers).wrapping_mul(width.into());
        if routers as usize != up.len() || entries != peers.len() as u64 {
            return Err(TableError::Size);
        }
        let levels =
            Self { table: UpDownTable::load_towards(ports, up, leaves, &wired)?, peers, width, sizes };
        for here in 0..routers {
            for port in wired(here) {
                let (from, to) =
                    (levels.level(here), levels.peer(here, port).map(|there| levels.level(there)));
                let next =
                    if levels.up(here).contains(port) { from.checked_add(1) } else { from.checked_sub(1) };
                if to != next {
                    return Err(TableError::UpPort { here });
                }
            }
        }
        Ok(levels)
    }

    /// Leaves of the network: the routers with the lowest numbers.
    pub fn leaves(&self) -> u32 {
        self.sizes.first().copied().unwrap_or(0)
    }

    /// Routers of each level, the leaves first.
    pub const fn sizes(&self) -> &[u32] {
        self.sizes
    }

    /// The level of a router, counted from 0 at the leaves.
    #[inline]
    pub fn level(&self, router: u32) -> usize {
        let ends = self.sizes.iter().scan(0_u32, |end, &size| {
            *end = end.saturating_add(size);
            Some(*end)
        });
        ends.take_while(|&end| end <= router).count()
    }

    /// Whether an address may be one of a node: at a leaf, at a port below those that lead up.
    #[inline]
    pub fn has(&self, to: Address) -> bool {
        to.router < self.leaves() && u32::from(to.port) < self.nodes_per_leaf()
    }

    /// Nodes of a leaf.
    #[inline]
    fn nodes_per_leaf(&self) -> u32 {
        self.up(0).first().map_or(1, |port| port.number().into())
    }

    /// The ports of a router that lead up.
    #[inline]
    pub fn up(&self, router: u32) -> PortSet<B> {
        self.table.up(router)
    }

    /// The router behind a port that leads to one.
    #[inline]
    pub fn peer(&self, router: u32, port: PortId) -> Option<u32> {
        let entry = (router as usize).wrapping_mul(self.width as usize).wrapping_add(port.index());
        self.peers.get(entry).copied().filter(|_| port.index() < self.width as usize)
    }

    /// The ports on shortest routes up, then down, from a router to a leaf. Where the leaf is below, they lead down.
    #[inline]
    pub fn ways(&self, here: u32, leaf: u32) -> PortSet<B> {
        self.table.ports(here, leaf, false)
    }

    /// Whether a leaf is below a router, or is it.
    #[inline]
    pub fn is_below(&self, leaf: u32, router: u32) -> bool {
        leaf == router || !self.table.ports(router, leaf, true).is_empty()
    }

    /// Whether a packet that came to a router by a port from another router has gone down.
    #[inline]
    pub fn comes_down(&self, router: u32, port: PortId) -> bool {
        self.table.comes_down(router, port)
    }

    /// The number of a node, counted leaf by leaf, divided by the ports up of a router of each level below `level`.
    #[inline]
    pub fn digit_of(&self, level: usize, node: Address) -> u32 {
        let number = node.router.wrapping_mul(self.nodes_per_leaf()).wrapping_add(node.port.into());
        let mut first = 0_u32;
        self.sizes.iter().take(level).fold(number, |number, &size| {
            let ports = self.up(first).len() as u32;
            first = first.wrapping_add(size);
            number.checked_div(ports).unwrap_or(0)
        })
    }

    /// The first two leaves without a way up, then down, between them.
    pub fn first_apart(&self) -> Option<(u32, u32)> {
        self.pairs().find(|&(here, there)| self.ways(here, there).is_empty())
    }

    /// All pairs of two leaves.
    pub fn pairs(&self) -> impl Iterator<Item = (u32, u32)> {
        let leaves = self.leaves();
        let pairs = (0..leaves).flat_map(move |here| (0..leaves).map(move |there| (here, there)));
        pairs.filter(|(here, there)| here != there)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn set(bits: usize) -> PortSet {
        PortSet::from_bits(bits)
    }

    /// Leaves 0 and 1 with a node at port 0, below spine 2.
    const PORTS: [PortSet; 12] = [
        // Towards leaf 0: from itself, from leaf 1, which a packet that has gone down has no way from, from the spine.
        set(0),
        set(0),
        set(0b10),
        set(0),
        set(0b01),
        set(0b01),
        // Towards leaf 1.
        set(0b10),
        set(0),
        set(0),
        set(0),
        set(0b10),
        set(0b10),
    ];
    const UP: [PortSet; 3] = [set(0b10), set(0b10), set(0)];
    const PEERS: [u32; 6] = [u32::MAX, 2, u32::MAX, 2, 0, 1];
    const PARTS: Parts<'_> = Parts { ports: &PORTS, up: &UP, peers: &PEERS, width: 2, sizes: &[2, 1] };

    fn load(parts: Parts<'_>) -> Result<Levels<'_>, TableError> {
        Levels::load(parts, |router| if router == 2 { set(0b11) } else { set(0b10) })
    }

    #[test]
    fn a_spine_is_above_its_leaves() {
        let levels = load(PARTS).unwrap();
        assert_eq!([0, 1, 2].map(|router| levels.level(router)), [0, 0, 1]);
        assert_eq!((levels.leaves(), levels.first_apart()), (2, None));
        assert_eq!(levels.peer(2, PortId::new(1)), Some(1));
        assert_eq!(levels.peer(0, PortId::new(2)), None, "not the next router's");
        assert!(levels.is_below(1, 2) && levels.is_below(1, 1) && !levels.is_below(1, 0));
        assert_eq!(levels.ways(0, 1), set(0b10));
        assert_eq!(levels.ways(0, 2), PortSet::EMPTY, "no table towards a spine");
        assert!(!levels.has(Address { router: 2, port: 0 }));
        assert!(levels.has(Address { router: 1, port: 0 }) && !levels.has(Address { router: 1, port: 1 }));
    }

    #[test]
    fn bad_tables_are_refused() {
        let refused = |parts: Parts<'_>| load(parts).map(drop);
        assert_eq!(refused(Parts { ports: &PORTS[..10], ..PARTS }), Err(TableError::Size));
        assert_eq!(refused(Parts { sizes: &[2, 2], ..PARTS }), Err(TableError::Size));
        assert_eq!(refused(Parts { width: 3, ..PARTS }), Err(TableError::Size));
        assert_eq!(refused(Parts { sizes: &[3], ..PARTS }), Err(TableError::Size));
        let up = [set(0b10), set(0), set(0)];
        assert_eq!(refused(Parts { up: &up, ..PARTS }), Err(TableError::UpPort { here: 1 }));
        let peers = [u32::MAX, 1, u32::MAX, 2, 0, 1];
        assert_eq!(refused(Parts { peers: &peers, ..PARTS }), Err(TableError::UpPort { here: 0 }));
        let mut ports = PORTS;
        ports[3] = set(0b10);
        let again = Err(TableError::WrongPort { here: 1, there: 0 });
        assert_eq!(refused(Parts { ports: &ports, ..PARTS }), again, "up again after going down");
        (ports[2], ports[3]) = (set(0), set(0));
        assert_eq!(load(Parts { ports: &ports, ..PARTS }).unwrap().first_apart(), Some((1, 0)));
    }
}
