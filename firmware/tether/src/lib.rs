#![doc = include_str!("../README.md")]
#![no_std]

pub mod agent;
pub mod bytes;
pub mod digest;
mod error;
pub mod frame;
pub mod machine;
pub mod message;
pub mod server;
mod settings;
pub mod setup;
pub mod trace;
pub mod wires;
