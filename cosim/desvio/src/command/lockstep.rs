//! `desvio lockstep`: a scenario's router, model against RTL.

mod campaign;
mod mismatch;
mod netlist;
mod soak;
mod summary;

use super::cases::Case;
use super::failure::Failure;
use super::{interrupt, output, rtl, start_threads, take};
use clap::{Args, ValueEnum};
use desvio_lockstep::campaign::CampaignError;
use desvio_lockstep::compare::Compared;
use desvio_lockstep::coverage::Coverage;
use desvio_lockstep::mcu::{self, Emulated, McuTwin, Setup};
use desvio_lockstep::offers::Offers;
use desvio_lockstep::places::places;
use desvio_lockstep::record::Recorder;
use desvio_lockstep::replay::Replay;
use desvio_lockstep::rtl::{Probes, RtlError, Shape};
use desvio_lockstep::session::{Failed, Session};
use desvio_sim::blueprint::Blueprint;
use indicatif::{HumanCount, ProgressBar, ProgressState, ProgressStyle};
use rayon::prelude::*;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::Duration;
use summary::told;
use verilated::{CoveragePoint, Library, Trace};

/// Runs a scenario's router in SystemVerilog in lockstep with the model
///
/// Both get the same constrained-random traffic: bursts, back-pressure, late credits, long and short packets, resets in
/// mid-flight, neighbours that break the protocol. Every output and every register is compared in every cycle. The first difference ends
/// the run with the cycle, the signal, the expected value and the actual one. The stimulus, made as small as possible, is written to a file
/// that --replay runs, beside a waveform with both sides' signals.
///
/// At the end it lists what was exercised, and names what never was.
///
/// With --netlist the RTL is synthesised first, as desvio cost does it, and the netlist takes its place: gates, flip-flops and
/// memories. Its registers have lost their names, so that its outputs are compared and nothing inside.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The scenario file
    #[arg(required_unless_present_any = ["replay", "campaign"])]
    file: Option<PathBuf>,
    /// Internal cycles to run; in a campaign, of each configuration
    #[arg(long, value_name = "N", default_value_t = DEFAULT_CYCLES, value_parser = clap::value_parser!(u64).range(1..))]
    cycles: u64,
    /// Replace a key of the scenario, such as selection.trigger=hybrid; may be repeated
    #[arg(long = "set", value_name = "KEY=VALUE")]
    sets: Vec<String>,
    /// The router of the network that is tested [default: another one in each stimulus; with --mcu the first]
    #[arg(long, value_name = "R")]
    router: Option<usize>,
    /// Seed of the stimuli and of the RTL's registers before reset [default: the scenario's]
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Run routers that together have every choice of the RTL, one after the other, and merge what they have seen
    #[arg(long, conflicts_with_all = ["file", "sets", "router", "flit_width", "own_lengths", "mcu"])]
    campaign: bool,
    /// Of the campaign only this router; may be repeated
    #[arg(long, value_name = "NAME", requires = "campaign", value_parser = campaign::known)]
    only: Vec<String>,
    /// Keep what has been done in the folder of reports, soak.toml, and go on from there: --cycles is what there is in the end, of
    /// each configuration in a campaign, however often it is interrupted
    #[arg(long, conflicts_with_all = ["coverage", "replay", "mcu"])]
    soak: bool,
    /// Bits of a flit [default: 128]
    #[arg(long, value_name = "BITS")]
    flit_width: Option<u32>,
    /// Build the RTL for packets of the scenario's lengths alone, as desvio cost does, and send no others: admission then compares no
    /// lengths [default: for any length]
    #[arg(long)]
    own_lengths: bool,
    /// Run this stimulus only, as an earlier mismatch wrote it
    #[arg(long, value_name = "STIMULUS", conflicts_with_all = ["file", "cycles", "sets", "router", "seed", "flit_width", "campaign"])]
    replay: Option<PathBuf>,
    /// A microcontroller goes through the same, and a difference names the odd one of the three; cargo xtask firmware builds
    /// its program, and QEMU runs it
    #[arg(long, value_name = "CORE", num_args = 0..=1, default_missing_value = "cortex-m4f")]
    mcu: Option<Core>,
    /// Folder of the microcontrollers' programs
    #[arg(long, value_name = "DIR", default_value = "target/firmware", requires = "mcu")]
    firmware: PathBuf,
    /// Also tell which lines, branches and bits of the RTL were exercised: about five times slower
    #[arg(long)]
    coverage: bool,
    /// On a mismatch, also write a waveform of everything inside the RTL: it is compiled once more
    #[arg(long)]
    waves: bool,
    /// Do not watch the assertions of the RTL, whose registers and outputs are compared all the same: half as fast again
    #[arg(long)]
    no_assertions: bool,
    /// Run the netlist of gates that desvio cost counts in place of the RTL, and compare its outputs: Yosys makes it
    #[arg(long, conflicts_with_all = ["campaign", "mcu", "coverage", "no_assertions"])]
    netlist: bool,
    #[command(flatten)]
    hdl: rtl::Hdl,
    /// Folder for reports [default: results/lockstep]
    #[arg(long, value_name = "DIR", default_value = "results/lockstep", hide_default_value = true)]
    out: PathBuf,
    /// Threads to run on [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Tell nothing but results and errors
    #[arg(long)]
    quiet: bool,
    /// Also list the cases of functional coverage that can never be seen, with the reason of each
    #[arg(long)]
    verbose: bool,
}

