//! The lengths of the packets that nodes generate.

use super::error::TrafficError;
use super::packet_flits::{LengthShare, PacketFlits};
use crate::random::{Stream, unit};

/// The lengths of packets.
#[derive(Debug, Clone)]
pub(super) enum Lengths {
    /// All packets have this many flits: nothing is drawn.
    Same(u16),
    /// Drawn for each packet.
    Mixed(Vec<Length>),
}

/// One of several lengths.
#[derive(Debug, Clone, Copy)]
pub(super) struct Length {
    flits: u16,
    /// Share of the packets that have this length or one before it in the list.
    packets: f64,
    /// Share of the flits that are in those packets.
    in_flits: f64,
}

impl Lengths {
    pub(super) fn new(settings: &PacketFlits) -> Result<Self, TrafficError> {
        let shares = settings.shares();
        if shares.is_empty() || shares.iter().any(|one| one.flits == 0) {
            return Err(TrafficError::EmptyPacket);
        }
        if let PacketFlits::Same(flits) = settings {
            return Ok(Self::Same(*flits as u16));
        }
        let (mut packets, mut in_flits) = (0.0, 0.0);
        let mean = settings.mean();
        let length = |one: &LengthShare| {
            packets += one.share;
            in_flits += one.share * f64::from(one.flits) / mean;
            Length { flits: one.flits as u16, packets, in_flits }
        };
        Ok(Self::Mixed(shares.iter().map(length).collect()))
    }

    /// The length of the next packet.
    #[inline]
    pub(super) fn draw(&self, rng: &mut Stream) -> u16 {
        match self {
            Self::Same(flits) => *flits,
            Self::Mixed(lengths) => pick(lengths, |one| one.packets, rng),
        }
    }

    /// The length of the packet that any one flit is of: the longer a packet, the more flits it has.
    pub(super) fn draw_by_flit(&self, rng: &mut Stream) -> u16 {
        match self {
            Self::Same(flits) => *flits,
            Self::Mixed(lengths) => pick(lengths, |one| one.in_flits, rng),
        }
    }
}

/// A length by these cumulated shares; the last one takes what rounding leaves.
fn pick(lengths: &[Length], up_to: impl Fn(&Length) -> f64, rng: &mut Stream) -> u16 {
    let drawn = unit(rng);
    let found = lengths.iter().find(|one| drawn <= up_to(one)).or(lengths.last());
    found.map_or(1, |one| one.flits)
}
