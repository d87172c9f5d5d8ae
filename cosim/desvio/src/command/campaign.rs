//! `desvio campaign`: many scenarios, loads and seeds, in any number of processes, into one table.

mod collect;
mod display;
mod plan;
mod report;
mod run;
mod status;
mod submit;
mod verify;

use super::failure::Failure;
use super::kept::damaged_entries as entries;
use super::{output, start_threads};
use clap::{Args, Subcommand};
use desvio_campaign::{CampaignError, Plan, Store};
use indicatif::HumanDuration;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Runs many scenarios, loads and seeds on any machines, into one table
///
/// A campaign is one TOML file: a base scenario, the keys that vary, and seeds. Each point is one scenario at one load with one
/// seed. Finished points are kept by what they are: `run` computes what is missing, may be killed at any time, and may
/// run in many processes and on many machines at once. Their folders merge by plain copy.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, after_long_help = format!("{EXAMPLES}\n\n{FILE}"), arg_required_else_help = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Plan(plan::Arguments),
    Run(run::Arguments),
    Status(status::Arguments),
    Collect(collect::Arguments),
    Report(report::Arguments),
    Verify(verify::Arguments),
    Submit(submit::Arguments),
}

const EXAMPLES: &str = "\
Examples:
  desvio campaign plan scenarios/campaign/grid.toml
  desvio campaign run scenarios/campaign/grid.toml
  desvio campaign status scenarios/campaign/grid.toml
  desvio campaign collect scenarios/campaign/grid.toml
  desvio campaign report scenarios/campaign/grid.toml
  desvio campaign verify scenarios/campaign/grid.toml
  desvio campaign submit scenarios/campaign/grid.toml --engine slurm --dry-run

Exit status: 0 all is well; 1 a deadlock, a lost flit, a failed point or one
that differs; 2 bad input.";

const FILE: &str = r#"A complete campaign:

  base = "mesh.toml"                      # beside this file
  seeds = [1, 2, 3]                       # replicates of every point

  [axes]                                  # every value with every other
  "traffic.pattern" = ["uniform", "transpose"]
  "router.vcs" = [1, 2, 4]
  load = { from = 0.1, to = 0.5, step = 0.1 }

  [[zip]]                                 # values that go together
  "routing.algorithm" = ["dimension-order", "odd-even"]
  "router.buffer_flits" = [16, 32]

  [[skip]]                                # left out
  "routing.algorithm" = "odd-even"
  "traffic.pattern" = "uniform"
  "router.vcs" = [2, 4]"#;

pub(crate) fn campaign(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.command {
        Command::Plan(arguments) => plan::plan(arguments),
        Command::Run(arguments) => run::run(arguments),
        Command::Status(arguments) => start_threads(None).and_then(|()| status::status(arguments)),
        Command::Collect(arguments) => start_threads(None).and_then(|()| collect::collect(arguments)),
        Command::Report(arguments) => start_threads(None).and_then(|()| report::report(arguments)),
        Command::Verify(arguments) => verify::verify(arguments),
        Command::Submit(arguments) => start_threads(None).and_then(|()| submit::submit(arguments)),
    }
}

/// Which campaign, and where its results are.
#[derive(Debug, Args)]
struct Of {
    /// The file of the campaign
    file: PathBuf,
    /// Folder of the results [default: results/ and the name of FILE]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

impl Of {
    fn out(&self) -> PathBuf {
        let stem = self.file.file_stem().unwrap_or_default();
        self.out.clone().unwrap_or_else(|| Path::new("results").join(stem))
    }

    /// The folder of the results, made where it is missing; one that is somebody else's is refused.
    fn folder(&self) -> Result<PathBuf, Failure> {
        let out = self.out();
        let made = std::fs::create_dir_all(&out);
        made.map_err(|error| Failure::Input(format!("error: {}: {error}", out.display())))?;
        desvio_report::claim(&out).map_err(|error| Failure::Input(format!("error: {error}")))?;
        Ok(out)
    }

    /// The campaign and what is finished of it; faults of the store are reported.
    fn open(&self) -> Result<(Plan, Store), Failure> {
        let plan = Plan::load(&self.file).map_err(refused)?;
        let store = Store::open(&self.out()).map_err(refused)?;
        for damage in store.damage() {
            let (entries, path) = (entries(damage.lines), damage.path.display());
            output::tell(&format!(
                "warning: {path}: {entries} not as written, left out; the next run computes anew"
            ));
        }
        for id in store.conflicts().iter().take(SHOWN) {
            output::tell(&format!(
                "warning: two results of the point {id} differ: not all come from the same program"
            ));
        }
        Ok((plan, store))
    }
}

/// Lines of a list at most.
const SHOWN: usize = 10;

fn refused(error: CampaignError) -> Failure {
    let text = error.to_string();
    // What names a file and a place needs no other beginning.
    let named = matches!(
        error,
        CampaignError::Store { .. }
            | CampaignError::NoFolder { .. }
            | CampaignError::Report(_)
            | CampaignError::Result { .. }
    );
    Failure::Input(if named { format!("error: {text}") } else { text })
}

/// As people say it.
fn duration(seconds: f64) -> String {
    if seconds < 1.0 {
        return "less than a second".to_owned();
    }
    HumanDuration(Duration::from_secs_f64(seconds.clamp(0.0, 1e15))).to_string()
}

fn threads(threads: Option<u16>) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    threads.map_or_else(cores, usize::from)
}

fn percent(part: usize, whole: usize) -> String {
    format!("{:.1} %", 100.0 * part as f64 / whole.max(1) as f64)
}
