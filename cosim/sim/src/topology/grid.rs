//! What meshes and tori have in common: routers on a grid of any dimensions.
//!
//! The first coordinate counts fastest. Ports: the nodes, then for each dimension the port up and the port down.

use router_core::map::grid::{Grid as GridMap, GridError};

use super::layout::Defaults;
use super::{Known, MOST_PORTS, TopologyError, Wiring};
use crate::document::write::list;
use crate::document::{Lines, Problem, Section};

/// Routers along each dimension, and nodes at each router.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grid {
    /// Routers along each dimension, 2… each, 1 to 8 dimensions.
    pub dims: Vec<u32>,
    /// Nodes at each router.
    pub nodes_per_router: u8,
}

pub(super) const KEYS: &[&str] = &["dims", "nodes_per_router"];

/// No port is of the last class: files and tables have had it since these classes had the names of a Dragonfly's.
pub(super) const CLASSES: &[&str] = &["node", "local", "global"];

pub(super) const DEFAULTS: Defaults = Defaults { buffer_flits: &[32, 32, 256], latency: &[1, 1, 1] };

impl Grid {
    pub(super) fn read(section: &Section<'_>) -> Result<Self, Problem> {
        let expected = "a list of 1 to 8 dimensions such as [8, 8]";
        let field = section.need("dims", expected)?;
        let fields = field.list(expected)?;
        if fields.len() > 8 {
            return Err(
                field.refuse(format!("`topology.dims` lists {} dimensions, expected 1 to 8", fields.len()))
            );
        }
        let dims: Vec<u32> =
            fields.iter().map(|field| field.whole(2..=1 << MOST_BITS)).collect::<Result<_, _>>()?;
        let bits: u32 = dims.iter().map(|k| k.next_power_of_two().trailing_zeros()).sum();
        if bits > MOST_BITS {
            return Err(field.refuse(format!(
                "the network is too large: its routers' coordinates need {bits} bits, at most {MOST_BITS} are possible"
            )));
        }
        let nodes_per_router = section.whole("nodes_per_router", 1..=62, 1)?;
        let ports = u32::from(nodes_per_router) + 2 * u32::try_from(dims.len()).unwrap_or(u32::MAX / 4);
        if ports > MOST_PORTS {
            let blamed = section.get("nodes_per_router").unwrap_or(field);
            return Err(blamed.refuse(format!(
                "a router would need {ports} ports ({nodes_per_router} to nodes, two per dimension), at most {MOST_PORTS} are possible"
            )));
        }
        Ok(Self { dims, nodes_per_router })
    }

    pub(super) fn write(&self) -> Lines {
        vec![("dims", list(&self.dims)), ("nodes_per_router", self.nodes_per_router.to_string())]
    }

    pub(super) fn nodes(&self) -> u32 {
        u32::from(self.nodes_per_router) * self.dims.iter().product::<u32>()
    }

    /// Its map, as a torus if it `wraps`.
    pub(super) fn map(&self, wraps: bool) -> Result<GridMap, GridError> {
        GridMap::new(&self.dims, self.nodes_per_router, wraps)
    }

    /// Wires its map.
    pub(super) fn wire(&self, map: &GridMap) -> Result<Wiring, TopologyError> {
        let known = Known {
            bisection: self.bisection(map.wraps()),
            representatives: map.wraps().then_some(1),
            ..Known::default()
        };
        Wiring::collect(map, CLASSES, known)
    }

    /// Links cut by halving the longest dimension, where that is the least possible.
    ///
    /// Dimension-order routes of all pairs load a link of dimension `k` with at most `N k / 4` pairs (half of it on a torus). `N² / 4`
    /// pairs lie across two halves, so that no cut is smaller when the longest `k` is even.
    pub(super) fn bisection(&self, wraps: bool) -> Option<u64> {
        let longest = u64::from(self.dims.iter().copied().max().filter(|k| k % 2 == 0)?);
        let routers: u64 = self.dims.iter().map(|&k| u64::from(k)).product();
        Some(routers / longest * if wraps { 2 } else { 1 })
    }
}

/// Of the number of a router: 262144 routers.
const MOST_BITS: u32 = 18;

/// A kind of grid as a topology: the type around a [`Grid`], its word, and the kind of its map, which it has a function for.
macro_rules! layout {
    ($name:ident, $word:literal, $map:expr) => {
        impl crate::topology::layout::Layout for $name {
            const WORD: &'static str = $word;
            const KEYS: &'static [&'static str] = crate::topology::grid::KEYS;
            const ROUTING: &'static str = "dimension-order";
            const MAP: router_core::map::MapKind = $map;

            fn read(
                section: &crate::document::Section<'_>,
                _folder: &std::path::Path,
            ) -> Result<Self, crate::document::Problem> {
                crate::topology::grid::Grid::read(section).map(Self)
            }

            fn write(&self) -> crate::document::Lines {
                self.0.write()
            }

            fn classes(&self) -> &'static [&'static str] {
                crate::topology::grid::CLASSES
            }

            fn has(&self, class: router_core::units::PortClass) -> bool {
                class != router_core::units::PortClass::GLOBAL
            }

            fn defaults(&self) -> crate::topology::layout::Defaults {
                crate::topology::grid::DEFAULTS
            }

            fn nodes(&self) -> Option<u32> {
                Some(self.0.nodes())
            }

            fn dims(&self) -> Option<Vec<u32>> {
                Some(self.0.dims.clone())
            }

            fn map_of(&self) -> Result<Option<router_core::map::AnyMap<'_>>, crate::topology::TopologyError> {
                Ok(Some(router_core::map::AnyMap::Grid(self.map()?)))
            }

            fn wire(&self) -> Result<crate::topology::Wiring, crate::topology::TopologyError> {
                self.0.wire(&self.map()?)
            }
        }
    };
}
pub(super) use layout;
