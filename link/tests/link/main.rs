//! All tests of a link, in one program.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

mod campaign;
mod port;
mod support;
mod window;
