//! `desvio conform`: someone else's switch, as a black box.

mod junit;

use super::cases::Case;
use super::failure::Failure;
use super::{output, rtl, start_threads, take};
use clap::Args;
use desvio_lockstep::conform::{
    ConformError, Options, PortMap, Report, Rule, conform as check, skeleton as suggested,
};
use std::path::{Path, PathBuf};
use std::time::Instant;
use verilated::{Design, Stage};

/// Checks a switch in your own Verilog against what every switch must do
///
/// The switch stands in the place of one router of the scenario. Packets that can really come there are sent to it in
/// every way that is legal: alone, in bursts, against back-pressure, starved of credits, all to one output. No flit may be lost, invented,
/// duplicated, changed or reordered. No packet may leave by a way that the scenario's routing does not offer, or wait for ever. No credit
/// may be overdrawn or lost.
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
    #[arg(long, value_name = "MAP.toml", required_unless_present = "skeleton")]
    map: Option<PathBuf>,
    /// Check nothing: print the beginning of a map, from the names and widths of the module's ports
    #[arg(long, conflicts_with = "map")]
    skeleton: bool,
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
    /// Also send packets where none goes in the scenario's network, wherever its routing has an answer: such as back to where they
    /// came from, or by turns that dimension order never takes
    #[arg(long)]
    all_pairs: bool,
    /// Folder for the waveform of a mismatch
    #[arg(long, value_name = "DIR", default_value = "results/conform")]
    out: PathBuf,
    /// Write no waveform of a mismatch, for which the switch is compiled and run once more
    #[arg(long, conflicts_with = "out")]
    no_waves: bool,
    /// Also write what was found as JUnit's XML, for test reporters: each rule is a test case
    #[arg(long, value_name = "FILE", conflicts_with = "skeleton")]
    junit: Option<PathBuf>,
    /// Count which lines, branches and bits of your Verilog the check reaches, some four times slower: a table in the report, and files
    /// in this folder, coverage.csv and the sources with what was not reached
    #[arg(long, value_name = "DIR", conflicts_with = "skeleton")]
    coverage: Option<PathBuf>,
    /// Replace a key of the scenario, such as traffic.packet_flits=4; may be repeated
    #[arg(long = "set", value_name = "KEY=VALUE")]
    sets: Vec<String>,
    /// The least of an equal share of an output that each input must get while all want it in every cycle, 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.125, value_parser = share)]
    fair_share: f64,
    /// Also list the rules, with how often each was looked at
    #[arg(long, conflicts_with = "skeleton")]
    verbose: bool,
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
  desvio conform --rtl crosspoint.v input_side.v output_side.v --top crosspoint \\
      --skeleton petersen.toml

Exit status: 0 the switch conforms, or only what --allow names broke; 1 it
does not, with a waveform; 2 bad input. Needs Verilator 5.006 or newer and a C++ compiler.";

pub(crate) fn conform(arguments: &Arguments) -> Result<(), Failure> {
    start_threads(None)?;
    let begin = Instant::now();
    let Some(map) = &arguments.map else { return skeleton(arguments) };
    let result = attempt(arguments, map);
    let written = arguments.junit.as_ref().map_or(Ok(()), |path| {
        let text = match &result {
            Ok(result) => junit::text(&suite(arguments, begin), result),
            Err(failure) => junit::not_run(&suite(arguments, begin), failure.message()),
        };
        desvio_report::replace(path, text.as_bytes()).map_err(|error| format!("error: --junit {error}"))
    });
    // What was found comes first, whatever becomes of that file.
    match (result.and_then(|result| printed(result, arguments.verbose)), written) {
        (Ok(()), written) => written.map_err(Failure::Input),
        (Err(failure), Ok(())) => Err(failure),
        (Err(Failure::Broken(found)), Err(error)) => Err(Failure::Broken(format!("{found}\n{error}"))),
        (Err(Failure::Input(found)), Err(error)) => Err(Failure::Input(format!("{found}\n{error}"))),
    }
}

