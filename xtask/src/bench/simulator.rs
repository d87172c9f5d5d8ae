//! The interface of a comparison to a simulator.

use super::experiment::Experiment;
use super::timed::Job;
use crate::step::Failure;
use std::fs;
use std::path::Path;

/// How long to run, at which load.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Run {
    /// Flits per node and cycle.
    pub(crate) load: f64,
    pub(crate) warmup: u64,
    pub(crate) measured: u64,
}

/// A simulator's results of a run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Reading {
    /// All that were simulated.
    pub(crate) cycles: u64,
    /// Flits per node and cycle.
    pub(crate) accepted: f64,
    /// From a packet's generation to the delivery of its tail, the mean in cycles.
    pub(crate) latency: f64,
    /// Router-to-router links, the mean.
    pub(crate) hops: f64,
}

/// A program that simulates networks.
pub(crate) trait Simulator {
    /// For the table.
    fn name(&self) -> String;

    /// Writes its input into `folder` and returns how to start it there.
    fn prepare(&self, experiment: &Experiment, run: Run, folder: &Path) -> Result<Job, Failure>;

    /// Reads what it printed or left in `folder`.
    fn read(&self, output: &str, folder: &Path) -> Result<Reading, Failure>;

    /// Cycles that each router adds at zero load, where that is documented.
    fn router_cycles(&self, _experiment: &Experiment) -> Option<f64> {
        None
    }
}

/// A program that is configured by a file in `folder`, and by the arguments in `more`.
pub(crate) fn told_by(file: &str, program: &Path, more: &[&str], folder: &Path) -> Result<Job, Failure> {
    fs::write(folder.join("run.cfg"), file).map_err(|error| Failure::new(error.to_string()))?;
    let arguments = ["run.cfg"].iter().chain(more).map(|&argument| argument.to_owned());
    Ok(Job { program: program.to_owned(), arguments: arguments.collect(), status: 0 })
}

/// The number that follows `key` in a text.
pub(crate) fn number(text: &str, key: &str) -> Result<f64, Failure> {
    let missing = || Failure::new(format!("no number after `{key}`"));
    let (_, rest) = text.rsplit_once(key).ok_or_else(missing)?;
    let word = rest.split([' ', '\t', '\n', ',', '(']).find(|word| !word.is_empty()).ok_or_else(missing)?;
    word.parse().map_err(|_| missing())
}

/// Refuses an experiment that a simulator cannot run.
pub(crate) fn require(holds: bool, what: &str) -> Result<(), Failure> {
    if holds { Ok(()) } else { Err(Failure::new(format!("this simulator cannot be told of {what}"))) }
}

/// Checks shared by the tests of all simulators.
#[cfg(test)]
pub(crate) mod asked {
    use super::{Experiment, Failure, Run};

    const RUN: Run = Run { load: 0.5, warmup: 100, measured: 200 };

    /// A simulator's configuration for a scenario.
    pub(in super::super) fn told(
        name: &str,
        configuration: impl Fn(&Experiment, Run) -> Result<String, Failure>,
    ) -> Result<String, Failure> {
        let experiment = Experiment::read(name).unwrap_or_else(|failure| panic!("{failure}"));
        configuration(&experiment, RUN).map_err(|failure| Failure::new(format!("{name}: {failure}")))
    }
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_are_found_after_their_names() {
        let text = "a:\n\t1.5,\nb = 2 (3 samples)\nb = 4 (1 samples)\n";
        assert_eq!(number(text, "a:").ok(), Some(1.5));
        assert_eq!(number(text, "b = ").ok(), Some(4.0), "the last one counts");
        assert!(number(text, "c").is_err());
    }
}
