//! The packets of a finding: where they come from, and how they came to where they are.

use crate::channel::Number;
use crate::error::ProveError;
use crate::knot::Tie;
use crate::network::Network;
use crate::offers::Relation;
use crate::proof::{Finding, Holder};
use crate::walk::{Fault, Walk, route};
use router_core::route::Route;

/// The finding about the first packet for `node` that meets a fault.
pub(crate) fn fault(network: &Network<'_, impl Route>, node: u32, fault: Fault) -> Result<Finding, ProveError> {
    let walk = Walk::of(network, node, |_, _, _| {})?;
    let (state, _) = walk.fault.unwrap_or((0, fault));
    let towards = walk.towards(state);
    let source = walk.nearest(&towards).unwrap_or(0);
    let route = route(network, &walk, &towards, source);
    let from = sender(network, &walk, source);
    Ok(match fault {
        Fault::Stranded => Finding::Stranded { from, to: node, route },
        Fault::Misdelivered => Finding::Misdelivered { from, to: node, route },
    })
}

/// The packets of a knot, each from where it has the shortest way to its channel.
pub(crate) fn holders(
    network: &Network<'_, impl Route>,
    relation: &Relation,
    knot: &[Tie],
) -> Result<Vec<Holder>, ProveError> {
    knot.iter().map(|tie| holder(network, relation, tie)).collect()
}

fn holder(network: &Network<'_, impl Route>, relation: &Relation, tie: &Tie) -> Result<Holder, ProveError> {
    let example = relation.offers[tie.offer].example;
    let walk = Walk::of(network, example.node, |_, _, _| {})?;
    let towards = walk.towards(walk.find(tie.channel, &example.header).unwrap_or(0));
    let source = walk.nearest(&towards).unwrap_or(0);
    let channel = |number: Number| network.numbering.channel(number);
    Ok(Holder {
        channel: channel(tie.channel),
        from: sender(network, &walk, source),
        to: example.node,
        route: route(network, &walk, &towards, source),
        waits_for: tie.behind.iter().copied().map(channel).collect(),
        head_is_gone: tie.head_is_gone,
    })
}

/// The node that a new packet comes from.
fn sender(network: &Network<'_, impl Route>, walk: &Walk, source: usize) -> u32 {
    let channel = network.numbering.channel(walk.states[source].channel);
    match network.blueprint.wiring().peer(channel.router as usize, usize::from(channel.port)) {
        Some(desvio_sim::topology::Peer::Node(node)) => node,
        _ => 0,
    }
}
