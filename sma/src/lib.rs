#![doc = include_str!("../README.md")]
#![cfg_attr(not(test), no_std)]

mod agent;
mod bits;
pub mod mad;
pub mod port;

pub use agent::{Agent, Handled, Identity, Kind, LinkOrder, Onward, Via};
pub use mad::Packet;
