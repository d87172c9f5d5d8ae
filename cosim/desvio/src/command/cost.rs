//! `desvio cost`: what a scenario's router costs in hardware.

mod display;
mod model;
mod module;
mod place;
mod study;

use super::failure::Failure;
use super::source::{self, stem};
use super::variants::{self, Variant, Vary};
use super::{interrupt, output, take};
use clap::Args;
use desvio_cost::{CostError, Device, Report, Row, Software, Synthesis, Target, Toolbox, Whole, report};
use desvio_lockstep::rtl::{Shape, Sources};
use desvio_sim::blueprint::Blueprint;
pub(super) use display::Display;
use module::ModuleAlone;
use std::path::{Path, PathBuf};

/// Synthesises the router of a scenario: area, depth, memory, clock
///
/// The router is the one that runs in lockstep (hdl/). Yosys elaborates it; each unit is synthesised once, flattened inside, and
/// counted as often as the router has it, less what nothing in the router depends on. Memories are counted in bits, apart
/// from logic. The depth of a router is the longest path through the netlists of its units put together again, reads of
/// memories not included. --no-depth leaves out the putting together: then unused logic counts, too. With a library, the slowest path
/// through the whole gives the clock in MHz, as if wires cost nothing.
///
/// Every synthesis is kept by the content of what it was made from, so that a killed run loses none that was finished. The
/// folder of results holds cost.csv, units.csv, cost.json, cost.md, and in logs/ the script and the log behind every number.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The scenario files
    #[arg(required_unless_present_any = ["study", "module"], value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Synthesise and simulate what this file says: what mechanisms cost beside what they gain
    #[arg(long, value_name = "FILE", conflicts_with_all = ["files", "sweep", "sets", "model"])]
    study: Option<PathBuf>,
    /// Synthesise one module of the RTL by itself, such as allocator:PORTS=5,VCS=4
    #[arg(long, value_name = "MODULE[:PARAMETER=NUMBER,...]", conflicts_with_all = ["files", "study", "sweep", "sets", "model"])]
    module: Vec<ModuleAlone>,
    /// For a router too large to be synthesised: a model fitted to balanced Dragonflies of these h, the largest of which is first
    /// predicted from the others, to state the error
    #[arg(long, value_name = "H,H,H...", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..=16))]
    model: Vec<u32>,
    /// A router for each value of a key, such as router.vcs.local=3,4; may be repeated
    #[arg(long, value_name = "KEY=VALUE,VALUE...")]
    sweep: Vec<Vary>,
    /// Replace a key of every scenario, such as router.iterations=1; may be repeated
    #[arg(long = "set", value_name = "KEY=VALUE")]
    sets: Vec<String>,
    /// cells (with an estimate of transistors; also cmos), ice40, ecp5 or liberty=FILE; may be repeated
    #[arg(long = "target", value_name = "TARGET", default_value = "cells")]
    targets: Vec<Target>,
    /// Place and route each whole router, memories included, on a device: ice40-hx8k, ecp5-25k, ecp5-45k or ecp5-85k
    #[arg(long, value_name = "DEVICE", conflicts_with_all = ["study", "module", "model", "targets", "units", "no_depth", "shared", "software"])]
    place: Option<Device>,
    /// A table of each router's parts, too
    #[arg(long)]
    units: bool,
    /// Do not look for the longest path through the whole router, which takes minutes for large ones
    #[arg(long)]
    no_depth: bool,
    /// Also count equal cells with equal inputs once, whichever units they are in: takes minutes for large routers
    #[arg(long, conflicts_with = "no_depth")]
    shared: bool,
    /// Folder of the results
    #[arg(long, value_name = "DIR", default_value = "results/cost")]
    out: PathBuf,
    /// Folder of finished syntheses [default: $DESVIO_COST_CACHE, else in the user's cache]
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
    /// Measurements of the firmware, shown beside [default: firmware/cost.csv, where it exists]
    #[arg(long, value_name = "FILE")]
    software: Option<PathBuf>,
    /// Folder of the RTL [default: built in]
    #[arg(long, value_name = "DIR")]
    hdl: Option<PathBuf>,
    /// Syntheses at a time [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Tell nothing but results and errors
    #[arg(long)]
    quiet: bool,
}