/// Prints what was found, whether the switch conforms or not.
fn printed(result: Result<Report, ConformError>, verbose: bool) -> Result<(), Failure> {
    match result {
        Ok(report) if verbose => output::print(&format!("{report}\n{}", report.rules())),
        Ok(report) => output::print(&report.to_string()),
        Err(ConformError::Mismatch(found)) => {
            output::print(&found.to_string())?;
            Err(Failure::Broken(format!("does not conform: {} broken", found.violation.rule)))
        }
        Err(error) => Err(failure(error)),
    }
}

/// What a report in JUnit's XML says of the check beside its rules.
fn suite(arguments: &Arguments, begin: Instant) -> junit::Suite {
    let scenario = arguments.file.display().to_string();
    let mut properties = vec![
        ("program", concat!("desvio ", env!("CARGO_PKG_VERSION")).to_owned()),
        ("scenario", scenario),
        ("router", arguments.router.to_string()),
        ("seed", arguments.seed.to_string()),
        ("cycles", arguments.cycles.to_string()),
    ];
    properties.extend(arguments.map.iter().map(|map| ("map", map.display().to_string())));
    properties.extend(arguments.sets.iter().map(|set| ("set", set.clone())));
    junit::Suite { top: arguments.top.clone(), properties, took: begin.elapsed() }
}

/// Reads all that is given, and checks the switch.
fn attempt(arguments: &Arguments, map: &Path) -> Result<Result<Report, ConformError>, Failure> {
    let case = Case::load(&arguments.file, &arguments.sets, "")?;
    let map = PortMap::load(map).map_err(|error| Failure::Input(error.to_string()))?;
    let _out = (!arguments.no_waves).then(|| take(&arguments.out)).transpose()?;
    let counted =
        arguments.coverage.as_ref().filter(|folder| arguments.no_waves || **folder != arguments.out);
    let _coverage = counted.map(|folder| take(folder)).transpose()?;
    let design = design(arguments)?;
    let mut tell = |stage: &str| {
        if !arguments.quiet {
            output::tell(stage);
        }
    };
    let options = Options {
        router: arguments.router,
        cycles: arguments.cycles,
        seed: arguments.seed,
        patience: arguments.patience,
        allow: arguments.allow.clone(),
        fair_share: arguments.fair_share,
        all_pairs: arguments.all_pairs,
        out: (!arguments.no_waves).then(|| arguments.out.clone()),
        coverage: arguments.coverage.clone(),
    };
    Ok(check(&case.blueprint, &map, &design, &options, &mut tell))
}

/// The beginning of a map.
fn skeleton(arguments: &Arguments) -> Result<(), Failure> {
    let case = Case::load(&arguments.file, &arguments.sets, "")?;
    let text = suggested(&case.blueprint, &design(arguments)?, arguments.router).map_err(failure)?;
    output::print(&text)
}

/// The switch as it is compiled.
fn design(arguments: &Arguments) -> Result<Design, Failure> {
    let files: Vec<PathBuf> = arguments.rtl.iter().flat_map(|path| listed(path)).collect();
    are_there(&files, &arguments.include)?;
    let mut design = Design::new(arguments.top.clone()).sources(files).confined(!arguments.trust);
    design = design.run(verilated::Run::of_cycles(arguments.cycles));
    for folder in &arguments.include {
        design = design.include(folder);
    }
    for define in &arguments.define {
        design = design.flag(format!("-D{define}"));
    }
    if !arguments.quiet {
        design = design.on_build(|stage| {
            if let Some(text) = building(stage) {
                output::tell(text);
            }
        });
    }
    Ok(design)
}

/// What ends the command, by its status.
fn failure(error: ConformError) -> Failure {
    match error {
        error @ ConformError::Nothing(_) => Failure::Broken(error.to_string()),
        error @ ConformError::Map(_) => Failure::Input(error.to_string()),
        ConformError::Build(error) => rtl::refused(&error),
        error => Failure::Input(format!("error: {error}")),
    }
}

/// A share, 0 to 1.
fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "expected a number from 0 to 1".to_owned())
}

/// A rule that is named as in the report, and behind which a run can go on.
pub(super) fn allowed(name: &str) -> Result<Rule, String> {
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
