//! Mesh: a grid that ends at its edges.

use router_core::map::MapKind;
use router_core::map::grid::{Grid as GridMap, GridError};

use super::grid::Grid;

/// A grid that ends at its edges.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mesh(pub Grid);

impl Mesh {
    /// Its map.
    ///
    /// # Errors
    /// When the numbers make no grid.
    pub fn map(&self) -> Result<GridMap, GridError> {
        self.0.map(false)
    }
}

super::grid::layout!(Mesh, "mesh", MapKind::Mesh);
