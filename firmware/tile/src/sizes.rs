//! How large everything is.

use crate::content::BYTES;
use crate::order::CABLES;
use desvio_link::frame_bytes;
use desvio_switch::standard::FIFO;

/// The node, and the cables.
pub(crate) const PORTS: usize = 1 + CABLES;
/// Flits that a board holds at most: buffers and output FIFOs, what its links have sent, and packets that its node is about to send.
pub const ROOM: usize =
    PORTS * (BUFFER as usize + FIFO as usize) + CABLES * WINDOW + AHEAD * LONGEST as usize;
/// One: packets between two boards stay in order.
pub(crate) const VCS: usize = 1;
/// Flits of each buffer.
pub(crate) const BUFFER: u16 = 32;
/// Flits that a link keeps.
pub(crate) const WINDOW: usize = VCS * BUFFER as usize;
/// Bytes of a frame of a link.
pub(crate) const FRAME: usize = frame_bytes(VCS, BYTES);
/// Flits of the shortest packet.
pub(crate) const SHORTEST: u8 = 1;
/// Flits of the longest packet: a flit is sent on where there is room for all of its packet.
pub const LONGEST: u8 = BUFFER as u8;
/// Packets whose record has yet to be written, at most.
pub(crate) const AHEAD: usize = 4;
