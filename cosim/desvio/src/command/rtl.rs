//! Compiling the RTL for a command.

use super::failure::Failure;
use super::output;
use clap::Args;
use desvio_lockstep::rtl::{Shape, Sources, design};
use std::path::PathBuf;
use verilated::{BuildError, Design, Library, Run, Stage};

/// The RTL of a command.
#[derive(Debug, Args)]
pub(crate) struct Hdl {
    /// Folder of the SystemVerilog files [default: those this program was built with]
    #[arg(long, value_name = "DIR")]
    pub(crate) hdl: Option<PathBuf>,
    /// Also run files of --hdl that reach out of the simulation: $system, $c, DPI, $fopen
    #[arg(long, requires = "hdl")]
    pub(crate) trust: bool,
}

impl Hdl {
    /// Whether what it says must stay inside of the simulation.
    pub(crate) fn is_untrusted(&self) -> bool {
        self.hdl.is_some() && !self.trust
    }
}

/// The design of a shape's router, from a folder or as it is built in; `run` is how long it runs.
pub(crate) fn router(shape: &Shape, hdl: &Hdl, probes: bool, run: Run) -> Result<Design, Failure> {
    Ok(design(shape, &sources(hdl)?, probes).confined(hdl.is_untrusted()).run(run))
}

/// The files, from a folder or as they are built in.
pub(crate) fn sources(Hdl { hdl, .. }: &Hdl) -> Result<Sources, Failure> {
    let sources = hdl.as_deref().map_or_else(Sources::embedded, Sources::folder);
    sources.map_err(|error| Failure::Input(format!("error: {error}")))
}

/// Compiles a design, telling what takes its time.
pub(crate) fn compile(design: Design, quiet: bool) -> Result<Library, Failure> {
    let told = move |stage| match stage {
        Stage::Waiting => {}
        Stage::Verilating => output::tell("Verilator reads the RTL …"),
        Stage::Compiling => output::tell("compiling it; the result is kept for the next time …"),
    };
    let design = if quiet { design } else { design.on_build(told) };
    design.build().map_err(|error| refused(&error))
}

/// Why a design is not compiled.
pub(crate) fn refused(error: &BuildError) -> Failure {
    Failure::Input(match error {
        BuildError::Reaches(reach) => format!("{reach}\n = --trust runs it all the same, with your rights"),
        error => format!("error: {error}"),
    })
}
