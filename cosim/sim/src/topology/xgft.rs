//! Extended generalised fat tree: levels with any number of children and of parents.

use std::path::Path;

use super::MOST_PORTS;
use super::layout::Layout;
use super::levels::{Levels, in_levels};
use crate::document::write::list;
use crate::document::{Lines, Problem, Section};

/// The extended generalised fat tree `XGFT(h; m₁ … mₕ; w₁ … wₕ)` (Öhring et al., 1995): what is on level `i - 1` has `wᵢ` parents, what is
/// on level `i` has `mᵢ` children. Level 0 are the nodes, which have one parent; the others are `h` levels of routers.
///
/// A router has a digit for each level: below `wᵢ` for the levels up to its own, below `mᵢ` for those above. It is joined with the routers
/// of the next level that differ in that level's digit at most. Fewer parents than children make it a slimmed tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Xgft {
    /// `m₁ … mₕ`: 2 to 4 numbers.
    pub children: Vec<u32>,
    /// `w₁ … wₕ`: as many, the first of which is 1.
    pub parents: Vec<u32>,
}

impl Xgft {
    /// Ports of the routers of the widest level.
    fn ports(&self) -> u32 {
        let up = self.parents.iter().skip(1).chain([&0]);
        self.children.iter().zip(up).map(|(down, up)| down + up).max().unwrap_or(0)
    }

    /// Routers of each level; `None` where the numbers, which a program may have made, are out of range.
    fn shape(&self) -> Option<Levels> {
        let levels = self.children.len();
        let in_range = |numbers: &[u32]| numbers.iter().all(|number| (1..=MOST_PORTS).contains(number));
        let fits = (2..=MOST_LEVELS).contains(&levels)
            && self.parents.len() == levels
            && in_range(&self.children)
            && in_range(&self.parents)
            && self.parents[0] == 1
            && self.ports() <= MOST_PORTS;
        if !fits {
            return None;
        }
        let product = |numbers: &[u32]| numbers.iter().fold(1_u32, |all, &one| all.saturating_mul(one));
        let routers = (1..=levels)
            .map(|level| product(&self.parents[..level]).saturating_mul(product(&self.children[level..])));
        let shape = Levels { nodes: self.children[0] as u8, routers: routers.collect() };
        shape.fit().then_some(shape)
    }

    fn edges(&self, shape: &Levels) -> Vec<(u32, u32)> {
        let mut edges = Vec::new();
        for level in 0..shape.routers.len() - 1 {
            let (children, parents) = (self.children[level + 1], self.parents[level + 1]);
            let [first, above] = [level, level + 1].map(|level| shape.first(level));
            // The digits of the levels up to this one count fastest.
            let stride: u32 = self.parents[..=level].iter().product();
            for router in 0..shape.routers[level] {
                let (low, high) = (router % stride, router / stride / children);
                let upper = |digit| above + low + stride * (digit + parents * high);
                edges.extend((0..parents).map(|digit| (first + router, upper(digit))));
            }
        }
        edges
    }
}

impl Layout for Xgft {
    const WORD: &'static str = "xgft";
    const KEYS: &'static [&'static str] = &["children", "parents"];
    const ROUTING: &'static str = "up-down";

    fn read(section: &Section<'_>, _folder: &Path) -> Result<Self, Problem> {
        let expected = "a list of 2 to 4 numbers such as [4, 8], the nodes of a leaf first";
        let field = section.need("children", expected)?;
        let numbers = field.list(expected)?;
        if !(2..=MOST_LEVELS).contains(&numbers.len()) {
            return Err(field.wrong(expected));
        }
        let children: Vec<u32> =
            numbers.iter().map(|field| field.whole(1..=MOST_PORTS)).collect::<Result<_, _>>()?;
        let levels = children.len();
        let expected =
            format!("a list of {levels} numbers, as many as `topology.children`, the first of them 1");
        let field = section.need("parents", &expected)?;
        let numbers = field.list(&expected)?;
        if numbers.len() != levels {
            return Err(field.wrong(expected));
        }
        let parents: Vec<u32> =
            numbers.iter().map(|field| field.whole(1..=MOST_PORTS)).collect::<Result<_, _>>()?;
        if parents[0] != 1 {
            return Err(numbers[0].refuse(format!("`{}` must be 1: a node has one link", numbers[0].path)));
        }
        let tree = Self { children, parents };
        if tree.ports() > MOST_PORTS {
            let ports = tree.ports();
            return Err(
                field.refuse(format!("a router would need {ports} ports, at most {MOST_PORTS} are possible"))
            );
        }
        tree.shape()
            .ok_or_else(|| field.refuse("the network is too large: at most 262144 routers are possible"))?;
        Ok(tree)
    }

    fn write(&self) -> Lines {
        vec![("children", list(&self.children)), ("parents", list(&self.parents))]
    }

    in_levels!();
}

/// Each level has a class of links of its own.
const MOST_LEVELS: usize = 4;
