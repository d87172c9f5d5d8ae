//! Slim Fly: as many routers as nearly possible at a distance of two.

use super::generated::{Generated, NODES, nodes_per_router};
use crate::document::{Lines, Problem, Section};

/// A Slim Fly (Besta and Hoefler, 2014): a graph of McKay, Miller and Širáň, with `2 q²` routers of `(3 q − δ) / 2` links, any two of
/// which are at most two hops apart, for `q = 4 w + δ` with `δ = ±1`.
///
/// The construction is for powers of primes; here `q` is a prime. Routers `(0, x, y)` and `(1, m, c)`, with coordinates modulo `q`, are
/// numbers `q x + y` and `q² + q m + c`. `(0, x, y)` and `(1, m, c)` are joined where `y = m x + c`; two of the first kind with equal
/// `x`, and two of the second kind with equal `m`, where the difference of their last coordinates is in a set that belongs to the kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlimFly {
    /// A prime from 3 to 41: `q`.
    pub q: u32,
    /// Nodes at each router.
    pub nodes_per_router: u8,
}

impl Generated for SlimFly {
    const WORD: &'static str = "slim-fly";
    const KEYS: &'static [&'static str] = &["q", NODES];
    const ROUTING: &'static str = "table";

    fn read(section: &Section<'_>) -> Result<Self, Problem> {
        let expected = "a prime number from 3 to 41";
        let field = section.need("q", expected)?;
        let q = field.whole(3..=MOST).map_err(|_| field.wrong(expected))?;
        if !is_prime(q) {
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
        ((3..=MOST).contains(&self.q) && is_prime(self.q)).then(|| 2 * self.q * self.q)
    }

    fn edges(&self) -> Vec<(u32, u32)> {
        let q = self.q;
        let mut edges = Vec::new();
        for (kind, differences) in (0..).zip(self.differences()) {
            for (row, last) in (0..q).flat_map(|row| (0..q).map(move |last| (row, last))) {
                let row = kind * q * q + q * row;
                let joined = differences.iter().map(|difference| (last + difference) % q);
                edges.extend(joined.filter(|&other| last < other).map(|other| (row + last, row + other)));
            }
        }
        for (x, m) in (0..q).flat_map(|x| (0..q).map(move |m| (x, m))) {
            edges.extend((0..q).map(|c| (q * x + (m * x + c) % q, q * q + q * m + c)));
        }
        edges
    }
}

impl SlimFly {
    fn degree(&self) -> u32 {
        let ends = if self.q % 4 == 1 { 3 * self.q - 1 } else { 3 * self.q + 1 };
        ends / 2
    }

    /// The differences between joined routers of the first kind, and of the second: powers of a primitive element `ξ` of the field.
    ///
    /// With `q = 4 w + 1`: the even powers, and the odd ones. With `q = 4 w − 1`: `1, ξ², …, ξ²ʷ⁻²` and their negatives, and the same
    /// times `ξ`.
    fn differences(&self) -> [Vec<u32>; 2] {
        let (q, generator) = (self.q, generator(self.q));
        let powers: Vec<u32> = powers(generator, q).collect();
        let half = (q as usize - 1) / 2;
        // ξ to the power of `half` is −1.
        let evens: Vec<usize> = match q % 4 {
            1 => (0..powers.len()).step_by(2).collect(),
            _ => (0..half).step_by(2).flat_map(|even| [even, even + half]).collect(),
        };
        [0, 1].map(|shift| evens.iter().map(|power| powers[(power + shift) % powers.len()]).collect())
    }
}

/// `1, g, g², …` modulo a prime, up to where it is 1 again.
fn powers(g: u32, prime: u32) -> impl Iterator<Item = u32> {
    let next = move |&power: &u32| Some(power * g % prime).filter(|&power| power != 1);
    std::iter::successors(Some(1), next)
}

/// The least number whose powers are all numbers but 0 modulo a prime.
fn generator(prime: u32) -> u32 {
    let all = prime as usize - 1;
    (2..prime).find(|&g| powers(g, prime).count() == all).unwrap_or(1)
}

fn is_prime(q: u32) -> bool {
    q >= 2 && (2..q).all(|divisor| !q.is_multiple_of(divisor))
}

/// A router has 61 links to others then; the next prime has 65.
const MOST: u32 = 41;
