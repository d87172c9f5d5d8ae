//! The line between a host and a microcontroller that steps the same router: the router's configuration
//! ([`setup`]), what is on its wires in a cycle ([`wires`]), its state ([`registers`]), and frames that carry
//! all that over a byte stream ([`frame`], [`message`]).
//!
//! The same bytes, stored, are a trace: a self-test plays it back ([`trace`]).
//!
//! No heap, no `unsafe`, no panic; of use to hosts and microcontrollers alike.
#![no_std]

pub mod bytes;
pub mod digest;
pub mod frame;
pub mod machine;
pub mod message;
pub mod registers;
pub mod server;
mod settings;
pub mod setup;
pub mod trace;
pub mod wires;
