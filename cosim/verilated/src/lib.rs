#![doc = include_str!("../README.md")]

mod build;
mod cache;
pub mod child;
mod compile;
mod confine;
pub mod coverage;
mod design;
mod error;
mod failure;
#[allow(unsafe_code, reason = "the boundary to C++; each block says why it is sound")]
mod ffi;
mod handle;
mod library;
mod loaded;
mod model;
mod names;
mod parameter;
mod paths;
mod pins;
mod ports;
mod probe;
mod program;
mod shim;
pub mod store;
mod toolchain;

pub use coverage::{CoverageKind, CoveragePoint};
pub use design::{Coverage, Design, Run, Stage, Trace};
pub use error::{
    BuildError, CheckpointError, CoverageError, Error, PinsError, PortError, ProbeError, Reach, TraceError,
};
pub use failure::{Failure, FailureKind};
pub use handle::{Bundle, Input, Output};
pub use library::Library;
pub use model::Model;
pub use parameter::Parameter;
pub use ports::{Direction, PortInfo};
pub use probe::ProbeInfo;
