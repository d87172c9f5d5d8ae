//! What a router costs, and each of its parts.

use super::clock::{Clock, Stretch};
use super::measured::Measured;
use super::part::Part;
use super::unit::Unit;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// What a router costs: its parts, and the whole.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Cost {
    /// Each part, in the order in which a packet meets their units.
    pub lines: Vec<Line>,
    /// Cells on the longest path through the whole router, memories apart; `None` where it was not asked for.
    pub depth: Option<u64>,
    /// The slowest path through the whole router, where a library was given and the whole was asked for.
    pub clock: Option<Clock>,
    /// Area of a NAND gate of two inputs in µm², where a library was given that has one.
    pub gate: Option<f64>,
    /// Delay of an inverter that drives four of its kind in ps, where a library was given that has one.
    pub fo4: Option<f64>,
    /// The folder of the whole router's script and log.
    pub folder: Option<PathBuf>,
}

/// One part and what it costs.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// Which.
    pub part: Part,
    /// Told from others like it.
    pub name: String,
    /// One instance, by itself.
    pub each: Measured,
    /// Cells of all instances that are in use in the router, by type; `None` where that was not looked for.
    pub live: Option<BTreeMap<String, u64>>,
    /// Area of those in µm², where a library was given.
    pub live_area: Option<f64>,
    /// The folder of its script and its log.
    pub folder: PathBuf,
    /// The folder of its place and route, where it was placed.
    pub placed: Option<PathBuf>,
}

impl Cost {
    /// A number summed over all parts.
    #[must_use]
    pub fn sum(&self, of: impl Fn(&Measured) -> u64) -> u64 {
        self.lines.iter().map(|line| of(&line.total())).sum()
    }

    /// A number summed over the parts of one unit.
    #[must_use]
    pub fn sum_of(&self, unit: Unit, of: impl Fn(&Measured) -> u64) -> u64 {
        self.lines.iter().filter(|line| line.part.unit == unit).map(|line| of(&line.total())).sum()
    }

    /// Takes what another target's synthesis of the same router found unused for unused here, too.
    pub fn leave_out_unused(&mut self, other: &Self) {
        for line in &mut self.lines {
            let is_same = |known: &&Line| known.part == line.part;
            let is_unused = other.lines.iter().find(is_same).is_some_and(Line::is_unused);
            if is_unused && line.live.is_none() {
                line.live = Some(BTreeMap::new());
            }
        }
    }

    /// Area in µm² without memories, where a library was given.
    #[must_use]
    pub fn area(&self) -> Option<f64> {
        self.lines.iter().filter(|line| !line.is_unused()).map(Line::area).sum()
    }

    /// Area without memories, in areas of the library's smallest NAND gate of two inputs.
    #[must_use]
    pub fn gate_equivalents(&self) -> Option<f64> {
        Some(self.area()? / self.gate?)
    }

    /// The fastest clock in MHz, if wires cost nothing.
    #[must_use]
    pub fn megahertz(&self) -> Option<f64> {
        let period = self.clock.as_ref()?.period;
        (period > 0.0).then(|| 1e6 / period)
    }

    /// Its period in delays of the library's inverter that drives four.
    #[must_use]
    pub fn fo4s(&self) -> Option<f64> {
        Some(self.clock.as_ref()?.period / self.fo4?)
    }

    /// Where the slowest path goes: units, each with its cells and their ps.
    #[must_use]
    pub fn slowest_path(&self) -> Vec<(&Line, &Stretch)> {
        let stretches = self.clock.iter().flat_map(|clock| &clock.path);
        stretches.filter_map(|stretch| Some((self.lines.get(stretch.part)?, stretch))).collect()
    }
}

impl Line {
    /// Cells and memories of all instances: those in use, where that was looked for.
    #[must_use]
    pub fn total(&self) -> Measured {
        let number = self.part.count;
        let all = || self.each.cells.iter().map(|(cell, count)| (cell.clone(), number * count)).collect();
        let memories = self.each.memories.iter().flat_map(|memory| (0..number).map(|_| memory.clone()));
        Measured {
            cells: self.live.clone().unwrap_or_else(all),
            memories: memories.collect(),
            ..Measured::default()
        }
    }

    /// Area of all instances in µm²: of what is in use, where that was looked for.
    #[must_use]
    pub fn area(&self) -> Option<f64> {
        self.live_area.or_else(|| Some(self.part.count as f64 * self.each.area?))
    }

    /// Whether nothing in the router depends on it.
    #[must_use]
    pub fn is_unused(&self) -> bool {
        self.live.as_ref().is_some_and(BTreeMap::is_empty)
    }
}
