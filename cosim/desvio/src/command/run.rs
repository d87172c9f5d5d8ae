//! `desvio run`: every load of one scenario.

use super::cases::Case;
use super::curves::{Manner, run_all};
use super::failure::Failure;
use super::processes::{self, Part, Place};
use super::{output, rtl, source, start_threads, take};
use clap::Args;
use desvio_campaign::Subject;
use desvio_lockstep::rtl::{Rtl, Shape};
use desvio_sim::run::follow;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

/// Runs every load of a scenario; prints a table, writes CSV, JSON and plots
///
/// Each load runs until the network is stationary and then until the confidence intervals are narrow, or as long as
/// the scenario says. Loads run side by side; when fewer are left than there are threads, the threads share a load, if the
/// network is large enough for it to pay. The results do not depend on the number of threads.
///
/// The folder of results holds summary.csv (one row per load), summary.json (every digit), hops.csv, scenario.toml (the scenario with every
/// default filled in), and provenance.json (the program's version and the settings). It has pictures of latency, accepted load, misrouted
/// packets, hops and links. Traffic that switches adds series.csv with its picture, and `run.details = true` adds links.csv, nodes.csv and
/// latency.csv; both add link_series.csv. `desvio report` makes one page of it. Finished loads are written at once, and kept in points/ by what they are: the same
/// command runs what a killed one has left over, and nothing twice. An earlier run's files of the names above are replaced.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, after_long_help = format!("{EXAMPLES}\n\n{SCENARIO}"))]
pub(crate) struct Arguments {
    /// The scenario file, or - for standard input
    file: PathBuf,
    /// Replace a key of the scenario, such as routing.algorithm=minimal; may be repeated
    #[arg(long = "set", value_name = "KEY=VALUE")]
    sets: Vec<String>,
    /// Folder of the results [default: results/ and the name of FILE]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Threads to run on: loads side by side, then the parts of a large network [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Run each load in several processes: N on this machine, those of one srun, or by hand
    ///
    /// Each process has a part of the routers and their nodes: whole groups of a Dragonfly. The results are those of one process, to the byte.
    /// A load that ends in a deadlock or another violation is run again by process 0 alone, which names it. `slurm` takes number and hosts
    /// from the environment of `srun`, as in `srun --ntasks=8 desvio run FILE --processes slurm`. By hand each process is started with
    /// NUMBER/COUNT@HOST:PORT: its number from 0 on, how many there are, and where process 0 is. They trust who calls at that port with the
    /// right scenario: use a network of your own.
    #[arg(long, value_name = "N|slurm|PLACE", conflicts_with = "rtl")]
    processes: Option<Place>,
    /// Run routers 0 to K−1, or all of them, in SystemVerilog, too: every wire is compared in every cycle
    ///
    /// The results are those of a run without; the first difference ends the run. Needs Verilator 5.006 or newer.
    #[arg(long, value_name = "K|all")]
    rtl: Option<RtlRouters>,
    #[command(flatten)]
    hdl: rtl::Hdl,
    /// Print the scenario with all its defaults, and run nothing
    #[arg(long)]
    show: bool,
    #[command(flatten)]
    manner: Manner,
}

const EXAMPLES: &str = "\
Examples:
  desvio run scenarios/dragonfly.toml
  desvio run scenarios/dragonfly.toml --show
  desvio run scenarios/mesh.toml --set traffic.pattern=tornado --out tornado
  desvio run scenarios/torus.toml --set 'traffic.loads=[0.1,0.3]' --threads 1
  desvio run scenarios/petersen.toml --set traffic.loads=saturation --quiet
  desvio run scenarios/dragonfly.toml --processes 2
  desvio run scenarios/dragonfly.toml --rtl 4

Exit status: 0 all is well; 1 a deadlock, a lost flit or another broken
invariant; 2 bad input.";

const SCENARIO: &str = r#"A complete scenario file, every other key at its default (see --show):

  [topology]
  kind = "dragonfly"     # 23 kinds: docs/scenarios.md
  p = 2                  # nodes per router
  a = 4                  # routers per group
  h = 2                  # global links per router

  [traffic]
  loads = [0.1, 0.2, 0.3]     # flits per node per cycle; or "saturation"

