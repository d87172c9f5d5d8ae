//! A subnet management packet: 256 bytes (MAD), and the local identifiers of its local route header.
//!
//! Source: InfiniBand Architecture Specification, volume 1, 13.4 (the common header) and 14.2.1 (subnet management packets).

use crate::bits::{byte, double, half, put, take, word};

/// Bytes of a MAD.
pub const BYTES: usize = 256;
/// Bytes of an attribute of subnet management.
pub const DATA: usize = 64;
/// The LID of whatever is at the other end of a link.
pub const PERMISSIVE: u16 = 0xffff;
/// Most hops of a directed route: a path has 64 entries, of which the first is not used.
pub const HOPS: u8 = 63;

/// Management classes of subnet management: by LID, and along a directed route.
pub const LID_ROUTED: u8 = 0x01;
/// See [`LID_ROUTED`].
pub const DIRECTED: u8 = 0x81;

/// Methods.
pub const GET: u8 = 0x01;
/// See [`GET`].
pub const SET: u8 = 0x02;
/// The answer to a Get or a Set.
pub const GET_RESPONSE: u8 = 0x81;
/// A notice, and the answer to it.
pub const TRAP: u8 = 0x05;
/// See [`TRAP`].
pub const TRAP_REPRESS: u8 = 0x07;
/// The bit that a method of a response has.
const RESPONSE: u8 = 0x80;

/// Attributes.
pub mod attribute {
    /// Of a [`TRAP`](super::TRAP): something has happened. The agent has none.
    pub const NOTICE: u16 = 0x02;
    /// What it is called.
    pub const NODE_DESCRIPTION: u16 = 0x10;
    /// What it is.
    pub const NODE_INFO: u16 = 0x11;
    /// What a switch can do.
    pub const SWITCH_INFO: u16 = 0x12;
    /// The identifiers of a port of an adapter.
    pub const GUID_INFO: u16 = 0x14;
    /// A port: identifiers, state, what it can do.
    pub const PORT_INFO: u16 = 0x15;
    /// Partitions of a port.
    pub const P_KEY_TABLE: u16 = 0x16;
    /// Service level to virtual lane.
    pub const SL_TO_VL_TABLE: u16 = 0x17;
    /// Weights of virtual lanes.
    pub const VL_ARBITRATION_TABLE: u16 = 0x18;
    /// Destination to output port.
    pub const LINEAR_FORWARDING_TABLE: u16 = 0x19;
    /// Group to output ports.
    pub const MULTICAST_FORWARDING_TABLE: u16 = 0x1b;
    /// Of a subnet manager: the agent has none.
    pub const SM_INFO: u16 = 0x20;
}

/// What is wrong with a request, as the answer to it says.
#[repr(u16)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Nothing.
    Good = 0,
    /// The version of the MAD or of its class.
    BadVersion = 1 << 2,
    /// The method.
    MethodUnsupported = 2 << 2,
    /// The attribute, or that method of it.
    AttributeUnsupported = 3 << 2,
    /// A value in the attribute, or its modifier.
    InvalidValue = 7 << 2,
}

/// A packet of subnet management.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packet {
    /// Source and destination of its local route header.
    pub slid: u16,
    /// See `slid`.
    pub dlid: u16,
    /// The MAD.
    pub mad: [u8; BYTES],
}

/// Of the common header.
impl Packet {
    /// A request along a directed route: the output ports of the nodes in turn, at most [`HOPS`].
    pub fn directed(route: &[u8], method: u8, attribute: u16, modifier: u32) -> Self {
        let mut packet = Self { slid: PERMISSIVE, dlid: PERMISSIVE, mad: [0; BYTES] };
        let hops = route.len().min(HOPS.into()) as u8;
        for (at, byte) in [(0, 1), (1, DIRECTED), (2, 1), (3, method), (HOP_COUNT, hops)] {
            put(&mut packet.mad, at, [byte]);
        }
        put(&mut packet.mad, 16, attribute.to_be_bytes());
        put(&mut packet.mad, 20, modifier.to_be_bytes());
        put(&mut packet.mad, DR_SLID, PERMISSIVE.to_be_bytes());
        put(&mut packet.mad, DR_DLID, PERMISSIVE.to_be_bytes());
        for (port, hop) in route.iter().zip(1..=HOPS) {
            put(&mut packet.mad, INITIAL_PATH.wrapping_add(hop.into()), [*port]);
        }
        packet
    }

