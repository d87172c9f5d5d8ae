#![doc = include_str!("../README.md")]

mod complete;
mod graph;
mod layer;
mod search;
mod shortest;
#[cfg(test)]
mod tests;
mod trees;
mod up_down;

pub use complete::complete;
pub use graph::{Graph, Link, Tree, distances, links};
pub use layer::Layer;
pub use shortest::shortest;
pub use trees::{Limits, alternatives};
pub use up_down::UpDown;
