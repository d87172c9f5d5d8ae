//! `desvio campaign submit`: hands a campaign to what starts tasks.

use super::{Of, refused, threads};
use crate::command::failure::Failure;
use crate::command::output;
use clap::Args;
use desvio_campaign::{Engine, Plan, Script};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Writes a script whose tasks run one shard each, prints it, and hands it to Slurm, HyperQueue or this machine
///
/// The script stays in the folder of the results, as slurm.sh, hyperqueue.sh or local.sh. A finished point is never computed
/// again, so what a time limit or a lost node leaves over is done by submitting again. Options for the engine go by its own
/// environment (SBATCH_PARTITION, SBATCH_TIMELIMIT, ...) or into the script.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    of: Of,
    /// What starts the tasks: slurm, hyperqueue or local
    #[arg(long, value_name = "ENGINE")]
    engine: Engine,
    /// Tasks [default: one for each 100 points, at most 100; local: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    chunks: Option<u16>,
    /// Threads of each task
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Print the script; write and start nothing
    #[arg(long)]
    dry_run: bool,
}

const EXAMPLES: &str = r"Examples:
  desvio campaign submit scenarios/campaign/grid.toml --engine slurm --dry-run
  desvio campaign submit scenarios/campaign/grid.toml \
      --engine hyperqueue --chunks 50
  desvio campaign submit scenarios/campaign/grid.toml --engine local";

pub(crate) fn submit(arguments: &Arguments) -> Result<(), Failure> {
    let plan = Plan::load(&arguments.of.file).map_err(refused)?;
    let script = script(arguments, plan.points().len())?;
    let text = script.text();
    output::print(&text)?;
    if arguments.dry_run {
        return Ok(());
    }
    let path = script.out.join(format!("{}.sh", script.engine.word()));
    write(&script.out, &path, &text)?;
    start(script.engine, &path)
}

fn script(arguments: &Arguments, points: usize) -> Result<Script, Failure> {
    let absolute = |path: &Path| {
        std::path::absolute(path)
            .map_err(|error| Failure::Input(format!("error: {}: {error}", path.display())))
    };
    let program = std::env::current_exe();
    let program =
        program.map_err(|error| Failure::Input(format!("error: where is this program? {error}")))?;
    let chunks = match (arguments.chunks, arguments.engine) {
        (Some(chunks), _) => usize::from(chunks),
        (None, Engine::Local) => threads(None),
        (None, _) => points.div_ceil(100).clamp(1, 100),
    };
    Ok(Script {
        engine: arguments.engine,
        program,
        campaign: absolute(&arguments.of.file)?,
        out: absolute(&arguments.of.out())?,
        chunks,
        threads: usize::from(arguments.threads),
    })
}

fn write(out: &Path, path: &Path, text: &str) -> Result<(), Failure> {
    let failed = |error: std::io::Error| Failure::Input(format!("error: {}: {error}", path.display()));
    fs::create_dir_all(out.join("logs")).map_err(failed)?;
    let written = desvio_report::claim(out).and_then(|()| desvio_report::replace(path, text.as_bytes()));
    written.map_err(|error| Failure::Input(format!("error: {error}")))
}

/// Ends as the engine's program does.
fn start(engine: Engine, script: &PathBuf) -> Result<(), Failure> {
    let shown = format!("{} {}", engine.program(), script.display());
    match Command::new(engine.program()).arg(script).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) if status.code() == Some(1) && engine == Engine::Local => {
            Err(Failure::Broken(format!("error: `{shown}` ended with status 1")))
        }
        Ok(status) => Err(Failure::Input(format!("error: `{shown}`: {status}"))),
        Err(error) => Err(Failure::Input(format!("error: `{shown}`: {error}; the script is written"))),
    }
}
