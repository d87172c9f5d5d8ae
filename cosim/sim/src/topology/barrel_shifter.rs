//! Barrel shifter: links to all routers that are a power of two further or back.

use super::Known;
use super::generated::{Generated, NODES, circulant, nodes_per_router};
use crate::document::{Lines, Problem, Section};

/// A barrel shifter: of 2ⁿ routers, those are joined whose numbers differ by a power of two, round the numbering.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BarrelShifter {
    /// Bits of a router's number: `n`, 2…18.
    pub bits: u8,
    /// Nodes at each router.
    pub nodes_per_router: u8,
}

impl Generated for BarrelShifter {
    const WORD: &'static str = "barrel-shifter";
    const KEYS: &'static [&'static str] = &["bits", NODES];
    const ROUTING: &'static str = "up*/down*";

    fn read(section: &Section<'_>) -> Result<Self, Problem> {
        let field = section.need("bits", "the bits of a router's number")?;
        let bits = field.whole(2..=MOST)?;
        let degree = 2 * u32::from(bits) - 1;
        Ok(Self { bits, nodes_per_router: nodes_per_router(section, degree, &field)? })
    }

    fn write(&self) -> Lines {
        vec![("bits", self.bits.to_string())]
    }

    fn nodes_per_router(&self) -> u8 {
        self.nodes_per_router
    }

    fn routers(&self) -> Option<u32> {
        (2..=MOST).contains(&self.bits).then(|| 1 << self.bits)
    }

    fn edges(&self) -> Vec<(u32, u32)> {
        circulant(1 << self.bits, (0..self.bits).map(|bit| 1 << bit))
    }

    fn known(&self) -> Known {
        Known { representatives: Some(1), ..Known::default() }
    }
}

/// As many as a header has bits for.
const MOST: u8 = 18;
