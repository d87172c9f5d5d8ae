#![doc = include_str!("../README.md")]
//!
//! # How it works
//!
//! ```text
//! Shape ─► Tree ─────► parts ───────► Measured, once for each ─► Cost: the parts times their number
//!          elaborated  the units      synthesised alone,         beside it the depth of the router that the
//!          by Yosys    of the router  cached by content          parts make when they are put together again
//! ```
//!
//! A part is a unit of the router (an allocator, the selection of one VC, …) with its parameters, flattened inside. The modules
//! that hold units (`router`, `input_port`) are parts too, by what they have beside them. Memories are counted in bits, apart
//! from logic.

mod cell;
mod clock;
mod composition;
mod device;
mod error;
mod gates;
mod job;
mod liberty;
mod library;
mod line;
mod measured;
mod memory;
mod memory_cells;
pub mod model;
mod netlist;
mod part;
mod place;
mod placed;
pub mod report;
mod script;
mod software;
pub mod study;
mod synthesis;
mod target;
mod tool;
mod tree;
mod unit;
mod whole;

pub use clock::{Clock, Stretch};
pub use device::Device;
pub use error::CostError;
pub use gates::Gates;
pub use job::Observer;
pub use library::Library;
pub use line::{Cost, Line};
pub use measured::{Measured, Memory};
pub use memory::memory_bits;
pub use part::Part;
pub use placed::Placed;
pub use report::{Report, Row};
pub use software::{Software, SoftwareCost};
pub use synthesis::Synthesis;
pub use target::Target;
pub use tool::{Tool, Toolbox};
pub use tree::Tree;
pub use unit::Unit;
pub use whole::Whole;
