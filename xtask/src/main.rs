//! `cargo xtask …`: the one door to everything in this repository, for people and for CI.

mod bench;
mod boards;
#[cfg(test)]
mod circles;
mod cost;
mod demo;
#[cfg(test)]
mod dependencies;
mod dist;
mod engines;
mod firmware;
mod fuzz;
mod generate;
mod instructions;
#[cfg(test)]
mod links;
mod lint;
mod mesh;
mod model_mutants;
mod own_crate;
mod package;
mod packages;
mod page;
mod parameters;
mod probes;
mod registers;
mod rivals;
mod site;
mod sources;
mod step;
mod test;
mod tools;
mod validate;
mod web;
mod wheel;

use clap::{Parser, Subcommand};
use std::process::ExitCode;
use test::Draw;

/// The one door to everything in this repository, for people and for CI.
#[derive(Debug, Parser)]
#[command(bin_name = "cargo xtask")]
struct Arguments {
    /// Installs nothing: names what is missing, and stops.
    #[arg(long, global = true)]
    no_install: bool,
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Runs a network with all its routers in SystemVerilog, then a Dragonfly of 1,056 nodes under three routings and two
    /// kinds of traffic: a table, and plots in `results/demo`. Three to four minutes on two cores, after the first build.
    Demo,
    /// The fast half of the tests: format, lints, documentation, all features, the first board, everything that proves something fast. A
    /// quarter of an hour on two cores. Installs Verilator, a C++ compiler, Yosys, Z3, QEMU, Valgrind, OpenSM and a browser where they are
    /// missing and the system is Debian or Ubuntu.
    Test {
        /// The slow half instead: mutants, proofs, searches, all boards, most routers in lockstep, counted instructions, long figures and
        /// commands, engines of campaigns. Half an hour on two cores. Its tables are written to `results/signoff.md`.
        #[arg(long)]
        slow: bool,
        /// Leaves nothing of the longest tests out: the h=4 Dragonfly against its bounds, ten million cycles of lockstep. Hours.
        #[arg(long, requires = "slow")]
        all: bool,
        /// The tenth of the longest tests that is run, 0 to 9; else the commit's hash draws one.
        #[arg(long, value_name = "TENTH", requires = "slow", conflicts_with = "all", value_parser = clap::value_parser!(u64).range(0..10))]
        draw: Option<u64>,
    },
    /// Installs the programs that tests start, where they are missing and the system is Debian or Ubuntu, and does nothing else.
    Setup,
    /// Writes what Rust and SystemVerilog have in common, from `hdl/switch.toml` and `hdl/registers.toml`.
    Generate {
        /// Only says whether the written files are up to date.
        #[arg(long)]
        check: bool,
    },
    /// Reads the SystemVerilog in many configurations with Verilator's strictest lint and with Yosys.
    Lint,
    /// The switch on three microcontrollers, emulated: builds it, runs its self-test, shows its events, compares what it
    /// costs with `firmware/COST.md`. Installs a Rust for microcontrollers and QEMU where they are missing.
    Firmware {
        /// Writes the table of costs and the stored traces instead of comparing them.
        #[arg(long)]
        update: bool,
    },
    /// A mesh of nine emulated boards, joined by links over their UARTs: packets with payload cross it while frames are damaged, a cable is cut and
    /// mended and boards restart. Each packet has to come once and in order, or to be reported lost by name. One to two minutes on two cores.
    /// Installs a Rust for microcontrollers and QEMU where they are missing.
    Mesh(mesh::Arguments),
    /// The crates of boards that can be bought: builds each, prints what it takes of flash and RAM, and lets two STM32F405 and two RP2040 talk,
    /// emulated. Two to four minutes on two cores. Installs Rust's targets, QEMU, Node.js and rp2040js where they are missing.
    Boards,
    /// What mechanisms cost in hardware beside what they gain: tables and plots in `results/cost`, an hour on two cores, less where
    /// syntheses are in the cache. Installs Yosys and a library of standard cells where they are missing.
    Cost,
    /// Counts the instructions of five fixed runs with callgrind, which do not depend on how busy the machine is, and
    /// compares them with `benches/instructions.csv`. Installs Valgrind where it is missing.
    Instructions {
        /// Writes the table instead.
        #[arg(long)]
        update: bool,
    },
    /// Gives garbage to everything that reads: files of every format, command lines, the router, the driver. Needs no more than
    /// stable Rust; a table at the end, findings in `results/fuzz`.
    Fuzz(fuzz::Arguments),
    /// Runs a campaign under each engine that `docs/campaign.md` names, by the commands of that page, and compares the tables; draws
    /// the README's picture by that page's script. Installs Slurm, GNU parallel and Python's packages where they are missing; says
    /// what it skips and why.
    Engines(engines::Arguments),
    /// The page in which the simulator runs in a browser: `target/web/index.html`, one file of under 3 MB that needs no network.
    /// Installs Rust's standard library for WebAssembly where it is missing.
    Web,
    /// The documentation as a site, `target/site`: the simulator in a browser, the pages of `docs/` as a book, rustdoc of the crates. Checks
    /// its links. Needs mdBook: `cargo install mdbook --locked`.
    Site(site::Arguments),
    /// The command as one static file for this machine, with the browser's page inside: packed in `target/dist` with all licences and a
    /// checksum, and tried in an empty root.
    Dist(dist::Arguments),
    /// The command as a wheel, `target/wheels`, with the functions of `python/`; installed into a fresh environment and tested there.
    /// Installs maturin into an environment of its own.
    Wheel(wheel::Arguments),
    /// Packs every package that is published and compiles each of them from its file alone: what a registry would get.
    Package,
    /// Measures speed: the stages of a router and whole runs, or runs beside other simulators. `benches/README.md` says
    /// what to make of it.
    Bench(bench::Arguments),
    /// Runs the scenarios of `scenarios/validation` and compares them with what other simulators made of them, which is kept as text, or
    /// run again where they are installed; checks `docs/validation.md`.
    Validate(validate::Arguments),
    /// Runs the figures of the documents that this project implements again, each curve at a low load and at full load, and compares the tables of
    /// the pages that `scenarios/sources` names. Under an hour on two cores, seconds with `--quick`.
    Sources(sources::Arguments),
    /// What the adaptive routings of the Dragonfly deliver beside each other, their authors' figures and exact bounds, and how fast they follow
    /// traffic that changes: the table of `docs/rivals.md`, which it checks, and pictures in `results/rivals`. Under ten minutes on two cores.
    Rivals(rivals::Arguments),
    /// Makes slips in the model, drawn by a seed, and says which ones its own tests do not notice. No RTL is read, and nothing is installed.
    ModelMutants(model_mutants::Arguments),
}

