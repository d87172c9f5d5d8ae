//! What a packet can do next: the very routing code, in the very network, under the rules of selection and admission.

use crate::channel::{Channel, Number, Numbering};
use crate::error::ProveError;
use desvio_sim::blueprint::Blueprint;
use desvio_sim::scenario::Scenario;
use desvio_sim::topology::{MAX_PORTS, Peer};
use router_core::header::{Address, Header};
use router_core::links::VcAllocation;
use router_core::plan::Plan;
use router_core::route::{Arrival, Candidate, Candidates, Grouped, Here, HopKind, Route};
use router_core::units::{Bits, PortId, VcId};

/// Ports that a plan has room for.
const PORTS: usize = MAX_PORTS;

/// Where a hop leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    /// Into the buffer of another router, with this header.
    Channel(Number, Header),
    /// To a node.
    Node(u32),
}

/// One hop that a packet may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Hop {
    pub(crate) to: Target,
    /// Whether the packet takes it as soon as there is room, however long it waits (`ESCAPE-REQUESTED`): minimal hops, or
    /// all where the trigger asks for all or a detour is due.
    pub(crate) is_requested: bool,
    /// Whether there is room for the whole packet before its head moves.
    pub(crate) is_whole: bool,
    /// Whether it goes along an escape ring, on which packets move: nothing waits for it for ever.
    pub(crate) is_along_ring: bool,
}

/// Says which hops an escape sub-function has: of a packet that came so, with this header, this candidate.
pub(crate) type Escape<'e, B> = &'e (dyn Fn(&Here<B>, Arrival, &Header, Candidate) -> bool + Sync);

/// A network and its routing, as packets see them.
pub(crate) struct Network<'b, R, B: Bits> {
    pub(crate) blueprint: &'b Blueprint,
    pub(crate) numbering: Numbering,
    routing: Grouped<'b, R>,
    /// The hops that count as requested; `None`: those that selection requests.
    escape: Option<Escape<'b, B>>,
    heres: Vec<Here<B>>,
    /// By class of router.
    plans: Vec<Plan<PORTS>>,
    /// Whether packets lie across several channels of which each holds one packet alone: a wormhole's, where VCs are allocated atomically,
    /// and a circuit's, also while nothing lies in them.
    pub(crate) is_spread: bool,
    /// Whether no packet waits for a channel that another one holds: it goes back to its node.
    pub(crate) backtracks: bool,
    /// Lengths of packets: of those that fit into the same buffers, the longest.
    lengths: Vec<u16>,
}

impl<'b, R: Route<B>, B: Bits> Network<'b, R, B> {
    pub(crate) fn new(
        blueprint: &'b Blueprint,
        routing: R,
        escape: Option<Escape<'b, B>>,
    ) -> Result<Self, ProveError> {
        if blueprint.scenario().router.options.discards {
            return Err(ProveError::Discards);
        }
        let plans = blueprint.plans::<PORTS>().map_err(desvio_sim::blueprint::BlueprintError::from)?;
        let heres = (0..blueprint.wiring().routers()).map(|router| blueprint.place(router)).collect();
        let is_spread = plans
            .iter()
            .all(|plan| plan.links.flow.by_flit() && plan.links.vc_allocation == VcAllocation::Atomic);
        let backtracks = plans.iter().all(|plan| plan.links.flow.backtracks());
        let numbering = Numbering::of(blueprint);
        let lengths = lengths(blueprint.scenario(), &plans);
        let routing = blueprint.grouped(routing);
        Ok(Self { blueprint, numbering, routing, escape, heres, plans, is_spread, backtracks, lengths })
    }

    pub(crate) fn routers(&self) -> usize {
        self.heres.len()
    }

    pub(crate) fn nodes(&self) -> u32 {
        self.blueprint.wiring().nodes() as u32
    }

    /// Groups of nodes that messages are for. They are destinations, numbered after the nodes.
    pub(crate) fn groups(&self) -> u32 {
        self.blueprint.groups().map_or(0, |groups| groups.members().len() as u32)
    }

