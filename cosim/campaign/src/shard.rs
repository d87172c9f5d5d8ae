//! A part of the points: what one of several processes takes.

use std::str::FromStr;

/// The `part`th of `parts` parts, from 1: every `parts`th point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    part: usize,
    parts: usize,
}

impl Shard {
    /// All points.
    pub const ALL: Self = Self { part: 1, parts: 1 };

    /// Whether the `n`th point, from 0, is in it.
    #[must_use]
    pub const fn has(self, n: usize) -> bool {
        n % self.parts == self.part - 1
    }
}

impl FromStr for Shard {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let expected = "expected i/n with i from 1 to n, such as 2/8";
        let (part, parts) = text.split_once('/').ok_or(expected)?;
        match (part.parse(), parts.parse()) {
            (Ok(part), Ok(parts)) if (1..=parts).contains(&part) => Ok(Self { part, parts }),
            _ => Err(expected),
        }
    }
}
