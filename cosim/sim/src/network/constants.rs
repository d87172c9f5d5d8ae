//! What every shard of a network reads and none writes.

use super::link::latency;
use crate::blueprint::{Blueprint, BlueprintError};
use crate::traffic::Traffic;
use router_core::header::Address;
use router_core::plan::{Plan, PlanError};
use router_core::route::{Route, Routing};
use router_core::units::PortClass;

/// What every shard of a network reads and none writes.
pub(crate) struct Constants<'b, const P: usize, R = Routing<'b>> {
    pub(crate) routing: R,
    /// What the routers of class 0 have in common: in most networks, all of them. Nothing but ports and buffers differs
    /// between classes.
    pub(crate) common: Plan<P>,
    /// Entry `router class - 1`: the same for the other classes.
    others: Vec<Plan<P>>,
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

impl<'b, const P: usize, R: Route> Constants<'b, P, R> {
    pub(crate) fn new(
        blueprint: &'b Blueprint,
        routing: R,
        traffic: &'b Traffic,
    ) -> Result<Self, BlueprintError> {
        let scenario = blueprint.scenario();
        let speedup = u64::from(scenario.router.speedup);
        let mut plans = blueprint.plans::<P>()?.into_iter();
        let common = plans.next().ok_or(PlanError::Ports)?;
        let others = plans.collect();
        Ok(Self {
            routing,
            common,
            others,
            class_names: blueprint.wiring().class_names(),
            traffic,
            speedup,
            length: scenario.traffic.packet_flits as u16,
            node_delay: speedup * u64::from(latency(blueprint, PortClass::NODE)),
            addresses: (0..blueprint.wiring().nodes()).map(|node| blueprint.address(node)).collect(),
        })
    }
}

impl<const P: usize, R> Constants<'_, P, R> {
    /// What a router has in common with the others of its class, of which only a network with several looks it up.
    #[inline(always)]
    pub(crate) fn plan(&self, classes: &[u8], router: usize) -> &Plan<P> {
        if self.others.is_empty() { &self.common } else { self.plan_of(classes[router]) }
    }

    /// What the routers of a class have in common.
    #[inline(never)]
    pub(crate) fn plan_of(&self, class: u8) -> &Plan<P> {
        usize::from(class).checked_sub(1).map_or(&self.common, |other| &self.others[other])
    }
}

/// Whether new packets draw an intermediate point, in one order for the whole network.
pub(crate) fn draws(blueprint: &Blueprint) -> bool {
    blueprint.scenario().routing.scheme.draws()
}
