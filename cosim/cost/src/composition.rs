//! A script that runs on the netlists of all parts of a router.

use super::error::{CostError, at};
use super::job::{Observer, Workshop, key};
use super::line::Line;
use super::memory_cells;
use super::tool::Tool;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use verilated::store::Kept;

/// A script to be run on the netlists of all parts.
pub(super) struct Composition<'c> {
    /// Of the folder in the cache.
    pub(super) stem: &'c str,
    pub(super) script: &'c str,
    /// The text of the library whose cells they are made of.
    pub(super) library: Option<&'c str>,
    /// What else the results depend on.
    pub(super) depends: &'c [&'c str],
    /// Whether the memories are in it; without them their pins are open ends.
    pub(super) with_memories: bool,
}

/// Runs it, unless that has been done.
pub(super) fn compose(
    task: &Composition<'_>,
    lines: &[Line],
    workshop: &Workshop,
    observer: &dyn Observer,
    done: impl FnOnce(&Path) -> Result<(), CostError>,
) -> Result<Kept, CostError> {
    let folders: Vec<String> = lines.iter().map(|line| line.folder.display().to_string()).collect();
    let names: Vec<String> = lines.iter().map(|line| line.part.stands_for.join(" ")).collect();
    let pieces = [task.script, workshop.tools.version(Tool::YOSYS)].into_iter();
    let pieces = pieces.chain(task.depends.iter().copied()).chain(task.library);
    let pieces = pieces.chain(folders.iter().map(String::as_str)).chain(names.iter().map(String::as_str));
    let name = format!("{}-{}", task.stem, key(pieces));
    workshop.observed(&name, "the router that the parts make", observer, |folder| {
        write_parts(lines, task.with_memories, &folder.join("parts.il"))?;
        if let Some(library) = task.library {
            fs::write(folder.join("library.lib"), library).map_err(at(folder))?;
        }
        workshop.yosys(folder, task.script, "the whole router")?;
        fs::remove_file(folder.join("parts.il")).map_err(at(folder))?;
        done(folder)
    })
}

/// Writes the modules of all parts, under the names by which others know them, into one file.
fn write_parts(lines: &[Line], with_memories: bool, to: &Path) -> Result<(), CostError> {
    // Names that Yosys makes from here on begin beyond all that are in the netlists.
    let mut text = "autoidx 1000000000\n".to_owned();
    for (n, line) in lines.iter().enumerate() {
        let netlist = line.folder.join("netlist.il");
        let body = fs::read_to_string(&netlist).map_err(at(&netlist))?;
        let begins = body.find("attribute").map_or(0, |at| at);
        let body = body.get(begins..).unwrap_or_default();
        // Cells remember which part they come from: Yosys' own, and those of a library.
        let mark = format!("\n  attribute \\part \"{n}\"\n  cell ");
        let mut body =
            body.replace("\n  cell $_", &format!("{mark}$_")).replace("\n  cell \\", &format!("{mark}\\"));
        if with_memories {
            let path = line.folder.join("memories.txt");
            memory_cells::put_back(&mut body, &fs::read_to_string(&path).map_err(at(&path))?);
        }
        for key in &line.part.stands_for {
            // An elaborated name begins with a dollar sign, one from the source with a backslash.
            let name = if key.starts_with('$') { key.clone() } else { format!("\\{key}") };
            let renamed = body.replace("module \\unit\n", &format!("module {name}\n"));
            let _ = writeln!(text, "{}", renamed.replace("attribute \\top 1\n", ""));
        }
    }
    fs::write(to, text).map_err(at(to))
}
