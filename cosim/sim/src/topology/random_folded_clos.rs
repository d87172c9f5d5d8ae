//! Random folded Clos: levels of routers of one radix, each joined at random with those of the level above.

use std::path::Path;

use super::MOST_PORTS;
use super::layout::Layout;
use super::levels::{Levels, in_levels};
use crate::document::{Lines, Problem, Section};
use crate::random::{Stream, below, stream};

/// A random folded Clos (Camarero, Martínez and Beivide, HPCA 2017): routers of one radix `R` in 2 or 3 levels, as many in each as there
/// are leaves, but half as many roots. A router below the roots is joined with `R / 2` different ones of the level above, any alike, so
/// that every router has all of its ports in use. A leaf has `R / 2` nodes.
///
/// It is made from a regular wiring by exchanging ends of random pairs of links between two levels, many times for each link, until
/// the network is connected. Two leaves need not have a root above both of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RandomFoldedClos {
    /// Ports of every router: an even number, 4…64.
    pub radix: u8,
    /// Leaves: an even number, at least the radix.
    pub leaves: u32,
    /// Levels of routers, 2 or 3.
    pub levels: u8,
    /// Which of the networks.
    pub wiring_seed: u64,
}

impl RandomFoldedClos {
    fn shape(&self) -> Option<Levels> {
        let fits = (4..=MOST_PORTS as u8).contains(&self.radix)
            && self.radix.is_multiple_of(2)
            && (self.radix.into()..=MOST_LEAVES).contains(&self.leaves)
            && self.leaves.is_multiple_of(2)
            && (2..=3).contains(&self.levels);
        let mut routers = vec![self.leaves; self.levels.into()];
        *routers.last_mut()? = self.leaves / 2;
        let shape = Levels { nodes: self.radix / 2, routers };
        (fits && shape.fit()).then_some(shape)
    }

    fn edges(&self, shape: &Levels) -> Vec<(u32, u32)> {
        let mut random = stream(self.wiring_seed, 0);
        let mut all: Vec<Bipartite> = shape
            .routers
            .windows(2)
            .map(|sizes| Bipartite::regular(sizes[0], sizes[1], u32::from(self.radix) / 2))
            .collect();
        loop {
            all.iter_mut().for_each(|between| between.exchange(&mut random));
            let numbered = (0..).zip(&all).flat_map(|(level, between)| {
                let (lower, upper) = (shape.first(level), shape.first(level + 1));
                between.edges.iter().map(move |&(a, b)| (lower + a, upper + b))
            });
            let edges: Vec<_> = numbered.collect();
            if is_connected(shape.first(shape.routers.len()), &edges) {
                return edges;
            }
        }
    }
}

/// The links between two levels, whose routers are numbered from 0 each.
struct Bipartite {
    edges: Vec<(u32, u32)>,
    /// Entry `lower router`: the upper ones that it is joined with.
    above: Vec<Vec<u32>>,
}

impl Bipartite {
    /// Each lower router is joined with the next `degree` upper ones, round their numbering.
    fn regular(lower: u32, upper: u32, degree: u32) -> Self {
        let to = |a: u32| (0..degree).map(move |nth| (a * degree + nth) % upper);
        let edges = (0..lower).flat_map(|a| to(a).map(move |b| (a, b))).collect();
        Self { edges, above: (0..lower).map(|a| to(a).collect()).collect() }
    }

    /// Draws many pairs of edges `a b` and `c d`: they become `a d` and `c b`, unless an edge would be there twice. Each such graph
    /// becomes as likely as any other.
    fn exchange(&mut self, random: &mut Stream) {
        let edges = self.edges.len() as u32;
        for _ in 0..EXCHANGES * self.edges.len() {
            let [one, other] = [below(random, edges), below(random, edges)].map(|edge| edge as usize);
            let ((a, b), (c, d)) = (self.edges[one], self.edges[other]);
            if a == c || b == d || self.above[a as usize].contains(&d) || self.above[c as usize].contains(&b)
            {
                continue;
            }
            for (lower, old, new) in [(a, b, d), (c, d, b)] {
                let above = &mut self.above[lower as usize];
                above.iter_mut().filter(|upper| **upper == old).for_each(|upper| *upper = new);
            }
            (self.edges[one], self.edges[other]) = ((a, d), (c, b));
        }
    }
}

fn is_connected(routers: u32, edges: &[(u32, u32)]) -> bool {
    let mut neighbours = vec![Vec::new(); routers as usize];
    for &(a, b) in edges {
        neighbours[a as usize].push(b);
        neighbours[b as usize].push(a);
    }
    let mut seen = vec![false; routers as usize];
    let mut next = vec![0];
    while let Some(router) = next.pop() {
        if !std::mem::replace(&mut seen[router as usize], true) {
            next.extend(&neighbours[router as usize]);
        }
    }
    seen.into_iter().all(|seen| seen)
}

impl Layout for RandomFoldedClos {
    const WORD: &'static str = "random-folded-clos";
    const KEYS: &'static [&'static str] = &["radix", "leaves", "levels", "wiring_seed"];
    const ROUTING: &'static str = "table";

    fn read(section: &Section<'_>, _folder: &Path) -> Result<Self, Problem> {
        let expected = format!("an even number of ports from 4 to {MOST_PORTS}");
        let field = section.need("radix", &expected)?;
        let radix: u8 = field.whole(4..=MOST_PORTS as u8).map_err(|_| field.wrong(&expected))?;
        if !radix.is_multiple_of(2) {
            return Err(field.wrong(&expected));
        }
        let expected = format!("an even number of leaves from {radix}, the radix, to {MOST_LEAVES}");
        let field = section.need("leaves", &expected)?;
        let leaves = field.whole(radix.into()..=MOST_LEAVES).map_err(|_| field.wrong(&expected))?;
        if !leaves.is_multiple_of(2) {
            return Err(field.wrong(&expected));
        }
        let levels = section.whole("levels", 2..=3, 2)?;
        let wiring_seed = section.whole("wiring_seed", 0..=i64::MAX as u64, 1)?;
        Ok(Self { radix, leaves, levels, wiring_seed })
    }

    fn write(&self) -> Lines {
        vec![
            ("radix", self.radix.to_string()),
            ("leaves", self.leaves.to_string()),
            ("levels", self.levels.to_string()),
            ("wiring_seed", self.wiring_seed.to_string()),
        ]
    }

    in_levels!();
}

/// Three levels of them have numbers that a header has room for.
const MOST_LEAVES: u32 = 1 << 16;

/// Exchanges tried for each link.
const EXCHANGES: usize = 20;
