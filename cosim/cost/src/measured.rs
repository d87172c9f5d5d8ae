//! What one synthesis measured.

use super::cell::{is_flip_flop, is_lut, transistors};
use super::error::{CostError, at};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// What the synthesis of one part measured.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// Cells by type, flip-flops included, memories not.
    pub cells: BTreeMap<String, u64>,
    /// Memories, which are not made of cells.
    pub memories: Vec<Memory>,
    /// Cells on the longest path between registers, memories and ports; 0 where the target has no such number.
    pub depth: u64,
    /// Area without memories in µm², of a library.
    pub area: Option<f64>,
    /// Longest combinational delay in ps, of a library: no wires, no flip-flops' own times.
    pub delay: Option<f64>,
    /// Clock frequency in MHz between registers at all inputs and outputs, from place and route.
    pub frequency: Option<f64>,
}

/// A memory that is written and read by address.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Memory {
    /// Bits of a word.
    pub width: u64,
    /// Words.
    pub places: u64,
    /// Words read at once.
    pub read_ports: u64,
}

impl Memory {
    /// Bits of the memory.
    #[must_use]
    pub const fn bits(&self) -> u64 {
        self.width * self.places
    }
}

impl Measured {
    /// All cells.
    #[must_use]
    pub fn cell_count(&self) -> u64 {
        self.cells.values().sum()
    }

    /// Flip-flops among the cells.
    #[must_use]
    pub fn flip_flops(&self) -> u64 {
        self.count(is_flip_flop)
    }

    /// Lookup tables among the cells.
    #[must_use]
    pub fn luts(&self) -> u64 {
        self.count(is_lut)
    }

    /// An estimate of the transistors of all cells.
    #[must_use]
    pub fn transistors(&self) -> u64 {
        self.cells.iter().map(|(cell, count)| transistors(cell) * count).sum()
    }

    /// An estimate of the transistors without flip-flops: what `stat -tech cmos` says of a netlist whose flip-flops have resets or enables.
    #[must_use]
    pub fn gate_transistors(&self) -> u64 {
        let gates = self.cells.iter().filter(|(cell, _)| !is_flip_flop(cell));
        gates.map(|(cell, count)| transistors(cell) * count).sum()
    }

    /// Bits of all memories.
    #[must_use]
    pub fn memory_bits(&self) -> u64 {
        self.memories.iter().map(Memory::bits).sum()
    }

    fn count(&self, is: fn(&str) -> bool) -> u64 {
        self.cells.iter().filter(|(cell, _)| is(cell)).map(|(_, count)| count).sum()
    }

    /// What the files in the folder of a finished synthesis say.
    pub(super) fn read(folder: &Path, job: &str) -> Result<Self, CostError> {
        let text = |name: &str| fs::read_to_string(folder.join(name)).map_err(at(&folder.join(name)));
        let optional = |name: &str| fs::read_to_string(folder.join(name)).unwrap_or_default();
        let log = text("yosys.log")?;
        Ok(Self {
            cells: cells(&text("cells.json")?, job)?,
            memories: memories(&optional("memories.txt")),
            depth: depth(&optional("depth.txt")),
            area: number_after(&log, "Chip area for module '\\unit':"),
            delay: number_after(&log, "Delay =").filter(|_| !optional("area.txt").is_empty()),
            frequency: None,
        })
    }
}

/// Cells by type, of a selection in which there may be none.
pub(super) fn live_cells(text: &str, job: &str) -> Result<BTreeMap<String, u64>, CostError> {
    if text.contains("num_cells_by_type") { cells(text, job) } else { Ok(BTreeMap::new()) }
}

/// Cells by type, as `stat -json` writes them. Of the file, which Yosys 0.23 ends with a comma too many where a module is left
/// out, only the object that matters is read.
fn cells(text: &str, job: &str) -> Result<BTreeMap<String, u64>, CostError> {
    let unreadable = |reason: String| CostError::Unreadable { program: "yosys", job: job.to_owned(), reason };
    let object =
        text.split_once("\"num_cells_by_type\":").and_then(|(_, rest)| rest.split_inclusive('}').next());
    let object = object.ok_or_else(|| unreadable("no cells by type".to_owned()))?;
    serde_json::from_str(object).map_err(|error| unreadable(error.to_string()))
}

/// Memories, as `dump` writes them.
fn memories(text: &str) -> Vec<Memory> {
    let mut found = Vec::new();
    for line in text.lines().map(str::trim) {
        if line.starts_with("cell $mem") {
            found.push(Memory { width: 0, places: 0, read_ports: 0 });
        }
        let Some(memory) = found.last_mut() else { continue };
        let value = |name: &str| -> Option<u64> {
            line.strip_prefix("parameter ")?.strip_prefix(name)?.strip_prefix(' ')?.trim().parse().ok()
        };
        memory.width = value("\\WIDTH").unwrap_or(memory.width);
        memory.places = value("\\SIZE").unwrap_or(memory.places);
        memory.read_ports = value("\\RD_PORTS").unwrap_or(memory.read_ports);
    }
    found
}

/// The length that `ltp` found; a netlist without cells between its ports has none.
pub(super) fn depth(text: &str) -> u64 {
    let (_, rest) = text.split_once("(length=").unwrap_or_default();
    rest.split(')').next().and_then(|number| number.parse().ok()).unwrap_or(0)
}

/// The last number that follows `words`.
fn number_after(text: &str, words: &str) -> Option<f64> {
    let (_, rest) = text.rsplit_once(words)?;
    rest.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memories_are_read_from_a_dump() {
        let text = "  cell $mem_v2 \\buffer\n    parameter \\RD_PORTS 2\n    parameter \\SIZE 256\n    \
                    parameter \\WIDTH 96\n  end\n";
        assert_eq!(memories(text), [Memory { width: 96, places: 256, read_ports: 2 }]);
        assert!(memories("").is_empty());
    }

    #[test]
    fn cells_are_read_though_the_file_ends_with_a_comma_too_many() {
        let text = "{ \"modules\": { \"\\\\unit\": { \"num_cells_by_type\": {\n \"$_AND_\": 2,\n \"$_DFF_P_\": 1\n } },\n\n}";
        let found = Measured { cells: cells(text, "").unwrap(), ..Measured::default() };
        assert_eq!((found.cell_count(), found.flip_flops(), found.transistors()), (3, 1, 2 * 6 + 16));
        assert!(cells("{}", "").is_err());
    }

    #[test]
    fn a_netlist_of_wires_has_no_depth() {
        assert_eq!(depth("Longest topological path in unit (length=66):\n"), 66);
        assert_eq!(depth("Longest topological path in unit (length=-1):\n"), 0);
    }
}
