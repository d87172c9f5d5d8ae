//! Whether every packet arrives by the tables.

use super::error::To;
use super::rows::{Destinations, Rows};
use super::{Fault, Flaw};
use crate::topology::{Peer, Wiring};

/// What is known of a router on the way to one destination.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Known {
    Nothing,
    /// Packets from this router pass it, as far as they have been followed.
    Passed(usize),
    Arrives,
}

/// Follows the packets from every router with nodes to every destination.
///
/// # Errors
/// The first packets that come to a router without a row for them, unless they are `discarded` there, or that would circle.
pub(super) fn check(rows: &Rows, wiring: &Wiring, discarded: bool) -> Result<(), Fault> {
    let mut known = vec![Known::Nothing; wiring.routers()];
    let mut passed = Vec::new();
    for (destination, to, home) in targets(&rows.destinations, wiring) {
        known.fill(Known::Nothing);
        known[home] = Known::Arrives;
        for from in (0..wiring.routers()).filter(|&router| wiring.nodes_of(router).next().is_some()) {
            let mut at = from;
            passed.clear();
            while known[at] == Known::Nothing {
                known[at] = Known::Passed(from);
                passed.push(at);
                if discarded && is_discarded(rows, wiring, at, destination) {
                    break;
                }
                let row = rows.get(at, destination).ok_or((None, Flaw::Missing { router: at, to, from }))?;
                at = next(wiring, at, row.port)
                    .ok_or((line(row.line), Flaw::NoLink { router: at, port: row.port.into() }))?;
            }
            if known[at] == Known::Passed(from) && !(discarded && is_discarded(rows, wiring, at, destination))
            {
                return Err(circle(rows, &passed, at, destination, to));
            }
            passed.iter().for_each(|&router| known[router] = Known::Arrives);
        }
    }
    Ok(())
}

/// Whether packets for a destination get no further than to the router behind this one: they have no way there, or back to this one.
fn is_discarded(rows: &Rows, wiring: &Wiring, at: usize, destination: usize) -> bool {
    let known = rows.get(at, destination).filter(|row| usize::from(row.port) < wiring.ports());
    let Some(row) = known else { return true };
    let Some(Peer::Router { router, port }) = wiring.peer(at, row.port.into()) else { return true };
    rows.get(router as usize, destination).is_some_and(|next| next.port == port)
}

/// The circle that begins and ends at a router; the line is that of its row.
fn circle(rows: &Rows, passed: &[usize], at: usize, destination: usize, to: To) -> Fault {
    let mut routers: Vec<usize> = passed.iter().copied().skip_while(|&router| router != at).collect();
    routers.push(at);
    let row = rows.get(at, destination);
    (row.and_then(|row| line(row.line)), Flaw::Circle { to, routers })
}

/// The line of a row, where it has one.
fn line(line: u32) -> Option<u32> {
    Some(line).filter(|&line| line > 0)
}

/// Destination, its name, and its router: of each node, or of each router with nodes.
pub(super) fn targets<'w>(
    destinations: &'w Destinations,
    wiring: &'w Wiring,
) -> Box<dyn Iterator<Item = (usize, To, usize)> + 'w> {
    match destinations {
        Destinations::Routers => Box::new(
            (0..wiring.routers())
                .filter(|&router| wiring.nodes_of(router).next().is_some())
                .map(|router| (router, To::Router(router), router)),
        ),
        Destinations::Ports(_) => Box::new(
            (0..wiring.nodes())
                .map(|node| (destinations.of(wiring, node), To::Node(node), wiring.attachment(node).0)),
        ),
    }
}

/// The router behind a port.
pub(crate) fn next(wiring: &Wiring, router: usize, port: u8) -> Option<usize> {
    match wiring.peer(router, port.into()) {
        Some(Peer::Router { router, .. }) => Some(router as usize),
        _ => None,
    }
}

/// The router behind a port, and its port there; none where there is no such port.
pub(super) fn behind(wiring: &Wiring, router: usize, port: usize) -> Option<(usize, usize)> {
    match Some(port).filter(|&port| port < wiring.ports()).and_then(|port| wiring.peer(router, port)) {
        Some(Peer::Router { router, port }) => Some((router as usize, port.into())),
        _ => None,
    }
}
