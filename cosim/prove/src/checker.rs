//! An independent checker of the certificates of `desvio prove`.
//!
//! It shares nothing with the search but the routing itself and the form of the file. It builds the network of the scenario in it, follows
//! every packet through every hop once more, and checks each state against the ranks. It searches for no rank.
//!
//! An escape ring moves by its bubble. That is an argument, and no rank; what it rests on is looked at: one circle through all routers, which
//! packets come on to where there is room for two, all of one length.

mod launched;
mod ring;

use crate::certificate::{Certificate, Rule};
use desvio_sim::blueprint::Blueprint;
use desvio_sim::scenario::{Scenario, VcAllocation};
use desvio_sim::topology::{MAX_PORTS, Peer, WORD_PORTS, Wiring};
use launched::lengths;
use router_core::header::Header;
use router_core::plan::Plan;
use router_core::route::{Arrival, Candidate, Grouped, Here, HopKind, Route};
use router_core::settings::Choice;
use router_core::units::{Bits, PortId, VcId, WideBits};
use std::collections::{HashMap, HashSet};
use std::path::Path;
use thiserror::Error;

/// What does not hold of a certificate.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct Refuted(String);

/// Checks a certificate.
///
/// # Errors
/// The first thing that is not as the certificate says.
pub fn check(text: &str) -> Result<Certificate, Refuted> {
    let certificate = read(text).map_err(Refuted)?;
    let scenario = scenario_of(&certificate).map_err(Refuted)?;
    follow_all(&certificate, scenario).map_err(Refuted)?;
    Ok(certificate)
}

/// Checks a certificate of the routing of a scenario. The certificate may be of one with other traffic, another run, other latencies and
/// losses of links: a proof does not speak of these.
///
/// # Errors
/// The first thing that is not as the certificate says, or another setting that it is of.
pub fn check_of(text: &str, scenario: &Scenario) -> Result<Certificate, Refuted> {
    let certificate = read(text).map_err(Refuted)?;
    let mut theirs = scenario_of(&certificate).map_err(Refuted)?;
    if theirs.has_groups() || scenario.has_groups() {
        // The groups are those of the pattern and the seed.
        if theirs.run.seed != scenario.run.seed || theirs.traffic.pattern != scenario.traffic.pattern {
            return Err(Refuted("the certificate is of other groups of nodes".to_owned()));
        }
    }
    (theirs.run, theirs.links) = (scenario.run.clone(), scenario.links.clone());
    let (packet_flits, reply_flits) = (theirs.traffic.packet_flits, theirs.traffic.reply_flits);
    theirs.traffic = scenario.traffic.clone();
    (theirs.traffic.packet_flits, theirs.traffic.reply_flits) = (packet_flits, reply_flits);
    if theirs != *scenario {
        let (theirs, own) = (theirs.to_toml(), scenario.to_toml());
        let other = theirs.lines().zip(own.lines()).find(|(theirs, own)| theirs != own);
        let of = other.map_or(String::new(), |(theirs, own)| format!(": `{theirs}`, not `{own}`"));
        return Err(Refuted(format!("the certificate is of another scenario{of}")));
    }
    follow_all(&certificate, scenario.clone()).map_err(Refuted)?;
    Ok(certificate)
}

fn read(text: &str) -> Result<Certificate, String> {
    let certificate: Certificate =
        serde_json::from_str(text).map_err(|error| format!("no certificate: {error}"))?;
    match certificate.format {
        Certificate::FORMAT => Ok(certificate),
        other => Err(format!("format {other} is unknown, expected {}", Certificate::FORMAT)),
    }
}

fn scenario_of(certificate: &Certificate) -> Result<Scenario, String> {
    Scenario::parse(&certificate.scenario, "scenario of the certificate", Path::new("."), &[])
        .map_err(|error| error.to_string())
}

