//! The switch: a router of a mesh. Nothing in it can panic, or it would not link.
#![no_std]
#![no_main]

use board::{Status, exit};
use panic_never as _;

#[board::entry]
fn main() -> ! {
    exit(if switch::demonstration::mesh() { Status::Success } else { Status::Failure })
}
