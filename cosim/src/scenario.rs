//! The scenario file: one TOML file describes a network and its traffic.

mod model;

pub use model::*;
