//! Whose a folder of results is: files of others are never replaced or removed.

use std::io;
use std::path::Path;

use desvio_sim::{bounded, engine};
use serde_json::{Value, json};

use super::store::{MARK, Sync, replace};
use super::{PICTURES, ReportError, TEXTS};

/// Files of campaigns, surveys, costs and checks of RTL, which `TEXTS` and `PICTURES` do not have.
const MORE: [&str; 22] = [
    "points.csv",
    "points.parquet",
    "study.csv",
    "study.md",
    "survey.csv",
    "cost.csv",
    "cost.json",
    "cost.md",
    "model.md",
    "modules.md",
    "placed.md",
    "units.csv",
    "coverage.csv",
    "coverage.dat",
    "never-reached.txt",
    "mismatch.vcd",
    "rtl.vcd",
    "stimulus.toml",
    "soak.toml",
    "local.sh",
    "slurm.sh",
    "hyperqueue.sh",
];

/// Their pictures.
const MORE_PICTURES: [&str; 5] = ["survey", "area", "ports", "vcs", "buffers"];

/// No mark is larger: it holds the scenarios of some hundred curves.
const LARGEST: u64 = 1 << 28;

/// Refuses a folder of somebody else that has files which results would replace or remove; any other becomes one of ours.
///
/// # Errors
/// When it is somebody else's, or the mark cannot be written.
pub fn claim(folder: &Path) -> Result<(), ReportError> {
    let mark = folder.join(MARK);
    if is_marked(folder) {
        return Ok(());
    }
    let failed = |source| ReportError::Write { path: folder.to_owned(), source };
    let entries = folder.read_dir().map_err(failed)?;
    let names = entries.map(|entry| entry.map(|entry| entry.file_name())).collect::<io::Result<Vec<_>>>();
    let mut names = names.map_err(failed)?;
    names.sort();
    if let Some(name) = names.iter().find(|name| name.to_str().is_some_and(is_result)) {
        return Err(ReportError::Foreign { path: folder.to_owned(), file: name.into() });
    }
    replace(&mark, text().as_bytes(), Sync::Later)
}

/// Whether this program has marked a folder.
#[must_use]
pub fn is_marked(folder: &Path) -> bool {
    let text = bounded::read_text(&folder.join(MARK), LARGEST);
    let mark = text.ok().and_then(|text| serde_json::from_str::<Value>(&text).ok());
    mark.is_some_and(|mark| mark["program"] == "desvio")
}

/// Whether a folder holds the mark of [`claim`] and nothing else.
pub(super) fn is_empty_but_for_the_mark(folder: &Path) -> bool {
    let only_it = folder
        .read_dir()
        .is_ok_and(|mut entries| entries.all(|entry| entry.is_ok_and(|entry| entry.file_name() == MARK)));
    only_it && bounded::read(&folder.join(MARK), LARGEST).is_ok_and(|bytes| bytes == text().as_bytes())
}

/// Whether some command writes results into a file of this name.
fn is_result(name: &str) -> bool {
    let picture = name.strip_suffix(".svg").or(name.strip_suffix(".png"));
    let is_picture = |stem: &str| PICTURES.contains(&stem) || MORE_PICTURES.contains(&stem);
    let is_model = name.starts_with("model-") && name.ends_with(".md");
    TEXTS.contains(&name) || MORE.contains(&name) || is_model || picture.is_some_and(is_picture)
}

/// The mark of a folder whose results have no provenance of their own.
fn text() -> String {
    let mark = json!({ "program": "desvio", "version": env!("CARGO_PKG_VERSION"), "engine": engine::name() });
    format!("{mark:#}\n")
}
