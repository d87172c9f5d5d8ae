//! Our own runs.

use super::experiment::Experiment;
use super::simulator::{Reading, Run, Simulator};
use super::timed::Job;
use crate::step::{Failure, cargo, root};
use router_core::options::Pipeline;
use router_core::router::router_cycles;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The command line, built for speed.
#[derive(Debug)]
pub(crate) struct Desvio {
    pub(crate) program: PathBuf,
}

impl Desvio {
    /// Builds it.
    pub(crate) fn build() -> Result<Self, Failure> {
        let build = ["build", "--release", "--package", "desvio", "--bin", "desvio"];
        cargo(&build, &[])?;
        let output = Command::new("cargo")
            .args(build)
            .args(["--quiet", "--message-format=json"])
            .current_dir(root())
            .output();
        let text = output.map_err(|error| Failure::new(error.to_string()))?.stdout;
        let text = String::from_utf8_lossy(&text);
        // The only artefact with a program is the last one.
        let path = text.lines().filter_map(|line| line.split_once("\"executable\":\"")).next_back();
        let path = path.and_then(|(_, rest)| rest.split_once('"'));
        let (program, _) = path.ok_or_else(|| Failure::new("cargo does not say where `desvio` is"))?;
        Ok(Self { program: PathBuf::from(program) })
    }
}

impl Simulator for Desvio {
    fn name(&self) -> String {
        "Desvio".to_owned()
    }

    fn prepare(&self, experiment: &Experiment, run: Run, folder: &Path) -> Result<Job, Failure> {
        let sets = [
            format!("traffic.loads=[{:?}]", run.load),
            format!("run.warmup_cycles={}", run.warmup),
            format!("run.measure_cycles={}", run.measured),
        ];
        let mut arguments = vec!["run".to_owned(), experiment.file.display().to_string()];
        arguments.extend(["--quiet", "--again", "--threads", "1", "--out"].map(str::to_owned));
        arguments.push(folder.display().to_string());
        arguments
            .extend(experiment.sets.iter().cloned().chain(sets).flat_map(|set| ["--set".to_owned(), set]));
        Ok(Job { program: self.program.clone(), arguments, status: 0 })
    }

    fn read(&self, _output: &str, folder: &Path) -> Result<Reading, Failure> {
        let failed = |reason: &str| Failure::new(format!("summary.csv: {reason}"));
        let text =
            fs::read_to_string(folder.join("summary.csv")).map_err(|error| failed(&error.to_string()))?;
        let mut rows = text.lines().map(|line| line.split(','));
        let (Some(names), Some(values)) = (rows.next(), rows.next()) else { return Err(failed("no row")) };
        let row: HashMap<_, _> = names.zip(values).collect();
        let value = |name: &str| match row.get(name) {
            Some(&"") => Ok(f64::NAN),
            Some(text) => text.parse().map_err(|_| failed(name)),
            None => Err(failed(name)),
        };
        Ok(Reading {
            cycles: (value("warmup_cycles")? + value("measure_cycles")?) as u64,
            accepted: value("accepted")?,
            latency: value("latency_mean")?,
            hops: value("hops_mean")?,
        })
    }

    fn router_cycles(&self, experiment: &Experiment) -> Option<f64> {
        Some(f64::from(router_cycles(Pipeline::Four, experiment.router.speedup)))
    }
}
