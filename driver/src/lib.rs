#![doc = include_str!("../README.md")]
#![cfg_attr(not(test), no_std)]
#![forbid(unsafe_code)]

pub mod checksum;
pub mod fake;
pub mod register;
pub mod registers;

/// The code of the page about the control plane compiles.
#[cfg(doctest)]
#[doc = include_str!("../../docs/control.md")]
struct ControlPage;

mod bus;
mod error;
mod frame;
mod pin;
mod switch;
mod thresholds;

pub use bus::Bus;
pub use error::{BusError, Error};
pub use pin::ActiveLow;
pub use switch::{Happened, Health, Switch};
