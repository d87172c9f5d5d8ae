//! Tree: k-ary and balanced, or any.

use super::generated::{Generated, MOST_ROUTERS, NODES, nodes_per_router};
use crate::document::write::list;
use crate::document::{Data, Lines, Problem, Section};

/// A tree of routers, numbered from the root, 0, level by level; the children of one router stand together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tree {
    /// How many children the routers have.
    pub children: Children,
    /// Nodes at each router.
    pub nodes_per_router: u8,
}

/// How many children the routers of a tree have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Children {
    /// As many each, but for the routers of the last level: the balanced `k`-ary tree.
    Same {
        /// Children of a router, 1…63.
        each: u32,
        /// Levels of routers, 2…18; 3 where none are given.
        levels: u8,
    },
    /// So many each, by the router's number; none beyond the list.
    Each(Vec<u32>),
}

impl Children {
    fn of(&self, router: usize) -> u32 {
        match self {
            Self::Same { each, .. } => *each,
            Self::Each(children) => children.get(router).copied().unwrap_or(0),
        }
    }

    /// Routers; `None` where the numbers, which a program may have made, are out of range.
    fn routers(&self) -> Option<u32> {
        let routers = match self {
            Self::Same { each, levels } => {
                let in_range = (1..=63).contains(each) && (2..=MOST_LEVELS).contains(levels);
                let level = |level: u32| u64::from(*each).saturating_pow(level);
                in_range.then(|| (0..u32::from(*levels)).map(level).fold(0, u64::saturating_add))?
            }
            Self::Each(children) => {
                let has_parent = self.orphan().is_none() && children.iter().all(|&each| each <= 63);
                has_parent.then(|| children.iter().map(|&each| u64::from(each)).sum::<u64>() + 1)?
            }
        };
        u32::try_from(routers).ok().filter(|routers| (2..=MOST_ROUTERS).contains(routers))
    }

    /// The first router of the list that is no other one's child.
    fn orphan(&self) -> Option<usize> {
        let Self::Each(children) = self else { return None };
        let mut routers = 1;
        children.iter().enumerate().find_map(|(router, &each)| {
            let orphan = (router as u64 >= routers).then_some(router);
            routers += u64::from(each);
            orphan
        })
    }

    /// Links of the widest router to others.
    fn degree(&self) -> u32 {
        match self {
            Self::Same { each, levels } => each + u32::from(*levels > 2),
            Self::Each(children) => {
                let degree = |(router, each): (usize, &u32)| each + u32::from(router > 0);
                children.iter().enumerate().map(degree).max().unwrap_or(0)
            }
        }
    }
}

impl Generated for Tree {
    const WORD: &'static str = "tree";
    const KEYS: &'static [&'static str] = &["children", "levels", NODES];
    const ROUTING: &'static str = "up*/down*";

    fn read(section: &Section<'_>) -> Result<Self, Problem> {
        let expected = "the number of children of a router, or a list of numbers, one for each router";
        let field = section.need("children", expected)?;
        let children = if let Data::List(_) = field.value.data {
            if let Some(levels) = section.get("levels") {
                return Err(levels.refuse("a list in `topology.children` says itself where the tree ends"));
            }
            let each = field.list(expected)?;
            Children::Each(each.iter().map(|each| each.whole(0..=63)).collect::<Result<_, _>>()?)
        } else {
            let each = field.whole(1..=63)?;
            Children::Same { each, levels: section.whole("levels", 2..=MOST_LEVELS, 3)? }
        };
        if let Some(router) = children.orphan() {
            return Err(field.refuse(format!("router {router} of the list is the child of none before it")));
        }
        if children.routers().is_none() {
            let most = MOST_ROUTERS;
            return Err(field.refuse(format!("the tree must have from 2 to {most} routers")));
        }
        let nodes_per_router = nodes_per_router(section, children.degree(), &field)?;
        Ok(Self { children, nodes_per_router })
    }

    fn write(&self) -> Lines {
        match &self.children {
            Children::Same { each, levels } => {
                vec![("children", each.to_string()), ("levels", levels.to_string())]
            }
            Children::Each(children) => vec![("children", list(children))],
        }
    }

    fn nodes_per_router(&self) -> u8 {
        self.nodes_per_router
    }

    fn routers(&self) -> Option<u32> {
        self.children.routers()
    }

    fn edges(&self) -> Vec<(u32, u32)> {
        let parents = (0..).flat_map(|router| (0..self.children.of(router)).map(move |_| router as u32));
        // Children first: beyond the end of a list of children there is no parent to find.
        (1..self.routers().unwrap_or(0)).zip(parents).map(|(child, parent)| (parent, child)).collect()
    }
}

const MOST_LEVELS: u8 = 18;
