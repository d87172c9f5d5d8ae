//! An independent checker of the certificates of `desvio prove`.
//!
//! It shares no code with the prover but the routing itself: it reads the file, builds the network of the scenario in it, follows
//! every packet through every hop once more, and holds each state against the ranks. It searches for no rank.
//!
//! An escape ring moves by its bubble. That is an argument, and no rank; what it rests on is looked at: one circle through all routers, which
//! packets come on to where there is room for two, all of one length.

use desvio_sim::blueprint::Blueprint;
use desvio_sim::scenario::{Scenario, VcAllocation};
use desvio_sim::topology::{Peer, Wiring};
use router_core::header::Header;
use router_core::plan::Plan;
use router_core::route::{Arrival, Candidate, Draw, Here, HopKind, Route, Routing};
use router_core::settings::Choice;
use router_core::units::{PortId, VcId};
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use std::path::Path;

/// Router, input port, VC in ascending order.
type Channel = (usize, u8, u8);

/// A packet: where it is, and its header. The destination is in the header.
type Packet = (Channel, Header);

/// Checks a certificate.
///
/// # Errors
/// The first thing that is not as the certificate says.
pub fn check(text: &str) -> Result<(), String> {
    let file: Value = serde_json::from_str(text).map_err(|error| format!("no JSON: {error}"))?;
    let claims = Claims::read(&file)?;
    let scenario = Scenario::parse(&claims.scenario, "certificate", Path::new("."), &[])
        .map_err(|error| format!("no scenario: {error}"))?;
    let blueprint = Blueprint::new(scenario).map_err(|error| error.to_string())?;
    let routing = blueprint.routing().map_err(|error| error.to_string())?;
    let mut checker = Checker::new(&blueprint, routing, &claims)?;
    for node in 0..blueprint.wiring().nodes() {
        checker.follow(node)?;
    }
    checker.compare()
}

/// What a certificate says.
struct Claims {
    scenario: String,
    is_acyclic: bool,
    /// Routers, nodes.
    size: (u64, u64),
    /// States, hops, hops of the longest route.
    totals: (u64, u64, u64),
    ranks: HashMap<Channel, u64>,
}

impl Claims {
    fn read(file: &Value) -> Result<Self, String> {
        let number = |key: &str| file[key].as_u64().ok_or(format!("{key} is no number"));
        if number("format")? != 1 {
            return Err("an unknown format".to_owned());
        }
        let mut ranks = HashMap::new();
        for line in file["ranks"].as_array().ok_or("no ranks")? {
            let numbers: Option<Vec<u64>> =
                line.as_array().and_then(|line| line.iter().map(Value::as_u64).collect());
            let Some([router, port, vc, rank]) = numbers.as_deref() else {
                return Err(format!("no rank: {line}"));
            };
            let small = |n: u64| u8::try_from(n).map_err(|_| format!("no such channel: {line}"));
            if *rank == 0 || ranks.insert((*router as usize, small(*port)?, small(*vc)?), *rank).is_some() {
                return Err(format!("a rank of 0, or a second one: {line}"));
            }
        }
        Ok(Self {
            scenario: file["scenario"].as_str().ok_or("no scenario")?.to_owned(),
            is_acyclic: match file["rule"].as_str() {
                Some("acyclic") => true,
                Some("escape") => false,
                _ => return Err("an unknown rule".to_owned()),
            },
            size: (number("routers")?, number("nodes")?),
            totals: (number("states")?, number("hops")?, number("longest_route")?),
            ranks,
        })
    }
}

/// What is left to compare when all packets have been followed.
struct Checker<'a> {
    claims: &'a Claims,
    wiring: &'a Wiring,
    blueprint: &'a Blueprint,
    routing: Routing<'a>,
    heres: Vec<Here>,
    plans: Vec<Plan<64>>,
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

impl<'a> Checker<'a> {
    fn new(blueprint: &'a Blueprint, routing: Routing<'a>, claims: &'a Claims) -> Result<Self, String> {
        let wiring = blueprint.wiring();
        let routers = 0..wiring.routers();
        if claims.size != (wiring.routers() as u64, wiring.nodes() as u64) {
            return Err("another number of routers or nodes".to_owned());
        }
        Ok(Self {
            claims,
            wiring,
            blueprint,
            routing,
            heres: routers.clone().map(|router| blueprint.here(router)).collect(),
            plans: routers
                .map(|router| blueprint.plan(router).map_err(|e| e.to_string()))
                .collect::<Result<_, _>>()?,
            used: HashSet::new(),
            ring: HashMap::new(),
            entries: HashSet::new(),
            states: 0,
            hops: 0,
            longest: 0,
        })
    }