fn main() -> ExitCode {
    let Arguments { no_install, task } = Arguments::parse();
    if no_install {
        tools::forbid_installing();
    }
    let result = match task {
        Task::Demo => demo::demo(),
        Task::Test { slow: false, .. } => test::test(),
        Task::Test { all: true, .. } => test::slow(Draw::All),
        Task::Test { draw, .. } => test::slow(draw.map_or_else(Draw::of_commit, Draw::Tenth)),
        Task::Setup => test::install(),
        Task::Generate { check } => generate::generate(check),
        Task::Lint => lint::lint(),
        Task::Firmware { update } => firmware::firmware(update),
        Task::Mesh(arguments) => mesh::mesh(&arguments),
        Task::Boards => boards::boards(),
        Task::Cost => cost::cost(),
        Task::Instructions { update } => instructions::instructions(update),
        Task::Fuzz(arguments) => fuzz::fuzz(&arguments),
        Task::Engines(arguments) => engines::engines(&arguments),
        Task::Web => web::web().map(drop),
        Task::Site(arguments) => site::site(&arguments),
        Task::Dist(arguments) => dist::dist(&arguments),
        Task::Wheel(arguments) => wheel::wheel(&arguments),
        Task::Package => package::package(),
        Task::Bench(arguments) => bench::bench(&arguments),
        Task::Validate(arguments) => validate::validate(&arguments),
        Task::Sources(arguments) => sources::sources(&arguments),
        Task::Rivals(arguments) => rivals::rivals(&arguments),
        Task::ModelMutants(arguments) => model_mutants::model_mutants(&arguments),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("xtask: {failure}");
            ExitCode::FAILURE
        }
    }
}
