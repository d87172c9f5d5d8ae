//! What crosses crates: paper curves, the command line.

pub mod networks;
