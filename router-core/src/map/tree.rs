//! The map of a fat tree: levels of routers of one radix, as many links up from a level as down from it.
//!
//! A folded Clos network with `k` half the radix and `n` levels: the `k`-ary `n`-tree of Petrini and Vanneschi, 1997, with both halves of
//! the top routers' ports leading down. It has `2·kⁿ` nodes, `2·kⁿ⁻¹` routers in each level but the top one, and `kⁿ⁻¹` there.
//!
//! A router of level `l`, counted from 0 at the leaves, has `n − 1` digits `w₁ … wₙ₋₁`, each below `k`; `wₙ₋₁`, below the
//! top level, below `2k`. Its up port `u` leads to the router of level `l + 1` with `wₗ₊₁ = u` and all else alike, which
//! has it behind its down port `wₗ₊₁`. So a leaf is below a router where their digits above `l` agree.
//!
//! Ports: down ones first, nodes at the leaves, then up ones. An address has the digits, `w₁` lowest, and the level
//! above them. Router class `l` is level `l`; the links between levels `l − 1` and `l` are port class `l`.

use super::{Map, Peer, RouterClass};
use crate::header::{Address, ROUTER_BITS};
use crate::units::{Bits, PortClass, PortId, PortSet};

/// Most levels of a fat tree: each has a class of links of its own.
pub const MAX_LEVELS: u8 = 4;

/// A fat tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tree {
    /// Ports of a router that lead up, where any do: `k`.
    half: u8,
    /// `n`
    levels: u8,
    /// Bits of a digit.
    width: u32,
}

/// Why some numbers do not make a fat tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum TreeError {
    /// The radix is even, from 4 to as many ports as a port set holds.
    Radix,
    /// There are 2 to 4 levels.
    Levels,
    /// The digits and the level fit an address.
    Size,
}

impl core::fmt::Display for TreeError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Radix => "the radix of a fat tree is an even number from 4 to 64",
            Self::Levels => "a fat tree has 2 to 4 levels",
            Self::Size => "the digits of a router of a fat tree and its level take at most 18 bits",
        })
    }
}

impl core::error::Error for TreeError {}

/// The way on towards a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way<B: Bits = usize> {
    /// This is the router of the node.
    Here,
    /// The node is below: the one port that leads to it.
    Down(PortId),
    /// It is not: any port up leads one hop closer to it.
    Up(PortSet<B>),
}

impl Tree {
    /// A fat tree of routers of `radix` ports in so many levels.
    ///
    /// # Errors
    /// When the numbers are out of range.
    pub fn new(radix: u8, levels: u8) -> Result<Self, TreeError> {
        if radix < 4 || radix & 1 != 0 || usize::from(radix) > <PortSet>::CAPACITY {
            return Err(TreeError::Radix);
        }
        if !(2..=MAX_LEVELS).contains(&levels) {
            return Err(TreeError::Levels);
        }
        let width = u8::BITS.wrapping_sub(radix.wrapping_sub(1).leading_zeros());
        let level_bits = u8::BITS.wrapping_sub(levels.wrapping_sub(1).leading_zeros());
        let tree = Self { half: radix >> 1, levels, width };
        if tree.digit_bits().wrapping_add(level_bits) > ROUTER_BITS {
            return Err(TreeError::Size);
        }
        Ok(tree)
    }

    /// Levels of routers.
    pub const fn levels(&self) -> u8 {
        self.levels
    }

    /// Nodes at each leaf.
    pub const fn nodes_per_leaf(&self) -> u8 {
        self.half
    }

    /// Bits of all digits together.
    #[inline]
    const fn digit_bits(&self) -> u32 {
        self.width.wrapping_mul(self.top() as u32)
    }

    /// The highest level.
    #[inline]
    const fn top(&self) -> u8 {
        self.levels.wrapping_sub(1)
    }

    /// The level of a router.
    #[inline]
    pub const fn level(&self, router: u32) -> u8 {
        router.wrapping_shr(self.digit_bits()) as u8
    }

