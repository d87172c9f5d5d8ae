//! `desvio fabric`: a subnet manager programs the network, and traffic flows by what it wrote.

mod limits;
mod manager;
mod own;
mod refusals;
mod tables;

use super::cases::Case;
use super::curves::{Manner, run_all};
use super::failure::Failure;
use super::run::{RtlRouters, attach, tell_shadows};
use super::{output, rtl, source, start_threads, take};
use clap::{Args, ValueEnum};
use desvio_fabric::{Fabric, FabricError};
use desvio_sim::scenario::Scenario;
use desvio_sim::topology::Wiring;
use manager::Manager;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tables::Tables;

/// Lets a real OpenSM, or a manager of our own, discover and program the network, and runs traffic by the tables that it wrote
///
/// Each router is an InfiniBand switch and each node a channel adapter, every one with the subnet management agent that a switch
/// has as firmware (desvio-sma). They answer OpenSM packet by packet, by the protocol of ibsim and its client library. When OpenSM has
/// programmed them, their forwarding tables are read back, written to the folder of results, searched for deadlocks, and
/// followed by the scenario's traffic. What the scenario says of its routing does not matter.
///
/// With [[links.down]] in the scenario the same link goes down in the fabric: OpenSM finds it by a sweep and routes around it. In the
/// run the new tables are in use --convergence cycles after the failure; until then the ports at the link discard what is
/// sent into it, and the results count it.
///
/// With --manager own no OpenSM is needed: the subnet manager of desvio-manager runs at node 0 and sends the same packets. Its routes are
/// the shortest ones, and with --lmc others that share as few links with them as possible. They take the lanes of router.vcs that keep them free
/// of deadlock; where there are too few, they are up*/down*. With --standby a second manager, of desvio-manager, too, waits at the last node,
/// beside either.
///
/// The folder of results holds what `desvio run` leaves there, tables.csv, where packets have service levels also levels.csv and lanes.csv
/// (and tables-1.csv and so on after each failure), and OpenSM's own files in opensm/. `desvio run DIR/scenario.toml` runs the same without OpenSM.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The scenario file, or - for standard input
    file: PathBuf,
    /// Replace a key of the scenario, such as topology.dims=[4,4]; may be repeated
    #[arg(long = "set", value_name = "KEY=VALUE")]
    sets: Vec<String>,
    /// Folder of the results [default: results/ and the name of FILE]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Who programs the fabric
    #[arg(long, value_enum, value_name = "MANAGER", default_value_t = Programs::Opensm)]
    manager: Programs,
    /// A manager of our own at the last node, beside OpenSM or the first one of our own: it polls that, and takes over when three polls in succession were missed
    #[arg(long)]
    standby: bool,
    /// Priority of the manager at the last node [default: that of the first], which hands the fabric over to a higher one
    #[arg(long, value_name = "N", requires = "standby", value_parser = clap::value_parser!(u8).range(0..=15))]
    standby_priority: Option<u8>,
    /// Priority of the manager: the highest one of several managers is the master, of equal ones the lowest GUID
    #[arg(long, value_name = "N", default_value_t = 0, conflicts_with = "wait", value_parser = clap::value_parser!(u8).range(0..=15))]
    priority: u8,
    /// OpenSM's routing engine; other names are refused, since OpenSM would use min-hop for them [default: minhop]
    #[arg(long, value_name = "ENGINE", value_parser = clap::builder::PossibleValuesParser::new(ENGINES))]
    engine: Option<String>,
    /// LMC: each node has 2 to the power of N identifiers, and a route to each
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=7))]
    lmc: u8,
    /// Send to identifier N of each node, from 0 up to 2 to the power of the LMC, less 1
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=127))]
    path: u16,
    /// Ask OpenSM for the service level of each pair of nodes: packets take the lanes of it. So they do with lash, dfsssp, nue and torus-2QoS
    #[arg(long)]
    service_levels: bool,
    /// Packets that wait are discarded as the manager tells the switches (HOQLife, VLStallCount, LifeTimeValue); cycles are those of [infiniband]
    #[arg(long)]
    lifetimes: bool,
    /// What a manager of our own tells the switches, by OpenSM's names: head_of_queue_lifetime, leaf_head_of_queue_lifetime, vl_stall_count,
    /// leaf_vl_stall_count, packet_life_time; may be repeated. What is left out is as OpenSM has it; the run is by them with --lifetimes [default: with
    /// --lifetimes those of OpenSM, else none is told]
    #[arg(long = "limit", value_name = "NAME=N", value_parser = limits::parse)]
    limits: Vec<limits::Limit>,
    /// The switch that up/down routing takes as its root (engines updn and dnup)
    #[arg(long, value_name = "ROUTER")]
    root: Option<usize>,
    /// The agent of the last switch is firmware: the binary `agent` for a Cortex-M4F, under QEMU
    #[arg(long, value_name = "ELF")]
    board: Option<PathBuf>,
    /// Start no OpenSM: tell how to reach the fabric, and wait for a subnet manager
    #[arg(long)]
    wait: bool,
    /// Kill the manager when it has programmed the fabric, and start another one, which takes it over; with --standby that does
    #[arg(long, conflicts_with = "wait")]
    restart: bool,
    /// Seconds to wait for a fabric that is programmed
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    within: u64,
    /// Cycles from the failure of a link until new tables are in use
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    convergence: u64,
    /// Run routers 0 to K−1, or all of them, in SystemVerilog, too: every wire is compared in every cycle
    #[arg(long, value_name = "K|all")]
    rtl: Option<RtlRouters>,
    #[command(flatten)]
    hdl: rtl::Hdl,
    /// Keep the fabric when it is programmed, for ibnetdiscover and other programs, until a signal; run no traffic
    #[arg(long)]
    hold: bool,
    /// End when the fabric is programmed: run no traffic
    #[arg(long)]
    no_run: bool,
    /// Threads to run on [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    #[command(flatten)]
    manner: Manner,
    /// Further arguments of OpenSM, behind --, such as -- -a ROOTS
    #[arg(last = true, value_name = "OPENSM")]
    opensm: Vec<String>,
}