    /// The members of the group that a destination is; nothing for a node.
    pub(crate) fn members(&self, to: u32) -> Option<&[u32]> {
        let group = to.checked_sub(self.nodes())?;
        self.blueprint.groups()?.members().get(group as usize).map(Vec::as_slice)
    }

    /// The address of a destination.
    pub(crate) fn address(&self, to: u32) -> Address {
        match to.checked_sub(self.nodes()).zip(self.blueprint.groups()) {
            Some((group, groups)) => Address { router: groups.first() + group, port: 0 },
            None => self.blueprint.address(to as usize),
        }
    }

    /// Whether a packet for a destination may come to a node. A member gets no message of its own: its port is the one that it comes by.
    pub(crate) fn is_for(&self, to: u32, node: u32) -> bool {
        match self.members(to) {
            Some(members) => members.contains(&node),
            None => to == node,
        }
    }

    /// Whether a packet from a node is for a destination.
    pub(crate) fn is_from(&self, from: u32, to: u32) -> bool {
        match self.members(to) {
            Some(members) => members.contains(&from),
            None => from != to,
        }
    }

    pub(crate) fn here(&self, router: usize) -> &Here<B> {
        &self.heres[router]
    }

    pub(crate) fn plan(&self, router: usize) -> &Plan<PORTS> {
        &self.plans[usize::from(self.blueprint.wiring().router_class(router).0)]
    }

    /// The channels that a node injects into.
    pub(crate) fn entries(&self, node: u32) -> impl Iterator<Item = Channel> + '_ {
        let (router, port) = self.blueprint.wiring().attachment(node as usize);
        let vcs = self.plan(router).links.vcs(PortId::new(port as u8));
        vcs.iter().map(move |vc| Channel { router: router as u32, port: port as u8, vc: vc.number() })
    }

    /// All channels between routers by which flits come.
    pub(crate) fn channels(&self) -> impl Iterator<Item = Channel> + '_ {
        let wiring = self.blueprint.wiring();
        let ends =
            (0..self.routers()).flat_map(move |router| (0..wiring.ports()).map(move |port| (router, port)));
        let links = ends.filter(|&(router, port)| match wiring.peer(router, port) {
            Some(Peer::Router { router, port }) => wiring.sends(router as usize, port.into()),
            _ => false,
        });
        links.flat_map(move |(router, port)| {
            let vcs = self.plan(router).links.vcs(PortId::new(port as u8)).iter();
            vcs.map(move |vc| Channel { router: router as u32, port: port as u8, vc: vc.number() })
        })
    }

    /// Puts every hop that a packet in a channel may take into `hops`, each channel once for each header.
    ///
    /// # Errors
    /// When the routing offers more sets than a packet has room for.
    pub(crate) fn hops(&self, from: Number, header: &Header, hops: &mut Vec<Hop>) -> Result<(), ProveError> {
        hops.clear();
        let at = self.numbering.channel(from);
        let router = at.router as usize;
        let (here, plan) = (self.here(router), self.plan(router));
        let arrival = at.arrival(plan.links.class(PortId::new(at.port)));
        let offered = self
            .routing
            .offer(here, arrival, header)
            .map_err(|_| ProveError::TooManySets { router: at.router })?;
        let (taken, requested) = kinds(plan, &offered);
        for candidate in offered.iter().filter(|candidate| taken.contains(&candidate.kind)) {
            let is_requested = || requested.contains(&candidate.kind);
            let is_escape = |escape: Escape<'_, B>| escape(here, arrival, header, candidate);
            let hop = |to| Hop {
                to,
                is_requested: self.escape.map_or_else(is_requested, is_escape),
                is_whole: self.is_spread || !plan.links.flow.by_flit() || candidate.kind != HopKind::Minimal,
                is_along_ring: candidate.kind == HopKind::Escape
                    && !offered.enters()
                    && plan.links.vc_allocation == VcAllocation::Bubble,
            };
            let (port, vc) = (candidate.port, candidate.vc);
            let can_take = plan.links.can_take(
                router_core::units::Channel::new(port, vc),
                header.length,
                candidate.kind == HopKind::Minimal,
            );
            if plan.links.vcs(port).contains(vc) && here.wired.contains(port) && can_take {
                let onward = || self.routing.onward(here, header, plan.links.class(port), candidate.kind);
                if let Some(to) = self.target(router, (port, vc), header, onward) {
                    put(hops, hop(to));
                }
            }
        }
        Ok(())
    }

    fn target(
        &self,
        router: usize,
        (port, vc): (PortId, VcId),
        header: &Header,
        onward: impl FnOnce() -> Header,
    ) -> Option<Target> {
        let wiring = self.blueprint.wiring();
        Some(match wiring.peer(router, port.index())? {
            Peer::Node(node) => match wiring.peer(router, header.to.port.into()) {
                // By another channel of its node.
                Some(Peer::Node(to)) if self.here(router).channels.contains(port) => Target::Node(to),
                _ => Target::Node(node),
            },
            Peer::Router { router, port } => {
                Target::Channel(self.numbering.number(Channel { router, port, vc: vc.number() }), onward())
            }
        })
    }

    /// Every header of a new packet from a node of `router` to a node or a group.
    pub(crate) fn launches(&self, router: usize, node: Address) -> Vec<Header> {
        let of = |&length| crate::launches::headers(&self.routing, self.here(router), node, length);
        self.lengths.iter().flat_map(of).collect()
    }

    /// The header of a new packet from a node, with its service level.
    pub(crate) fn at_its_level(&self, header: Header, from: u32) -> Header {
        let level = self.routing.level(self.blueprint.address(from as usize), header.to);
        Header { carried: header.carried.with_level(level), ..header }
    }

    /// Routers with nodes, and those nodes.
    pub(crate) fn senders(&self) -> impl Iterator<Item = (usize, Vec<u32>)> + '_ {
        let of =
            |router| self.blueprint.wiring().nodes_of(router).map(|node| node as u32).collect::<Vec<_>>();
        (0..self.routers()).map(move |router| (router, of(router))).filter(|(_, nodes)| !nodes.is_empty())
    }
}

