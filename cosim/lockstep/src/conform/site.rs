//! The place of the switch in the network: its ports, and where each packet may go from there.

use super::map::PortMap;
use desvio_sim::blueprint::{Blueprint, BlueprintError};
use desvio_sim::topology::Peer;
use router_core::header::{Address, Header};
use router_core::plan::Plan;
use router_core::route::{Arrival, Here, HopKind, Route, Routing};
use router_core::units::{PortClass, PortId, VcId, VcSet};
use std::fmt;

/// The router whose place the switch takes.
#[derive(Debug)]
pub(super) struct Site<'b> {
    pub(super) blueprint: &'b Blueprint,
    pub(super) routing: Routing<'b>,
    pub(super) router: usize,
    pub(super) here: Here,
    plan: Plan<64>,
    ports: Vec<Port>,
    /// By port: the router behind it, and how packets arrive there but for the VC.
    next: Vec<Option<(Here, Arrival)>>,
}

/// One port of it. Ports are counted as the scenario does; `switch` is what the map makes of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Port {
    pub(super) switch: usize,
    pub(super) kind: PortClass,
    /// What the topology calls it.
    pub(super) class_name: &'static str,
    pub(super) wired: bool,
    pub(super) vcs: usize,
    /// Flits that the buffer of each VC holds, at either end.
    pub(super) buffer: u32,
}

/// As reports name a port.
impl fmt::Display for Port {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "port {} ({})", self.switch, self.class_name)
    }
}

/// A port and the VCs of it that a packet may leave by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Way {
    pub(super) port: usize,
    /// In ascending order, not as on the wires.
    vcs: VcSet,
    pub(super) hop: HopKind,
    /// Whether it comes on to an escape ring.
    pub(super) enters: bool,
}

impl<'b> Site<'b> {
    /// The place of router `router`.
    pub(super) fn new(
        blueprint: &'b Blueprint,
        map: &PortMap,
        router: usize,
    ) -> Result<Self, BlueprintError> {
        blueprint.check_single("`desvio conform`")?;
        let (plan, here) = (blueprint.plan::<64>(router)?, blueprint.here(router));
        let port = |number: usize| {
            let id = PortId::new(number as u8);
            Port {
                switch: map.switch_port(number),
                kind: plan.links.class(id),
                class_name: blueprint.wiring().class_names()[plan.links.class(id).index()],
                wired: here.wired.contains(id),
                vcs: plan.links.vcs(id).len(),
                buffer: u32::from(plan.links.buffer(id)),
            }
        };
        let ports: Vec<_> = (0..blueprint.wiring().ports()).map(port).collect();
        let next = (0..ports.len()).map(|port| match blueprint.wiring().peer(router, port) {
            Some(Peer::Router { router: next, port: at }) => {
                let kind = blueprint.wiring().class(router, port);
                let arrival = Arrival { port: PortId::new(at), kind, vc: VcId::new(0) };
                Some((blueprint.here(next as usize), arrival))
            }
            _ => None,
        });
        let next = next.collect();
        Ok(Self { routing: blueprint.routing()?, blueprint, router, here, plan, ports, next })
    }

    /// All ports of the scenario's router.
    pub(super) fn ports(&self) -> &[Port] {
        &self.ports
    }

