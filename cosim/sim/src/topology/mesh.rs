//! Mesh: a grid that ends at its edges.

use std::path::Path;

use router_core::map::grid::{Grid as GridMap, GridError};
use router_core::map::{AnyMap, MapKind};
use router_core::units::PortClass;

use super::grid::{CLASSES, DEFAULTS, Grid, KEYS};
use super::layout::{Defaults, Layout};
use super::{TopologyError, Wiring};
use crate::document::{Lines, Problem, Section};

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

impl Layout for Mesh {
    const WORD: &'static str = "mesh";
    const KEYS: &'static [&'static str] = KEYS;
    const ROUTING: &'static str = "dimension-order";
    const MAP: MapKind = MapKind::Mesh;

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

    fn wire(&self) -> Result<Wiring, TopologyError> {
        self.0.wire(false)
    }
}
