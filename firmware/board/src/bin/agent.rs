//! The subnet management agent of a switch, which a host hands the packets of a subnet manager. What can panic in it is the console alone.
#![no_std]
#![no_main]

use board::console::Console;
use board::{Status, exit};
use desvio_sma::{Agent, Identity, Kind};

board::exit_on_panic!();

/// As large as the board's memory allows: LIDs of the forwarding table, and ports with port 0.
#[cfg(not(board = "microbit"))]
const LIDS: usize = 0xc000;
#[cfg(not(board = "microbit"))]
const PORTS: usize = 17;

/// See above.
#[cfg(board = "microbit")]
const LIDS: usize = 1024;
#[cfg(board = "microbit")]
const PORTS: usize = 8;

#[board::entry]
fn main() -> ! {
    let Ok(mut console) = Console::open() else { exit(Status::NoBoard) };
    let identity = Identity { kind: Kind::Switch, guid: 0, port_guid: 0, ports: 0, description: [0; 64] };
    let mut agent = Agent::<[u8; LIDS], PORTS>::new(identity, [0; LIDS]);
    let served = tether::agent::serve(&mut console, &mut agent).is_ok();
    exit(if served { Status::Success } else { Status::Failure })
}
