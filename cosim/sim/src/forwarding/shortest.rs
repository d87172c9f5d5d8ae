//! Shortest routes, one for each router and destination router, spread over the links.

use super::rows::{ANY, Destinations, Row, Rows};
use crate::topology::Wiring;

/// For each destination router with nodes a tree of shortest routes.
pub(super) fn rows(wiring: &Wiring) -> Result<Rows, super::Flaw> {
    trees(wiring, &nodes(wiring).collect::<Vec<_>>())
}

/// For each router a tree of shortest routes. A router without nodes counts as one with one.
pub(super) fn to_all(wiring: &Wiring) -> Result<Rows, super::Flaw> {
    trees(wiring, &nodes(wiring).map(|nodes| nodes.max(1)).collect::<Vec<_>>())
}

/// For each router a tree of shortest routes that leave by the lowest port: in a hypercube, one dimension after the other.
pub(super) fn by_lowest_port(wiring: &Wiring) -> Result<Rows, super::Flaw> {
    let mut rows = Rows::new(wiring, Destinations::Routers)?;
    for there in 0..wiring.routers() {
        let hops = wiring.distances_from(there);
        for here in 0..wiring.routers() {
            let mut closer = wiring.neighbours(here).filter(|&(_, near)| hops[near] < hops[here]);
            *rows.at(here, there) =
                closer.next().map(|(port, _)| Row { port: port as u8, vcs: ANY, line: 0 });
        }
    }
    Ok(rows)
}

/// Nodes by router.
fn nodes(wiring: &Wiring) -> impl Iterator<Item = u64> {
    (0..wiring.routers()).map(|router| wiring.nodes_of(router).count() as u64)
}

/// Trees to all routers where packets start: `starts` of them at each.
fn trees(wiring: &Wiring, starts: &[u64]) -> Result<Rows, super::Flaw> {
    let mut rows = Rows::new(wiring, Destinations::Routers)?;
    // Entry `router * ports + port`: pairs of nodes whose route leaves there.
    let mut routes = vec![0; wiring.routers() * wiring.ports()];
    for there in (0..wiring.routers()).filter(|&router| starts[router] > 0) {
        let hops = wiring.distances_from(there);
        let tree = desvio_paths::shortest(wiring, there, &hops, starts, &mut routes);
        for (here, way) in tree.into_iter().enumerate() {
            if let Some((port, _)) = way {
                *rows.at(here, there) = Some(Row { port, vcs: ANY, line: 0 });
            }
        }
    }
    Ok(rows)
}
