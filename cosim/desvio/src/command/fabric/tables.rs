//! The files of the tables, and the scenario that reads them.

use crate::command::failure::Failure;
use desvio_fabric::{HeadOfQueue, Levels, Lifetimes, Program};
use desvio_sim::scenario::{LinkDown, MOST_LIFE};
use desvio_sim::topology::Wiring;
use std::path::{Path, PathBuf};

/// Where tables are written.
pub(super) struct Tables {
    folder: PathBuf,
    sets: Vec<String>,
    /// Whether packets have service levels.
    has_levels: bool,
}

/// Files, by what they hold.
const TABLES: &str = "tables";
const LEVELS: &str = "levels";
const LANES: &str = "lanes";

impl Tables {
    pub(super) fn new(out: &Path, sets: &[String]) -> Self {
        let folder = std::path::absolute(out).unwrap_or_else(|_| out.to_path_buf());
        Self { folder, sets: sets.to_vec(), has_levels: false }
    }

    /// The lifetime limits of switches whose links are of these classes, those to nodes first.
    pub(super) fn limit(&mut self, found: &Lifetimes, classes: &[&str]) {
        let of = |class: usize| if class == 0 { found.to_nodes } else { found.to_switches };
        let each = |value: &dyn Fn(HeadOfQueue) -> u8| {
            let named = classes.iter().enumerate();
            let all: Vec<_> =
                named.filter_map(|(class, name)| Some(format!("{name} = {}", value(of(class)?)))).collect();
            format!("{{ {} }}", all.join(", "))
        };
        self.sets.push(format!("infiniband.hoq_life={}", each(&|of| of.life)));
        self.sets.push(format!("infiniband.lifetime_value={}", found.in_switches));
        let is_limited = |of: Option<HeadOfQueue>| of.is_some_and(|of| u32::from(of.life) <= MOST_LIFE);
        if is_limited(found.to_nodes) || is_limited(found.to_switches) {
            self.sets.push(format!("router.vl_stall_count={}", each(&|of| of.stall_count)));
        }
    }

    /// `name.csv` of the first tables, number 0, and `name-1.csv` and so on.
    fn file(&self, name: &str, number: usize) -> PathBuf {
        let name = if number == 0 { format!("{name}.csv") } else { format!("{name}-{number}.csv") };
        self.folder.join(name)
    }

    pub(super) fn write(
        &mut self,
        number: usize,
        program: &Program,
        levels: Option<&Levels>,
        wiring: &Wiring,
        path: u16,
    ) -> Result<(), Failure> {
        if path >> program.lmc != 0 {
            let most = (1u16 << program.lmc) - 1;
            return Err(Failure::Input(format!(
                "error: --path {path}: with an LMC of {} paths are numbered from 0 to {most}",
                program.lmc
            )));
        }
        self.has_levels = levels.is_some();
        let tables = program.to_csv(|node| wiring.attachment(node).0, path);
        let more = levels.map(|levels| [(LEVELS, levels.levels_to_csv()), (LANES, levels.tables_to_csv())]);
        for (name, text) in [(TABLES, tables)].into_iter().chain(more.into_iter().flatten()) {
            let file = self.file(name, number);
            let failed = |error| Failure::Input(format!("error: cannot write {error}"));
            desvio_report::replace(&file, text.as_bytes()).map_err(failed)?;
        }
        Ok(())
    }

    /// The keys of the files of some number, each with its value.
    fn keys(&self, number: usize) -> Vec<(&'static str, String)> {
        let keys = [("tables", TABLES), ("service_levels", LEVELS), ("sl_to_vl", LANES)];
        let quoted = |name| toml::Value::from(self.file(name, number).to_string_lossy().as_ref()).to_string();
        let count = if self.has_levels { keys.len() } else { 1 };
        keys.into_iter().take(count).map(|(key, name)| (key, quoted(name))).collect()
    }

    /// What makes of the scenario one that runs by the tables, and by others some cycles after each failure.
    pub(super) fn sets(&self, failures: &[LinkDown], convergence: u64) -> Vec<String> {
        let mut sets = self.sets.clone();
        sets.push("routing.algorithm=forwarding".to_owned());
        sets.extend(self.keys(0).into_iter().map(|(key, file)| format!("routing.{key}={file}")));
        if !failures.is_empty() {
            let down = |&LinkDown { router, port, at, .. }: &LinkDown| {
                format!("{{ router = {router}, port = {port}, at = {at}, discards = true }}")
            };
            let update = |(failure, number): (&LinkDown, usize)| {
                let files = self.keys(number).into_iter().map(|(key, file)| format!(", {key} = {file}"));
                format!("{{ at = {}{} }}", failure.at + convergence, files.collect::<String>())
            };
            let down: Vec<_> = failures.iter().map(down).collect();
            let updates: Vec<_> = failures.iter().zip(1..).map(update).collect();
            sets.push(format!("links.down=[{}]", down.join(", ")));
            sets.push(format!("routing.updates=[{}]", updates.join(", ")));
        }
        sets
    }
}
