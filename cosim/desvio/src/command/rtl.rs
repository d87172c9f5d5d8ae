//! Compiling the RTL for a command.

use super::failure::Failure;
use super::output;
use desvio_lockstep::rtl::{Shape, Sources, design};
use std::path::Path;
use verilated::{Design, Library, Stage};

/// The design of a shape's router, from a folder or as it is built in.
pub(crate) fn router(shape: &Shape, hdl: Option<&Path>, probes: bool) -> Result<Design, Failure> {
    let sources = hdl.map_or_else(Sources::embedded, Sources::folder);
    let sources = sources.map_err(|error| Failure::Input(format!("error: {error}")))?;
    Ok(design(shape, &sources, probes))
}

/// Compiles a design, telling what takes its time.
pub(crate) fn compile(design: Design, quiet: bool) -> Result<Library, Failure> {
    let told = move |stage| match stage {
        Stage::Waiting => {}
        Stage::Verilating => output::tell("Verilator reads the RTL …"),
        Stage::Compiling => output::tell("compiling it; the result is kept for the next time …"),
    };
    let design = if quiet { design } else { design.on_build(told) };
    design.build().map_err(|error| Failure::Input(format!("error: {error}")))
}
