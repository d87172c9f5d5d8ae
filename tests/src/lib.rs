//! What crosses crates: paper curves, the command line.

pub mod bounds;
pub mod draw;
pub mod matching;
pub mod measure;
pub mod mutation;
pub mod networks;
pub mod record;
pub mod rtl;
pub mod snapshot;
pub mod textbook;
