//! Random folded Clos: levels of routers of one radix, each joined at random with those of the level above.

use std::path::Path;

use super::generated::{MOST_ROUTERS, NODES};
use super::layout::Layout;
use super::levels::{Levels, in_levels};
use super::{Known, MOST_PORTS};
use crate::document::write::list;
use crate::document::{Lines, Problem, Section};
use crate::random::{Stream, below, stream};

/// A random folded Clos (Camarero, Martínez and Beivide, HPCA 2017). A router below the roots is joined with different ones of the level
/// above, drawn with equal chance. All routers of a level have as many links down, and as many up.
///
/// It is made from a regular wiring by exchanging ends of random pairs of links between two levels, many times for each link, until
/// the network is connected. Two leaves need not have a root above both of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RandomFoldedClos {
    /// Its routers and their links.
    pub size: Clos,
    /// Which of the networks.
    pub wiring_seed: u64,
}

/// How many routers a folded Clos has, and with how many links.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Clos {
    /// Routers of one radix, as many in each level as there are leaves, but half as many roots. Half of a router's ports lead up, and half of
    /// a leaf's to nodes, so that every router has all of its ports in use.
    Radix {
        /// Ports of every router: an even number, 4…64.
        radix: u8,
        /// Leaves: an even number, at least the radix.
        leaves: u32,
        /// Levels of routers, 2…4.
        levels: u8,
    },
    /// Any: `sizes[i] · up[i]` links come out even at the `sizes[i + 1]` routers above.
    Sizes {
        /// Routers of each level, the leaves first: 2 to 4 levels.
        sizes: Vec<u32>,
        /// Links up of a router of each level but the last.
        up: Vec<u32>,
        /// Nodes at each leaf.
        nodes_per_leaf: u8,
    },
}

impl Clos {
    /// Routers of each level, links up of each below the roots, and nodes of a leaf.
    fn parts(&self) -> (Vec<u32>, Vec<u32>, u8) {
        match self {
            Self::Sizes { sizes, up, nodes_per_leaf } => (sizes.clone(), up.clone(), *nodes_per_leaf),
            &Self::Radix { radix, leaves, levels } => {
                let below = usize::from(levels).saturating_sub(1);
                let sizes = std::iter::repeat_n(leaves, below).chain([leaves / 2]).collect();
                (sizes, vec![u32::from(radix) / 2; below], radix / 2)
            }
        }
    }

    /// Why there is no such network, if there is none.
    fn flaw(&self) -> Option<String> {
        if let &Self::Radix { radix, leaves, .. } = self {
            let even = radix.is_multiple_of(2) && leaves.is_multiple_of(2);
            if !(even
                && (4..=MOST_PORTS as u8).contains(&radix)
                && (radix.into()..=MOST_LEAVES).contains(&leaves))
            {
                return Some("the radix and the leaves must be even".to_owned());
            }
        }
        let (sizes, up, nodes) = self.parts();
        let levels = sizes.len();
        if !(2..=MOST_LEVELS).contains(&levels) || up.len() + 1 != levels || !(1..=62).contains(&nodes) {
            return Some(format!(
                "`topology.up` must list {} numbers, one for each level but the last",
                levels.saturating_sub(1)
            ));
        }
        let mut down = u32::from(nodes);
        for (level, (below, up)) in sizes.iter().zip(up.iter().chain([&0])).enumerate() {
            let ports = down.saturating_add(*up);
            if ports > MOST_PORTS {
                return Some(format!(
                    "a router of level {level} would need {ports} ports, at most {MOST_PORTS} are possible"
                ));
            }
            let Some(&above) = sizes.get(level + 1) else { break };
            let links = below.saturating_mul(*up);
            if links == 0
                || above == 0
                || !links.is_multiple_of(above)
                || *up > above
                || links / above > *below
            {
                return Some(format!(
                    "{below} routers with {up} links up, all to different ones, do not come out even at {above} routers"
                ));
            }
            down = links / above;
        }
        (!self.shape().fit())
            .then(|| "the network is too large: at most 262144 routers are possible".to_owned())
    }

    fn shape(&self) -> Levels {
        let (routers, _, nodes) = self.parts();
        Levels { nodes, routers }
    }
}

impl RandomFoldedClos {
    fn shape(&self) -> Option<Levels> {
        self.size.flaw().is_none().then(|| self.size.shape())
    }

