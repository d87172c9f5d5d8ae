//! `traffic.packet_flits`: one length for all packets, or several, each with its share of them.

use std::ops::RangeInclusive;

use crate::document::write::number;
use crate::document::{Data, Field, Problem};

/// Flits of a packet: a head carries its packet's length in 10 bits.
pub(super) const LENGTHS: RangeInclusive<u32> = 1..=1023;
/// How far the shares of all lengths may be from 1 together.
const ROUNDING: f64 = 1e-6;

/// Flits of the packets that a node generates.
#[derive(Debug, Clone, PartialEq)]
pub enum PacketFlits {
    /// All packets have this many.
    Same(u32),
    /// Packets of several lengths, whose shares add up to 1.
    Mixed(Vec<LengthShare>),
}

/// A length, and how many of the packets have it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LengthShare {
    /// Flits.
    pub flits: u32,
    /// Share of the packets, above 0 and at most 1.
    pub share: f64,
}

impl PacketFlits {
    /// Each length with its share.
    #[must_use]
    pub fn shares(&self) -> Vec<LengthShare> {
        match self {
            Self::Same(flits) => vec![LengthShare { flits: *flits, share: 1.0 }],
            Self::Mixed(shares) => shares.clone(),
        }
    }

    /// Flits of the shortest packet.
    #[must_use]
    pub fn shortest(&self) -> u32 {
        self.shares().iter().map(|one| one.flits).min().unwrap_or_default()
    }

    /// Flits of the longest packet.
    #[must_use]
    pub fn longest(&self) -> u32 {
        self.shares().iter().map(|one| one.flits).max().unwrap_or_default()
    }

    /// Mean flits of a packet.
    #[must_use]
    pub fn mean(&self) -> f64 {
        let shares = self.shares();
        let (flits, all) = shares.iter().fold((0.0, 0.0), |(flits, all), one| {
            (flits + one.share * f64::from(one.flits), all + one.share)
        });
        flits / all
    }

    pub(super) fn read(field: &Field<'_>) -> Result<Self, Problem> {
        match &field.value.data {
            Data::List(_) => Self::read_shares(field),
            Data::Integer(_) => field.whole(LENGTHS).map(Self::Same),
            _ => Err(field.wrong(EXPECTED)),
        }
    }

    fn read_shares(field: &Field<'_>) -> Result<Self, Problem> {
        let share = |entry: Field<'_>| {
            let table = entry.section(&["flits", "share"])?;
            let flits = table.need("flits", "a number of flits")?.whole(LENGTHS)?;
            let field = table.need("share", "a share of the packets")?;
            let share = field.real().filter(|share| *share > 0.0 && *share <= 1.0);
            let share = share.ok_or_else(|| field.wrong("a share above 0 and at most 1"))?;
            Ok(LengthShare { flits, share })
        };
        let shares: Vec<_> = field.list(EXPECTED)?.into_iter().map(share).collect::<Result<_, _>>()?;
        let sum: f64 = shares.iter().map(|one| one.share).sum();
        if (sum - 1.0).abs() > ROUNDING {
            return Err(field.refuse(format!("the shares of all lengths must add up to 1, not to {sum}")));
        }
        Ok(Self::Mixed(shares))
    }

    pub(super) fn write(&self) -> String {
        let one = |one: &LengthShare| format!("{{ flits = {}, share = {} }}", one.flits, number(&one.share));
        match self {
            Self::Same(flits) => flits.to_string(),
            Self::Mixed(shares) => format!("[{}]", shares.iter().map(one).collect::<Vec<_>>().join(", ")),
        }
    }
}

const EXPECTED: &str = "a whole number from 1 to 1023, or a list such as [{ flits = 1, share = 0.5 }, { flits = 9, share = 0.5 }]";
