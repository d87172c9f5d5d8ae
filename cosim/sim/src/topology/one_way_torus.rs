//! One-way torus: a torus whose links lead up alone, the unidirectional k-ary n-cube; a ring where it has one dimension.

use router_core::map::MapKind;
use router_core::map::grid::{Grid as GridMap, GridError};

use super::grid::Grid;

/// A torus whose links lead up alone: flits leave by the port up of each dimension and come by the port down, by which credits return.
///
/// As many links are cut by halving it as in a torus; half of them lead each way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OneWayTorus(pub Grid);

impl OneWayTorus {
    /// Its map.
    ///
    /// # Errors
    /// When the numbers make no grid.
    pub fn map(&self) -> Result<GridMap, GridError> {
        self.0.map(true).map(GridMap::one_way)
    }
}

super::grid::layout!(OneWayTorus, "one-way-torus", MapKind::OneWayTorus);
