//! `desvio-fuzz`: gives garbage to everything that reads. `cargo xtask fuzz` builds and calls it.

use clap::{Parser, Subcommand, builder::PossibleValuesParser};
use desvio_fuzz::{Plan, Planted, Tally, Target, fuzz, table, work};
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::thread;
use std::time::Duration;

/// Gives garbage to everything that reads
///
/// A finding is a panic, a signal, an input that does not end, or more memory than 1 GiB. It is written to a folder, with a line that
/// says how to do it again.
#[derive(Debug, Parser)]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Runs inputs on all targets; status 1 with findings
    Run(Run),
    /// Gives the bytes of a file to a target, without any bound
    Replay {
        #[arg(value_parser = names())]
        target: String,
        file: PathBuf,
    },
    /// Lists the targets
    List,
    /// Writes the seeds of a target into a folder, as a corpus for libFuzzer
    Seeds {
        #[arg(value_parser = names())]
        target: String,
        folder: PathBuf,
    },
    /// One process of `run`
    #[command(hide = true)]
    Work(Work),
}

#[derive(Debug, clap::Args)]
struct Run {
    /// How long, all targets together
    #[arg(long, default_value_t = 1.0)]
    minutes: f64,
    /// Only these targets; may be repeated
    #[arg(long = "target", value_parser = names())]
    targets: Vec<String>,
    /// Of the random numbers
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Targets at a time [default: one per core]
    #[arg(long)]
    threads: Option<usize>,
    /// Folder of findings
    #[arg(long, default_value = "results/fuzz")]
    out: PathBuf,
}

#[derive(Debug, clap::Args)]
struct Work {
    #[arg(value_parser = names())]
    target: String,
    journal: PathBuf,
    out: PathBuf,
    #[arg(long)]
    milliseconds: u64,
    #[arg(long)]
    seed: u64,
    #[arg(long)]
    limit: u64,
    #[arg(long)]
    inputs: Option<u64>,
    #[arg(long)]
    plant: Option<Planted>,
}

fn names() -> PossibleValuesParser {
    PossibleValuesParser::new(Target::ALL.map(|target| target.name))
}

fn main() -> ExitCode {
    match task(Arguments::parse().task) {
        Ok(status) => status,
        Err(error) => {
            eprintln!("desvio-fuzz: {error}");
            ExitCode::from(2)
        }
    }
}

fn task(task: Task) -> io::Result<ExitCode> {
    match task {
        Task::Run(arguments) => return run(&arguments),
        Task::Replay { target, file } => desvio_fuzz::run(&target, &std::fs::read(file)?),
        Task::List => Target::ALL.iter().for_each(|target| println!("{:14}{}", target.name, target.reads)),
        Task::Seeds { target, folder } => write_seeds(&named(&target)?, &folder)?,
        Task::Work(Work { target, journal, out, milliseconds, seed, limit, inputs, plant }) => {
            let time = Duration::from_millis(milliseconds);
            work(&Plan { time, inputs, seed, limit, planted: plant, out }, &named(&target)?, &journal)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn named(name: &str) -> io::Result<Target> {
    Target::of(name).ok_or_else(|| io::Error::other(format!("no target {name}")))
}

fn write_seeds(target: &Target, folder: &Path) -> io::Result<()> {
    std::fs::create_dir_all(folder)?;
    (0..)
        .zip((target.seeds)())
        .try_for_each(|(n, seed): (u32, _)| std::fs::write(folder.join(format!("seed-{n}")), seed))
}

fn run(arguments: &Run) -> io::Result<ExitCode> {
    let asked = |target: &Target| {
        arguments.targets.is_empty() || arguments.targets.iter().any(|name| name == target.name)
    };
    let targets: Vec<Target> = Target::ALL.into_iter().filter(asked).collect();
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let threads = arguments.threads.unwrap_or(cores).clamp(1, targets.len());
    let share = arguments.minutes.max(0.0) * 60.0 * threads as f64 / targets.len() as f64;
    let share = Duration::try_from_secs_f64(share).map_err(io::Error::other)?;
    let plan = Plan { seed: arguments.seed, ..Plan::new(share, arguments.out.clone()) };
    let tallies = run_all(&targets, threads, &plan)?;
    println!("{}", table(&tallies));
    let findings: Vec<_> = tallies.iter().flat_map(|tally| &tally.findings).collect();
    findings.iter().for_each(|finding| println!("{finding}"));
    if let Some(idle) = tallies.iter().find(|tally| tally.inputs == 0) {
        return Err(io::Error::other(format!("{}: not one input was run", idle.target)));
    }
    Ok(if findings.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Some targets at a time, each with a bar.
fn run_all(targets: &[Target], threads: usize, plan: &Plan) -> io::Result<Vec<Tally>> {
    let program = std::env::current_exe()?;
    let (waiting, bars) = (Mutex::new(targets.iter()), MultiProgress::new());
    let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).next();
    let one = || -> io::Result<Vec<Tally>> {
        let mut tallies = Vec::new();
        while let Some(target) = next() {
            let bar = bars.add(bar(target, plan.time));
            tallies.push(fuzz(&program, target, plan, &bar)?);
            bar.finish_and_clear();
        }
        Ok(tallies)
    };
    let all = thread::scope(|scope| {
        let running: Vec<_> = (0..threads).map(|_| scope.spawn(one)).collect();
        let joined = running
            .into_iter()
            .map(|thread| thread.join().unwrap_or_else(|_| Err(io::Error::other("a thread panicked"))));
        joined.collect::<io::Result<Vec<_>>>()
    });
    let mut tallies = all?.concat();
    tallies.sort_by_key(|tally| targets.iter().position(|target| target.name == tally.target));
    Ok(tallies)
}

fn bar(target: &Target, time: Duration) -> ProgressBar {
    let bar = ProgressBar::new_spinner().with_prefix(target.name);
    let style = format!("{{spinner}} {{prefix:14}} {{elapsed}} of {} s, {{msg}}", time.as_secs());
    if let Ok(style) = ProgressStyle::with_template(&style) {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}
