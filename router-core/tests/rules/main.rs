//! The rules of `docs/`, each read a second time. The expected values of these tests come from the rule's text, by definitions, by tables
//! and by complete searches of small cases. `cargo xtask model-mutants` shows what they notice.
#![cfg(not(feature = "small"))]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

mod acks;
mod ahead;
mod allocate;
mod depths;
mod dragonfly;
mod dragonfly_routes;
mod explore;
mod graphs;
mod grids;
mod levels;
mod members;
mod packets;
mod rates;
mod registers;
mod schemes;
mod select;
mod small;
mod steps;
mod valiant;
mod vl;
mod world;
