//! The search, destination by destination, and the judgement.

use crate::channel::Channel;
use crate::error::ProveError;
use crate::knot;
use crate::network::{Escape, Network};
use crate::offers::{Example, Offers, Relation, Way};
use crate::proof::{Fault, Proof, Ranks, Reach, Verdict};
use crate::rank::{Ranking, Rule, rank};
use crate::walk::Walk;
use crate::witness;
use desvio_sim::blueprint::Blueprint;
use rayon::prelude::*;
use router_core::route::Route;
use router_core::units::Bits;

/// What was found on the way to one destination, or to several.
struct Found {
    offers: Offers,
    states: u64,
    hops: u64,
    /// `None`: without bound.
    longest: Option<u32>,
    /// The lowest destination with a route that has no bound.
    endless: Option<u32>,
    /// The lowest destination whose packets can come to another node.
    misdelivered: Option<u32>,
}

/// Judges a routing on a network: follows every packet from every node to every other one through every hop that it may take, and
/// ranks the channels.
///
/// Links that the scenario takes down are up here. `progress` is called once for each destination that is done.
///
/// # Errors
/// When the routing offers more than a packet has room for, or the search does not fit into memory.
pub fn prove<B: Bits>(
    blueprint: &Blueprint,
    routing: impl Route<B> + Sync,
    progress: &(dyn Fn() + Sync),
) -> Result<Proof, ProveError> {
    judge_all(&Network::new(blueprint, routing, None)?, false, progress)
}

/// Judges an escape sub-function by Duato's condition. It has to have a hop for every packet in every channel that packets can come to by
/// *any* hop. All its hops have to lead to a lower rank, so that its extended dependency graph has no cycle (with the direct and cross
/// dependencies of virtual cut-through; a wormhole's indirect ones, too).
///
/// `escape` says which of the candidates that the routing offers are its hops.
///
/// # Errors
/// As [`prove`].
pub fn prove_escape<B: Bits>(
    blueprint: &Blueprint,
    routing: impl Route<B> + Sync,
    escape: Escape<'_, B>,
    progress: &(dyn Fn() + Sync),
) -> Result<Proof, ProveError> {
    judge_all(&Network::new(blueprint, routing, Some(escape))?, true, progress)
}

fn judge_all<B: Bits>(
    network: &Network<'_, impl Route<B> + Sync, B>,
    is_given: bool,
    progress: &(dyn Fn() + Sync),
) -> Result<Proof, ProveError> {
    let found = search(network, progress)?;
    let relation = found.offers.into_relation();
    let used = relation.by_channel().filter(|&(channel, _)| !is_entry(network, channel)).count();
    let reach = Reach {
        routers: network.routers(),
        nodes: network.nodes(),
        groups: network.groups(),
        channels: network.channels().count(),
        used,
        states: found.states,
        hops: found.hops,
        longest_route: found.longest,
    };
    let mut faults = Vec::new();
    if let Some(node) = found.misdelivered {
        faults.push(witness::misdelivered(network, node)?);
    }
    faults.extend(found.endless.map(|to| Fault::Endless { to }));
    let verdict = match network.backtracks && !is_given {
        true => judge_backtracking(network, &relation)?,
        false => judge(network, &relation, if is_given { Rule::Given } else { Rule::Escape })?,
    };
    Ok(Proof { scenario: network.blueprint.scenario().clone(), reach, verdict, faults })
}

fn is_entry<B: Bits>(network: &Network<'_, impl Route<B>, B>, channel: u32) -> bool {
    let Channel { router, port, .. } = network.numbering.channel(channel);
    let peer = network.blueprint.wiring().peer(router as usize, usize::from(port));
    !matches!(peer, Some(desvio_sim::topology::Peer::Router { .. }))
}

fn judge<B: Bits>(
    network: &Network<'_, impl Route<B>, B>,
    relation: &Relation,
    rule: Rule,
) -> Result<Verdict, ProveError> {
    let every = rank(relation, Rule::Every);
    if every.stuck.is_empty() && rule == Rule::Escape {
        return Ok(Verdict::Acyclic(ranks(network, relation, &every)));
    }
    let escape = rank(relation, rule);
    if escape.stuck.is_empty() {
        return Ok(Verdict::Escape(ranks(network, relation, &escape)));
    }
    let knot = knot::smallest(relation, &escape, rule);
    Ok(Verdict::Stuck(witness::holders(network, relation, &knot)?))
}

