//! Lockstep: two implementations of one router, stepped with the same inputs, every output and every probed register
//! compared in every cycle.
//!
//! [`twin::Twin`] is what both are; [`model::ModelTwin`] is `desvio-core`, [`rtl::RtlSwitch`] the SystemVerilog.
//! [`conform`] checks a switch that is not ours, as a black box; [`control`] is the switch with its registers.

pub mod conform;
pub mod control;
pub mod rtl;

pub mod compare;
pub mod coverage;
pub mod driver;
pub mod frame;
pub mod mcu;
pub mod model;
pub mod mood;
pub mod offers;
pub(crate) mod payload;
pub mod probe;
pub mod record;
mod registers;
pub mod replay;
pub mod session;
mod shadow;
pub mod shrink;
pub mod stimulus;
mod third;
pub mod twin;