/// The longest of all packets that fit into the same buffers, for each such set of buffers: they have the same ways on.
fn lengths(scenario: &Scenario, plans: &[Plan<PORTS>]) -> Vec<u16> {
    let mut buffers: Vec<_> =
        plans.iter().flat_map(|plan| plan.links.channels().map(|at| plan.links.depth(at))).collect();
    buffers.sort_unstable();
    buffers.dedup();
    let mut lengths = scenario.packet_lengths();
    lengths.reverse();
    lengths.dedup_by_key(|length| buffers.partition_point(|&buffer| u32::from(buffer) < *length));
    lengths.into_iter().map(|length| length as u16).collect()
}

/// The kinds of hops that a packet may take, and those that it requests for as long as it waits (`select.rs`).
fn kinds<B: Bits>(plan: &Plan<PORTS>, offered: &Candidates<B>) -> (&'static [HopKind], &'static [HopKind]) {
    const MINIMAL: &[HopKind] = &[HopKind::Minimal];
    const WITH_ESCAPE: &[HopKind] = &[HopKind::Minimal, HopKind::Escape];
    let has_minimal = !offered.minimal_ports().is_empty();
    let has_escape = !offered.ports_of(HopKind::Escape).is_empty();
    match () {
        () if plan.selection.asks_any() || offered.is_forced() => (&HopKind::ALL, &HopKind::ALL),
        // Without a minimal output a packet requests nothing.
        () if !has_minimal && !has_escape => (&[], &[]),
        // With nothing minimal a detour is due, beside the escape.
        () if !has_minimal => (&HopKind::ALL, &HopKind::ALL),
        () if plan.selection.is_never() => (WITH_ESCAPE, WITH_ESCAPE),
        () if has_escape => (&HopKind::ALL, WITH_ESCAPE),
        () => (&HopKind::ALL, MINIMAL),
    }
}

/// Adds a hop; where two sets lead to the same channel with the same header, as the stronger of the two where it waits, and as the
/// weaker one where it moves.
fn put(hops: &mut Vec<Hop>, new: Hop) {
    match hops.iter_mut().find(|hop| hop.to == new.to) {
        Some(hop) => {
            hop.is_requested |= new.is_requested;
            hop.is_whole &= new.is_whole;
        }
        None => hops.push(new),
    }
}
