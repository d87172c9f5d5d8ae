//! The packets of a finding: where they come from, and how they came to where they are.

use crate::channel::Number;
use crate::error::ProveError;
use crate::knot::Tied;
use crate::network::Network;
use crate::offers::Relation;
use crate::proof::{Fault, Holder};
use crate::walk::{Walk, route};
use router_core::route::Route;
use router_core::units::Bits;

/// The first packet for `node` that can come to another node.
pub(crate) fn misdelivered<B: Bits>(
    network: &Network<'_, impl Route<B>, B>,
    node: u32,
) -> Result<Fault, ProveError> {
    let walk = Walk::of(network, node, |_, _, _| {})?;
    let towards = walk.towards(walk.misdelivered.unwrap_or(0));
    let source = walk.nearest(&towards).unwrap_or(0);
    let route = route(network, &walk, &towards, source);
    Ok(Fault::Misdelivered { from: sender(network, &walk, source), to: node, route })
}

/// The packets of a knot, each from where it has the shortest way to its channel.
pub(crate) fn holders<B: Bits>(
    network: &Network<'_, impl Route<B>, B>,
    relation: &Relation,
    knot: &[Tied],
) -> Result<Vec<Holder>, ProveError> {
    knot.iter().map(|tied| holder(network, relation, tied)).collect()
}

fn holder<B: Bits>(
    network: &Network<'_, impl Route<B>, B>,
    relation: &Relation,
    tied: &Tied,
) -> Result<Holder, ProveError> {
    let example = relation.offers[tied.offer].example;
    let walk = Walk::of(network, example.node, |_, _, _| {})?;
    let towards = walk.towards(walk.find(tied.channel, &example.header).unwrap_or(0));
    let source = walk.nearest(&towards).unwrap_or(0);
    let channel = |number: Number| network.numbering.channel(number);
    Ok(Holder {
        channel: channel(tied.channel),
        from: sender(network, &walk, source),
        to: example.node,
        group: network.members(example.node).map(|_| example.node - network.nodes()),
        route: route(network, &walk, &towards, source),
        behind: tied.behind.iter().copied().map(channel).collect(),
        tie: tied.tie,
    })
}

/// The node that a new packet comes from.
fn sender<B: Bits>(network: &Network<'_, impl Route<B>, B>, walk: &Walk, source: usize) -> u32 {
    let channel = network.numbering.channel(walk.states[source].channel);
    match network.blueprint.wiring().peer(channel.router as usize, usize::from(channel.port)) {
        Some(desvio_sim::topology::Peer::Node(node)) => node,
        _ => 0,
    }
}