const EXAMPLES: &str = "\
Examples:
  desvio cost scenarios/tiny.toml --units
  desvio cost scenarios/dragonfly.toml --target cells --target ice40
  desvio cost scenarios/dragonfly.toml \\
      --sweep selection.trigger=occupancy,contention,hybrid
  desvio cost scenarios/dragonfly.toml --sweep router.iterations=1,2 \\
      --sweep router.allocator=separable-input-first,wavefront
  desvio cost --study scenarios/cost/study.toml
  desvio cost scenarios/cost/radix31.toml --model 1,2,3,4
  desvio cost scenarios/tiny.toml --set router.synchronous_buffers=true \\
      --place ecp5-25k
  desvio cost --module allocator:PORTS=5,VCS=4,ITERATIONS=1,ARBITER=0

What is summed and what is not: docs/cost.md. Missing programs end with status 2
and a sentence that says which and how to install them.";

pub(crate) fn cost(arguments: &Arguments) -> Result<(), Failure> {
    super::start_threads(arguments.threads)?;
    are_usable(arguments)?;
    let _out = take(&arguments.out)?;
    interrupt::on_signal(|| "finished syntheses are kept: the same command goes on from there".to_owned());
    if !arguments.module.is_empty() {
        return module::modules(&arguments.module, arguments);
    }
    match (&arguments.study, arguments.model.as_slice()) {
        (Some(file), _) => study::study(file, arguments),
        (None, []) => synthesise(arguments),
        (None, sizes) => model::model(sizes, arguments),
    }
}

/// Refuses at once what would be found out after the first synthesis only.
fn are_usable(Arguments { out, cache, software, .. }: &Arguments) -> Result<(), Failure> {
    let refuse = |message: String| Err(Failure::Input(format!("error: {message}")));
    if let Some(file) = software.as_ref().filter(|path| !path.is_file()) {
        return refuse(format!("--software {}: there is no such file", file.display()));
    }
    for (folder, what) in [(Some(out), "the results"), (cache.as_ref(), "the syntheses")] {
        let nearest = folder.and_then(|folder| folder.ancestors().find(|path| path.exists()));
        if let Some(file) = nearest.filter(|path| !path.is_dir()) {
            return refuse(format!("cannot write {what}: {}: not a folder", file.display()));
        }
    }
    Ok(())
}

/// Every file with every value of the swept keys.
fn synthesise(arguments: &Arguments) -> Result<(), Failure> {
    let Arguments { files, sweep, sets, targets, .. } = arguments;
    variants::each_key_once(sweep).map_err(|message| Failure::Input(format!("error: {message}")))?;
    let variants = variants::product(files, sweep);
    let names = match variants.as_slice() {
        [only] => vec![stem(only.file)],
        several => {
            variants::names(several, &[]).map_err(|message| Failure::Input(format!("error: {message}")))?
        }
    };
    let of = |variant: &Variant<'_>| {
        let swept = variant.choices.iter().map(variants::Choice::set);
        let sets: Vec<String> = sets.iter().cloned().chain(swept).collect();
        shapes(variant.file, &sets)
    };
    let networks = variants.iter().map(of).collect::<Result<Vec<_>, _>>()?;
    if let Some(device) = arguments.place {
        return place::place(device, &names, &networks, arguments);
    }
    let synthesis = synthesis(arguments, targets)?;
    let display = Display::new(arguments.quiet);
    let mut report = Report { rows: Vec::new(), tools: synthesis.tools().versions().clone() };
    for ((blueprint, shapes), name) in networks.iter().zip(&names) {
        for (class, shape) in shapes.iter().enumerate() {
            let name = if shapes.len() == 1 { name.clone() } else { format!("{name} class={class}") };
            let row = row(&name, blueprint, shape, &synthesis, arguments, &display)?;
            report.rows.push(row);
            // What is finished stays, whatever comes.
            report::write(&report, &arguments.out).map_err(failed)?;
        }
    }
    report::draw(&report, &arguments.out).map_err(failed)?;
    display.end();
    output::print(&report::routers(&report))?;
    for row in report.rows.iter().filter(|_| arguments.units) {
        output::print(&format!("\n{}\n{}", row.name, report::units(row)))?;
    }
    tell_results(arguments);
    Ok(())
}

