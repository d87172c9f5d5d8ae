//! What a router drives, as its caller sees it.

use super::Answer;
use crate::discard::Discard;
use crate::header::{Flit, Packet};
use crate::route::HopKind;
use crate::units::{Channel, PortId};

/// What a router drives.
pub trait Wires {
    /// The output port of `to` will carry `flit` in link cycle `at`, for that VC of the next router.
    fn flit(&mut self, to: Channel, at: u64, flit: Flit);
    /// The input port of `from` returns a credit for that VC in the next internal cycle.
    fn credit(&mut self, from: Channel);
    /// A packet's head has been granted output `port`, on a hop of this kind.
    fn hop(&mut self, _packet: &Packet, _port: PortId, _hop: HopKind) {}
    /// The head at the front of `from` has been granted output `to`, on whose wire it is in link cycle `at`.
    fn granted(&mut self, _from: Channel, _to: PortId, _at: u64) {}
    /// The input port of `from` answers the probe of a circuit that came by that VC, in link cycle `at`. Each VC has wires of its own.
    fn answer(&mut self, _from: Channel, _at: u64, _answer: Answer) {}
    /// A flit of a packet that is discarded has left its buffer.
    fn discard(&mut self, _flit: &Flit, _why: Discard) {}
    /// A probe has come back from the output that it was granted last.
    fn back(&mut self, _packet: &Packet) {}
    /// A copy of a packet for a group leaves, while the packet stays for its other branches: the copy's tag.
    fn copy(&mut self, packet: &Packet) -> u32 {
        packet.tag
    }
    /// A flit of such a copy has left, and stays in its buffer, so that no credit goes back.
    fn keep(&mut self) {}
}
