//! `cargo xtask engines`: one campaign under every engine that `docs/campaign.md` names, by the commands of that page, and what a
//! `kill -9` costs it.

mod kills;
mod page;
mod picture;
mod place;
mod provide;
mod slurm;

use crate::step::{Failure, root, tests};
use place::Place;
use std::path::PathBuf;
use std::time::Instant;

/// What is done.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Only this engine, by its heading in the page; may be repeated
    #[arg(long = "only", value_name = "ENGINE")]
    only: Vec<String>,
    /// How often each engine runs the campaign
    #[arg(long, value_name = "N", default_value_t = 1)]
    repeats: u32,
    /// Kill processes of the command, of Slurm and of HyperQueue at so many random moments each
    #[arg(long, value_name = "N", default_value_t = 0)]
    kills: u32,
    /// Fail where an engine that Debian's or Python's packages bring is not there, instead of passing over it
    #[arg(long)]
    strict: bool,
    /// A program `desvio` that is built already
    #[arg(long, value_name = "PROGRAM")]
    desvio: Option<PathBuf>,
}

impl Arguments {
    /// Each engine once.
    pub(crate) const CI: Self = Self { only: Vec::new(), repeats: 1, kills: 0, strict: true, desvio: None };
}

/// An engine of the page.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Engine {
    /// The heading that its commands are under.
    heading: &'static str,
    needs: Needs,
}

/// What an engine needs beside Python's packages and Debian's.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Needs {
    /// A program that one of them brings.
    Program(&'static str),
    /// A cluster of one machine.
    Slurm,
    /// A package of Python.
    Module(&'static str),
}

impl Needs {
    /// No package of Debian or Python brings `hq` or `nextflow`, and only the superuser starts Slurm.
    fn may_be_missing(self) -> bool {
        match self {
            Self::Program(name) => ["hq", "nextflow"].contains(&name),
            Self::Slurm => !provide::is_superuser(),
            Self::Module(_) => false,
        }
    }
}

/// In the order of the page.
const ENGINES: [Engine; 6] = [
    Engine { heading: "Slurm", needs: Needs::Slurm },
    Engine { heading: "HyperQueue", needs: Needs::Program("hq") },
    Engine { heading: "HyperQueue from Python", needs: Needs::Module("hyperqueue") },
    Engine { heading: "GNU parallel", needs: Needs::Program("parallel") },
    Engine { heading: "Snakemake", needs: Needs::Program("snakemake") },
    Engine { heading: "Nextflow", needs: Needs::Program("nextflow") },
];

/// Installs what is missing of the engines.
pub(crate) fn install() -> Result<(), Failure> {
    provide::provide().map(drop)
}

/// Runs the page's commands; every table must have the bytes of one process.
pub(crate) fn engines(arguments: &Arguments) -> Result<(), Failure> {
    let unknown = |name: &&String| !ENGINES.iter().any(|engine| engine.heading == *name);
    if let Some(name) = arguments.only.iter().find(unknown) {
        let known = ENGINES.map(|engine| engine.heading).join(", ");
        return Err(Failure::new(format!("--only {name}: expected one of {known}")));
    }
    let desvio = match &arguments.desvio {
        Some(program) => program.clone(),
        None => build()?,
    };
    let provided = provide::provide()?;
    let place = |name: &str| Place::new(name, &desvio, &provided.path);
    let expected = place("one process")?.alone()?;
    let chosen = |engine: &Engine| {
        arguments.only.is_empty() || arguments.only.iter().any(|name| name == engine.heading)
    };
    for engine in ENGINES.into_iter().filter(chosen) {
        match provided.missing(engine.needs) {
            Some(reason) if arguments.strict && !engine.needs.may_be_missing() => {
                return Err(Failure::new(format!("{}: {reason}", engine.heading)));
            }
            Some(reason) => eprintln!("{:<24} skipped: {reason}", engine.heading),
            None => {
                (0..arguments.repeats).try_for_each(|_| one(engine, &place(engine.heading)?, &expected))?
            }
        }
    }
    if arguments.only.is_empty() {
        picture::draw(&desvio, &provided)?;
    }
    kills::kills(arguments.kills, &desvio, &provided)
}

fn one(engine: Engine, place: &Place, expected: &[u8]) -> Result<(), Failure> {
    let block = page::commands(engine.heading)?;
    let begun = Instant::now();
    let cluster =
        if engine.needs == Needs::Slurm { Some(slurm::Cluster::start(place.folder())?) } else { None };
    let variables = cluster.as_ref().map_or(&[][..], slurm::Cluster::variables);
    let ready = begun.elapsed().as_secs_f64();
    place.run(&block, variables)?;
    let seconds = begun.elapsed().as_secs_f64() - ready;
    let table = place.collect()?;
    if table != expected {
        return Err(Failure::new(format!("{}: points.csv is not that of one process", engine.heading)));
    }
    let twice = place.counts()?.values().filter(|count| **count > 1).count();
    eprintln!(
        "{:<24} {} bytes, those of one process; {twice} points twice; {seconds:.1} s",
        engine.heading,
        table.len()
    );
    Ok(())
}

/// As the tests build it, and with them: another set of features would take its place while they run.
fn build() -> Result<PathBuf, Failure> {
    tests(&["--no-run", "--test", "cli"], &[])?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    Ok(target.join("debug/desvio"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ten lines at most for each, which name the campaign of the page.
    #[test]
    fn the_page_has_commands_for_every_engine() {
        for engine in ENGINES {
            let block = page::commands(engine.heading).unwrap();
            let lines = block.text.lines().count();
            assert!((1..=10).contains(&lines), "{}: {lines} lines", engine.heading);
            assert!(block.text.contains("scenarios/campaign/grid.toml"), "{}", engine.heading);
            let is_python = matches!(engine.needs, Needs::Module(_));
            assert_eq!(block.language, if is_python { "python" } else { "sh" }, "{}", engine.heading);
        }
    }
}
