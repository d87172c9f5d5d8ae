//! `desvio survey`: the throughput of networks beside what they cost.

mod answer;
mod traffics;

use super::cases::Case;
use super::failure::Failure;
use super::source::stem;
use super::{interrupt, output, start_threads, take};
use answer::Answer;
use clap::Args;
use desvio_report::{Gain, write_picture};
use desvio_sim::run::run;
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;
use std::fmt::Display;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::time::Duration;
use traffics::Kind;

/// Draws the throughput of networks, under uniform and worst-case traffic, beside what they cost
///
/// Every FILE is a network. Each runs under uniform traffic and under every one of these that fits it: far pairs (a permutation whose sum
/// of distances is as great as exchanges make it), a random permutation of nodes and one of routers. The others are bit complement,
/// transpose, tornado, and from each group to the next. Throughput is the highest accepted load, in flits per node and cycle, of the
/// offered loads 1, 0.8, 0.64 and so on, down to the first that the network keeps up with. Some networks accept less beyond saturation. The
/// worst case is the lowest of the traffics tried.
///
/// What a network costs is counted in connected router ports per node: both ends of each cable between routers, and the ports to
/// nodes. At equal cost a network that has twice the ports per node of the cheapest has links of half the width, and so half the
/// throughput.
///
/// The folder of results holds survey.csv and the pictures survey.svg and survey.png.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The scenario files; their traffic.pattern and traffic.loads do not matter
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Replace a key of every scenario, such as traffic.packet_flits=1; may be repeated
    #[arg(long = "set", value_name = "KEY=VALUE")]
    sets: Vec<String>,
    /// Folder of the results
    #[arg(long, value_name = "DIR", default_value = "results/survey")]
    out: PathBuf,
    /// Threads to run on [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Tell nothing but results and errors
    #[arg(long)]
    quiet: bool,
}

const EXAMPLES: &str = "\
Examples:
  desvio survey scenarios/networks/*.toml
  desvio survey scenarios/mesh.toml scenarios/torus.toml \\
      --set run.warmup_cycles=1000 --set run.measure_cycles=2000

Exit status: 0; 1 a deadlock, a lost flit or another broken invariant; 2 bad
input.";

/// A network under one traffic.
struct Job {
    network: usize,
    kind: Kind,
    case: Case,
}

pub(crate) fn survey(arguments: &Arguments) -> Result<(), Failure> {
    output::hush(arguments.quiet);
    start_threads(arguments.threads)?;
    let jobs = jobs(&arguments.files, &arguments.sets)?;
    let out = take(&arguments.out)?;
    let bar = bar(arguments, jobs.len());
    let accepted = jobs.par_iter().with_max_len(1).map(|job| {
        let accepted = throughput(job);
        bar.inc(1);
        accepted
    });
    let accepted = accepted.collect::<Result<Vec<_>, Failure>>()?;
    bar.finish_and_clear();
    let mut answers = Vec::new();
    for (network, file) in arguments.files.iter().enumerate() {
        let runs = jobs.iter().zip(&accepted).filter(|(job, _)| job.network == network);
        answers.extend(Answer::of(&stem(file), runs.map(|(job, &load)| (&job.case, job.kind, load))));
    }
    output::print(&answer::table(&answers))?;
    let failed = |error: String| Failure::Input(format!("error: cannot write the results: {error}"));
    answer::write_csv(&out.path().join("survey.csv"), &answers).map_err(|error| failed(error.to_string()))?;
    write_picture(out.path(), "survey", picture(&answers).svg())
        .map_err(|error| failed(error.to_string()))?;
    if !arguments.quiet {
        output::tell(&format!("results in {}", out.path().display()));
    }
    Ok(())
}

/// Every network under every traffic that it can have.
fn jobs(files: &[PathBuf], sets: &[String]) -> Result<Vec<Job>, Failure> {
    let mut jobs = Vec::new();
    for (network, file) in files.iter().enumerate() {
        let plain = Case::load(file, sets, &stem(file))?;
        for (kind, pattern) in traffics::all(plain.blueprint.wiring()) {
            let loads = "traffic.loads=[1.0]".to_owned();
            let sets: Vec<_> =
                sets.iter().cloned().chain([format!("traffic.pattern={pattern}"), loads]).collect();
            match Case::load(file, &sets, &stem(file)) {
                Ok(case) => jobs.push(Job { network, kind, case }),
                // A network without dimensions has no tornado.
                Err(_) if kind != Kind::Uniform => {}
                Err(failure) => return Err(failure),
            }
        }
    }
    Ok(jobs)
}

/// From one offered load to the next lower one.
const STEP: f64 = 0.8;
/// No load is lower.
const LEAST: f64 = 0.01;

/// The most flits accepted per node and cycle, of falling offered loads.
fn throughput(job: &Job) -> Result<f64, Failure> {
    let told = |error: &dyn Display| format!("error: {}, {}: {error}", job.case.name, job.kind.word());
    let (mut load, mut most) = (1.0, 0.0f64);
    while load > LEAST {
        let outcome =
            run(&job.case.blueprint, load, &|_| {}).map_err(|error| Failure::Input(told(&error)))?;
        if let Some(violation) = outcome.violation {
            return Err(Failure::Broken(told(&violation)));
        }
        most = most.max(outcome.summary.accepted);
        if outcome.summary.state.keeps_up() {
            break;
        }
        load *= STEP;
    }
    Ok(most)
}

/// Throughput against cost: as it is, and at equal cost.
fn picture(answers: &[Answer]) -> Gain {
    let cheapest = answers.iter().map(Answer::ports_per_node).fold(f64::INFINITY, f64::min);
    let points = |scaled: bool| {
        let point = |answer: &Answer| {
            let share = if scaled { cheapest / answer.ports_per_node() } else { 1.0 };
            let loads = [answer.uniform, answer.worst.1].map(|load| load * share);
            (answer.name.clone(), answer.ports_per_node(), loads.to_vec())
        };
        answers.iter().map(point).collect()
    };
    Gain {
        title: "Throughput of networks".to_owned(),
        subtitle: "the most flits accepted per node and cycle".to_owned(),
        routers: vec![
            ("links of equal width".to_owned(), points(false)),
            ("equal cost".to_owned(), points(true)),
        ],
        traffics: vec!["Accepted, uniform traffic", "Accepted, worst case"],
        cost: "Router ports per node",
    }
}

fn bar(arguments: &Arguments, runs: usize) -> ProgressBar {
    if arguments.quiet || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(runs as u64);
    if let Ok(style) = ProgressStyle::with_template("{bar:24} run {human_pos} of {human_len}, {eta} left") {
        bar.set_style(style.progress_chars("━╸ "));
    }
    output::redraw(&bar, Duration::from_millis(500));
    let done = bar.clone();
    interrupt::on_signal(move || {
        let runs = done.position();
        done.finish_and_clear();
        format!("{runs} runs were finished; nothing is written before all are")
    });
    bar
}
