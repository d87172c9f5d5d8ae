//! A router that a host steps, cycle by cycle, beside its own: `desvio` compares everything that both drive and remember. As `lockstep-whole` it
//! is compiled without the feature `small`.
#![no_std]
#![no_main]

use board::console::Console;
use board::{Status, exit};

board::exit_on_panic!();

/// As large as the board's memory allows: ports, VCs, FIFO places, descriptors, bytes of a frame.
#[cfg(not(board = "microbit"))]
fn serve(console: &mut Console) -> bool {
    tether::server::serve::<_, 16, 4, 32, 1024, 16384>(console).is_ok()
}

/// See above.
#[cfg(board = "microbit")]
fn serve(console: &mut Console) -> bool {
    tether::server::serve::<_, 7, 3, 4, 95, 512>(console).is_ok()
}

#[board::entry]
fn main() -> ! {
    let Ok(mut console) = Console::open() else { exit(Status::NoBoard) };
    exit(if serve(&mut console) { Status::Success } else { Status::Failure })
}
