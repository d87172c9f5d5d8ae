//! Ring and chordal ring.

use super::Known;
use super::generated::{Generated, MOST_ROUTERS, NODES, circulant, nodes_per_router};
use crate::document::write::list;
use crate::document::{Lines, Problem, Section};

/// A ring, with chords: each router is joined with the next one, and with those that the chords reach.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ring {
    /// Routers, 3…262144.
    pub routers: u32,
    /// How many routers further each chord reaches, from 2 to half-way round, each length once; none in a plain ring.
    pub chords: Vec<u32>,
    /// Nodes at each router.
    pub nodes_per_router: u8,
}

impl Generated for Ring {
    const WORD: &'static str = "ring";
    const KEYS: &'static [&'static str] = &["routers", "chords", NODES];
    const ROUTING: &'static str = "up*/down*";

    fn read(section: &Section<'_>) -> Result<Self, Problem> {
        let field = section.need("routers", "the number of routers")?;
        let routers = field.whole(3..=MOST_ROUTERS)?;
        let mut ring = Self { routers, chords: Vec::new(), nodes_per_router: 1 };
        let chords = section.get("chords");
        if let Some(field) = &chords {
            let expected = "a list of lengths, each from 2 to half of the routers";
            for field in field.list(expected)? {
                let chord = field.whole_up_to(2..=MOST_ROUTERS / 2, routers / 2)?;
                if ring.chords.contains(&chord) {
                    return Err(field.refuse(format!("`{}` is {chord}, which is listed before", field.path)));
                }
                ring.chords.push(chord);
            }
        }
        ring.nodes_per_router = nodes_per_router(section, ring.degree(), &chords.unwrap_or(field))?;
        Ok(ring)
    }

    /// No list is how a plain ring is written.
    fn write(&self) -> Lines {
        let chords = (!self.chords.is_empty()).then(|| ("chords", list(&self.chords)));
        [("routers", self.routers.to_string())].into_iter().chain(chords).collect()
    }

    fn nodes_per_router(&self) -> u8 {
        self.nodes_per_router
    }

    fn routers(&self) -> Option<u32> {
        let half = self.routers / 2;
        let fits = self
            .chords
            .iter()
            .enumerate()
            .all(|(place, chord)| (2..=half).contains(chord) && !self.chords[..place].contains(chord));
        ((3..=MOST_ROUTERS).contains(&self.routers) && fits && self.degree() <= 64).then_some(self.routers)
    }

    fn edges(&self) -> Vec<(u32, u32)> {
        circulant(self.routers, [1].into_iter().chain(self.chords.iter().copied()))
    }

    /// A ring is cut twice by any halves.
    fn known(&self) -> Known {
        let is_plain = self.chords.is_empty() && self.routers.is_multiple_of(2);
        Known { bisection: is_plain.then_some(2), representatives: Some(1), ..Known::default() }
    }
}

impl Ring {
    fn degree(&self) -> u32 {
        let of = |&chord: &u32| if chord * 2 == self.routers { 1 } else { 2 };
        self.chords.iter().map(of).sum::<u32>() + 2
    }
}
