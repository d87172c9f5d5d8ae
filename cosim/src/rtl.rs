//! The switch in SystemVerilog (`hdl/`), compiled and driven from here.
//!
//! [`Sources`] are its files, [`Shape`] is what a scenario's router looks like in parameters and configuration, and
//! [`RtlSwitch`] is one running instance.

mod shape;
mod sources;
mod switch;

pub use shape::{NotInRtl, Shape};
pub use sources::Sources;
pub use switch::{RtlError, RtlSwitch, design};
