//! The whole router, made of the netlists of its parts: its longest path, and what of the parts is in use.
//!
//! A part alone is synthesised as if all of its outputs were in use. In a router some are not: without a control plane the
//! error counters are not read, without a contention trigger the contention counters are not.

use super::clock::{self, Clock};
use super::composition::{Composition, compose};
use super::error::{CostError, at};
use super::job::{Observer, Workshop, kept};
use super::library::Library;
use super::line::Cost;
use super::measured::{depth, live_cells};
use super::netlist::Netlist;
use super::script;
use std::fs;
use verilated::store::Kept;

/// What is done with the netlists of a router's parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whole {
    /// Nothing: every part counts as if all it offers were asked for, and the router has no depth.
    Apart,
    /// They are put together: what nothing depends on goes, and the longest path is looked for.
    Together,
    /// Besides, equal cells with equal inputs become one, as in a synthesis of the whole: products of thresholds, above all, which
    /// every selection forms.
    Shared,
}

/// Of gates: the cells on the longest path, and the cells in use of each part.
pub(super) fn gates(
    cost: &mut Cost,
    whole: Whole,
    workshop: &Workshop,
    observer: &dyn Observer,
) -> Result<(), CostError> {
    let script = script::compose(cost.lines.len(), whole == Whole::Shared);
    let task = Composition {
        stem: "router-whole",
        script: &script,
        library: None,
        depends: &[],
        with_memories: false,
    };
    let entry = compose(&task, &cost.lines, workshop, observer, |_| Ok(()))?;
    read_live(cost, &entry)?;
    let path = entry.folder.join("depth.txt");
    cost.folder = Some(entry.folder.clone());
    cost.depth = Some(depth(&fs::read_to_string(&path).map_err(at(&path))?));
    Ok(())
}

/// Of a library's cells: the slowest path, and cells and area in use of each part.
pub(super) fn standard_cells(
    cost: &mut Cost,
    text: &str,
    library: &Library,
    workshop: &Workshop,
    observer: &dyn Observer,
) -> Result<(), CostError> {
    let script = script::compose_standard_cells(cost.lines.len());
    let task = Composition {
        stem: "router-mapped",
        script: &script,
        library: Some(text),
        depends: &[CLOCK_FORMAT],
        with_memories: false,
    };
    let entry = compose(&task, &cost.lines, workshop, observer, |folder| {
        let path = folder.join("router.blif");
        let netlist = fs::read_to_string(&path).map_err(at(&path))?;
        let clock = slowest(&netlist, library)?;
        fs::remove_file(&path).map_err(at(&path))?;
        let text = serde_json::to_string_pretty(&clock).unwrap_or_default();
        fs::write(folder.join("clock.json"), text).map_err(at(folder))
    })?;
    read_live(cost, &entry)?;
    for line in &mut cost.lines {
        let area = |(cell, &count): (&String, &u64)| Some(count as f64 * library.cells.get(cell)?.area);
        line.live_area = line.live.as_ref().and_then(|live| live.iter().map(area).sum());
    }
    cost.folder = Some(entry.folder.clone());
    cost.clock = Some(kept(&entry, "clock.json")?);
    Ok(())
}

fn slowest(netlist: &str, library: &Library) -> Result<Clock, CostError> {
    let unreadable = |reason: String| CostError::Unreadable {
        program: "yosys",
        job: "the whole router".to_owned(),
        reason,
    };
    let netlist = Netlist::read(netlist, library).map_err(unreadable)?;
    let found = clock::slowest(&netlist, library, Some(clock::FANOUT));
    found.ok_or_else(|| unreadable("cells drive themselves without a register between".to_owned()))
}

/// Changes when the walk along the paths finds something else in the same netlist.
const CLOCK_FORMAT: &str = "clock 1";

fn read_live(cost: &mut Cost, entry: &Kept) -> Result<(), CostError> {
    for (n, line) in cost.lines.iter_mut().enumerate() {
        let path = entry.folder.join(format!("live-{n}.json"));
        line.live = Some(live_cells(&fs::read_to_string(&path).map_err(at(&path))?, &line.name)?);
    }
    Ok(())
}