    /// A packet from one LID to another.
    pub fn by_lid((slid, dlid): (u16, u16), method: u8, attribute: u16) -> Self {
        let mut packet = Self { slid, dlid, ..Self::directed(&[], method, attribute, 0) };
        put(&mut packet.mad, 1, [LID_ROUTED]);
        packet
    }

    /// The management class.
    pub fn class(&self) -> u8 {
        byte(&self.mad, 1)
    }

    /// The method.
    pub fn method(&self) -> u8 {
        byte(&self.mad, 3)
    }

    /// Whether it is an answer; that to a trap has no bit that says so.
    pub fn is_response(&self) -> bool {
        self.method() & RESPONSE != 0 || self.method() == TRAP_REPRESS
    }

    /// What a requester knows its answer by.
    pub fn transaction(&self) -> u64 {
        double(&self.mad, 8)
    }

    /// Changes that.
    pub fn set_transaction(&mut self, transaction: u64) {
        put(&mut self.mad, 8, transaction.to_be_bytes());
    }

    /// What it is about.
    pub fn attribute(&self) -> u16 {
        half(&self.mad, 16)
    }

    /// Which part of that.
    pub fn modifier(&self) -> u32 {
        word(&self.mad, 20)
    }

    /// The attribute itself.
    pub fn data(&self) -> [u8; DATA] {
        take(&self.mad, 64)
    }

    /// Writes the attribute.
    pub fn set_data(&mut self, data: [u8; DATA]) {
        put(&mut self.mad, 64, data);
    }

    /// What an answer says of the request.
    pub fn status(&self) -> u16 {
        half(&self.mad, 4) & !DIRECTION
    }

    pub(crate) fn key(&self) -> u64 {
        double(&self.mad, 24)
    }

    /// Whether the versions are those that are known.
    pub(crate) fn has_known_version(&self) -> bool {
        byte(&self.mad, 0) == 1 && byte(&self.mad, 2) == 1
    }

    /// Makes it the answer to itself: an agent does, or a program for an attribute of its own, such as a manager for SMInfo.
    pub fn answer(&mut self, status: Status) {
        let direction = if self.class() == DIRECTED { DIRECTION } else { 0 };
        let method = if self.method() == TRAP { TRAP_REPRESS } else { GET_RESPONSE };
        put(&mut self.mad, 3, [method]);
        put(&mut self.mad, 4, (status as u16 | direction).to_be_bytes());
        core::mem::swap(&mut self.slid, &mut self.dlid);
    }
}

/// Of a directed route.
impl Packet {
    /// Whether it is on its way back.
    pub(crate) fn returns(&self) -> bool {
        half(&self.mad, 4) & DIRECTION != 0
    }

    pub(crate) fn hop(&self) -> u8 {
        byte(&self.mad, HOP_POINTER)
    }

    pub(crate) fn set_hop(&mut self, hop: u8) {
        put(&mut self.mad, HOP_POINTER, [hop]);
    }

    pub(crate) fn hops(&self) -> u8 {
        byte(&self.mad, HOP_COUNT)
    }

    /// The port by which it leaves at a hop of its way there.
    pub(crate) fn out(&self, hop: u8) -> u8 {
        byte(&self.mad, INITIAL_PATH.wrapping_add(hop.into()))
    }

    /// The port by which it leaves at a hop of its way back: where it came in.
    pub(crate) fn back(&self, hop: u8) -> u8 {
        byte(&self.mad, RETURN_PATH.wrapping_add(hop.into()))
    }

    pub(crate) fn set_back(&mut self, hop: u8, port: u8) {
        put(&mut self.mad, RETURN_PATH.wrapping_add(hop.into()), [port]);
    }

    /// The LIDs of what is routed by LID before and behind the directed route.
    pub(crate) fn outer(&self) -> (u16, u16) {
        (half(&self.mad, DR_SLID), half(&self.mad, DR_DLID))
    }
}

/// The highest bit of the status of a packet along a directed route.
const DIRECTION: u16 = 0x8000;
const HOP_POINTER: usize = 6;
const HOP_COUNT: usize = 7;
const DR_SLID: usize = 32;
const DR_DLID: usize = 34;
const INITIAL_PATH: usize = 128;
const RETURN_PATH: usize = 192;
