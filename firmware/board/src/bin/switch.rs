//! The switch: a router of a Dragonfly.
//!
//! With the feature `defmt` it logs each event. Without `defmt` it links only if no code in it can panic.
#![no_std]
#![no_main]

use board::{Status, exit};

#[cfg(feature = "defmt")]
board::exit_on_panic!();
#[cfg(not(feature = "defmt"))]
use panic_never as _;

/// Divides by a number that the compiler cannot know.
#[cfg(feature = "planted")]
#[allow(clippy::arithmetic_side_effects)]
fn planted(works: bool) {
    core::hint::black_box(1 / core::hint::black_box(u32::from(works)));
}

#[board::entry]
fn main() -> ! {
    let works = switch::demonstration::dragonfly();
    #[cfg(feature = "planted")]
    planted(works);
    exit(if works { Status::Success } else { Status::Failure })
}
