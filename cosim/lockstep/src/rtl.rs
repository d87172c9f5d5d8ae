//! The switch in SystemVerilog (`hdl/`), compiled and driven from here.
//!
//! [`Sources`] are its files, [`Shape`] is what a scenario's router looks like in parameters and configuration,
//! [`Probes`] are the registers that it shows, and [`RtlSwitch`] is one running instance.

mod configuration;
mod junk;
mod lanes;
mod notice_wires;
mod probe;
mod setup_pins;
mod sources;
mod switch;
mod wires;

use verilated::Library;

pub use crate::shape::{NotInRtl, Shape};
pub use configuration::{Configuration, Inputs};
pub(crate) use lanes::Lanes;
pub use probe::{Field, Probe, Probes};
pub use sources::Sources;
pub(crate) use switch::design_of;
pub use switch::{RtlError, RtlSwitch, design, netlist};
pub(crate) use wires::Wires;

/// Routers of a network that also run in SystemVerilog.
#[derive(Debug, Clone)]
pub struct Rtl {
    /// What those of each class look like, and the compiled router.
    pub designs: Vec<(Shape, Library)>,
    /// How many: the first so many of the network.
    pub routers: usize,
}
