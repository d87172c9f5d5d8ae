//! A folder of its own, in which the commands of the page find a small campaign where theirs is.

use super::page::Block;
use crate::step::{Failure, root};
use std::collections::HashMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// Six hundred points of a mesh of 4 x 4, each of which takes about a millisecond.
const CAMPAIGN: &str = r#"base = "../mesh.toml"
seeds = { from = 1, to = 20 }

[axes]
"traffic.pattern" = ["uniform", "transpose"]
"routing.algorithm" = ["dimension-order", "odd-even", "turn-model"]
load = { from = 0.1, to = 0.5, step = 0.1 }
"#;
pub(super) const POINTS: usize = 600;

/// The base, with as many cycles as the points are to take.
fn base(cycles: u32) -> String {
    format!(
        "[topology]\nkind = \"mesh\"\ndims = [4, 4]\n[traffic]\npacket_flits = 4\nloads = [0.1]\n\
         [run]\nwarmup_cycles = 100\nmeasure_cycles = {cycles}\n"
    )
}

/// The campaign, as the page names it.
pub(super) const FILE: &str = "scenarios/campaign/grid.toml";
/// Where its results go.
const OUT: &str = "results/grid";

/// The folder, and where programs are found.
pub(super) struct Place {
    folder: PathBuf,
    path: OsString,
}

impl Place {
    /// An empty one in the folder of builds, with points of a millisecond.
    pub(super) fn new(name: &str, desvio: &Path, path: &OsString) -> Result<Self, Failure> {
        Self::with_cycles(name, desvio, path, 200)
    }

    /// An empty folder among the builds, with points of so many cycles.
    pub(super) fn with_cycles(
        name: &str,
        desvio: &Path,
        path: &OsString,
        cycles: u32,
    ) -> Result<Self, Failure> {
        let folder = root().join("target/engines").join(name.replace(' ', "-"));
        let programs = desvio.parent().unwrap_or(Path::new("")).as_os_str().to_owned();
        let path = std::env::join_paths(std::iter::once(programs.into()).chain(std::env::split_paths(path)));
        let path = path.map_err(|error| Failure::new(error.to_string()))?;
        let place = Self { folder, path };
        let made = || {
            if place.folder.exists() {
                fs::remove_dir_all(&place.folder)?;
            }
            fs::create_dir_all(place.folder.join("scenarios/campaign"))?;
            fs::write(place.folder.join("scenarios/mesh.toml"), base(cycles))?;
            fs::write(place.folder.join(FILE), CAMPAIGN)
        };
        made().map_err(|error| Failure::new(format!("{}: {error}", place.folder.display())))?;
        Ok(place)
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// A program with its arguments, in the folder; what it says goes to a file.
    pub(super) fn command(&self, program: &str, arguments: &[&str]) -> Result<Command, Failure> {
        let log = fs::OpenOptions::new().create(true).append(true).open(self.folder.join("log.txt"));
        let log = log.and_then(|log| Ok((log.try_clone()?, log)));
        let (out, err) = log.map_err(|error| Failure::new(format!("{}: {error}", self.folder.display())))?;
        let mut command = Command::new(program);
        command.args(arguments).current_dir(&self.folder).env("PATH", &self.path);
        // Servers of an engine find each other by the home folder.
        command.env("HOME", &self.folder).stdin(Stdio::null()).stdout(out).stderr(err);
        Ok(command)
    }

    /// Runs what must succeed.
    pub(super) fn succeed(&self, mut command: Command) -> Result<(), Failure> {
        let log = self.folder.join("log.txt");
        let failed = |why: String| Failure::new(format!("{why}, see {}", log.display()));
        let ended = command.status().map_err(|error| failed(format!("{command:?}: {error}")))?;
        if ended.success() { Ok(()) } else { Err(failed(format!("{command:?}: {ended}"))) }
    }

    pub(super) fn start(&self, mut command: Command) -> Result<Child, Failure> {
        command.spawn().map_err(|error| Failure::new(format!("{command:?}: {error}")))
    }

    /// Runs the commands of a block, as they stand.
    pub(super) fn run(&self, block: &Block, variables: &[(&'static str, PathBuf)]) -> Result<(), Failure> {
        let mut command = match block.language.as_str() {
            "python" => self.command("python3", &["-c", &block.text])?,
            _ => self.command("sh", &["-euc", &block.text])?,
        };
        command.envs(variables.to_vec());
        self.succeed(command)
    }

    /// `desvio campaign` with more arguments.
    pub(super) fn campaign(&self, what: &str, more: &[&str]) -> Result<Command, Failure> {
        self.command("desvio", &[&["campaign", what, FILE], more].concat())
    }

    /// The table of one process on one thread.
    pub(super) fn alone(&self) -> Result<Vec<u8>, Failure> {
        self.succeed(self.campaign("run", &["--threads", "1", "--quiet"])?)?;
        self.collect()
    }

    /// The table of all points.
    pub(super) fn collect(&self) -> Result<Vec<u8>, Failure> {
        self.succeed(self.campaign("collect", &[])?)?;
        let table = self.folder.join(OUT).join("points.csv");
        let bytes =
            fs::read(&table).map_err(|error| Failure::new(format!("{}: {error}", table.display())))?;
        match bytes.iter().filter(|byte| **byte == b'\n').count() {
            lines if lines == POINTS + 1 => Ok(bytes),
            lines => Err(Failure::new(format!("{}: {lines} lines", table.display()))),
        }
    }

    /// How often each point is in the store.
    pub(super) fn counts(&self) -> Result<HashMap<String, usize>, Failure> {
        let folder = self.folder.join(OUT).join("points");
        let mut counts = HashMap::new();
        let Ok(files) = fs::read_dir(&folder) else { return Ok(counts) };
        for file in files.flatten() {
            let text = fs::read_to_string(file.path());
            let text = text.map_err(|error| Failure::new(format!("{}: {error}", file.path().display())))?;
            for line in text.split_inclusive('\n').filter(|line| line.ends_with('\n')) {
                let point = line.split_once("\"point\":\"").and_then(|(_, rest)| rest.split('"').next());
                let point =
                    point.ok_or_else(|| Failure::new(format!("{}: {line}", file.path().display())))?;
                *counts.entry(point.to_owned()).or_default() += 1;
            }
        }
        Ok(counts)
    }

    /// The processes that compute points here.
    pub(super) fn tasks(&self) -> Vec<u32> {
        let out = self.folder.join(OUT).display().to_string();
        let is_own = |process: &u32| {
            let command = fs::read(format!("/proc/{process}/cmdline")).unwrap_or_default();
            let words: Vec<_> = command.split(|byte| *byte == 0).map(String::from_utf8_lossy).collect();
            words.first().is_some_and(|word| word.ends_with("/desvio"))
                && words.iter().any(|word| *word == out)
        };
        let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
        let processes = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        processes.filter(is_own).collect()
    }
}
