//! The rules of `docs/`, each read a second time: what these tests expect is written from the rule's text and computed their own way, by
//! definitions, by tables and by searches of everything that is small enough. `cargo xtask model-mutants` shows what they notice.
#![cfg(not(feature = "small"))]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

mod ahead;
mod allocate;
mod dragonfly;
mod dragonfly_routes;
mod explore;
mod graphs;
mod grids;
mod levels;
mod members;
mod schemes;
mod select;
mod small;
mod valiant;
mod vl;
mod world;