/// An emulated core.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Core {
    /// Room for 16 ports with 4 VCs
    CortexM4f,
    /// Room for 7 ports with 3 VCs of 32 flits, and output FIFOs of 4
    CortexM0,
    /// Room for 16 ports with 4 VCs
    Rv32imac,
}

impl Core {
    const fn emulated(self) -> Emulated {
        match self {
            Self::CortexM4f => Emulated::CortexM4F,
            Self::CortexM0 => Emulated::CortexM0,
            Self::Rv32imac => Emulated::Rv32Imac,
        }
    }
}

const EXAMPLES: &str = r"Examples:
  desvio lockstep scenarios/dragonfly.toml --cycles 1000000
  desvio lockstep scenarios/dragonfly.toml --set selection.trigger=hybrid \
      --set router.allocator=wavefront --coverage
  desvio lockstep scenarios/petersen.toml --hdl my-hdl
  desvio lockstep scenarios/dragonfly.toml --own-lengths
  desvio lockstep scenarios/dragonfly.toml --mcu
  desvio lockstep scenarios/dragonfly.toml --mcu cortex-m0 \
      --set router.buffer_flits=32 --set router.output_flits=4
  desvio lockstep --replay results/lockstep/stimulus.toml
  desvio lockstep scenarios/tiny.toml --netlist
  desvio lockstep --campaign --cycles 300000 --hdl my-hdl
  desvio lockstep --campaign --cycles 70000000 --soak --out results/soak

Exit status: 0 no difference; 1 a difference, with report, stimulus and
waveform; 2 bad input. Needs Verilator 5.006 or newer and a C++ compiler; the
compiled RTL is kept, so that the next run starts at once.";

/// Internal cycles where the command line says nothing.
const DEFAULT_CYCLES: u64 = 100_000;

/// Independent sequences of stimuli: each has its own pair of routers, on any thread.
const LANES: u64 = 4;

pub(crate) fn lockstep(arguments: &Arguments) -> Result<(), Failure> {
    output::hush(arguments.quiet);
    start_threads(arguments.threads)?;
    if arguments.campaign {
        return campaign::campaign(arguments);
    }
    let replay = arguments.replay.as_deref().map(Replay::read).transpose().map_err(Failure::Input)?;
    let file = replay.as_ref().map(|replay| replay.scenario.as_path()).or(arguments.file.as_deref());
    let file = file.unwrap_or(Path::new(""));
    let case = Case::load(file, &arguments.sets, "")?;
    let blueprint = &case.blueprint;
    let fixed = arguments.router.or(arguments.mcu.map(|_| 0));
    let routers = match &replay {
        Some(replay) => vec![replay.stimulus.settings.router.unwrap_or(replay.router)],
        None => fixed.map_or_else(|| places(blueprint, 0), |router| vec![router]),
    };
    if let Some(router) = routers.iter().find(|&&router| router >= blueprint.wiring().routers()) {
        let last = blueprint.wiring().routers() - 1;
        return Err(Failure::Input(format!("error: --router {router}: the network has routers 0 to {last}")));
    }
    let mut shape = Shape::of_router(blueprint, routers[0])
        .map_err(|error| Failure::Input(format!("{}: {error}", file.display())))?;
    if let Some(bits) = replay.as_ref().map_or(arguments.flit_width, |replay| replay.flit_width) {
        let told = || Failure::Input(format!("error: {}", CampaignError::FlitWidth(bits)));
        shape = shape.with_flit_width(bits).ok_or_else(told)?;
    }
    if arguments.own_lengths || arguments.netlist {
        shape = shape.for_own_packets();
    }
    // Before the RTL is compiled, which takes longer.
    let mcu = microcontroller(arguments, blueprint, routers[0])?;
    let _out = take(&arguments.out)?;
    let run = Run {
        arguments,
        blueprint,
        shape: &shape,
        mcu,
        routers,
        seed: replay.as_ref().map(|r| r.seed).or(arguments.seed).unwrap_or(blueprint.scenario().run.seed),
        library: compile(&shape, arguments, Trace::None, arguments.quiet)?,
    };
    match replay {
        Some(replay) => run.replay(&replay),
        None if arguments.soak => soak::soak(&[("router", run)], arguments),
        None => {
            let bar = progress_bar(arguments, arguments.cycles);
            let total = run.all(&bar);
            bar.finish_and_clear();
            run.report(&total?)
        }
    }
}