    /// Where digit `number` is in an address, from 1.
    #[inline]
    const fn place(&self, number: u8) -> u32 {
        self.width.wrapping_mul((number as u32).wrapping_sub(1))
    }

    #[inline]
    const fn digit(&self, router: u32, number: u8) -> u8 {
        let mask = 1u32.wrapping_shl(self.width).wrapping_sub(1);
        (router.wrapping_shr(self.place(number)) & mask) as u8
    }

    /// The digit of a node's number that belongs to a level: its port, then the digits of its leaf.
    #[inline]
    pub const fn digit_of(&self, level: u8, node: Address) -> u8 {
        if level == 0 { node.port } else { self.digit(node.router, level) }
    }

    /// The router of another level that differs in one digit at most.
    #[inline]
    const fn moved(&self, router: u32, level: u8, number: u8, digit: u8) -> u32 {
        let (bits, at) = (self.digit_bits(), self.place(number));
        let digits = router & 1u32.wrapping_shl(bits).wrapping_sub(1);
        let mask = 1u32.wrapping_shl(self.width).wrapping_sub(1).wrapping_shl(at);
        (digits & !mask) | (digit as u32).wrapping_shl(at) | (level as u32).wrapping_shl(bits)
    }

    /// Ports of a router of a level that lead down; the others lead up.
    #[inline]
    const fn down_ports(&self, level: u8) -> u8 {
        if level < self.top() { self.half } else { self.radix() }
    }

    #[inline]
    const fn radix(&self) -> u8 {
        self.half.wrapping_mul(2)
    }

    /// The ports of a router that lead up; none at the top.
    #[inline]
    pub fn up_ports<B: Bits>(&self, router: u32) -> PortSet<B> {
        PortSet::range(self.down_ports(self.level(router)).into(), self.radix().into())
    }

    /// How many values digit `number` takes in a level.
    fn values(&self, level: u8, number: u8) -> u32 {
        let is_wide = number == self.top() && level < self.top();
        u32::from(if is_wide { self.radix() } else { self.half })
    }

    /// Routers of a level.
    fn size(&self, level: u8) -> u32 {
        (1..self.levels).fold(1u32, |product, number| product.saturating_mul(self.values(level, number)))
    }

    /// Whether an address names a node of this tree.
    #[inline]
    pub fn has(&self, to: Address) -> bool {
        // All bits above the digits, not those alone that a level may have.
        to.router.wrapping_shr(self.digit_bits()) == 0
            && to.port < self.half
            && (1..self.levels).all(|n| u32::from(self.digit(to.router, n)) < self.values(0, n))
    }

    /// Whether a leaf is below a router, or is it.
    #[inline]
    pub fn is_below(&self, leaf: u32, router: u32) -> bool {
        let apart = (leaf ^ router) & 1u32.wrapping_shl(self.digit_bits()).wrapping_sub(1);
        apart.checked_shr(self.width.wrapping_mul(self.level(router).into())).unwrap_or(0) == 0
    }

    /// The way from a router to a node at a leaf.
    #[inline]
    pub fn way<B: Bits>(&self, router: u32, leaf: u32) -> Way<B> {
        if !self.is_below(leaf, router) {
            return Way::Up(self.up_ports(router));
        }
        match self.level(router) {
            0 => Way::Here,
            level => Way::Down(PortId::new(self.digit(leaf, level))),
        }
    }
}

impl Map for Tree {
    /// Level by level from the leaves up, the first digit fastest.
    fn routers(&self) -> impl Iterator<Item = u32> {
        (0..self.levels).flat_map(move |level| {
            (0..self.size(level)).map(move |number| {
                let (mut rest, mut router) = (number, self.moved(0, level, 1, 0));
                for n in 1..self.levels {
                    let values = self.values(level, n);
                    let digit = rest.checked_rem(values).unwrap_or(0);
                    router = self.moved(router, level, n, digit as u8);
                    rest = rest.checked_div(values).unwrap_or(0);
                }
                router
            })
        })
    }

    fn ports(&self) -> usize {
        self.radix().into()
    }

    fn router_class(&self, router: u32) -> RouterClass {
        RouterClass(self.level(router))
    }

