//! The scenario file: one TOML file describes a network and its traffic.
//!
//! `document` keeps the text and finds values in it; here is what they mean. `settings`, the topology's own file and
//! `traffic` read the tables, and `check` looks at what concerns several of them. `choice` reads and writes the schemes of
//! `desvio-core`, whose settings describe themselves. `defaults` and `word` say what may be left out and what things
//! are called; `write` is the way back to text.

mod acks;
mod bubbles;
mod check;
mod choice;
mod circuits;
mod congestion;
mod defaults;
mod depths;
mod discards;
mod down;
mod error;
mod infiniband;
mod knowledge;
mod lifetimes;
mod link_credits;
mod model;
mod multicast;
pub(crate) mod own;
mod per_class;
mod pipeline;
mod postman;
mod rate;
mod read;
mod reservation;
mod router;
mod settings;
mod shared_places;
mod updates;
mod vl_arbitration;
mod word;
mod write;

#[cfg(test)]
mod tests;

pub use crate::document::Refusal;
use choice::Keys;
pub use error::ScenarioError;
pub use infiniband::MOST_LIFE;
pub use model::*;
pub use own::OwnScheme;
pub use per_class::PerClass;
pub use read::LARGEST_FILE;
pub use word::Word;
