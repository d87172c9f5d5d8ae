//! What every shard of a network reads and none writes.

use super::link::latency;
use crate::blueprint::{Blueprint, BlueprintError};
use crate::topology::PortKind;
use crate::traffic::Traffic;
use router_core::header::Address;
use router_core::plan::Plan;
use router_core::route::Routing;

/// What every shard of a network reads and none writes.
pub(crate) struct Shared<'b, const P: usize> {
    pub(crate) routing: Routing<'b>,
    pub(crate) plan: Plan<P>,
    pub(crate) traffic: &'b Traffic,
    /// Internal cycles per link cycle.
    pub(crate) speedup: u64,
    /// Flits of a packet.
    pub(crate) length: u16,
    /// Internal cycles that a flit or credit takes between a node and its router.
    pub(crate) node_delay: u64,
    /// Every node's address.
    pub(crate) addresses: Vec<Address>,
}

impl<'b, const P: usize> Shared<'b, P> {
    pub(crate) fn new(blueprint: &'b Blueprint, traffic: &'b Traffic) -> Result<Self, BlueprintError> {
        let scenario = blueprint.scenario();
        let speedup = u64::from(scenario.router.speedup);
        Ok(Self {
            routing: blueprint.routing()?,
            plan: blueprint.plan::<P>()?,
            traffic,
            speedup,
            length: scenario.traffic.packet_flits as u16,
            node_delay: speedup * u64::from(latency(blueprint, PortKind::Node)),
            addresses: (0..blueprint.wiring().nodes()).map(|node| blueprint.address(node)).collect(),
        })
    }
}

/// Whether new packets draw an intermediate point, in one order for the whole network.
pub(crate) fn draws(blueprint: &Blueprint) -> bool {
    blueprint.scenario().routing.scheme.draws()
}
