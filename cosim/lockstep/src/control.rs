//! The switch in SystemVerilog with its control plane, as a driver sees it: pins and an SPI, by the traits of `embedded-hal`.
//!
//! A [`Board`] is one verilated `switch` with a clock, and [`Neighbours`] at its links. Its [`Spi`], its [`ResetPin`] and its
//! [`Delay`] let the clock run while a driver uses them: traffic flows meanwhile. The driver is the one that runs on a
//! microcontroller, `desvio-driver`.

mod board;
mod delay;
mod pin;
mod spi;

use crate::rtl::Sources;
use crate::shape::Shape;
use verilated::Design;

pub use board::{Board, BoardError, Neighbours};
pub use delay::Delay;
pub use pin::ResetPin;
pub use spi::Spi;

/// The design that a shape's switch, router and control plane, is compiled from; with `probes`, its registers can be read.
pub fn design(shape: &Shape, sources: &Sources, probes: bool) -> Design {
    crate::rtl::design_of("dsv_switch", shape, sources, probes)
}
