//! `desvio lockstep --netlist`: the router of gates that `desvio cost` counts.

use super::super::cost::Display;
use super::super::failure::Failure;
use super::super::{output, rtl};
use desvio_cost::{CostError, Gates, Synthesis, Target, Toolbox};
use desvio_lockstep::rtl::{Shape, netlist};
use verilated::{Library, Run, Trace};

/// Synthesises a shape's router, as `desvio cost` does, and compiles what came out.
pub(super) fn compile(shape: &Shape, hdl: &rtl::Hdl, trace: Trace, quiet: bool) -> Result<Library, Failure> {
    let failed = |error: CostError| Failure::Input(format!("error: {error}"));
    let sources = rtl::sources(hdl)?;
    let tools = Toolbox::open(&[Target::Cells], None).map_err(failed)?;
    let synthesis = Synthesis::new(tools, &sources, None).map_err(failed)?;
    let display = Display::new(quiet);
    let tree = synthesis.elaborate(shape, &display).map_err(failed)?;
    let Gates { verilog, measured } = synthesis.gates(&tree, &display).map_err(failed)?;
    display.end();
    if !quiet {
        let (cells, flip_flops) = (measured.cell_count(), measured.flip_flops());
        output::tell(&format!("the netlist has {cells} cells, {flip_flops} of them flip-flops"));
    }
    // As many functions as there are gates: what a compiler could still gain takes it longer than it saves.
    let design = netlist(&verilog).run(Run::Medium).trace(trace);
    rtl::compile(design.confined(hdl.is_untrusted()), quiet)
}
