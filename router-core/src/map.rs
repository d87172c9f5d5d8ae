//! Maps: where a router is in its network, and which port leads where.
//!
//! A map is pure arithmetic on addresses. It knows no queue, and no packet but its destination.

pub mod dragonfly;
pub mod grid;

use crate::route::table::Table;
use dragonfly::Dragonfly;
use grid::Grid;

/// The kinds of maps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum MapKind {
    /// Groups of fully connected routers, fully connected among each other.
    Dragonfly,
    /// A grid of any dimensions.
    Mesh,
    /// A grid whose edges are joined.
    Torus,
    /// Any graph: a table of the ports on shortest routes.
    Graph,
}

/// A map: the same for every router of a network. It fixes what the routers' addresses are.
#[derive(Clone, Copy, Debug)]
pub enum Map<'m> {
    /// Of a Dragonfly.
    Dragonfly(Dragonfly<'m>),
    /// Of a mesh or torus.
    Grid(Grid),
    /// Of any graph.
    Graph(Table<'m>),
}

impl Map<'_> {
    /// Its kind.
    pub const fn kind(&self) -> MapKind {
        match self {
            Self::Dragonfly(_) => MapKind::Dragonfly,
            Self::Grid(grid) if grid.wraps => MapKind::Torus,
            Self::Grid(_) => MapKind::Mesh,
            Self::Graph(_) => MapKind::Graph,
        }
    }
}