/// Who programs the fabric.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Programs {
    /// OpenSM, which is installed here
    Opensm,
    /// The subnet manager of desvio-manager
    Own,
}

impl Arguments {
    /// OpenSM's routing engine.
    fn engine(&self) -> &str {
        self.engine.as_deref().unwrap_or("minhop")
    }
}

/// Those of OpenSM 3.3.23.
const ENGINES: [&str; 10] =
    ["minhop", "updn", "dnup", "ftree", "lash", "dor", "torus-2QoS", "nue", "dfsssp", "sssp"];

const EXAMPLES: &str = "\
Examples:
  desvio fabric scenarios/fabric.toml
  desvio fabric scenarios/fabric.toml --engine dor --lmc 1 --no-run
  desvio fabric scenarios/fabric.toml --restart \\
      --set 'links.down=[{ router = 5, port = 1, at = 3000 }]'
  desvio fabric scenarios/fabric.toml --manager own --lmc 2 --no-run \\
      --set router.vcs=8
  desvio fabric scenarios/fabric.toml --manager own --standby --restart
  desvio fabric scenarios/fabric.toml --standby --standby-priority 5

Needs Linux; without --manager own OpenSM and ibsim's client library (Debian,
Ubuntu: apt-get install opensm ibsim-utils), too.

Exit status: 0 all is well; 1 a deadlock, a lost flit or another broken
invariant; 2 bad input. A fabric that is not programmed in time is bad input.
That tables may deadlock is told, and is no failure: desvio prove has a status.";

