//! Fat tree: levels of routers of one radix, nodes at the lowest, as many links up from a level as down from it.

use std::path::Path;

use router_core::map::tree::{MAX_LEVELS, Tree, TreeError};
use router_core::map::{AnyMap, MapKind};

use super::layout::{Defaults, Layout};
use super::{Known, MOST_PORTS, TopologyError, Wiring};
use crate::document::{Lines, Problem, Section};

/// A fat tree of `2·kⁿ` nodes, with `k` half the radix and `n` levels.
///
/// Routers are numbered level by level from the leaves up, nodes leaf by leaf. Ports: those down, then those up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FatTree {
    /// Ports of every router: an even number, 4…64.
    pub radix: u8,
    /// Levels of routers, 2…4.
    pub levels: u8,
}

impl FatTree {
    /// Its map.
    ///
    /// # Errors
    /// When the numbers make no fat tree.
    pub fn map(&self) -> Result<Tree, TreeError> {
        Tree::new(self.radix, self.levels)
    }

    /// Links between two equal halves of the routers, where proven.
    ///
    /// With two levels, `x` of the `2k` leaves and `3k/2 − x` of the `k` spines on one side cut `2x² − 4kx + 3k²` links: at
    /// least `k²`, for `x = k`, which needs an even `k`.
    fn bisection(&self) -> Option<u64> {
        let k = u64::from(self.radix / 2);
        (self.levels == 2 && k.is_multiple_of(2)).then_some(k * k)
    }
}

impl Layout for FatTree {
    const WORD: &'static str = "fat-tree";
    const KEYS: &'static [&'static str] = &["radix", "levels"];
    const ROUTING: &'static str = "up-down";
    const MAP: MapKind = MapKind::Tree;

    fn read(section: &Section<'_>, _folder: &Path) -> Result<Self, Problem> {
        let expected = format!("an even number of ports from 4 to {MOST_PORTS}");
        let field = section.need("radix", &expected)?;
        let radix: u8 = field.whole(4..=MOST_PORTS as u8).map_err(|_| field.wrong(&expected))?;
        if !radix.is_multiple_of(2) {
            return Err(field.wrong(&expected));
        }
        let levels = section.whole("levels", 2..=MAX_LEVELS, 2)?;
        let tree = Self { radix, levels };
        tree.map().map_err(|error| field.refuse(error.to_string()))?;
        Ok(tree)
    }

    fn write(&self) -> Lines {
        vec![("radix", self.radix.to_string()), ("levels", self.levels.to_string())]
    }

    fn classes(&self) -> &'static [&'static str] {
        &["node", "level1", "level2", "level3"][..self.levels.into()]
    }

    fn defaults(&self) -> Defaults {
        Defaults { buffer_flits: &[32; 4], latency: &[1; 4] }
    }

    fn nodes(&self) -> Option<u32> {
        Some(2 * u32::from(self.radix / 2).pow(self.levels.into()))
    }

    fn levels(&self) -> Option<Vec<u32>> {
        let leaves = 2 * u32::from(self.radix / 2).pow(u32::from(self.levels) - 1);
        let mut routers = vec![leaves; self.levels.into()];
        *routers.last_mut()? = leaves / 2;
        Some(routers)
    }

    fn map_of(&self) -> Result<Option<AnyMap<'_>>, TopologyError> {
        Ok(Some(AnyMap::Tree(self.map()?)))
    }

    fn wire(&self) -> Result<Wiring, TopologyError> {
        let levels = self.levels().unwrap_or_default();
        let known = Known { bisection: self.bisection(), levels, ..Known::default() };
        Wiring::collect(&self.map()?, self.classes(), known)
    }
}
