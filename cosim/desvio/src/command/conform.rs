//! `desvio conform`: someone else's switch, as a black box.

use super::cases::Case;
use super::failure::Failure;
use super::{output, rtl, take};
use clap::Args;
use desvio_lockstep::conform::{ConformError, Options, PortMap, Rule, conform as check};
use std::path::{Path, PathBuf};
use verilated::{Design, Stage};

/// Checks a switch in your own Verilog against what every switch must do
///
/// The switch stands in the place of one router of the scenario. Packets that can really come there are sent to it in
/// every way that is legal: alone, in bursts, against back-pressure, starved of credits, all to one output. No flit may
/// be lost, invented, duplicated, changed or reordered, no packet may leave by a way that the scenario's routing does
/// not offer, no credit may be overdrawn or lost, and no packet may wait for ever.
///
/// A map in TOML says what the switch's signals are called and where the fields of its flits are: docs/conform.md
/// explains it. Verilator compiles the switch when it is needed, and keeps the result.
///
/// What is compiled runs as a program with your rights. Verilog that runs programs ($system), is C++ ($c), calls it (DPI) or
/// writes files is refused without --trust; that is no sandbox.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The scenario file
    #[arg(value_name = "SCENARIO")]
    file: PathBuf,
    /// The Verilog files, packages first
    #[arg(long, value_name = "FILES", required = true, num_args = 1..)]
    rtl: Vec<PathBuf>,
    /// The top module
    #[arg(long, value_name = "NAME")]
    top: String,
    /// The map of its signals
    #[arg(long, value_name = "MAP.toml")]
    map: PathBuf,
    /// A folder of included Verilog files; may be repeated
    #[arg(long, value_name = "DIR")]
    include: Vec<PathBuf>,
    /// A Verilog macro; may be repeated
    #[arg(long, value_name = "NAME[=VALUE]")]
    define: Vec<String>,
    /// Also run Verilog that reaches out of the simulation: $system, $c, DPI, $fopen
    #[arg(long)]
    trust: bool,
    /// The router of the scenario whose place the switch takes
    #[arg(long, value_name = "N", default_value_t = 0)]
    router: usize,
    /// Cycles of random traffic, about
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1_000..=10_000_000_000))]
    cycles: u64,
    /// The seed of every random choice
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Cycles after which a packet waits for ever [default: eight times what a fair switch needs]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    patience: Option<u64>,
    /// A rule that may break: its findings are counted, and the run goes on; may be repeated
    #[arg(long, value_name = "RULE", value_parser = allowed)]
    allow: Vec<Rule>,
    /// Folder for the waveform of a mismatch
    #[arg(long, value_name = "DIR", default_value = "results/conform")]
    out: PathBuf,
    /// Write no waveform of a mismatch, for which the switch is compiled and run once more
    #[arg(long, conflicts_with = "out")]
    no_waves: bool,
    /// Replace a key of the scenario, such as traffic.packet_flits=4; may be repeated
    #[arg(long = "set", value_name = "KEY=VALUE")]
    sets: Vec<String>,
    /// Tell nothing but results and errors
    #[arg(long)]
    quiet: bool,
}

const EXAMPLES: &str = "\
Examples:
  cd examples/foreign-switch
  desvio conform --rtl crosspoint.v input_side.v output_side.v --top crosspoint \\
      --map map.toml petersen.toml
  desvio conform --rtl crosspoint.v defects/lost_credit.v output_side.v \\
      --top crosspoint --map map.toml petersen.toml

Exit status: 0 the switch conforms, or only what --allow names broke; 1 it
does not, with a waveform; 2 bad input. Needs Verilator 5.006 or newer and a C++ compiler.";

pub(crate) fn conform(arguments: &Arguments) -> Result<(), Failure> {
    let Arguments { file, sets, map, quiet, .. } = arguments;
    let case = Case::load(file, sets, "")?;
    let map = PortMap::load(map).map_err(|error| Failure::Input(error.to_string()))?;
    let files: Vec<PathBuf> = arguments.rtl.iter().flat_map(|path| listed(path)).collect();
    are_there(&files, &arguments.include)?;
    let _out = (!arguments.no_waves).then(|| take(&arguments.out)).transpose()?;
    let mut design = Design::new(arguments.top.clone()).sources(files).confined(!arguments.trust);
    design = design.run(verilated::Run::of_cycles(arguments.cycles));
    for folder in &arguments.include {
        design = design.include(folder);
    }
    for define in &arguments.define {
        design = design.flag(format!("-D{define}"));
    }
    let mut tell = |stage: &str| {
        if !quiet {
            output::tell(stage);
        }
    };
    if !quiet {
        design = design.on_build(|stage| {
            if let Some(text) = building(stage) {
                output::tell(text);
            }
        });
    }
    let options = Options {
        router: arguments.router,
        cycles: arguments.cycles,
        seed: arguments.seed,
        patience: arguments.patience,
        allow: arguments.allow.clone(),
        out: (!arguments.no_waves).then(|| arguments.out.clone()),
    };
    match check(&case.blueprint, &map, &design, &options, &mut tell) {
        Ok(report) => output::print(&report.to_string()),
        Err(error @ (ConformError::Mismatch(_) | ConformError::Nothing(_))) => {
            Err(Failure::Broken(error.to_string()))
        }
        Err(error @ ConformError::Map(_)) => Err(Failure::Input(error.to_string())),
        Err(ConformError::Build(error)) => Err(rtl::refused(&error)),
        Err(error) => Err(Failure::Input(format!("error: {error}"))),
    }
}

/// A rule that is named as in the report, and behind which a run can go on.
fn allowed(name: &str) -> Result<Rule, String> {
    let rule = Rule::named(name)?;
    rule.ends_the_run().map_or(Ok(rule), |why| Err(format!("{rule} cannot be allowed: {why}")))
}

/// The files of one argument: itself, or several with commas between.
fn listed(path: &Path) -> Vec<PathBuf> {
    match path.to_str() {
        Some(text) if !path.is_file() => text.split(',').map(PathBuf::from).collect(),
        _ => vec![path.to_owned()],
    }
}

/// Verilator would pass over a folder that is not there.
fn are_there(rtl: &[PathBuf], include: &[PathBuf]) -> Result<(), Failure> {
    let file = rtl.iter().find(|path| !path.is_file()).map(|path| ("rtl", path, "file"));
    let folder = include.iter().find(|path| !path.is_dir()).map(|path| ("include", path, "folder"));
    match file.or(folder) {
        None => Ok(()),
        Some((option, path, what)) => {
            Err(Failure::Input(format!("error: --{option} {}: there is no such {what}", path.display())))
        }
    }
}

fn building(stage: Stage) -> Option<&'static str> {
    match stage {
        Stage::Waiting => None,
        Stage::Verilating => Some("Verilator reads the switch"),
        Stage::Compiling => Some("compiling it"),
    }
}
