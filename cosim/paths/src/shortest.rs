//! Shortest routes to a router, spread over the links.

use crate::graph::{Graph, Tree};

/// A tree of shortest routes. Of the links that lead closer each router takes the one with the fewest routes so far, those of all
/// destinations before included.
///
/// `hops`: by router, those to the destination. `nodes`: by router, how many nodes send from there. `routes`: by link, pairs of nodes whose
/// route leaves there; the tree is added to it.
pub fn shortest(graph: &impl Graph, there: usize, hops: &[u32], nodes: &[u64], routes: &mut [u64]) -> Tree {
    let mut tree: Tree = vec![None; graph.routers()];
    let mut order: Vec<usize> = (0..graph.routers()).filter(|&router| router != there).collect();
    order.sort_by_key(|&router| std::cmp::Reverse(hops[router]));
    let mut through = nodes.to_vec();
    for here in order {
        let closer = graph.neighbours(here).filter(|&(_, next)| hops[next] < hops[here]);
        let of = |port: u8| graph.link(here, port) as usize;
        let Some((port, next)) = closer.min_by_key(|&(port, _)| routes[of(port)]) else { continue };
        tree[here] = Some((port, hops[here]));
        routes[of(port)] += through[here] * nodes[there];
        through[next] += through[here];
    }
    tree
}