/// Where a packet never waits for a channel that another one holds, all that is left is that each has a way on wherever it may come to.
fn judge_backtracking<B: Bits>(
    network: &Network<'_, impl Route<B>, B>,
    relation: &Relation,
) -> Result<Verdict, ProveError> {
    match judge(network, relation, Rule::Escape)? {
        Verdict::Stuck(holders) if holders.iter().all(|holder| !holder.behind.is_empty()) => {
            Ok(Verdict::NoWaiting)
        }
        Verdict::Stuck(stranded) => Ok(Verdict::Stuck(stranded)),
        _ => Ok(Verdict::NoWaiting),
    }
}

fn ranks<B: Bits>(network: &Network<'_, impl Route<B>, B>, relation: &Relation, ranking: &Ranking) -> Ranks {
    let of =
        relation.by_channel().map(|(channel, _)| (network.numbering.channel(channel), ranking.rank(channel)));
    Ranks { of: of.collect(), highest: ranking.highest }
}

/// Walks to every node and every group, side by side.
fn search<R: Route<B> + Sync, B: Bits>(
    network: &Network<'_, R, B>,
    progress: &(dyn Fn() + Sync),
) -> Result<Found, ProveError> {
    let channels = network.numbering.count(network.routers());
    let none = || Found::none(channels);
    let walked = |mut found: Found, node: u32| {
        found.walk(network, node)?;
        progress();
        Ok(found)
    };
    (0..network.nodes() + network.groups())
        .into_par_iter()
        .try_fold(none, walked)
        .try_reduce(none, |a, b| Ok(a.with(b)))
}

impl Found {
    fn none(channels: usize) -> Self {
        Self {
            offers: Offers::new(channels),
            states: 0,
            hops: 0,
            longest: Some(0),
            endless: None,
            misdelivered: None,
        }
    }

    fn walk<B: Bits>(
        &mut self,
        network: &Network<'_, impl Route<B>, B>,
        node: u32,
    ) -> Result<(), ProveError> {
        let mut ways = Vec::new();
        let mut all = Vec::new();
        let walk = Walk::of(network, node, |channel, header, hops| {
            ways.clear();
            ways.extend(hops.iter().map(Way::of));
            ways.sort_unstable();
            ways.dedup();
            if network.members(node).is_some() {
                // It leaves by each of its hops, and waits for each on its own.
                let example = Example { node, header: *header };
                return ways.iter().for_each(|way| self.offers.add(channel, &[*way], example));
            }
            match network.is_spread {
                true => all.push(ways.clone()),
                false => self.offers.add(channel, &ways, Example { node, header: *header }),
            }
        })?;
        if network.is_spread && network.members(node).is_none() {
            self.spread(&walk, node, &all);
        }
        let longest = walk.longest_route();
        self.states += walk.states.len() as u64;
        self.hops += walk.hops() as u64;
        self.longest = self.longest.zip(longest).map(|(a, b)| a.max(b));
        self.endless = lower(self.endless, longest.is_none().then_some(node));
        self.misdelivered = lower(self.misdelivered, walk.misdelivered.map(|_| node));
        Ok(())
    }

    /// Offers each channel what is offered to packets that may still lie in it, wherever their heads may have gone on to. `ways` are those
    /// of each state.
    fn spread(&mut self, walk: &Walk, node: u32, ways: &[Vec<Way>]) {
        for (state, at) in walk.states.iter().enumerate() {
            let example = Example { node, header: walk.header(state) };
            walk.onward(state).into_iter().for_each(|head| self.offers.add(at.channel, &ways[head], example));
        }
    }

    /// Both together; the same in any order.
    fn with(self, other: Self) -> Self {
        Self {
            offers: self.offers.merge(other.offers),
            states: self.states + other.states,
            hops: self.hops + other.hops,
            longest: self.longest.zip(other.longest).map(|(a, b)| a.max(b)),
            endless: lower(self.endless, other.endless),
            misdelivered: lower(self.misdelivered, other.misdelivered),
        }
    }
}

/// The lower destination.
fn lower(a: Option<u32>, b: Option<u32>) -> Option<u32> {
    a.into_iter().chain(b).min()
}
