//! What every shard of a network reads and none writes.

use super::endpoint::{Adapters, Chooser};
use super::packets::Record;
use crate::blueprint::{Blueprint, BlueprintError};
use crate::scenario::RoutingSettings;
use crate::traffic::Traffic;
use router_core::header::Address;
use router_core::links::{FlowControl, LinksError};
use router_core::plan::{CountAt, Plan};
use router_core::route::{Grouped, Routing, WideRouting};
use router_core::units::PortClass;
use std::any::type_name;
use std::sync::Arc;

/// What every shard of a network reads and none writes.
pub(crate) struct Constants<'b, const P: usize, R = Routing<'b>> {
    pub(crate) routing: Grouped<'b, R>,
    /// The routing's word, or the type of one from another crate.
    pub(crate) routing_name: &'static str,
    /// What the routers of a class have in common, by class.
    pub(crate) plans: Vec<Arc<Plan<P>>>,
    pub(crate) flow: FlowControl,
    /// Free places that a node needs at its router before it sends a head, at least: with circuits the whole buffer of a VC.
    pub(crate) head_room: u16,
    pub(crate) count_at: CountAt,
    /// The names of the classes of links.
    pub(crate) class_names: &'static [&'static str],
    pub(crate) traffic: &'b Traffic,
    /// Internal cycles per link cycle.
    pub(crate) speedup: u64,
    /// Flits of the longest packet, and of a reply or ACK; 0: there are none.
    pub(crate) longest: u16,
    pub(crate) reply_flits: u16,
    /// The nodes' congestion control.
    pub(crate) adapters: Adapters,
    /// How end nodes choose paths, where they do.
    pub(crate) chooser: Option<Chooser<'b>>,
    /// VCs of each port that are for replies alone, the lowest ones.
    pub(crate) ack_vcs: u8,
    /// Whether replies are ACKs, which are no part of the results.
    pub(crate) has_acks: bool,
    /// Internal cycles that a flit takes between a node and its router, and that a credit takes.
    pub(crate) node_delay: u64,
    pub(crate) node_credit_delay: u64,
    /// The address of every node, then of every group.
    pub(crate) addresses: Vec<Address>,
    /// Nodes.
    pub(crate) nodes: usize,
    pub(super) blueprint: &'b Blueprint,
}

impl<'b, const P: usize, R> Constants<'b, P, R> {
    pub(crate) fn new(
        blueprint: &'b Blueprint,
        routing: R,
        traffic: &'b Traffic,
    ) -> Result<Self, BlueprintError> {
        let scenario = blueprint.scenario();
        let speedup = u64::from(scenario.router.options.speedup);
        let plans = blueprint.plans::<P>()?;
        // Nothing but ports and buffers differs between classes.
        let (flow, count_at) =
            plans.first().map(|plan| (plan.links.flow, plan.count_at)).ok_or(LinksError::Ports)?;
        let node_buffer = plans.first().map_or(0, |plan| plan.links.sizes(PortClass::NODE).buffer);
        // A routing of another crate has sources that choose nothing.
        let chooser = Chooser::new(blueprint);
        let answers = if chooser.is_some() { scenario.answer_flits() } else { scenario.traffic.reply_flits };
        Ok(Self {
            routing: blueprint.grouped(routing),
            routing_name: name_of::<R>(&scenario.routing),
            plans: plans.into_iter().map(Arc::new).collect(),
            flow,
            head_room: if flow.is_circuit() { node_buffer } else { 0 },
            count_at,
            class_names: blueprint.wiring().class_names(),
            traffic,
            speedup,
            longest: scenario.longest_packet() as u16,
            reply_flits: answers as u16,
            ack_vcs: if chooser.is_some() { scenario.ack_vcs() } else { 0 },
            has_acks: answers != scenario.traffic.reply_flits,
            adapters: Adapters::new(blueprint),
            chooser,
            node_delay: speedup * u64::from(blueprint.latency(PortClass::NODE)),
            node_credit_delay: speedup * u64::from(scenario.links.credit_latency[PortClass::NODE]),
            blueprint,
            addresses: addresses(blueprint),
            nodes: blueprint.wiring().nodes(),
        })
    }
}

impl<const P: usize, R> Constants<'_, P, R> {
    /// Whether a node is the destination of a packet by another of its channels.
    #[cold]
    pub(crate) fn is_channel_of(&self, node: usize, packet: &Record) -> bool {
        (packet.to as usize) < self.nodes && self.blueprint.is_channel_of(node, packet.to as usize)
    }

    /// Whether nodes answer some packets.
    #[inline(always)]
    pub(crate) const fn answers(&self) -> bool {
        (self.reply_flits > 0) | self.adapters.are_on | (self.adapters.notification_flits > 0)
    }
}

/// The address of every node, then of every group.
fn addresses(blueprint: &Blueprint) -> Vec<Address> {
    let nodes = (0..blueprint.wiring().nodes()).map(|node| blueprint.address(node));
    let groups =
        blueprint.groups().into_iter().flat_map(|groups| (groups.first()..).take(groups.members().len()));
    nodes.chain(groups.map(|router| Address { router, port: 0 })).collect()
}

/// The word of the scenario's routing; of one from another crate, the type.
fn name_of<R>(routing: &RoutingSettings) -> &'static str {
    let path = type_name::<R>();
    let is_ours = [type_name::<Routing<'_>>(), type_name::<WideRouting<'_>>()].contains(&path);
    if is_ours || routing.own.is_some() { routing.word() } else { path.trim_start_matches('&') }
}

/// Whether new packets draw an intermediate point, in one order for the whole network.
pub(crate) fn draws(blueprint: &Blueprint) -> bool {
    let scenario = blueprint.scenario();
    scenario.routing.draws() && !scenario.has_paths()
}
