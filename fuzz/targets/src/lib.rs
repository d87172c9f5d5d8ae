//! What reads foreign bytes, each as a function of some bytes; and a fuzzer for it that needs no more than stable Rust.
//!
//! A [`Target`] takes any bytes and answers with an [`Outcome`]; what it must not do is panic. The programs of libFuzzer (`fuzz/`)
//! call the same targets. [`fuzz`] runs them in processes of their own, each with a bound on its memory and on the time of an input.

mod corpus;
mod finding;
mod guard;
mod mutate;
mod outcome;
mod plan;
mod planted;
mod scratch;
mod supervisor;
mod table;
pub mod targets;
mod worker;

pub use finding::{Finding, Kind};
pub use outcome::Outcome;
pub use plan::Plan;
pub use planted::Planted;
pub use supervisor::{Tally, fuzz};
pub use table::table;
pub use targets::Target;
pub use worker::work;

/// Gives bytes to a target, as libFuzzer does it.
///
/// # Panics
/// When there is no such target, and when the target has a defect.
pub fn run(name: &str, bytes: &[u8]) {
    let target = Target::of(name).unwrap_or_else(|| panic!("there is no target {name}"));
    (target.run)(bytes);
}
