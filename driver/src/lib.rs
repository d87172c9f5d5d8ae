//! Drives the registers of a Desvio switch over SPI: routing tables, thresholds and triggers, counters and credits, errors.
//!
//! It needs no more than the traits of `embedded-hal` 1.0 (a [`SpiDevice`](embedded_hal::spi::SpiDevice), an
//! [`OutputPin`](embedded_hal::digital::OutputPin) for the reset line, a [`DelayNs`](embedded_hal::delay::DelayNs)): the code that
//! runs on a microcontroller is the code that runs against the verilated RTL. No heap, no `unsafe`, no panic.
//!
//! ```no_run
//! use desvio_driver::Switch;
//! # use embedded_hal::{delay::DelayNs, digital::OutputPin, spi::SpiDevice};
//! use router_core::{route::Here, select::Selection, units::PortSet};
//! # fn run<S: SpiDevice, P: OutputPin, D: DelayNs>(spi: S, rst: P, delay: D, here: &Here, rows: &[PortSet])
//! # -> Result<(), desvio_driver::Error<S::Error, P::Error>> {
//!
//! let mut switch = Switch::new(spi, rst, delay);
//! switch.reset()?;                                           // is it a switch, and one that this driver knows?
//! switch.program_table(rows.iter().copied())?;               // staged, read back, put to use at one edge of the clock
//! switch.start(here, 1, &Selection::NEVER)?;                 // the router leaves its reset
//! # Ok(()) }
//! ```
//!
//! Every frame has a checksum in both directions. What a flaky bus breaks is sent again, a bounded number of times; then the driver returns
//! an [`Error`] with the cause. In every case the routing table and the thresholds in use are the old ones or the new
//! ones, and never some of each.
#![cfg_attr(not(test), no_std)]
#![forbid(unsafe_code)]

pub mod checksum;
pub mod register;
pub mod registers;

mod bus;
mod error;
mod frame;
mod switch;
mod thresholds;

pub use bus::Bus;
pub use error::{BusError, Error};
pub use switch::{Health, Switch};
