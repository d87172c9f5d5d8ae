//! Designs, from Verilog to their last cycle, as one program: it is linked once, and its tests run beside each other.
#![allow(clippy::unwrap_used, reason = "helpers of tests panic like tests")]

mod build;
mod cache;
mod checkpoint;
mod checks;
mod coverage;
mod model;
mod probes;
mod support;
mod trace;
