//! A board of a mesh: a switch, a link to each neighbour, and a node that sends packets and checks those that come.
//!
//! Whatever happens to a packet is a [`Record`], which the board sends to a host over a control line. The host gives it an [`Order`] first.
//! The lines are anything of `embedded-io` that says when it is ready: UARTs on a board, queues in a test.
#![no_std]

mod cable;
mod content;
mod judge;
mod log;
mod node;
mod order;
mod record;
mod records;
mod side;
mod sizes;
mod tile;

pub use content::{BYTES, Content, Name};
pub use judge::Judge;
pub use order::{CABLES, Order, Plant};
pub use record::{Counts, Defect, Record, State};
pub use records::Records;
pub use sizes::{LONGEST, ROOM};
pub use tile::{Store, Tile};
