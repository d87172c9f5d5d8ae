//! What boards on a desk have in common: all but their pins and clocks.
//!
//! A board makes a [`Line`] for each UART, [`carry`](Line::carry)s bytes between the two, and [`serve`]s a switch on the other ends.
#![no_std]

mod diary;
mod line;
mod seat;
mod serve;
#[cfg(feature = "systick")]
pub mod systick;

pub use desvio_tile::CABLES;
pub use line::{End, Line};
pub use seat::Seat;
pub use serve::serve;

/// Bits in a second on every line: a rate that the clocks of all chips make exactly or within a hundredth.
pub const BAUD: u32 = 1_000_000;