    /// The radix from which nearly all networks with as many leaves have a root above any two of them, where routers are of one radix. It
    /// is `2 (N ln N)^(1 / (2 (l − 1)))` for `N` leaves and `l` levels (theorem 4.2 of the paper). A leaf then has so many roots that one
    /// pair of leaves without a common one is expected.
    fn known(&self) -> Known {
        let Clos::Radix { leaves, levels, .. } = self.size else { return Known::default() };
        let leaves = f64::from(leaves);
        let power = 1.0 / (2.0 * (f64::from(levels) - 1.0));
        Known { connecting_radix: Some(2.0 * (leaves * leaves.ln()).powf(power)), ..Known::default() }
    }

    fn edges(&self, shape: &Levels) -> Vec<(u32, u32)> {
        let mut random = stream(self.wiring_seed, 0);
        let (_, up, _) = self.size.parts();
        let between = shape.routers.windows(2).zip(up);
        let mut all: Vec<Bipartite> =
            between.map(|(sizes, up)| Bipartite::regular(sizes[0], sizes[1], up)).collect();
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
    const KEYS: &'static [&'static str] = &["radix", "leaves", "levels", "sizes", "up", NODES, "wiring_seed"];
    const ROUTING: &'static str = "table";

    fn read(section: &Section<'_>, _folder: &Path) -> Result<Self, Problem> {
        let size = if section.get("sizes").is_some() { read_sizes(section)? } else { read_radix(section)? };
        if let Some(flaw) = size.flaw() {
            return Err(section
                .need(if section.get("up").is_some() { "up" } else { "leaves" }, "")?
                .refuse(flaw));
        }
        let wiring_seed = section.whole("wiring_seed", 0..=i64::MAX as u64, 1)?;
        Ok(Self { size, wiring_seed })
    }

    fn write(&self) -> Lines {
        let size = match &self.size {
            Clos::Radix { radix, leaves, levels } => {
                [("radix", radix.to_string()), ("leaves", leaves.to_string()), ("levels", levels.to_string())]
            }
            Clos::Sizes { sizes, up, nodes_per_leaf } => {
                [("sizes", list(sizes)), ("up", list(up)), (NODES, nodes_per_leaf.to_string())]
            }
        };
        size.into_iter().chain([("wiring_seed", self.wiring_seed.to_string())]).collect()
    }

    in_levels!(known);
}

/// Routers of one radix.
fn read_radix(section: &Section<'_>) -> Result<Clos, Problem> {
    if let Some(other) = ["up", NODES].iter().find_map(|key| section.get(key)) {
        return Err(other.refuse(format!("`{}` belongs to `topology.sizes`", other.path)));
    }
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
    Ok(Clos::Radix { radix, leaves, levels: section.whole("levels", 2..=MOST_LEVELS as u8, 2)? })
}

/// Routers of each level.
fn read_sizes(section: &Section<'_>) -> Result<Clos, Problem> {
    if let Some(other) = ["radix", "leaves", "levels"].iter().find_map(|key| section.get(key)) {
        return Err(other.refuse(format!("`{}` and `topology.sizes` say the same", other.path)));
    }
    let expected = "a list of 2 to 4 numbers of routers such as [22, 11], the leaves first";
    let field = section.need("sizes", expected)?;
    let sizes: Vec<u32> =
        field.list(expected)?.iter().map(|size| size.whole(1..=MOST_ROUTERS)).collect::<Result<_, _>>()?;
    if !(2..=MOST_LEVELS).contains(&sizes.len()) {
        return Err(field.wrong(expected));
    }
    let expected = "a list of links up of a router of each level but the last, such as [6]";
    let field = section.need("up", expected)?;
    let up = field.list(expected)?.iter().map(|up| up.whole(1..=63)).collect::<Result<_, _>>()?;
    let nodes_per_leaf = section.need(NODES, "the number of nodes of a leaf")?.whole(1..=62)?;
    Ok(Clos::Sizes { sizes, up, nodes_per_leaf })
}

const MOST_LEVELS: usize = 4;

/// Four levels of them have numbers that a header has room for.
const MOST_LEAVES: u32 = 1 << 16;

/// Exchanges tried for each link.
const EXCHANGES: usize = 20;
