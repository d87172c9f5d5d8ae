//! A tree with a route from every router.

use crate::graph::{Graph, Tree};

/// Gives every router a way in a tree that has none for it: that of `base`, a tree to the same destination with a route from every router.
/// Routes of the tree that a packet may not turn into are replaced by those of `base`, too.
pub fn complete(graph: &impl Graph, tree: &Tree, base: &Tree) -> Tree {
    let mut own: Vec<bool> = tree.iter().map(Option::is_some).collect();
    let port = |own: &[bool], router: usize| {
        if own[router] { tree[router].map(|(port, _)| port) } else { base[router].map(|(port, _)| port) }
    };
    let mut is_open = true;
    while is_open {
        is_open = false;
        for router in 0..own.len() {
            let Some(out) = port(&own, router) else { continue };
            let Some((next, _)) = graph.behind(router, out) else { continue };
            let Some(further) = port(&own, next) else { continue };
            if own[router] && !own[next] {
                // What is left of the tree leads to its destination.
                own[router] = false;
                is_open = true;
            } else if own[next] && !graph.may_turn(graph.link(router, out), graph.link(next, further)) {
                own[next] = false;
                is_open = true;
            }
        }
    }
    let mut whole: Tree = vec![None; own.len()];
    let mut way = Vec::new();
    for from in 0..own.len() {
        let mut at = from;
        while whole[at].is_none() && way.len() < own.len() {
            let Some(out) = port(&own, at) else { break };
            way.push((at, out));
            let Some((next, _)) = graph.behind(at, out) else { break };
            at = next;
        }
        let mut hops = whole[at].map_or(0, |(_, hops)| hops);
        while let Some((router, out)) = way.pop() {
            hops += 1;
            whole[router] = Some((out, hops));
        }
    }
    whole
}
