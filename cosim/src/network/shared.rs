//! What every shard of a network reads and none writes.

use super::link::latency;
use crate::blueprint::{Blueprint, BlueprintError};
use crate::scenario::Algorithm;
use crate::traffic::Traffic;
use router_core::header::Address;
use router_core::plan::{FlowControl, Plan};
use router_core::route::Routing;
use router_core::units::PortClass;

/// What every shard of a network reads and none writes.
pub(crate) struct Shared<'b, const P: usize> {
    pub(crate) routing: Routing<'b>,
    /// Entry `router class`: what the routers of that class have in common.
    pub(crate) plans: Vec<Plan<P>>,
    /// Flow control, the same for all classes of routers.
    pub(crate) flow: FlowControl,
    /// The names of the classes of links.
    pub(crate) class_names: &'static [&'static str],
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
        let plans = blueprint.plans::<P>()?;
        Ok(Self {
            routing: blueprint.routing()?,
            flow: plans.first().map(|plan| plan.flow).unwrap_or_default(),
            plans,
            class_names: blueprint.wiring().class_names(),
            traffic,
            speedup,
            length: scenario.traffic.packet_flits as u16,
            node_delay: speedup * u64::from(latency(blueprint, PortClass::NODE)),
            addresses: (0..blueprint.wiring().nodes()).map(|node| blueprint.address(node)).collect(),
        })
    }
}

/// Whether new packets draw an intermediate point, in one order for the whole network.
pub(crate) fn draws(blueprint: &Blueprint) -> bool {
    match blueprint.scenario().routing.algorithm {
        Algorithm::Valiant => true,
        Algorithm::Minimal
        | Algorithm::Olm
        | Algorithm::DimensionOrder
        | Algorithm::Table
        | Algorithm::UpDown => false,
    }
}