pub(crate) fn fabric(arguments: &Arguments) -> Result<(), Failure> {
    start_threads(arguments.threads)?;
    refusals::check(arguments)?;
    let stem = source::stem(&arguments.file);
    let out = arguments.out.clone().unwrap_or_else(|| Path::new("results").join(&stem));
    let folder = Arc::new(take(&out)?);
    let mut tables = Tables::new(&out, &arguments.sets);
    let scenario = source::read(&arguments.file, &tables.sets(&[], 0))?;
    refusals::check_traffic(arguments, &scenario)?;
    let wiring = Wiring::build(&scenario.topology)
        .map_err(|error| Failure::Input(format!("{}: {error}", source::name(&arguments.file))))?;
    refusals::check_ports(arguments, &wiring)?;
    let mut failures = scenario.links.down.clone();
    failures.sort_by_key(|failure| failure.at);
    output::print(&format!(
        "fabric     {} switches, {} channel adapters, LMC {}",
        wiring.routers(),
        wiring.nodes(),
        arguments.lmc
    ))?;
    let served = Fabric::new(&wiring).map_err(FabricError::from).map_err(refused)?;
    let mut manager = Manager::serve(served)?;
    if let Some(board) = &arguments.board {
        manager.put_board(board, &wiring)?;
    }
    manager.begin(arguments, &out, lanes(&scenario))?;
    let (mut program, mut levels) = manager.program("programmed", arguments)?;
    if manager.join(arguments, lanes(&scenario))? {
        (program, levels) = manager.program("handed over, programmed", arguments)?;
    }
    if arguments.restart {
        (program, levels) = manager.restart(arguments, &out)?;
    }
    tables.write(0, &program, levels.as_ref(), &wiring, arguments.path)?;
    if arguments.lifetimes {
        tables.limit(&manager.lifetimes()?, scenario.topology.classes());
    }
    for (failure, number) in failures.iter().zip(1..) {
        let (router, port) = (failure.router as usize, failure.port as usize);
        manager.take_down(router, port)?;
        let what = format!("router {router}, port {port} down: routed around");
        let (program, levels) = manager.program(&what, arguments)?;
        tables.write(number, &program, levels.as_ref(), &wiring, arguments.path)?;
    }
    if arguments.hold {
        manager.hold()?;
    }
    drop(manager);
    let mut case = Case::load(&arguments.file, &tables.sets(&failures, arguments.convergence), &stem)?;
    prove(&case)?;
    if arguments.no_run {
        return Ok(());
    }
    if let Some(routers) = arguments.rtl {
        attach(&mut case, routers, &arguments.file, &arguments.hdl, arguments.manner.quiet)?;
    }
    run_all(std::slice::from_ref(&case), &folder, arguments.manner)?;
    tell_shadows(&case, arguments.manner.quiet);
    Ok(())
}

/// Lanes that every link has.
fn lanes(scenario: &Scenario) -> u8 {
    let least = scenario.router.vcs.as_slice().iter().copied().min();
    least.map_or(1, |vcs| vcs.clamp(1, 8) as u8)
}

/// Whether packets can wait for each other for ever by the tables; of those after a failure, too.
fn prove(case: &Case) -> Result<(), Failure> {
    let refuse = |error: desvio_prove::ProveError| Failure::Input(format!("error: {error}"));
    let first = case.blueprint.routing().map_err(|error| refuse(error.into()))?;
    let updates = case.blueprint.routing_updates().map_err(|error| refuse(error.into()))?;
    for (at, routing) in [(0, first)].into_iter().chain(updates) {
        let proof = desvio_prove::prove(&case.blueprint, routing, &|| {}).map_err(refuse)?;
        let from = if at == 0 { String::new() } else { format!("from cycle {at} on\n") };
        output::print(&format!("{from}{proof}"))?;
    }
    Ok(())
}

/// Why a fabric cannot be programmed.
fn refused(error: impl Into<FabricError>) -> Failure {
    let error: FabricError = error.into();
    Failure::Input(format!("error: {error}"))
}