fn follow_all(certificate: &Certificate, scenario: Scenario) -> Result<(), String> {
    let claims = Claims::of(certificate)?;
    let blueprint = Blueprint::new(scenario).map_err(|error| error.to_string())?;
    if blueprint.is_wide() {
        let routing = blueprint.wide_routing().map_err(|error| error.to_string())?;
        return Checker::<_, WideBits, MAX_PORTS>::new(&blueprint, routing, &claims)?.follow_nodes();
    }
    let routing = blueprint.routing().map_err(|error| error.to_string())?;
    Checker::<_, usize, WORD_PORTS>::new(&blueprint, routing, &claims)?.follow_nodes()
}

/// Router, input port, VC in ascending order.
type Channel = (usize, u8, u8);

/// A channel in words.
fn named((router, port, vc): Channel) -> String {
    format!("router {router}, port {port}, VC {vc}")
}

/// A packet: where it is, and its header. The destination is in the header.
type Packet = (Channel, Header);

/// What a certificate says.
struct Claims<'c> {
    certificate: &'c Certificate,
    is_acyclic: bool,
    ranks: HashMap<Channel, u64>,
}

impl<'c> Claims<'c> {
    fn of(certificate: &'c Certificate) -> Result<Self, String> {
        let mut ranks = HashMap::new();
        for &(router, port, vc, rank) in &certificate.ranks {
            let channel = (router as usize, port, vc);
            if rank == 0 || ranks.insert(channel, rank.into()).is_some() {
                return Err(format!("{} has a rank of 0, or a second one", named(channel)));
            }
        }
        Ok(Self { certificate, is_acyclic: certificate.rule == Rule::Acyclic, ranks })
    }
}

/// What is left to compare when all packets have been followed.
struct Checker<'a, R, B: Bits, const P: usize> {
    claims: &'a Claims<'a>,
    wiring: &'a Wiring,
    blueprint: &'a Blueprint,
    routing: Grouped<'a, R>,
    heres: Vec<Here<B>>,
    plans: Vec<Plan<P>>,
    /// Of the packets that fit into the same buffers, the length of the longest.
    lengths: Vec<u16>,
    used: HashSet<Channel>,
    /// The channels of the escape ring, each with the next one, and those by which packets come on to it.
    ring: HashMap<Channel, Channel>,
    entries: HashSet<Channel>,
    states: u64,
    hops: u64,
    longest: u64,
}

/// What is ahead of a packet.
#[derive(Clone, Copy)]
struct Ahead {
    /// Hops to the end of the longest route.
    hops: u64,
    /// Of the lowest rank that it requests here, or in any state that it may come to, the highest.
    exit: u64,
}

/// A hop that a packet may take: to the next channel, or to its node.
struct Hop {
    to: Option<Packet>,
    requested: bool,
    whole: bool,
    on_ring: OnRing,
}

/// What a hop has to do with the escape ring.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OnRing {
    No,
    Enters,
    GoesOn,
}

impl<'a, R: Route<B>, B: Bits, const P: usize> Checker<'a, R, B, P> {
    fn new(blueprint: &'a Blueprint, routing: R, claims: &'a Claims<'a>) -> Result<Self, String> {
        let wiring = blueprint.wiring();
        let routers = 0..wiring.routers();
        let (routers_of, nodes_of) = (claims.certificate.routers, claims.certificate.nodes as usize);
        if (routers_of, nodes_of) != (wiring.routers(), wiring.nodes()) {
            let (routers, nodes) = (wiring.routers(), wiring.nodes());
            return Err(format!(
                "the network has {routers} routers and {nodes} nodes, not {routers_of} and {nodes_of}"
            ));
        }
        let heres = routers.clone().map(|router| blueprint.place(router)).collect();
        let plans: Vec<Plan<P>> = routers
            .map(|router| blueprint.plan(router).map_err(|error| error.to_string()))
            .collect::<Result<_, _>>()?;
        let lengths = lengths(blueprint.scenario(), &plans);
        let (used, ring, entries) = (HashSet::new(), HashMap::new(), HashSet::new());
        let (states, hops, longest) = (0, 0, 0);
        Ok(Self {
            claims,
            wiring,
            blueprint,
            routing: blueprint.grouped(routing),
            heres,
            plans,
            lengths,
            used,
            ring,
            entries,
            states,
            hops,
            longest,
        })
    }

