//! Orthogonal fat tree: two levels, as many leaves as any two of which can have a spine in common.

use std::path::Path;

use super::field::{Field, has_field};
use super::layout::Layout;
use super::levels::{Levels, in_levels};
use crate::document::{Lines, Problem, Section};

/// An orthogonal fat tree of two levels (Valerio, Moser and Melliar-Smith, 1994; Kathareios et al., SC 2015). The spines are the lines of
/// the projective plane of order `q`. The leaves are its points, twice over, joined with the lines through them.
///
/// So `q² + q + 1` spines, twice as many leaves with `q + 1` nodes each, and routers of `2 (q + 1)` ports. Two leaves have one spine in
/// common, but all of them where both are the same point.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrthogonalFatTree {
    /// A power of a prime from 2 to 31: `q`.
    pub q: u8,
}

/// A point or a line: three coordinates, the first of which that is not 0 is 1.
type Triple = [u32; 3];

impl OrthogonalFatTree {
    fn shape(&self) -> Option<Levels> {
        let q = u32::from(self.q);
        let spines = q * q + q + 1;
        let fits = (2..=MOST).contains(&self.q) && has_field(q);
        fits.then(|| Levels { nodes: self.q + 1, routers: vec![2 * spines, spines] })
    }

    /// Every point, joined with the lines that it is on: those whose product with it is 0.
    fn edges(&self, _shape: &Levels) -> Vec<(u32, u32)> {
        let Some(field) = Field::of(self.q.into()) else { return Vec::new() };
        let triples = triples(field.order());
        let points = triples.len() as u32;
        let mut edges = Vec::new();
        for (leaf, point) in (0..).zip(triples.iter().chain(&triples)) {
            let lines = (2 * points..).zip(&triples);
            edges.extend(lines.filter(|(_, line)| is_on(&field, point, line)).map(|(line, _)| (leaf, line)));
        }
        edges
    }
}

/// All points, or all lines.
fn triples(order: u32) -> Vec<Triple> {
    let all = || 0..order;
    let first = all().flat_map(|y| all().map(move |z| [1, y, z]));
    first.chain(all().map(|z| [0, 1, z])).chain([[0, 0, 1]]).collect()
}

fn is_on(field: &Field, point: &Triple, line: &Triple) -> bool {
    let products = point.iter().zip(line).map(|(&a, &b)| field.multiply(a, b));
    products.fold(0, |sum, product| field.add(sum, product)) == 0
}

impl Layout for OrthogonalFatTree {
    const WORD: &'static str = "orthogonal-fat-tree";
    const KEYS: &'static [&'static str] = &["q"];
    const ROUTING: &'static str = "up-down";

    fn read(section: &Section<'_>, _folder: &Path) -> Result<Self, Problem> {
        let expected = format!("a power of a prime from 2 to {MOST}");
        let field = section.need("q", &expected)?;
        let q = field.whole(2..=MOST).map_err(|_| field.wrong(&expected))?;
        if !has_field(q.into()) {
            return Err(field.wrong(expected));
        }
        Ok(Self { q })
    }

    fn write(&self) -> Lines {
        vec![("q", self.q.to_string())]
    }

    in_levels!();
}

/// Routers have 64 ports then.
const MOST: u8 = 31;
