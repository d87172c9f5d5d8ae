//! The whole router, made of the netlists of its parts: its longest path, and what of the parts is in use.
//!
//! A part alone is synthesised as if all of its outputs were in use. In a router some are not: without a control plane the
//! error counters are not read, without a contention trigger the contention counters are not.

use super::clock::{self, Clock};
use super::error::{CostError, at};
use super::job::{Observer, Workshop, kept, key};
use super::library::Library;
use super::line::{Cost, Line};
use super::measured::{depth, live_cells};
use super::netlist::Netlist;
use super::script;
use super::tool::Tool;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
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
    let task = Composition { stem: "router-whole", script: &script, library: None };
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
    let task = Composition { stem: "router-mapped", script: &script, library: Some(text) };
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

/// A script to be run on the netlists of all parts.
struct Composition<'c> {
    /// Of the folder in the cache.
    stem: &'c str,
    script: &'c str,
    /// The text of the library whose cells they are made of.
    library: Option<&'c str>,
}

/// Runs it, unless that has been done.
fn compose(
    task: &Composition<'_>,
    lines: &[Line],
    workshop: &Workshop,
    observer: &dyn Observer,
    done: impl FnOnce(&Path) -> Result<(), CostError>,
) -> Result<Kept, CostError> {
    let folders: Vec<String> = lines.iter().map(|line| line.folder.display().to_string()).collect();
    let names: Vec<String> = lines.iter().map(|line| line.part.stands_for.join(" ")).collect();
    let pieces = [task.script, workshop.tools.version(Tool::YOSYS)].into_iter();
    let pieces = pieces.chain(task.library.into_iter().flat_map(|text| [CLOCK_FORMAT, text]));
    let pieces = pieces.chain(folders.iter().map(String::as_str)).chain(names.iter().map(String::as_str));
    let name = format!("{}-{}", task.stem, key(pieces));
    workshop.observed(&name, "the router that the parts make", observer, |folder| {
        write_parts(lines, &folder.join("parts.il"))?;
        if let Some(library) = task.library {
            fs::write(folder.join("library.lib"), library).map_err(at(folder))?;
        }
        workshop.yosys(folder, task.script, "the whole router")?;
        fs::remove_file(folder.join("parts.il")).map_err(at(folder))?;
        done(folder)
    })
}

fn read_live(cost: &mut Cost, entry: &Kept) -> Result<(), CostError> {
    for (n, line) in cost.lines.iter_mut().enumerate() {
        let path = entry.folder.join(format!("live-{n}.json"));
        line.live = Some(live_cells(&fs::read_to_string(&path).map_err(at(&path))?, &line.name)?);
    }
    Ok(())
}

/// Writes the modules of all parts, under the names by which others know them, into one file.
fn write_parts(lines: &[Line], to: &Path) -> Result<(), CostError> {
    // Names that Yosys makes from here on begin beyond all that are in the netlists.
    let mut text = "autoidx 1000000000\n".to_owned();
    for (n, line) in lines.iter().enumerate() {
        let netlist = line.folder.join("netlist.il");
        let body = fs::read_to_string(&netlist).map_err(at(&netlist))?;
        let begins = body.find("attribute").map_or(0, |at| at);
        let body = body.get(begins..).unwrap_or_default();
        // Cells remember which part they come from: Yosys' own, and those of a library.
        let mark = format!("\n  attribute \\part \"{n}\"\n  cell ");
        let body =
            body.replace("\n  cell $_", &format!("{mark}$_")).replace("\n  cell \\", &format!("{mark}\\"));
        for key in &line.part.stands_for {
            // An elaborated name begins with a dollar sign, one from the source with a backslash.
            let name = if key.starts_with('$') { key.clone() } else { format!("\\{key}") };
            let renamed = body.replace("module \\unit\n", &format!("module {name}\n"));
            let _ = writeln!(text, "{}", renamed.replace("attribute \\top 1\n", ""));
        }
    }
    fs::write(to, text).map_err(at(to))
}
