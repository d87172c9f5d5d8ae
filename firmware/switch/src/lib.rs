//! A small switch: a router whose ports are links to neighbours, with counters, events and a self-test.
//!
//! It knows no hardware: a board hands it one [`link::Link`] per port. All decisions are `router-core`'s.
//!
//! No heap, no `unsafe`, no panic.
#![no_std]

pub mod counters;
pub mod demonstration;
pub mod event;
pub mod link;
pub mod neighbour;
pub mod self_test;
pub mod standard;
pub mod switch;
pub mod watch;

pub use switch::Switch;
