//! The switch.
#![no_std]
#![no_main]
board::exit_on_panic!();
#[board::entry]
fn main() -> ! {
    board::exit(board::Status::Success)
}
