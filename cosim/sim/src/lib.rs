#![doc = include_str!("../README.md")]

pub mod base_latency;
pub mod blueprint;
pub mod bounded;
pub mod campaign;
pub mod document;
pub mod engine;
pub mod exported_tables;
pub mod forwarding;
mod installed;
pub mod network;
pub mod printable;
pub mod processes;
mod random;
pub mod registry;
pub mod run;
pub mod scenario;
pub mod shadow;
pub mod stats;
pub mod summary;
pub mod topology;
pub mod traffic;
