//! The netlist of the whole router in Verilog, to be run by a simulator.
//!
//! It is made of the netlists of the parts, which are those whose cells are counted. Only where one port of a kind stands for all
//! of them when cells are counted, each port is itself here: its number says at which bits its logic looks.

use super::composition::{Composition, compose};
use super::error::{CostError, at};
use super::job::{Observer, Workshop};
use super::line::Line;
use super::measured::{Measured, live_cells};
use super::script;
use std::fs;
use std::path::PathBuf;

/// A router of gates, flip-flops and memories.
#[derive(Debug, Clone, PartialEq)]
pub struct Gates {
    /// The Verilog of the module `dsv_router`, without parameters.
    pub verilog: PathBuf,
    /// Its cells. Memories are written as such.
    pub measured: Measured,
}

/// Puts the netlists of the parts together, and takes away what no output and no memory depends on.
pub(super) fn gates(
    lines: &[Line],
    workshop: &Workshop,
    observer: &dyn Observer,
) -> Result<Gates, CostError> {
    let script = script::compose_verilog();
    let task = Composition {
        stem: "router-gates",
        script: &script,
        library: None,
        depends: &[FORMAT],
        with_memories: true,
    };
    let entry = compose(&task, lines, workshop, observer, |_| Ok(()))?;
    let path = entry.folder.join("cells.json");
    let cells = live_cells(&fs::read_to_string(&path).map_err(at(&path))?, "the whole router")?;
    let measured = Measured { cells, ..Measured::default() };
    Ok(Gates { verilog: entry.folder.join("router.v"), measured })
}

/// Changes when the same parts are put together in another way.
const FORMAT: &str = "gates 1";