fn tell_results(arguments: &Arguments) {
    if !arguments.quiet {
        if arguments.targets.contains(&Target::Ecp5) {
            output::tell(
                "no frequency for ecp5: only look-up tables and flip-flops are counted; ice40 is placed and routed",
            );
        }
        output::tell(&format!("results in {}", arguments.out.display()));
    }
}

/// Prints a table and keeps it, in Markdown, under this name.
fn show(table: &[Vec<String>], name: &str, arguments: &Arguments) -> Result<(), Failure> {
    let Arguments { out, .. } = arguments;
    std::fs::create_dir_all(out)
        .map_err(|error| Failure::Input(format!("error: {}: {error}", out.display())))?;
    report::replace(&out.join(name), &report::markdown_of(table)).map_err(failed)?;
    output::print(&report::text(table))?;
    tell_results(arguments);
    Ok(())
}

/// What one router costs for every target.
fn row(
    name: &str,
    blueprint: &Blueprint,
    shape: &Shape,
    synthesis: &Synthesis,
    arguments: &Arguments,
    display: &Display,
) -> Result<Row, Failure> {
    let mut row = Row::new(name, blueprint.scenario(), shape);
    let software = arguments.software.as_deref().unwrap_or(Path::new("firmware/cost.csv"));
    row.software = Software::read(software).map_err(failed)?.of(blueprint.scenario(), shape.ports);
    let whole = match (arguments.no_depth, arguments.shared) {
        (true, _) => Whole::Apart,
        (false, false) => Whole::Together,
        (false, true) => Whole::Shared,
    };
    let tree = synthesis.elaborate(shape, display).map_err(failed)?;
    for target in &arguments.targets {
        let mut cost = synthesis.cost(&tree, target, whole, display).map_err(failed)?;
        if let Some((_, gates)) = row.costs.iter().find(|(other, _)| *other == Target::Cells) {
            cost.leave_out_unused(gates);
        }
        row.costs.push((target.clone(), cost));
    }
    Ok(row)
}

fn synthesis(arguments: &Arguments, targets: &[Target]) -> Result<Synthesis, Failure> {
    targets.iter().try_for_each(Target::check).map_err(failed)?;
    synthesis_by(Toolbox::open(targets, None).map_err(failed)?, arguments)
}

fn synthesis_by(tools: Toolbox, arguments: &Arguments) -> Result<Synthesis, Failure> {
    let sources = arguments.hdl.as_deref().map_or_else(Sources::embedded, Sources::folder);
    let sources = sources.map_err(|error| Failure::Input(format!("error: {error}")))?;
    Synthesis::new(tools, &sources, arguments.cache.as_deref()).map_err(failed)
}

/// A network, and its router, or one of each class.
fn shapes(file: &Path, sets: &[String]) -> Result<(Blueprint, Vec<Shape>), Failure> {
    let refuse = |error: &dyn std::fmt::Display| Failure::Input(format!("{}: {error}", source::name(file)));
    let blueprint = Blueprint::new(source::read(file, sets)?).map_err(|error| refuse(&error))?;
    let shapes = Shape::of_each_class(&blueprint).map_err(|error| refuse(&error))?;
    Ok((blueprint, shapes.into_iter().map(Shape::for_own_packets).collect()))
}

/// A network of routers that are all alike, and its router.
fn shape(file: &Path, sets: &[String]) -> Result<(Blueprint, Shape), Failure> {
    let refuse = |error: &dyn std::fmt::Display| Failure::Input(format!("{}: {error}", source::name(file)));
    let blueprint = Blueprint::new(source::read(file, sets)?).map_err(|error| refuse(&error))?;
    let shape = Shape::of(&blueprint).map_err(|error| refuse(&error))?.for_own_packets();
    Ok((blueprint, shape))
}

fn failed(error: CostError) -> Failure {
    Failure::Input(format!("error: {error}"))
}
