//! The search, destination by destination, and the judgement.

use crate::channel::Channel;
use crate::error::ProveError;
use crate::knot;
use crate::network::Network;
use crate::offers::{Example, Offers, Relation, Way};
use crate::proof::{Finding, Proof, Ranks, Reach, Verdict};
use crate::rank::{Ranking, Rule, rank};
use crate::walk::{Fault, Walk};
use crate::witness;
use desvio_sim::blueprint::Blueprint;
use rayon::prelude::*;
use router_core::route::Route;

/// What was found on the way to one destination, or to several.
struct Found {
    offers: Offers,
    states: u64,
    hops: u64,
    /// `None`: without bound.
    longest: Option<u32>,
    /// The lowest destination with a route that has no bound.
    endless: Option<u32>,
    /// The lowest destination for which something goes wrong, and what.
    fault: Option<(u32, Fault)>,
}

/// Judges a routing on a network: follows every packet from every node to every other one through every hop that it may take, and
/// ranks the channels.
///
/// Links that the scenario takes down are up here. `progress` is called once for each destination that is done.
///
/// # Errors
/// When the routing offers more than a packet has room for, or the search does not fit into memory.
pub fn prove(
    blueprint: &Blueprint,
    routing: impl Route + Sync,
    progress: &(dyn Fn() + Sync),
) -> Result<Proof, ProveError> {
    let network = Network::new(blueprint, routing)?;
    let found = search(&network, progress)?;
    let relation = found.offers.into_relation();
    let used = relation.by_channel().filter(|&(channel, _)| !is_entry(&network, channel)).count();
    let reach = Reach {
        routers: network.routers(),
        nodes: network.nodes(),
        channels: network.channels().count(),
        used,
        states: found.states,
        hops: found.hops,
        longest_route: found.longest,
    };
    let mut findings = Vec::new();
    if let Some((node, fault)) = found.fault {
        findings.push(witness::fault(&network, node, fault)?);
    }
    if let Some(to) = found.endless {
        findings.push(Finding::Endless { to });
    }
    let verdict = judge(&network, &relation, findings)?;
    Ok(Proof { scenario: blueprint.scenario().clone(), reach, verdict })
}

fn is_entry(network: &Network<'_, impl Route>, channel: u32) -> bool {
    let Channel { router, port, .. } = network.numbering.channel(channel);
    let peer = network.blueprint.wiring().peer(router as usize, usize::from(port));
    !matches!(peer, Some(desvio_sim::topology::Peer::Router { .. }))
}

fn judge(
    network: &Network<'_, impl Route>,
    relation: &Relation,
    mut findings: Vec<Finding>,
) -> Result<Verdict, ProveError> {
    let every = rank(relation, Rule::Every);
    let escape = if every.stuck.is_empty() { every.clone() } else { rank(relation, Rule::Escape) };
    // Packets that are stranded are stuck, too, and so are those behind them: what is said of them is enough.
    let is_stranded = findings.iter().any(|finding| !matches!(finding, Finding::Endless { .. }));
    if !escape.stuck.is_empty() && !is_stranded {
        let knot = knot::smallest(relation, &escape, Rule::Escape);
        findings.push(Finding::Deadlock(witness::holders(network, relation, &knot)?));
    }
    Ok(match findings.is_empty() {
        false => Verdict::Open(findings),
        true if every.stuck.is_empty() => Verdict::Acyclic(ranks(network, relation, &every)),
        true => Verdict::Escape(ranks(network, relation, &escape)),
    })
}

fn ranks(network: &Network<'_, impl Route>, relation: &Relation, ranking: &Ranking) -> Ranks {
    let of = relation.by_channel().map(|(channel, _)| (network.numbering.channel(channel), ranking.rank(channel)));
    Ranks { of: of.collect(), highest: ranking.highest }
}

/// Walks to every destination, side by side.
fn search<R: Route + Sync>(network: &Network<'_, R>, progress: &(dyn Fn() + Sync)) -> Result<Found, ProveError> {
    let channels = network.numbering.count(network.routers());
    let none = || Found::none(channels);
    let walked = |mut found: Found, node: u32| {
        found.walk(network, node)?;
        progress();
        Ok(found)
    };
    (0..network.nodes()).into_par_iter().try_fold(none, walked).try_reduce(none, |a, b| Ok(a.with(b)))
}

impl Found {
    fn none(channels: usize) -> Self {
        Self { offers: Offers::new(channels), states: 0, hops: 0, longest: Some(0), endless: None, fault: None }
    }

    fn walk(&mut self, network: &Network<'_, impl Route>, node: u32) -> Result<(), ProveError> {
        let mut ways = Vec::new();
        let walk = Walk::of(network, node, |channel, header, hops| {
            ways.clear();
            ways.extend(hops.iter().map(Way::of));
            ways.sort_unstable();
            ways.dedup();
            self.offers.add(channel, &ways, Example { node, header: *header });
        })?;
        let longest = walk.longest_route();
        self.states += walk.states.len() as u64;
        self.hops += walk.hops() as u64;
        self.longest = self.longest.zip(longest).map(|(a, b)| a.max(b));
        self.endless = lower(self.endless, longest.is_none().then_some(node), |node| *node);
        self.fault = lower(self.fault, walk.fault.map(|(_, fault)| (node, fault)), |(node, _)| *node);
        Ok(())
    }

    /// Both together; the same in any order.
    fn with(self, other: Self) -> Self {
        Self {
            offers: self.offers.merge(other.offers),
            states: self.states + other.states,
            hops: self.hops + other.hops,
            longest: self.longest.zip(other.longest).map(|(a, b)| a.max(b)),
            endless: lower(self.endless, other.endless, |node| *node),
            fault: lower(self.fault, other.fault, |(node, _)| *node),
        }
    }
}

/// The one of the lower destination.
fn lower<T>(a: Option<T>, b: Option<T>, node: impl Fn(&T) -> u32) -> Option<T> {
    a.into_iter().chain(b).min_by_key(node)
}