fn compile(shape: &Shape, arguments: &Arguments, trace: Trace, quiet: bool) -> Result<Library, Failure> {
    if arguments.netlist {
        return netlist::compile(shape, &arguments.hdl, trace, quiet);
    }
    let coverage = if arguments.coverage { verilated::Coverage::All } else { verilated::Coverage::None };
    // A stimulus that is run again finds the library of the run that found it, unless that was a very long one.
    let length = verilated::Run::of_cycles(arguments.cycles.max(DEFAULT_CYCLES));
    let design = rtl::router(shape, &arguments.hdl, true, length)?;
    let design = design.assertions(!arguments.no_assertions).coverage(coverage).trace(trace);
    rtl::compile(design, quiet)
}

/// A microcontroller that is to be emulated: the program that runs on it, and its setup.
struct Mcu {
    emulated: Emulated,
    setup: Setup,
    program: PathBuf,
}

/// The microcontroller that is asked for, with the router in place `router`.
fn microcontroller(
    arguments: &Arguments,
    blueprint: &Blueprint,
    router: usize,
) -> Result<Option<Mcu>, Failure> {
    let Some(emulated) = arguments.mcu.map(Core::emulated) else { return Ok(None) };
    let setup =
        mcu::setup(blueprint, router).map_err(|error| Failure::Input(format!("error: --mcu: {error}")))?;
    let binary = arguments.firmware.join(emulated.target()).join("release").join(emulated.program(&setup));
    if binary.is_file() {
        return Ok(Some(Mcu { emulated, setup, program: binary }));
    }
    let hint = "cargo xtask firmware builds it; --firmware says where it is";
    Err(Failure::Input(format!("error: --mcu: {}: no such program: {hint}", binary.display())))
}

/// One call of the command.
struct Run<'a> {
    arguments: &'a Arguments,
    blueprint: &'a Blueprint,
    shape: &'a Shape,
    /// The third one, where it is asked for.
    mcu: Option<Mcu>,
    /// Where the router is: in one of these places.
    routers: Vec<usize>,
    seed: u64,
    library: Library,
}

/// What a lane has done.
struct Lane {
    compared: Compared,
    stimuli: u64,
    coverage: Coverage,
    points: Vec<CoveragePoint>,
}

/// What a lane has done, or the difference it found, with its seed.
type Found = Result<Lane, (u64, Box<Failed>)>;

