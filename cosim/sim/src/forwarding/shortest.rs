//! Shortest routes, one for each router and destination router, spread over the links.

use super::rows::{ANY, Destinations, Row, Rows};
use crate::topology::Wiring;

/// For each destination router with nodes a tree of shortest routes. Of the links that lead closer each router takes the one with the
/// fewest routes so far, those of all destinations before included.
pub(super) fn rows(wiring: &Wiring) -> Result<Rows, super::Flaw> {
    let mut rows = Rows::new(wiring, Destinations::Routers)?;
    let nodes: Vec<u64> =
        (0..wiring.routers()).map(|router| wiring.nodes_of(router).count() as u64).collect();
    // Entry `router * ports + port`: pairs of nodes whose route leaves there.
    let mut routes = vec![0; wiring.routers() * wiring.ports()];
    let mut through = Vec::new();
    for there in (0..wiring.routers()).filter(|&router| nodes[router] > 0) {
        let distances = wiring.distances_from(there);
        let mut order: Vec<usize> = (0..wiring.routers()).filter(|&router| router != there).collect();
        order.sort_by_key(|&router| std::cmp::Reverse(distances[router]));
        through.clone_from(&nodes);
        for here in order {
            let closer = wiring.neighbours(here).filter(|&(_, next)| distances[next] < distances[here]);
            let of = |port: usize| here * wiring.ports() + port;
            let Some((port, next)) = closer.min_by_key(|&(port, _)| routes[of(port)]) else { continue };
            *rows.at(here, there) = Some(Row { port: port as u8, vcs: ANY, line: 0 });
            routes[of(port)] += through[here] * nodes[there];
            through[next] += through[here];
        }
    }
    Ok(rows)
}
