//! Slim Fly: as many routers as nearly possible at a distance of two.

use super::field::{Field, has_field};
use super::generated::{Generated, NODES, nodes_per_router};
use crate::document::{Lines, Problem, Section};

/// A Slim Fly (Besta and Hoefler, 2014): a graph of McKay, Miller and Širáň. It has `2 q²` routers of `(3 q − δ) / 2` links, any two of
/// which are at most two hops apart. `q = 4 w + δ` is a power of a prime, with `δ` one of −1, 0, 1.
///
/// Routers `(0, x, y)` and `(1, m, c)`, with coordinates of the field of `q` elements, are numbers `q x + y` and `q² + q m + c`.
/// `(0, x, y)` and `(1, m, c)` are joined where `y = m x + c`. Two of the first kind with equal `x`, or two of the second kind with equal
/// `m`, are joined where the difference of their last coordinates is in the set of their kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlimFly {
    /// A power of a prime from 3 to 41: `q`.
    pub q: u32,
    /// Nodes at each router.
    pub nodes_per_router: u8,
}

impl Generated for SlimFly {
    const WORD: &'static str = "slim-fly";
    const KEYS: &'static [&'static str] = &["q", NODES];
    const ROUTING: &'static str = "table";

    fn read(section: &Section<'_>) -> Result<Self, Problem> {
        let expected = "a power of a prime from 3 to 41";
        let field = section.need("q", expected)?;
        let q = field.whole(3..=MOST).map_err(|_| field.wrong(expected))?;
        if !has_field(q) {
            return Err(field.wrong(expected));
        }
        let mut slim_fly = Self { q, nodes_per_router: 1 };
        slim_fly.nodes_per_router = nodes_per_router(section, slim_fly.degree(), &field)?;
        Ok(slim_fly)
    }

    fn write(&self) -> Lines {
        vec![("q", self.q.to_string())]
    }

    fn nodes_per_router(&self) -> u8 {
        self.nodes_per_router
    }

    fn routers(&self) -> Option<u32> {
        ((3..=MOST).contains(&self.q) && has_field(self.q)).then(|| 2 * self.q * self.q)
    }

    fn edges(&self) -> Vec<(u32, u32)> {
        let q = self.q;
        let mut edges = Vec::new();
        let Some(field) = Field::of(q) else { return edges };
        for (kind, differences) in (0..).zip(differences(&field)) {
            for (row, last) in (0..q).flat_map(|row| (0..q).map(move |last| (row, last))) {
                let row = kind * q * q + q * row;
                let joined = differences.iter().map(|&difference| field.add(last, difference));
                edges.extend(joined.filter(|&other| last < other).map(|other| (row + last, row + other)));
            }
        }
        for (x, m) in (0..q).flat_map(|x| (0..q).map(move |m| (x, m))) {
            let product = field.multiply(m, x);
            edges.extend((0..q).map(|c| (q * x + field.add(product, c), q * q + q * m + c)));
        }
        edges
    }
}

impl SlimFly {
    fn degree(&self) -> u32 {
        match self.q % 4 {
            0 => 3 * self.q / 2,
            1 => (3 * self.q - 1) / 2,
            _ => (3 * self.q).div_ceil(2),
        }
    }
}

/// The differences between joined routers of the first kind, and of the second: powers of a primitive element `ξ` of the field.
///
/// With `q = 4 w + 1`: the even powers, and the odd ones. With `q = 4 w`, a power of 2: `1, ξ², …, ξ^(q − 2)`, and the same times `ξ`.
/// With `q = 4 w − 1`: `1, ξ², …, ξ²ʷ⁻²` and their negatives, and the same times `ξ`.
fn differences(field: &Field) -> [Vec<u32>; 2] {
    let powers = field.powers();
    let half = powers.len() / 2;
    let evens: Vec<usize> = match field.order() % 4 {
        // Of odd q, ξ to the power of `half` is −1.
        3 => (0..half).step_by(2).flat_map(|even| [even, even + half]).collect(),
        _ => (0..powers.len()).step_by(2).collect(),
    };
    [0, 1].map(|shift| evens.iter().map(|power| powers[(power + shift) % powers.len()]).collect())
}

/// A router has 61 links to others then; of the next prime, 43, it has 65.
const MOST: u32 = 41;
