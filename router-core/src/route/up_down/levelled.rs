//! The map of a network of levels: arithmetic in a fat tree, a table in others.

use crate::header::Address;
use crate::map::levels::Levels;
use crate::map::tree::{Tree, Way};
use crate::map::{AnyMap, Map, Peer};
use crate::units::{Bits, PortId, PortSet};

/// A map of levels.
#[derive(Clone, Copy, Debug)]
pub enum Levelled<'m, B: Bits = usize> {
    /// A fat tree.
    Tree(Tree),
    /// Any other.
    Table(Levels<'m, B>),
}

impl<'m, B: Bits> Levelled<'m, B> {
    /// A map of a network of levels; nothing of others.
    pub(super) const fn of(map: &AnyMap<'m, B>) -> Option<Self> {
        match *map {
            AnyMap::Tree(tree) => Some(Self::Tree(tree)),
            AnyMap::Levels(levels) => Some(Self::Table(levels)),
            _ => None,
        }
    }

    /// Whether an address names a node.
    #[inline]
    pub(super) fn has(&self, to: Address) -> bool {
        match self {
            Self::Tree(tree) => tree.has(to),
            Self::Table(levels) => levels.has(to),
        }
    }

    /// The ports on the shortest ways up, then down, to a leaf; none at the leaf itself.
    #[inline]
    pub(super) fn ways(&self, here: u32, leaf: u32) -> PortSet<B> {
        match self {
            Self::Tree(tree) => match tree.way(here, leaf) {
                Way::Here => PortSet::EMPTY,
                Way::Down(port) => PortSet::only(port),
                Way::Up(ports) => ports,
            },
            Self::Table(levels) => levels.ways(here, leaf),
        }
    }

    /// The router behind a port that leads to one.
    pub(super) fn peer(&self, router: u32, port: PortId) -> Option<u32> {
        match self {
            Self::Tree(tree) => match tree.peer(router, port)? {
                Peer::Node => None,
                Peer::Router { router, .. } => Some(router),
            },
            Self::Table(levels) => levels.peer(router, port),
        }
    }

    /// Whether a packet that came to a router by a port has gone down.
    #[inline]
    pub(super) fn comes_down(&self, router: u32, port: PortId) -> bool {
        match self {
            Self::Tree(tree) => tree.up_ports::<B>(router).contains(port),
            Self::Table(levels) => levels.comes_down(router, port),
        }
    }

    /// Whether a leaf is below a router, or is it.
    #[inline]
    pub(super) fn is_below(&self, leaf: u32, router: u32) -> bool {
        match self {
            Self::Tree(tree) => tree.is_below(leaf, router),
            Self::Table(levels) => levels.is_below(leaf, router),
        }
    }

    /// What the number of a node says of one of `choices` ports of a router: the number, divided by the ports up of a router of each level
    /// below, modulo the choices.
    #[inline]
    pub(super) fn digit(&self, router: u32, to: Address, choices: usize) -> usize {
        let digit = match self {
            Self::Tree(tree) => tree.digit_of(tree.level(router), to).into(),
            Self::Table(levels) => levels.digit_of(levels.level(router), to) as usize,
        };
        digit.checked_rem(choices).unwrap_or(0)
    }
}
