//! One call of Yosys: a script, what it reads, and the folder in which it leaves its results.

use super::error::{CostError, at};
use super::tool::{Tool, Toolbox};
use serde::de::DeserializeOwned;
use std::fs;
use std::path::Path;
use verilated::child;
use verilated::store::{Digest, Kept, Store};

/// Told what is being done.
pub trait Observer: Sync {
    /// Work that takes time begins.
    fn begins(&self, _name: &str) {}
    /// It is done; after how many seconds, and whether it was found done.
    fn ends(&self, _name: &str, _seconds: f64, _was_cached: bool) {}
}

impl Observer for () {}

/// A file that a job reads, and its text.
pub(super) type Input<'j> = (String, &'j str);

/// What is to be done with Yosys, unless it has been done.
pub(super) struct Job<'j> {
    /// Of the folder in the cache.
    pub(super) stem: &'j str,
    /// For people.
    pub(super) label: &'j str,
    pub(super) script: &'j str,
    pub(super) inputs: Vec<Input<'j>>,
    /// What else the results depend on.
    pub(super) depends: Vec<&'j str>,
}

/// The programs, and what they have done so far.
#[derive(Debug, Clone)]
pub(super) struct Workshop {
    pub(super) tools: Toolbox,
    pub(super) store: Store,
}

impl Workshop {
    /// Does a job; `done` makes the results out of what Yosys leaves.
    pub(super) fn run(
        &self,
        job: &Job<'_>,
        observer: &dyn Observer,
        done: impl FnOnce(&Path) -> Result<(), CostError>,
    ) -> Result<Kept, CostError> {
        let pieces = [self.tools.version(Tool::YOSYS), job.script].into_iter();
        let pieces =
            job.depends.iter().copied().chain(pieces).chain(job.inputs.iter().map(|(_, text)| *text));
        let name = format!("{}-{}", job.stem, key(pieces));
        self.observed(&name, job.label, observer, |folder| {
            for (name, text) in &job.inputs {
                let path = folder.join(name);
                fs::write(&path, text).map_err(at(&path))?;
            }
            self.yosys(folder, job.script, job.label)?;
            done(folder)
        })
    }

    /// Does any work, unless it has been done under this name.
    pub(super) fn observed(
        &self,
        name: &str,
        label: &str,
        observer: &dyn Observer,
        work: impl FnOnce(&Path) -> Result<(), CostError>,
    ) -> Result<Kept, CostError> {
        let begun = std::time::Instant::now();
        observer.begins(label);
        let entry = self.store.once(name, work);
        let was_cached = entry.as_ref().is_ok_and(|entry| entry.was_kept);
        observer.ends(label, begun.elapsed().as_secs_f64(), was_cached);
        entry
    }

    /// Runs Yosys in a folder; script and log stay there.
    pub(super) fn yosys(&self, folder: &Path, script: &str, label: &str) -> Result<(), CostError> {
        let path = folder.join("script.ys");
        fs::write(&path, script).map_err(at(&path))?;
        let mut command = self.tools.command(Tool::YOSYS);
        command.args(["-q", "-l", "yosys.log", "script.ys"]).current_dir(folder);
        let status = child::status(&mut command);
        if status.map_err(at(&path))?.success() {
            return Ok(());
        }
        let log = fs::read_to_string(folder.join("yosys.log")).unwrap_or_default();
        let said = log.lines().rev().find(|line| line.starts_with("ERROR")).or(log.lines().last());
        let reason = said.unwrap_or("it said nothing").to_owned();
        Err(CostError::Failed { program: "yosys".to_owned(), job: label.to_owned(), reason })
    }
}

/// A hash over several pieces, each with its length.
pub(super) fn key<'p>(pieces: impl IntoIterator<Item = &'p str>) -> String {
    let mut digest = Digest::new();
    for piece in pieces {
        digest.add(piece);
    }
    digest.finish()
}

/// Results in a folder of the cache.
pub(super) fn kept<T: DeserializeOwned>(entry: &Kept, name: &str) -> Result<T, CostError> {
    let path = entry.folder.join(name);
    let text = fs::read_to_string(&path).map_err(at(&path))?;
    serde_json::from_str(&text).map_err(|error| CostError::Unreadable {
        program: "the cache",
        job: path.display().to_string(),
        reason: error.to_string(),
    })
}
