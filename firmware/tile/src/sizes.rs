//! How large everything is.

use crate::content::BYTES;
use crate::order::CABLES;
use desvio_link::frame_bytes;

/// The node, and the cables.
pub(crate) const PORTS: usize = 1 + CABLES;
/// One: packets between two boards stay in order.
pub(crate) const VCS: usize = 1;
/// Flits of each buffer.
pub(crate) const BUFFER: u16 = 32;
/// Flits that a link keeps.
pub(crate) const WINDOW: usize = VCS * BUFFER as usize;
/// Bytes of a frame of a link.
pub(crate) const FRAME: usize = frame_bytes(VCS, BYTES);
