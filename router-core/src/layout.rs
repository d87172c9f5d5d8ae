//! What Rust and SystemVerilog agree on: bits of the header, numbers of choices, configurations.
//!
//! Written from `hdl/switch.toml` by `cargo xtask generate`: do not edit.

mod bits;
mod choices;
mod configurations;

pub use bits::*;
pub use choices::*;
pub use configurations::*;
