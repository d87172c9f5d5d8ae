//! Torus: a grid whose edges are joined.

use router_core::map::MapKind;
use router_core::map::grid::{Grid as GridMap, GridError};

use super::grid::Grid;

/// A grid whose edges are joined; a ring of two routers has two links.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Torus(pub Grid);

impl Torus {
    /// Its map.
    ///
    /// # Errors
    /// When the numbers make no grid.
    pub fn map(&self) -> Result<GridMap, GridError> {
        self.0.map(true)
    }
}

super::grid::layout!(Torus, "torus", MapKind::Torus);
