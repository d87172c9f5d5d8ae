//! Several trees of routes to one router, so that a source has short paths without a common link.

use crate::graph::{Graph, Link, Tree, distances, links};
use crate::search::{Search, Wanted};
use std::collections::{HashSet, VecDeque};

/// What is asked for.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Trees of a destination, the first one included.
    pub lids: usize,
    /// Hops by which a path may be longer than that of the first tree.
    pub detour: u32,
    /// Whether a sender without such a way takes one that enters by another link, as long as it shares none with the sender's other
    /// paths.
    pub anywhere: bool,
}

/// Trees of routes to a router. The first is given, with a route from each of `ends`, the routers that send. The routes of each further one
/// enter the destination by one link of its own, as long as it has links. From each sender, the nearest first, a depth-first search enumerates
/// the ways to the tree as it stands, and keeps the shortest that shares no link with the sender's paths so far. A sender without a way is not in
/// the tree.
pub fn alternatives(
    graph: &impl Graph,
    there: usize,
    ends: &[usize],
    first: Tree,
    limits: Limits,
) -> Vec<Tree> {
    let mut trees = vec![first];
    // A link from each neighbour, by the port of the neighbour that leads here.
    let roots = graph.neighbours(there).filter_map(|(port, _)| graph.behind(there, port));
    for root in roots.take(limits.lids.saturating_sub(1)) {
        let tree = grow(graph, there, root, ends, &trees, limits);
        trees.push(tree);
    }
    trees
}

/// Routes that enter by one link, from the router and port that it leaves.
fn grow(
    graph: &impl Graph,
    there: usize,
    (root, port): (usize, u8),
    ends: &[usize],
    others: &[Tree],
    limits: Limits,
) -> Tree {
    let mut tree: Tree = vec![None; graph.routers()];
    tree[root] = Some((port, 1));
    let least = distances_by(graph, there, root);
    extend(graph, there, (&least, false), ends, others, limits, &mut tree);
    if limits.anywhere {
        extend(graph, there, (&distances(graph, there), true), ends, others, limits, &mut tree);
    }
    tree
}

/// Adds a way from each sender that has none; `enters`: by other links than that of the tree, too.
fn extend(
    graph: &impl Graph,
    there: usize,
    (least, enters): (&[u32], bool),
    ends: &[usize],
    others: &[Tree],
    limits: Limits,
    tree: &mut Tree,
) {
    let mut order: Vec<usize> = ends.iter().copied().filter(|&end| end != there).collect();
    order.sort_by_key(|&end| least[end]);
    for from in order {
        if tree[from].is_some() {
            continue;
        }
        let Some((_, shortest)) = others[0][from] else { continue };
        let limit = shortest + limits.detour;
        let taken = own_links(graph, from, there, limit, others);
        let wanted = Wanted { tree, there, least, taken: &taken, limit, enters };
        let Some((length, way)) = Search::way(graph, wanted, from) else { continue };
        for (place, &(router, port)) in way.iter().enumerate() {
            tree[router] = Some((port, length - place as u32));
        }
    }
}

/// Hops to a router by way of one neighbour.
fn distances_by(graph: &impl Graph, there: usize, root: usize) -> Vec<u32> {
    let mut least = vec![u32::MAX; graph.routers()];
    least[root] = 1;
    let mut queue = VecDeque::from([root]);
    while let Some(at) = queue.pop_front() {
        for (_, near) in graph.neighbours(at) {
            if near != there && least[near] == u32::MAX {
                least[near] = least[at] + 1;
                queue.push_back(near);
            }
        }
    }
    least
}

/// The links of the paths that a source has in these trees: of each that shares none with those before it.
fn own_links(graph: &impl Graph, from: usize, there: usize, limit: u32, trees: &[Tree]) -> HashSet<Link> {
    let mut taken = HashSet::new();
    for tree in trees {
        let Some((_, length)) = tree[from] else { continue };
        let links = links(graph, from, there, |router| tree[router].map(|(port, _)| port));
        if length <= limit && links.iter().all(|link| !taken.contains(link)) {
            taken.extend(links);
        }
    }
    taken
}
