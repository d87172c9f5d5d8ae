//! Multi-layer full mesh: complete graphs over each other, whose links for the same two corners go by one router.

use std::path::Path;

use super::layout::Layout;
use super::levels::{Levels, in_levels};
use crate::document::{Lines, Problem, Section};

/// A multi-layer full mesh (Kathareios et al., SC 2015). It has `h` layers of `h + 1` leaves with `h` nodes each. A spine for each two
/// corners of a layer is joined with both of them in all layers. Every router has `2 h` ports.
///
/// Leaf `(layer, corner)` has the number `(h + 1) layer + corner`. Two leaves have one spine in common, but `h` of them where they are the
/// same corner of two layers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MultiLayerFullMesh {
    /// Layers, and nodes of each leaf, 2…32.
    pub h: u8,
}

impl MultiLayerFullMesh {
    fn shape(&self) -> Option<Levels> {
        let h = u32::from(self.h);
        let routers = vec![h * (h + 1), h * (h + 1) / 2];
        (2..=MOST).contains(&self.h).then_some(Levels { nodes: self.h, routers })
    }

    fn edges(&self, _shape: &Levels) -> Vec<(u32, u32)> {
        let h = u32::from(self.h);
        let corners = h + 1;
        let pairs = (0..corners).flat_map(|a| (a + 1..corners).map(move |b| [a, b]));
        let spines = (h * corners..).zip(pairs);
        let leaves =
            |pair: [u32; 2]| (0..h).flat_map(move |layer| pair.map(|corner| layer * corners + corner));
        spines.flat_map(|(spine, pair)| leaves(pair).map(move |leaf| (leaf, spine))).collect()
    }
}

impl Layout for MultiLayerFullMesh {
    const WORD: &'static str = "multi-layer-full-mesh";
    const KEYS: &'static [&'static str] = &["h"];
    const ROUTING: &'static str = "up-down";

    fn read(section: &Section<'_>, _folder: &Path) -> Result<Self, Problem> {
        let h = section.need("h", "the number of layers")?.whole(2..=MOST)?;
        Ok(Self { h })
    }

    fn write(&self) -> Lines {
        vec![("h", self.h.to_string())]
    }

    in_levels!();
}

/// Routers have 64 ports then.
const MOST: u8 = 32;
