//! What a step costs.
#![no_std]
#![no_main]
board::exit_on_panic!();
use core::fmt::Write;
#[board::entry]
fn main() -> ! {
    let Ok(mut console) = board::console::Console::open() else { board::exit(board::Status::NoBoard) };
    let clock = board::clock::Clock::new();
    let _ = writeln!(console, "{clock:?}");
    board::exit(board::Status::Success)
}
