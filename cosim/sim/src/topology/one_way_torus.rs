//! One-way torus: a torus whose links lead up alone, the unidirectional k-ary n-cube; a ring where it has one dimension.

use std::path::Path;

use router_core::map::grid::{Grid as GridMap, GridError};
use router_core::map::{AnyMap, MapKind};
use router_core::units::PortClass;

use super::grid::{CLASSES, DEFAULTS, Grid, KEYS};
use super::layout::{Defaults, Layout};
use super::{Known, TopologyError, Wiring};
use crate::document::{Lines, Problem, Section};

/// A torus whose links lead up alone: flits leave by the port up of each dimension and come by the port down, by which credits return.
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

impl Layout for OneWayTorus {
    const WORD: &'static str = "one-way-torus";
    const KEYS: &'static [&'static str] = KEYS;
    const ROUTING: &'static str = "dimension-order";
    const MAP: MapKind = MapKind::OneWayTorus;

    fn read(section: &Section<'_>, _folder: &Path) -> Result<Self, Problem> {
        Grid::read(section).map(Self)
    }

    fn write(&self) -> Lines {
        self.0.write()
    }

    fn classes(&self) -> &'static [&'static str] {
        CLASSES
    }

    fn has(&self, class: PortClass) -> bool {
        class != PortClass::GLOBAL
    }

    fn defaults(&self) -> Defaults {
        DEFAULTS
    }

    fn nodes(&self) -> Option<u32> {
        Some(self.0.nodes())
    }

    fn dims(&self) -> Option<Vec<u32>> {
        Some(self.0.dims.clone())
    }

    fn map_of(&self) -> Result<Option<AnyMap<'_>>, TopologyError> {
        Ok(Some(AnyMap::Grid(self.map()?)))
    }

    /// As many links are cut as in a torus; half of them lead each way.
    fn wire(&self) -> Result<Wiring, TopologyError> {
        let known = Known { bisection: self.0.bisection(true), representatives: Some(1), minimal_hops: None };
        Wiring::collect(&self.map()?, CLASSES, known)
    }
}