    /// Follows every packet for a node.
    fn follow(&mut self, node: usize) -> Result<(), String> {
        let mut done = HashMap::new();
        for packet in self.injected(node) {
            let ahead = self.ahead_of(node, packet, &mut done)?;
            self.longest = self.longest.max(ahead.hops);
        }
        self.states += done.len() as u64;
        Ok(())
    }

    /// Every new packet for a node.
    fn injected(&self, node: usize) -> Vec<Packet> {
        let to = self.blueprint.address(node);
        let mut packets = Vec::new();
        for from in (0..self.wiring.nodes()).filter(|&from| from != node) {
            let (router, port) = self.wiring.attachment(from);
            let mut script = Script { draws: Vec::new(), next: 0 };
            loop {
                let mut header = self.routing.launch(&self.heres[router], to, 1, &mut script);
                let level = self.routing.level(self.blueprint.address(from), to);
                header.carried = header.carried.with_level(level);
                for vc in self.plans[router].links.vcs(PortId::new(port as u8)) {
                    packets.push(((router, port as u8, vc.number()), header));
                }
                if !script.advance() {
                    break;
                }
            }
        }
        packets
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
            Some(None) => return Err(format!("a packet for node {node} comes back to {:?}", packet.0)),
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
            return Err(format!("a packet for node {node} in {:?} may be stuck ahead", packet.0));
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
        let mut exit = u64::MAX;
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
                return Err(format!("a packet for node {node} in {:?} has a hop to no lower rank", packet.0));
            }
            exit = if hop.requested { exit.min(rank) } else { exit };
        }
        if exit < own {
            return Ok((hops, exit));
        }
        Err(format!("a packet for node {node} is stuck in {:?}", packet.0))
    }

    /// A hop along the ring, which leads from each channel to one other: it counts as one to a node.
    fn note_ring(&mut self, from: Channel, to: Channel) -> Result<u64, String> {
        match self.ring.insert(from, to) {
            Some(other) if other != to => {
                Err(format!("the ring leads from {from:?} to {other:?} and {to:?}"))
            }
            _ => Ok(0),
        }
    }

    /// The ring is one circle through all routers, all packets come on to it, and its buffers have room for two of their one length.
    fn compare_ring(&self) -> Result<(), String> {
        let Some(&start) = self.ring.keys().min() else {
            return if self.entries.is_empty() {
                Ok(())
            } else {
                Err("escapes that lead on to no ring".into())
            };
        };
        let circle =
            std::iter::successors(Some(start), |at| self.ring.get(at).copied().filter(|to| *to != start));
        let routers: HashSet<_> = circle.take(self.ring.len()).map(|(router, ..)| router).collect();
        if routers.len() != self.wiring.routers() || self.ring.len() != routers.len() {
            return Err("the ring is no circle through all routers".to_owned());
        }
        if !self.entries.iter().all(|channel| self.ring.contains_key(channel)) {
            return Err("packets come on to what is no channel of the ring".to_owned());
        }
        let scenario = self.blueprint.scenario();
        let (shortest, longest) = (scenario.shortest_packet(), scenario.longest_packet());
        let has_room = |&(router, port, _): &Channel| {
            u32::from(self.plans[router].links.buffer(PortId::new(port))) >= 2 * longest
        };
        let has_bubble = scenario.router.vc_allocation == VcAllocation::Bubble
            && shortest == longest
            && self.ring.keys().all(has_room);
        if has_bubble { Ok(()) } else { Err("the ring has no bubble".to_owned()) }
    }

    fn rank(&self, channel: Channel) -> Result<u64, String> {
        self.claims.ranks.get(&channel).copied().ok_or(format!("{channel:?} has no rank"))
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
            if !is_minimal && !is_escape && (!detours || !all && !has_minimal) {
                continue;
            }
            let to = match peer {
                Peer::Node(other) if self.blueprint.is_channel_of(other as usize, node) => None,
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
        if self.used.len() != self.claims.ranks.len() {
            return Err("channels have ranks that no packet comes to".to_owned());
        }
        let found = (self.states, self.hops, self.longest);
        if found != self.claims.totals {
            return Err(format!("states, hops and longest route are {found:?}"));
        }
        self.compare_ring()
    }
}

/// Draws as a script says, and the lowest number beyond its end.
struct Script {
    draws: Vec<(u32, u32)>,
    next: usize,
}

impl Draw for Script {
    fn below(&mut self, n: u32) -> u32 {
        if self.next == self.draws.len() {
            self.draws.push((0, n));
        }
        self.next += 1;
        self.draws[self.next - 1].0
    }
}

impl Script {
    /// The next script; false after the last one.
    fn advance(&mut self) -> bool {
        self.next = 0;
        while self.draws.last().is_some_and(|&(drawn, n)| drawn + 1 >= n) {
            self.draws.pop();
        }
        self.draws.last_mut().map(|last| last.0 += 1).is_some()
    }
}
