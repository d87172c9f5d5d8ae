//! Stage 3, by the group's flags ([`crate::piggyback`]): which of a router's global links it flags, and which way a new packet takes.

use super::Router;
use crate::header::Header;
use crate::plan::Plan;
use crate::route::ways::{Exit, Ways};
use crate::route::{Arrival, Route};
use crate::select::ugal::UgalTrigger;
use crate::select::{Outputs, Selection};
use crate::units::{PortClass, PortId, VcId, VcSet};
use crate::vc::Descriptor;

impl<S, const P: usize, const V: usize> Router<S, P, V>
where
    S: AsRef<[Descriptor]> + AsMut<[Descriptor]>,
{
    /// The VCs behind its global link at a port that it says are congested: none where its group tells no flags.
    pub fn flags(&self, plan: &Plan<P>, port: PortId) -> VcSet {
        flags(plan, &self.view(plan), port)
    }

    /// Whether a new packet that comes by a port from its node takes a detour, where it has a choice.
    pub fn takes_detour(
        &self,
        plan: &Plan<P>,
        routing: &impl Route,
        from: Arrival,
        header: &Header,
        is_flagged: impl FnOnce(PortId, PortId, VcId) -> bool,
    ) -> bool {
        let ways = routing.ways(self.here(), from, header);
        ways.is_some_and(|ways| takes_detour(&ways, plan, &self.view(plan), is_flagged))
    }
}

/// Whether a new packet takes a detour: the global link of its shortest way in this group is flagged, or the router's own queue there, times
/// the hops, is longer than the detour's. `is_flagged` says it of the router behind a local port, of a port there and a VC.
fn takes_detour<const P: usize, const V: usize>(
    ways: &Ways,
    plan: &Plan<P>,
    outputs: &Outputs<'_, P, V>,
    is_flagged: impl FnOnce(PortId, PortId, VcId) -> bool,
) -> bool {
    let is_congested = ways.exit.is_some_and(|Exit { behind, port, vc }| match behind {
        // A router knows its own flags at once.
        None => flags(plan, outputs, port).contains(vc),
        Some(behind) => is_flagged(behind, port, vc),
    });
    let trigger = match plan.selection {
        Selection::Ugal(trigger) => trigger,
        _ => UgalTrigger::default(),
    };
    is_congested || trigger.is_shorter(ways.detour, ways.minimal, outputs)
}

/// The VCs behind a global link that are congested.
fn flags<const P: usize, const V: usize>(plan: &Plan<P>, outputs: &Outputs<'_, P, V>, port: PortId) -> VcSet {
    let is_global = |port: &PortId| plan.links.class(*port) == PortClass::GLOBAL;
    let Some(rule) = plan.flags.filter(|_| is_global(&port)) else { return VcSet::EMPTY };
    let links = || outputs.wired.into_iter().filter(is_global);
    let used = |port: PortId, vc| u32::from(outputs.occupancy(port, vc));
    let is_congested = |vc: &VcId| {
        let sum = links().map(|port| used(port, *vc)).fold(0, u32::wrapping_add);
        rule.is_exceeded(used(port, *vc), sum, links().count() as u32)
    };
    let all = plan.links.vcs(port).iter().filter(is_congested);
    all.fold(VcSet::EMPTY, |all, vc| all.union(VcSet::only(vc)))
}