    fn port_class(&self, RouterClass(level): RouterClass, port: PortId) -> PortClass {
        PortClass::new(if port.number() < self.down_ports(level) { level } else { level.wrapping_add(1) })
    }

    fn peer(&self, router: u32, port: PortId) -> Option<Peer> {
        let (level, number) = (self.level(router), port.number());
        let down = self.down_ports(level);
        let (next, changed, digit) = match number.checked_sub(down) {
            None if level == 0 => return Some(Peer::Node),
            None => (level.wrapping_sub(1), level, number),
            Some(up) => (level.wrapping_add(1), level.wrapping_add(1), up),
        };
        if number >= self.radix() {
            return None;
        }
        // The other end is behind the digit that this router has there.
        let own = self.digit(router, changed);
        let port = if next < level { self.half.wrapping_add(own) } else { own };
        Some(Peer::Router { router: self.moved(router, next, changed, digit), port: PortId::new(port) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trees() -> Vec<Tree> {
        [(4, 2), (6, 2), (12, 2), (4, 3), (6, 3), (4, 4)].map(|(r, n)| Tree::new(r, n).unwrap()).to_vec()
    }

    #[test]
    fn sizes_are_those_of_the_closed_forms() {
        for tree in trees() {
            let (k, n) = (u32::from(tree.half), u32::from(tree.levels));
            let routers: Vec<u32> = tree.routers().collect();
            assert_eq!(routers.len() as u32, (2 * n - 1) * k.pow(n - 1), "{tree:?}");
            let nodes = routers.iter().flat_map(|&r| (0..tree.ports()).map(move |port| (r, port)));
            let nodes = nodes.filter(|&(r, port)| tree.peer(r, PortId::new(port as u8)) == Some(Peer::Node));
            assert_eq!(nodes.count() as u32, 2 * k.pow(n), "{tree:?}");
            let mut different = routers.clone();
            different.sort_unstable();
            different.dedup();
            assert_eq!(different.len(), routers.len(), "{tree:?}: addresses");
        }
    }

    #[test]
    fn the_peer_of_a_peer_is_the_port_itself_and_of_the_same_class() {
        for tree in trees() {
            let routers: Vec<u32> = tree.routers().collect();
            for (&router, port) in routers.iter().flat_map(|r| (0..tree.ports()).map(move |port| (r, port))) {
                let port = PortId::new(port as u8);
                let class = |router, port| tree.port_class(tree.router_class(router), port);
                match tree.peer(router, port) {
                    None => panic!("{tree:?}: every port of a fat tree is connected"),
                    Some(Peer::Node) => assert_eq!(class(router, port), PortClass::NODE),
                    Some(Peer::Router { router: there, port: far }) => {
                        assert!(routers.contains(&there), "{tree:?}");
                        assert_eq!(tree.peer(there, far), Some(Peer::Router { router, port }), "{tree:?}");
                        assert_eq!(class(router, port), class(there, far));
                        assert_eq!(tree.level(router).abs_diff(tree.level(there)), 1);
                    }
                }
            }
            assert_eq!(tree.peer(0, PortId::new(tree.radix())), None);
        }
    }

    #[test]
    fn an_address_has_a_node_or_not_by_all_of_its_bits() {
        let tree = Tree::new(4, 2).unwrap();
        let nodes = (0..1 << 18).flat_map(|router| (0..4).map(move |port| Address { router, port }));
        let found: Vec<_> = nodes.filter(|&node| tree.has(node)).collect();
        let expected = (0..4).flat_map(|router| (0..2).map(move |port| Address { router, port }));
        assert_eq!(found, expected.collect::<Vec<_>>());
    }

    #[test]
    fn sizes_out_of_range_are_refused() {
        assert_eq!(Tree::new(5, 2), Err(TreeError::Radix));
        assert_eq!(Tree::new(2, 2), Err(TreeError::Radix));
        assert_eq!(Tree::new(8, 1), Err(TreeError::Levels));
        assert_eq!(Tree::new(8, 5), Err(TreeError::Levels));
        assert_eq!(Tree::new(64, 4), Err(TreeError::Size));
    }
}