    /// Follows every packet, and compares what was found.
    fn follow_nodes(mut self) -> Result<(), String> {
        for to in 0..self.wiring.nodes() + self.groups().len() {
            self.follow(to)?;
        }
        self.compare()
    }

    /// The members of each group. A group is a destination, numbered after the nodes.
    fn groups(&self) -> &'a [Vec<u32>] {
        self.blueprint.groups().map_or(&[], |groups| groups.members())
    }

    /// The members of the group that a destination is; nothing for a node.
    fn members(&self, to: usize) -> Option<&'a [u32]> {
        let group = to.checked_sub(self.wiring.nodes())?;
        self.groups().get(group).map(Vec::as_slice)
    }

    /// Whether a packet for a destination may come to a node.
    fn is_for(&self, other: u32, to: usize) -> bool {
        match self.members(to) {
            Some(members) => members.contains(&other),
            None => self.blueprint.is_channel_of(other as usize, to),
        }
    }

    /// Follows every packet for a node, or for a group.
    fn follow(&mut self, node: usize) -> Result<(), String> {
        let mut done = HashMap::new();
        for packet in self.injected(node) {
            let ahead = self.ahead_of(node, packet, &mut done)?;
            self.longest = self.longest.max(ahead.hops);
        }
        self.states += done.len() as u64;
        Ok(())
    }

    /// What is ahead of a packet; in `done`, `None` while a packet is on the way that is followed.
    fn ahead_of(
        &mut self,
        node: usize,
        packet: Packet,
        done: &mut HashMap<Packet, Option<Ahead>>,
    ) -> Result<Ahead, String> {
        match done.get(&packet) {
            Some(Some(ahead)) => return Ok(*ahead),
            Some(None) => return Err(format!("a packet for node {node} comes back to {}", named(packet.0))),
            None => done.insert(packet, None),
        };
        let (hops, exit) = self.judged(node, packet)?;
        let mut ahead = Ahead { hops: 0, exit };
        for next in hops.into_iter().filter_map(|hop| hop.to) {
            self.hops += 1;
            let further = self.ahead_of(node, next, done)?;
            ahead = Ahead { hops: ahead.hops.max(1 + further.hops), exit: ahead.exit.max(further.exit) };
        }
        // A packet that lies in the channel may wait anywhere ahead of it.
        if self.is_spread(packet.0.0) && ahead.exit >= self.rank(packet.0)? {
            return Err(format!("a packet for node {node} in {} may be stuck ahead", named(packet.0)));
        }
        done.insert(packet, Some(ahead));
        Ok(ahead)
    }

    /// Whether packets lie across several channels, and no two in one.
    fn is_spread(&self, router: usize) -> bool {
        let plan = &self.plans[router];
        plan.links.flow.by_flit() && plan.links.vc_allocation == VcAllocation::Atomic
    }

    /// The hops of a packet, once they are seen to obey the ranks, and the lowest rank that it requests; 0: its node.
    fn judged(&mut self, node: usize, packet: Packet) -> Result<(Vec<Hop>, u64), String> {
        self.used.insert(packet.0);
        let (own, hops) = (self.rank(packet.0)?, self.hops_of(node, packet)?);
        let is_spread = self.is_spread(packet.0.0);
        // A packet for a group leaves by each of its hops, and so waits for each: the highest rank is what it gets away by.
        let is_copied = self.members(node).is_some();
        let mut exit = if is_copied { 0 } else { u64::MAX };
        if is_copied && hops.is_empty() {
            return Err(format!(
                "a packet for group {} ends in {}",
                node - self.wiring.nodes(),
                named(packet.0)
            ));
        }
        for hop in &hops {
            let rank = match hop.to {
                Some((channel, _)) if hop.on_ring == OnRing::GoesOn => self.note_ring(packet.0, channel)?,
                Some((channel, _)) => self.rank(channel)?,
                None => 0,
            };
            if let (Some((channel, _)), OnRing::Enters) = (hop.to, hop.on_ring) {
                self.entries.insert(channel);
            }
            if rank >= own && (self.claims.is_acyclic || !hop.whole && !is_spread) {
                return Err(format!(
                    "a packet for node {node} in {} has a hop to no lower rank",
                    named(packet.0)
                ));
            }
            exit = match hop.requested {
                true if is_copied => exit.max(rank),
                true => exit.min(rank),
                false => exit,
            };
        }
        if exit < own {
            return Ok((hops, exit));
        }
        Err(format!(
            "a packet for node {node} is stuck in {}: it requests no channel of a lower rank",
            named(packet.0)
        ))
    }

    fn rank(&self, channel: Channel) -> Result<u64, String> {
        self.claims.ranks.get(&channel).copied().ok_or_else(|| format!("{} has no rank", named(channel)))
    }

    /// The hops that the routing offers and the selection may take.
    fn hops_of(&self, node: usize, (at, header): Packet) -> Result<Vec<Hop>, String> {
        let ((router, port, vc), plan, here) = (at, &self.plans[at.0], &self.heres[at.0]);
        let kind = plan.links.class(PortId::new(port));
        let arrival = Arrival { port: PortId::new(port), kind, vc: VcId::new(vc) };
        let offered = self.routing.offer(here, arrival, &header).map_err(|error| error.to_string())?;
        let trigger = self.blueprint.scenario().selection.trigger.word();
        let (has_minimal, has_escape) =
            (!offered.minimal_ports().is_empty(), !offered.ports_of(HopKind::Escape).is_empty());
        let all = trigger == "always" || offered.is_forced() || has_escape && !has_minimal;
        let detours = all || trigger != "never";
        let mut hops: Vec<Hop> = Vec::new();
        for Candidate { port, vc, kind } in offered.iter() {
            let is_minimal = kind == HopKind::Minimal;
            let is_escape = kind == HopKind::Escape;
            let Some(peer) =
                self.wiring.peer(router, port.index()).filter(|_| plan.links.vcs(port).contains(vc))
            else {
                continue;
            };
            // Room for the whole packet, but for the minimal hops of what moves by flits.
            let needs_room = !plan.links.flow.by_flit() || !is_minimal;
            if needs_room && header.length > plan.links.depth(router_core::units::Channel::new(port, vc)) {
                continue;
            }
            if !is_minimal && !is_escape && (!detours || !all && !has_minimal) {
                continue;
            }
            let to = match peer {
                Peer::Node(other) if self.is_for(other, node) => None,
                Peer::Node(other) => return Err(format!("a packet for node {node} comes to node {other}")),
                Peer::Router { router, port: input } => {
                    let header = self.routing.onward(here, &header, plan.links.class(port), kind);
                    Some(((router as usize, input, vc.number()), header))
                }
            };
            let (requested, whole) =
                (all || is_minimal || is_escape, !plan.links.flow.by_flit() || !is_minimal);
            let on_ring = match is_escape {
                false => OnRing::No,
                true if offered.enters() => OnRing::Enters,
                true => OnRing::GoesOn,
            };
            match hops.iter_mut().find(|hop| hop.to == to) {
                Some(hop) => (hop.requested, hop.whole) = (hop.requested | requested, hop.whole & whole),
                None => hops.push(Hop { to, requested, whole, on_ring }),
            }
        }
        Ok(hops)
    }

    /// The totals, and that no channel has a rank that no packet comes to.
    fn compare(&self) -> Result<(), String> {
        if let Some(&channel) = self.claims.ranks.keys().filter(|channel| !self.used.contains(channel)).min()
        {
            return Err(format!("{} has a rank, and no packet comes there", named(channel)));
        }
        let Certificate { states, hops, longest_route, .. } = *self.claims.certificate;
        let totals = [
            ("states", self.states, states),
            ("hops", self.hops, hops),
            ("hops of the longest route", self.longest, longest_route.into()),
        ];
        match totals.into_iter().find(|(_, found, claimed)| found != claimed) {
            Some((what, found, claimed)) => Err(format!("there are {found} {what}, not {claimed}")),
            None => self.compare_ring(),
        }
    }
}
