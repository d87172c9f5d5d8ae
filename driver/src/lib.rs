#![doc = include_str!("../README.md")]
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
