//! The frames of a link, as they are before COBS.
//!
//! ```text
//! HELLO  1, version, session (4), session that is heard or 0 (4), epoch (2), epoch that is heard (2),
//!        flags, flow control, VCs, payload bytes (2), buffers (2 each)
//! ACK    2, pair (2), next flit expected (2), flags, places that became free (2 for each VC)
//! DATA   3, as ACK, number of the flit (2), VC, kind, after a head tag (4) and header (words of 4), payload
//! TEST   4, session (4), number (2), pattern (16)
//! ```
//!
//! Numbers are written with the lowest byte first. After each frame comes CRC-32 (4). The pair is a digest of
//! both sessions: a frame of a session before is known by it.

use crate::assembler::CRC_BYTES;
use crate::flit::FLIT_BYTES;
use crate::hello::{HELLO_BYTES, Hello, VERSION};
use crate::loopback::{PATTERN_BYTES, Test};
use crate::reader::Reader;

/// Bytes that a frame takes at most on the line, with `vcs` VCs and `payload` bytes in a flit: the `M` of a
/// [`Port`](crate::Port).
pub const fn frame_bytes(vcs: usize, payload: usize) -> usize {
    let counts = vcs.saturating_mul(2);
    let hello = (1 + HELLO_BYTES).saturating_add(counts);
    let data = (CONTROL_BYTES + 2 + FLIT_BYTES).saturating_add(counts).saturating_add(payload);
    let test = 1 + 4 + 2 + PATTERN_BYTES;
    let larger = if hello > data { hello } else { data };
    let content = if larger > test { larger } else { test }.saturating_add(CRC_BYTES);
    // COBS adds one byte to each 254 and one at the end; then comes the zero.
    content.saturating_add(content.wrapping_div(254)).saturating_add(2)
}

/// Bytes of an ACK besides its counts.
const CONTROL_BYTES: usize = 6;

const HELLO: u8 = 1;
const ACK: u8 = 2;
const DATA: u8 = 3;
const TEST: u8 = 4;

/// What each frame of a port that is up says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Control<const V: usize> {
    pub(crate) pair: u16,
    /// All flits before this one have come.
    pub(crate) ack: u16,
    /// This one is missing.
    pub(crate) nak: bool,
    pub(crate) freed: [u16; V],
}

/// A digest of both sessions, as seen from the sender.
pub(crate) const fn pair(from: u32, to: u32) -> u16 {
    fold(from).rotate_left(5) ^ fold(to)
}

const fn fold(session: u32) -> u16 {
    (session ^ session.wrapping_shr(16)) as u16
}

/// A frame with a right check sum.
pub(crate) enum Frame<'b, const V: usize> {
    Hello(Hello<V>),
    /// A HELLO of another version.
    Foreign(u8),
    Ack(Control<V>),
    /// The number of a flit, and its bytes.
    Data(Control<V>, u16, &'b [u8]),
    Test(Test),
}

impl<'b, const V: usize> Frame<'b, V> {
    pub(crate) fn read(bytes: &'b [u8]) -> Option<Self> {
        let mut from = Reader { rest: bytes };
        match from.u8()? {
            HELLO => match from.u8()? {
                VERSION => Hello::read(&mut from).map(Self::Hello),
                other => Some(Self::Foreign(other)),
            },
            ACK => Control::read(&mut from).map(Self::Ack),
            DATA => {
                let (control, number) = (Control::read(&mut from)?, from.u16()?);
                Some(Self::Data(control, number, from.rest))
            }
            TEST => Test::read(&mut from).map(Self::Test),
            _ => None,
        }
    }
}

pub(crate) fn write_hello<const V: usize>(hello: &Hello<V>, mut put: impl FnMut(&[u8])) {
    put(&[HELLO]);
    hello.write(&mut put);
}

pub(crate) fn write_test(test: &Test, mut put: impl FnMut(&[u8])) {
    put(&[TEST]);
    test.write(&mut put);
}

pub(crate) fn write_control<const V: usize>(control: &Control<V>, data: bool, mut put: impl FnMut(&[u8])) {
    put(&[if data { DATA } else { ACK }]);
    put(&control.pair.to_le_bytes());
    put(&control.ack.to_le_bytes());
    put(&[u8::from(control.nak)]);
    control.freed.iter().for_each(|count| put(&count.to_le_bytes()));
}

impl<const V: usize> Control<V> {
    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let (pair, ack, nak) = (from.u16()?, from.u16()?, from.u8()? != 0);
        let mut freed = [0; V];
        for count in &mut freed {
            *count = from.u16()?;
        }
        Some(Self { pair, ack, nak, freed })
    }
}