impl Run<'_> {
    fn session(&self, seed: u64) -> Result<Session<'_>, Failure> {
        let told = |error: &dyn std::fmt::Display| Failure::Input(format!("error: {error}"));
        let mut session = Session::new(self.blueprint, self.shape, &self.library, self.routers[0], seed)
            .map_err(|error: RtlError| told(&error))?;
        if self.routers.len() > 1 {
            session = session.among(self.blueprint, &self.routers).map_err(|error| told(&error))?;
        }
        if self.arguments.netlist {
            session = session.at_the_pins();
        }
        let Some(Mcu { emulated, setup, program }) = &self.mcu else { return Ok(session) };
        let running = McuTwin::start(emulated.command(program), setup, self.shape)
            .map_err(|error| Failure::Input(format!("error: --mcu: {error}")))?;
        Ok(session.with(running))
    }

    fn fresh_coverage(&self) -> Result<Coverage, Failure> {
        let routing = self.blueprint.routing().map_err(|error| Failure::Input(format!("error: {error}")))?;
        let nodes: Vec<_> =
            (0..self.blueprint.wiring().nodes()).map(|node| self.blueprint.address(node)).collect();
        let places: Vec<_> = self.routers.iter().map(|&router| self.blueprint.here(router)).collect();
        let offers = Offers::of(&routing, &places, self.shape, &nodes);
        Ok(Coverage::new(self.shape, &Probes::of(self.shape).list, &offers))
    }

    fn all(&self, bar: &ProgressBar) -> Result<Lane, Failure> {
        let coverage = self.fresh_coverage()?;
        let lanes: Vec<_> =
            (0..LANES).into_par_iter().map(|lane| self.lane(lane, coverage.clone(), bar)).collect();
        let mut total = Lane { compared: Compared::default(), stimuli: 0, coverage, points: Vec::new() };
        let mut points = Vec::new();
        for lane in lanes {
            // The first lane's difference is reported, whichever was found first.
            let lane = match lane? {
                Ok(lane) => lane,
                Err((seed, failed)) => return Err(self.mismatch(seed, &failed)),
            };
            total.compared += lane.compared;
            total.stimuli += lane.stimuli;
            total.coverage.merge(&lane.coverage);
            points.push(lane.points);
        }
        total.points = verilated::coverage::merge(points);
        Ok(total)
    }

    /// Every `LANES`-th stimulus, until this lane has done its share of the cycles.
    fn lane(&self, lane: u64, mut coverage: Coverage, bar: &ProgressBar) -> Result<Found, Failure> {
        let share = self.arguments.cycles / LANES + u64::from(lane < self.arguments.cycles % LANES);
        let seed = self.seed.wrapping_add(lane);
        let mut session = self.session(seed)?;
        let (mut compared, mut stimuli) = (Compared::default(), 0);
        while compared.cycles < share {
            let number = lane + stimuli * LANES;
            match session.run(number, share - compared.cycles, &mut coverage) {
                Ok(more) => {
                    compared += more;
                    bar.inc(more.cycles);
                }
                Err(failed) => return Ok(Err((seed, failed))),
            }
            stimuli += 1;
        }
        let points = if self.arguments.coverage { self.points(&mut session, lane)? } else { Vec::new() };
        Ok(Ok(Lane { compared, stimuli, coverage, points }))
    }

    fn points(&self, session: &mut Session<'_>, lane: u64) -> Result<Vec<CoveragePoint>, Failure> {
        let path = self.arguments.out.join(format!("coverage-{lane}.dat"));
        session.rtl().model().write_coverage(&path).map_err(|error| Failure::Input(error.to_string()))?;
        verilated::coverage::read(&path).map_err(|error| Failure::Input(error.to_string()))
    }

    fn replay(&self, replay: &Replay) -> Result<(), Failure> {
        if let Some(violation) = replay.stimulus.violation(self.shape) {
            return Err(Failure::Input(format!("error: the stimulus does not fit the router: {violation}")));
        }
        let mut session = self.session(replay.seed)?;
        let mut recorder = Recorder::default();
        match session.replay(&replay.stimulus, &mut recorder) {
            Ok(compared) => output::print(&told(&compared, 1)),
            Err(mismatch) => Err(self.broken(&mut session, &mismatch, &recorder, replay, "")),
        }
    }
}

/// How many of so many cycles have passed; a signal ends it, and says the same in a line.
fn progress_bar(arguments: &Arguments, cycles: u64) -> ProgressBar {
    let bar = bar(arguments, cycles);
    let done = bar.clone();
    interrupt::on_signal(move || {
        let cycles = done.position();
        done.finish_and_clear();
        format!("{cycles} cycles were compared")
    });
    bar
}

fn bar(arguments: &Arguments, cycles: u64) -> ProgressBar {
    if arguments.quiet || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(cycles);
    // In 60 columns; a message that is too long is cut.
    let style = "{bar:8} cycle {human_pos} of {human_len}, {rate}/s, {eta} left {wide_msg}";
    if let Ok(style) = ProgressStyle::with_template(style) {
        let rate = |state: &ProgressState, out: &mut dyn std::fmt::Write| {
            // What cannot be written is not seen.
            let _ = write!(out, "{}", HumanCount(state.per_sec() as u64));
        };
        bar.set_style(style.with_key("rate", rate).progress_chars("━╸ "));
    }
    output::redraw(&bar, Duration::from_millis(500));
    bar
}
