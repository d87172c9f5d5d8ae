//! A flit with its bytes, and how both are written.

use router_core::header::{self, Flit, Header, Packet, RawHeader};
use router_core::units::VcId;

/// A flit, the VC that it is for, and `N` bytes of payload; with 0 bytes the descriptor alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct DataFlit<const N: usize> {
    /// The VC at the receiver.
    pub vc: VcId,
    /// The descriptor.
    pub flit: Flit,
    /// The bytes.
    pub payload: [u8; N],
}

/// A flit that a port hands to its owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Arrival<const N: usize> {
    /// It came over the line.
    Flit(DataFlit<N>),
    /// The neighbour restarted within a packet. This flit stands for one that never comes, so that the packet
    /// ends; its payload is zeros.
    Filler(DataFlit<N>),
}

impl<const N: usize> Arrival<N> {
    /// The flit, wherever it is from.
    pub const fn flit(&self) -> &DataFlit<N> {
        match self {
            Self::Flit(flit) | Self::Filler(flit) => flit,
        }
    }
}

/// Most bytes of a flit in a frame besides its payload: VC, kind, tag, header.
pub(crate) const FLIT_BYTES: usize = 2 + 4 + 4 * header::WORDS;

const HEAD: u8 = 1;
const BODY: u8 = 2;
const TAIL: u8 = 3;

impl<const N: usize> DataFlit<N> {
    /// Hands its bytes to `put`, piece by piece.
    pub(crate) fn write(&self, put: &mut dyn FnMut(&[u8])) {
        match &self.flit {
            Flit::Head(packet) => {
                put(&[self.vc.number(), HEAD]);
                put(&packet.tag.to_le_bytes());
                packet.header.emit().0.iter().for_each(|word| put(&word.to_le_bytes()));
            }
            Flit::Body { tail } => put(&[self.vc.number(), if *tail { TAIL } else { BODY }]),
        }
        put(&self.payload);
    }

    /// Reads a flit that takes up all of `from`.
    pub(crate) fn read(from: &[u8]) -> Option<Self> {
        let (&[vc, kind], rest) = from.split_first_chunk()?;
        let (flit, rest) = match kind {
            HEAD => head(rest)?,
            BODY | TAIL => (Flit::Body { tail: kind == TAIL }, rest),
            _ => return None,
        };
        Some(Self { vc: VcId::new(vc), flit, payload: rest.try_into().ok()? })
    }
}

/// The head and what comes after it. A header that means nothing has no length: the router refuses it as
/// such.
fn head(from: &[u8]) -> Option<(Flit, &[u8])> {
    let (tag, mut rest) = from.split_first_chunk()?;
    let mut words = [0; header::WORDS];
    for word in &mut words {
        let (bytes, after) = rest.split_first_chunk()?;
        (*word, rest) = (u32::from_le_bytes(*bytes), after);
    }
    let header = Header::parse(RawHeader(words)).unwrap_or_default();
    Some((Flit::Head(Packet { header, tag: u32::from_le_bytes(*tag) }), rest))
}
