//! The files of the tables, and the scenario that reads them.

use crate::command::failure::Failure;
use desvio_fabric::Program;
use desvio_sim::scenario::LinkDown;
use desvio_sim::topology::Wiring;
use std::path::{Path, PathBuf};

/// Where tables are written.
pub(super) struct Tables {
    folder: PathBuf,
    sets: Vec<String>,
}

impl Tables {
    pub(super) fn new(out: &Path, sets: &[String]) -> Self {
        Self { folder: std::path::absolute(out).unwrap_or_else(|_| out.to_path_buf()), sets: sets.to_vec() }
    }

    /// Tables number 0 are the first ones.
    fn file(&self, number: usize) -> PathBuf {
        let name = if number == 0 { "tables.csv".to_owned() } else { format!("tables-{number}.csv") };
        self.folder.join(name)
    }

    pub(super) fn write(
        &self,
        number: usize,
        program: &Program,
        lanes: Option<&[u8]>,
        wiring: &Wiring,
        path: u16,
    ) -> Result<(), Failure> {
        let file = self.file(number);
        if path >> program.lmc != 0 {
            let most = (1u16 << program.lmc) - 1;
            return Err(Failure::Input(format!(
                "error: --path {path}: with an LMC of {} paths are numbered from 0 to {most}",
                program.lmc
            )));
        }
        let text = program.to_csv(|node| wiring.attachment(node).0, path, lanes);
        let text = text.map_err(|error| Failure::Input(format!("error: {error}")))?;
        let failed = |error| Failure::Input(format!("error: cannot write {}: {error}", file.display()));
        std::fs::write(&file, text).map_err(failed)
    }

    /// What makes of the scenario one that runs by the tables, and by others some cycles after each failure.
    pub(super) fn sets(&self, failures: &[LinkDown], convergence: u64) -> Vec<String> {
        let quoted = |file: PathBuf| toml::Value::from(file.to_string_lossy().as_ref()).to_string();
        let mut sets = self.sets.clone();
        sets.push("routing.algorithm=forwarding".to_owned());
        sets.push(format!("routing.tables={}", quoted(self.file(0))));
        if !failures.is_empty() {
            let down = |&LinkDown { router, port, at, .. }: &LinkDown| {
                format!("{{ router = {router}, port = {port}, at = {at}, discards = true }}")
            };
            let update = |(failure, number): (&LinkDown, usize)| {
                format!("{{ at = {}, tables = {} }}", failure.at + convergence, quoted(self.file(number)))
            };
            let down: Vec<_> = failures.iter().map(down).collect();
            let updates: Vec<_> = failures.iter().zip(1..).map(update).collect();
            sets.push(format!("links.down=[{}]", down.join(", ")));
            sets.push(format!("routing.updates=[{}]", updates.join(", ")));
        }
        sets
    }
}
