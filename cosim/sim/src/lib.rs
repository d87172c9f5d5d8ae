//! Networks of Desvio routers: topologies, traffic, a cycle engine around `desvio-core`, and campaigns of runs.
//!
//! A [`scenario::Scenario`] describes a network and its traffic, a [`blueprint::Blueprint`] is what all its runs share, and
//! [`run::run`] runs one load of it. Neither Verilator nor a serial line is needed.

pub mod blueprint;
pub mod campaign;
pub mod network;
pub mod run;
pub mod scenario;
mod stats;
pub mod summary;
pub mod topology;
pub mod traffic;
