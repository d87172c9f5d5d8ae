#![doc = include_str!("../README.md")]
#![no_std]

mod assembler;
mod counters;
mod credits;
mod flit;
mod frame;
mod hello;
mod loopback;
mod port;
mod reader;
mod receiver;
mod sender;
mod setup;
mod wire;
mod wire_async;

pub use counters::Counters;
pub use flit::{Arrival, DataFlit};
pub use frame::frame_bytes;
pub use hello::{Refusal, VERSION};
pub use loopback::{Busy, Loopback};
pub use port::{Port, PortState, Tick};
pub use sender::{Refused, Why};
pub use setup::{Setup, SetupError, Timing};
pub use wire::Wire;
pub use wire_async::{Ended, receive, transmit};
