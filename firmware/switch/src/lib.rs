#![doc = include_str!("../README.md")]
#![no_std]

pub mod console;
pub mod control;
pub mod counters;
pub mod demonstration;
pub mod event;
pub mod link;
pub mod neighbour;
pub mod payload;
pub mod self_test;
pub mod serial;
pub mod service;
pub mod standard;
#[cfg(feature = "storage")]
pub mod store;
pub mod switch;
pub mod text;
pub mod watch;

pub use switch::Switch;

/// The code of the page about the firmware compiles.
#[cfg(all(doctest, feature = "storage"))]
#[doc = include_str!("../../../docs/firmware.md")]
struct FirmwarePage;
