//! The scenario file: one TOML file describes a network and its traffic.
//!
//! A file is read in four stages: `source` keeps the texts and quotes them in errors, `value` and `set` build one
//! tree in which everything knows its place, `settings`, `traffic` and the topology's own file read the tables of that
//! tree, and `check` looks at what concerns several tables. `choice` reads and writes the schemes of `desvio-core`, whose
//! settings describe themselves. `defaults` and `word` say what may be left out and what things
//! are called; `write` is the way back to text.

mod check;
mod choice;
mod defaults;
mod error;
mod model;
mod packet_flits;
mod per_class;
mod read;
mod section;
mod set;
mod settings;
mod source;
mod traffic;
mod value;
mod word;
pub(crate) mod write;

#[cfg(test)]
mod tests;

pub(crate) use error::Problem;
pub use error::{Refusal, ScenarioError};
pub use model::*;
pub use per_class::PerClass;
pub(crate) use section::{Field, Section};
pub(crate) use value::Data;
pub use word::Word;
pub(crate) use write::Lines;