    /// Those that are connected.
    pub(super) fn wired(&self) -> impl Iterator<Item = usize> + '_ {
        self.ports.iter().enumerate().filter(|(_, port)| port.wired).map(|(number, _)| number)
    }

    /// The port of that number.
    pub(super) fn port(&self, port: usize) -> Port {
        self.ports[port]
    }

    /// What lies at the other end of a port, as reports name it.
    pub(super) fn neighbour(&self, port: usize) -> String {
        match self.blueprint.wiring().peer(self.router, port) {
            Some(Peer::Node(node)) => format!("node {node}"),
            Some(Peer::Router { router, .. }) => format!("router {router}"),
            None => "nothing".to_owned(),
        }
    }

    /// The VC of a port by its name on the wires, from its place in ascending order, and back.
    pub(super) fn relabel(&self, port: usize, vc: usize) -> usize {
        self.plan.links.relabel_of_class(self.ports[port].kind, VcId::new(vc as u8)).index()
    }

    /// How a packet comes in by a VC of a port, as named on the wires.
    pub(super) fn arrival(&self, port: usize, vc: usize) -> Arrival {
        let kind = self.ports[port].kind;
        Arrival { port: PortId::new(port as u8), kind, vc: VcId::new(self.relabel(port, vc) as u8) }
    }

    /// Every legal way on of a packet.
    pub(super) fn ways(&self, from: Arrival, header: &Header) -> Vec<Way> {
        let candidates = self.routing.offer(&self.here, from, header).unwrap_or_default();
        let sets: Vec<_> = candidates.sets().collect();
        let ways = sets.iter().flat_map(|set| {
            let way = |port: PortId| Way {
                port: port.index(),
                vcs: set.vcs.and(self.plan.links.vcs(port)),
                hop: set.kind,
                enters: set.kind == HopKind::Escape && candidates.enters(),
            };
            set.ports.iter().map(way)
        });
        let ways =
            ways.filter(|way| !way.vcs.is_empty() && self.ports.get(way.port).is_some_and(|port| port.wired));
        self.without_detours(ways.collect(), |way| way.hop)
    }

    /// Those of a packet's hops that are no detours, where the scenario's trigger never takes one and there are others.
    pub(super) fn without_detours<T>(&self, mut hops: Vec<T>, kind: impl Fn(&T) -> HopKind) -> Vec<T> {
        let is_usual = |hop: &T| matches!(kind(hop), HopKind::Minimal | HopKind::Escape);
        if self.blueprint.scenario().selection.trigger.is_never() && hops.iter().any(is_usual) {
            hops.retain(is_usual);
        }
        hops
    }

    /// Whether a way may be left by this VC, as named on the wires.
    pub(super) fn allows(&self, way: &Way, vc: usize) -> bool {
        vc < self.ports[way.port].vcs && way.vcs.contains(VcId::new(self.relabel(way.port, vc) as u8))
    }

    /// The ports by which a packet may leave the router behind a port, as the switch counts its own; none where no router
    /// is there.
    pub(super) fn legal_ahead(&self, (port, vc): (usize, usize), header: &Header) -> Vec<usize> {
        let Some(Some((here, arrival))) = self.next.get(port) else { return Vec::new() };
        let from = Arrival { vc: VcId::new(self.relabel(port, vc) as u8), ..*arrival };
        let candidates = self.routing.offer(here, from, header).unwrap_or_default();
        let wired = candidates.iter().filter(|candidate| here.wired.contains(candidate.port));
        let ports = wired.filter_map(|candidate| self.ports.get(candidate.port.index()));
        let mut ports: Vec<_> = ports.map(|port| port.switch).collect();
        ports.sort_unstable();
        ports.dedup();
        ports
    }

    /// The header of a packet that leaves by a way.
    pub(super) fn onward(&self, header: &Header, port: usize, hop: HopKind) -> Header {
        self.routing.onward(&self.here, header, self.ports[port].kind, hop)
    }

    /// The lowest port of the switch on a shortest way to a router, by its address. The switch's own router is at
    /// none.
    pub(super) fn next_port(&self, address: u32) -> Option<usize> {
        if address == self.here.router {
            return None;
        }
        let to = Address { router: address, port: 0 };
        let header = Header { to, length: 1, ..Header::default() };
        let from = Arrival { port: PortId::new(0), kind: PortClass::NODE, vc: VcId::new(0) };
        let ways = self.ways(from, &header);
        ways.iter().find(|way| way.hop == HopKind::Minimal).map(|way| self.ports[way.port].switch)
    }

    /// The address of every router.
    pub(super) fn addresses(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.blueprint.wiring().routers()).map(|router| self.blueprint.here(router).router)
    }

    /// The legal ways of a packet, as reports name them.
    pub(super) fn tell(&self, ways: &[Way]) -> String {
        let way = |way: &Way| {
            let names: Vec<_> = (0..self.ports[way.port].vcs)
                .filter(|&vc| self.allows(way, vc))
                .map(|vc| vc.to_string())
                .collect();
            format!("{} VC {}", self.ports[way.port], names.join(" or "))
        };
        ways.iter().map(way).collect::<Vec<_>>().join(", ")
    }
}
