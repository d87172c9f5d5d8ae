//! Binary tree.

use super::generated::{Generated, NODES, nodes_per_router};
use crate::document::{Lines, Problem, Section};

/// A complete binary tree: router `i` is joined with `2i + 1` and `2i + 2`, and 0 is the root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BinaryTree {
    /// Levels of routers, 2…18.
    pub levels: u8,
    /// Nodes at each router.
    pub nodes_per_router: u8,
}

impl Generated for BinaryTree {
    const WORD: &'static str = "binary-tree";
    const KEYS: &'static [&'static str] = &["levels", NODES];
    const ROUTING: &'static str = "up*/down*";

    fn read(section: &Section<'_>) -> Result<Self, Problem> {
        let field = section.need("levels", "the number of levels of routers")?;
        let levels = field.whole(2..=MOST)?;
        let degree = if levels == 2 { 2 } else { 3 };
        Ok(Self { levels, nodes_per_router: nodes_per_router(section, degree, &field)? })
    }

    fn write(&self) -> Lines {
        vec![("levels", self.levels.to_string())]
    }

    fn nodes_per_router(&self) -> u8 {
        self.nodes_per_router
    }

    fn routers(&self) -> Option<u32> {
        (2..=MOST).contains(&self.levels).then(|| (1 << self.levels) - 1)
    }

    fn edges(&self) -> Vec<(u32, u32)> {
        (1..(1 << self.levels) - 1).map(|router| ((router - 1) / 2, router)).collect()
    }
}

/// 262143 routers.
const MOST: u8 = 18;