With loads = "saturation", the highest load is searched at which every node's
source queue keeps up."#;

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let Arguments { file, sets, .. } = arguments;
    if arguments.show {
        return output::print(&source::read(file, sets)?.to_toml());
    }
    if arguments.hdl.hdl.is_some() && arguments.rtl.is_none() {
        return Err(Failure::Input(
            "error: --hdl says where the RTL of --rtl is, which is missing".to_owned(),
        ));
    }
    if file == Path::new("-") && matches!(arguments.processes, Some(Place::Here(_))) {
        let text = "error: --processes: each process reads the scenario, which standard input gives to one";
        return Err(Failure::Input(text.to_owned()));
    }
    output::hush(arguments.manner.quiet);
    start_threads(arguments.threads.or(arguments.processes.as_ref().and_then(Place::threads)))?;
    let stem = source::stem(file);
    let mut case = Case::load(file, sets, &stem)?;
    if let Some(routers) = arguments.rtl {
        attach(&mut case, routers, file, &arguments.hdl, arguments.manner.quiet)?;
    }
    let part = arguments.processes.as_ref().map(|place| join(&mut case, place)).transpose()?;
    if case.blueprint.processes().is_some_and(|processes| processes.own() > 0) {
        return follow(&case.blueprint).map_err(|error| Failure::Input(format!("error: {error}")));
    }
    let out = arguments.out.clone().unwrap_or_else(|| Path::new("results").join(stem));
    let ran =
        take(&out).and_then(|out| run_all(std::slice::from_ref(&case), &Arc::new(out), arguments.manner));
    if let Some(part) = part {
        part.end(case.blueprint.processes());
    }
    ran?;
    tell_shadows(&case, arguments.manner.quiet);
    Ok(())
}

/// Runs the loads of a case together with other processes.
fn join(case: &mut Case, place: &Place) -> Result<Part, Failure> {
    let subject = Subject::new(case.blueprint.scenario());
    let subject = subject.map_err(|error| Failure::Input(format!("error: {error}")))?;
    processes::join(&mut case.blueprint, place, &subject.point(0.0).to_string())
}

/// How many routers ran in SystemVerilog, too, and never differed.
pub(crate) fn tell_shadows(case: &Case, quiet: bool) {
    if let (Some(shadowing), false) = (case.blueprint.shadowing(), quiet) {
        let (some, all) = (shadowing.routers(), case.blueprint.wiring().routers());
        output::tell(&format!(
            "{some} of {all} routers in SystemVerilog, too: on every wire, in every cycle, what their models drove"
        ));
    }
}

/// Which routers also run in SystemVerilog.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RtlRouters {
    First(usize),
    All,
}

impl FromStr for RtlRouters {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.parse() {
            Ok(0) => Err("at least one router, or \"all\""),
            Ok(count) => Ok(Self::First(count)),
            Err(_) if text == "all" => Ok(Self::All),
            Err(_) => Err("a number of routers, or \"all\""),
        }
    }
}

/// Runs the first routers in SystemVerilog, too.
pub(crate) fn attach(
    case: &mut Case,
    routers: RtlRouters,
    file: &Path,
    hdl: &rtl::Hdl,
    quiet: bool,
) -> Result<(), Failure> {
    let all = case.blueprint.wiring().routers();
    let routers = match routers {
        RtlRouters::All => all,
        RtlRouters::First(count) if count <= all => count,
        RtlRouters::First(count) => {
            return Err(Failure::Input(format!("error: --rtl {count}: the network has {all} routers")));
        }
    };
    let file = source::name(file);
    let shapes =
        Shape::of_network(&case.blueprint).map_err(|error| Failure::Input(format!("{file}: {error}")))?;
    let cycles = case.blueprint.scenario().run.longest_measurement(case.blueprint.wiring().nodes());
    let of_a_load = cycles.saturating_mul(routers as u64);
    let compile = |shape: Shape| {
        let shape = shape.for_own_packets();
        let design = rtl::router(&shape, hdl, false, verilated::Run::of_cycles(of_a_load))?;
        Ok((shape, rtl::compile(design, quiet)?))
    };
    let designs = shapes.into_iter().map(compile).collect::<Result<_, Failure>>()?;
    case.blueprint.attach(Rtl { designs, routers });
    Ok(())
}
