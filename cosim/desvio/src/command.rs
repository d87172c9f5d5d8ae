//! The command line: its commands and its exit status.
//!
//! One file per command, each with its arguments and their help; `cases` reads scenarios, `curves` runs them,
//! `progress` shows how far they are.

mod campaign;
mod cases;
mod compare;
mod completions;
mod conform;
mod cost;
mod curves;
mod example;
#[cfg(target_os = "linux")]
mod fabric;
mod failure;
mod interrupt;
mod kept;
mod lockstep;
mod man;
mod output;
mod processes;
mod progress;
mod prove;
mod report;
mod rtl;
mod run;
mod schema;
mod source;
mod step;
mod survey;
mod topology;
mod variants;
mod watch;

use clap::error::ErrorKind;
use clap::{Parser, Subcommand};
use desvio_report::{Folder, ReportError};
use failure::Failure;
use std::path::Path;
use std::process::ExitCode;

/// Simulates interconnection networks: routing that takes detours, cycle by cycle, flit by flit
///
/// A scenario file names a topology, a router, a routing, a traffic and the loads to run. From it, desvio draws the
/// curves of latency and accepted load that papers draw.
#[derive(Debug, Parser)]
#[command(name = "desvio", version = version(), after_help = EXAMPLES, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// The version and the digest of the engine's sources, as provenance has them.
fn version() -> &'static str {
    let engine = desvio_sim::engine::name();
    engine.strip_prefix("desvio ").unwrap_or(engine)
}

#[derive(Debug, Subcommand)]
enum Command {
    Run(run::Arguments),
    Campaign(campaign::Arguments),
    Compare(compare::Arguments),
    Completions(completions::Arguments),
    Conform(conform::Arguments),
    Cost(cost::Arguments),
    Example(example::Arguments),
    #[cfg(target_os = "linux")]
    Fabric(fabric::Arguments),
    Lockstep(lockstep::Arguments),
    Man(man::Arguments),
    Prove(prove::Arguments),
    Report(report::Arguments),
    Schema(schema::Arguments),
    Step(step::Arguments),
    Survey(survey::Arguments),
    Topology(topology::Arguments),
    Watch(watch::Arguments),
}

const EXAMPLES: &str = r"Examples:
  desvio example dragonfly > dragonfly.toml
  desvio run dragonfly.toml
  desvio report results/dragonfly
  desvio compare dragonfly.toml --set traffic.pattern='{ adversarial = 1 }' \
      --vary routing.algorithm=minimal,valiant,olm
  desvio prove dragonfly.toml
  desvio topology dragonfly.toml

Exit status: 0; 1 a deadlock, a lost flit or another broken invariant; 2 bad
input. Results go to standard output and into files, everything else to
standard error. A scenario file - is standard input. A signal ends a command
with what is finished by then.";

/// Prints an error that is not one of a command.
pub(crate) fn tell_error(message: &str) {
    output::tell(&format!("error: {message}"));
}

/// Runs the command of the command line.
pub(crate) fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(answer) if answer.kind() == ErrorKind::InvalidUtf8 => {
            let named = std::env::args_os().find(|argument| argument.to_str().is_none()).unwrap_or_default();
            tell_error(&format!("the argument {named:?} is not UTF-8"));
            return ExitCode::from(2);
        }
        Err(answer) => {
            return match output::printed(answer.print()) {
                Ok(()) => ExitCode::from(u8::try_from(answer.exit_code()).unwrap_or(2)),
                Err(failure) => {
                    output::tell(failure.message());
                    failure.status()
                }
            };
        }
    };
    let done = interrupt::watch().map_err(|error| no_threads(&error)).and_then(|()| match cli.command {
        Command::Run(arguments) => run::run(&arguments),
        Command::Campaign(arguments) => campaign::campaign(&arguments),
        Command::Compare(arguments) => compare::compare(&arguments),
        Command::Completions(arguments) => completions::completions(&arguments),
        Command::Conform(arguments) => conform::conform(&arguments),
        Command::Cost(arguments) => cost::cost(&arguments),
        Command::Example(arguments) => example::example(&arguments),
        #[cfg(target_os = "linux")]
        Command::Fabric(arguments) => fabric::fabric(&arguments),
        Command::Lockstep(arguments) => lockstep::lockstep(&arguments),
        Command::Man(arguments) => man::man(&arguments),
        Command::Prove(arguments) => prove::prove(&arguments),
        Command::Report(arguments) => report::report(&arguments),
        Command::Schema(arguments) => schema::schema(&arguments),
        Command::Step(arguments) => step::step(&arguments),
        Command::Survey(arguments) => survey::survey(&arguments),
        Command::Topology(arguments) => topology::topology(&arguments),
        Command::Watch(arguments) => watch::watch(&arguments),
    });
    interrupt::over();
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            output::tell(failure.message());
            failure.status()
        }
    }
}

/// Locks the folder of results; two commands that write into one would destroy each other's.
fn take(out: &Path) -> Result<Folder, Failure> {
    Folder::take(out).map_err(|error| {
        Failure::Input(match error {
            ReportError::Taken { .. } => format!("error: {error}"),
            error => format!("error: cannot write the results: {error}"),
        })
    })
}

/// Runs on `threads` threads; without a number, on as many as there are cores.
fn start_threads(threads: Option<u16>) -> Result<(), Failure> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.map_or(0, usize::from));
    pool.build_global().map_err(|error| no_threads(&error))
}

fn no_threads(error: &dyn std::fmt::Display) -> Failure {
    Failure::Input(format!(
        "error: cannot start the threads: {error}; `ulimit -u` says how many a user may have"
    ))
}
