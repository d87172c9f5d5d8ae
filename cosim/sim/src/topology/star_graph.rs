//! Star graph: permutations, joined where the first symbol changes places with another.

use super::Known;
use super::generated::{Generated, NODES, nodes_per_router};
use crate::document::{Lines, Problem, Section};

/// The star graph of `n` symbols (Akers and Krishnamurthy, 1989): its routers are the `n!` permutations, in lexicographic order; two are
/// joined where one is the other with its first symbol and another one exchanged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StarGraph {
    /// Symbols: `n`, 3…8.
    pub symbols: u8,
    /// Nodes at each router.
    pub nodes_per_router: u8,
}

impl Generated for StarGraph {
    const WORD: &'static str = "star-graph";
    const KEYS: &'static [&'static str] = &["symbols", NODES];
    const ROUTING: &'static str = "up*/down*";

    fn read(section: &Section<'_>) -> Result<Self, Problem> {
        let field = section.need("symbols", "the number of symbols that are permuted")?;
        let symbols: u8 = field.whole(3..=MOST)?;
        Ok(Self { symbols, nodes_per_router: nodes_per_router(section, u32::from(symbols) - 1, &field)? })
    }

    fn write(&self) -> Lines {
        vec![("symbols", self.symbols.to_string())]
    }

    fn nodes_per_router(&self) -> u8 {
        self.nodes_per_router
    }

    fn routers(&self) -> Option<u32> {
        (3..=MOST).contains(&self.symbols).then(|| (1..=u32::from(self.symbols)).product())
    }

    fn edges(&self) -> Vec<(u32, u32)> {
        let symbols = usize::from(self.symbols);
        let mut edges = Vec::new();
        for router in 0..self.routers().unwrap_or(0) {
            let permutation = permutation(router, symbols);
            for place in 1..symbols {
                let mut other = permutation.clone();
                other.swap(0, place);
                let there = number(&other);
                if router < there {
                    edges.push((router, there));
                }
            }
        }
        edges
    }

    fn known(&self) -> Known {
        Known { representatives: Some(1), ..Known::default() }
    }
}

/// The permutation of that number.
fn permutation(number: u32, symbols: usize) -> Vec<u8> {
    let mut left: Vec<u8> = (0..symbols as u8).collect();
    let (mut rest, mut block) = (number, (1..=symbols as u32).product::<u32>());
    let mut symbol = |among: u32| {
        block /= among;
        let found = left.remove((rest / block) as usize);
        rest %= block;
        found
    };
    (1..=symbols as u32).rev().map(&mut symbol).collect()
}

/// The number of a permutation.
fn number(permutation: &[u8]) -> u32 {
    let digit = |place: usize| {
        let behind = &permutation[place + 1..];
        behind.iter().filter(|&&symbol| symbol < permutation[place]).count() as u32
    };
    (0..permutation.len()).fold(0, |number, place| number * (permutation.len() - place) as u32 + digit(place))
}

/// 40320 routers.
const MOST: u8 = 8;
