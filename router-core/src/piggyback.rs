//! Stage 3. Piggybacking: the routers of a group tell each other which of their global links are congested, and a packet that is injected
//! takes a detour where the link of its shortest way is.
//!
//! Source: Jiang, Kim and Dally, ISCA 2009. A router flags a VC of its own global link that holds so many times the mean over its global
//! links, and some packets more. Which way a packet takes is decided once, where it comes from its node ([`takes_detour`]), or in each cycle
//! in which it waits in its first router, by the trigger `ugal` and [`crate::notice`]. How flags travel is the business of the wires around a
//! router.

use crate::fixed::U8F8;
use crate::header::Header;
use crate::plan::Plan;
use crate::route::ways::{Exit, Ways};
use crate::route::{Arrival, Route};
use crate::router::Router;
use crate::select::ugal::UgalTrigger;
use crate::select::{Outputs, Selection};
use crate::units::{PortClass, PortId, VcId, VcSet};
use crate::vc::Descriptor;

/// When a router says of its own global link that it is congested, as a scenario has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Piggyback {
    /// More flits are in the VC behind it than so many times the mean over the router's global links, itself included. Range: 0…16.
    pub factor: U8F8,
    /// Plus this many packets.
    pub packets: u16,
}

impl Default for Piggyback {
    fn default() -> Self {
        Self { factor: U8F8::ratio(2, 1), packets: 5 }
    }
}

impl Piggyback {
    /// The same for packets of so many flits.
    pub fn for_packets(self, flits: u32) -> FlagRule {
        FlagRule { factor: self.factor, flits: u32::from(self.packets).wrapping_mul(flits) }
    }
}

/// The same in flits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct FlagRule {
    /// Of the mean.
    pub factor: U8F8,
    /// More than that. Range: 0…260,865.
    pub flits: u32,
}

impl FlagRule {
    /// Whether one of so many links is congested, by the flits behind it and behind all of them together: used > factor · sum / links +
    /// flits, without a division.
    fn is_exceeded(self, used: u32, sum: u32, links: u32) -> bool {
        let wide = |flits: u32, by: u32| u64::from(flits).wrapping_mul(by.into());
        let over = wide(used, links).saturating_sub(wide(self.flits, links));
        over.wrapping_mul(u64::from(U8F8::ONE.to_bits())) > wide(sum, self.factor.to_bits().into())
    }
}

impl<S, const P: usize, const V: usize> Router<S, P, V>
where
    S: AsRef<[Descriptor]> + AsMut<[Descriptor]>,
{
    /// The VCs behind its global link at a port that it says are congested: none where its group tells no flags.
    pub fn flags(&self, plan: &Plan<P>, port: PortId) -> VcSet {
        flags(&self.view(plan), port)
    }

    /// Whether a new packet that comes by a port from its node takes a detour: [`takes_detour`], where it has a choice.
    pub fn takes_detour(
        &self,
        plan: &Plan<P>,
        routing: &impl Route,
        from: Arrival,
        header: &Header,
        is_flagged: impl FnOnce(PortId, PortId, VcId) -> bool,
    ) -> bool {
        let ways = routing.ways(self.here(), from, header);
        ways.is_some_and(|ways| takes_detour(&ways, &self.view(plan), is_flagged))
    }
}

/// Whether a new packet takes a detour: the global link of its shortest way in this group is flagged, or the router's own queue there, times
/// the hops, is longer than the detour's. `is_flagged` says it of the router behind a local port, of a port there and a VC.
pub fn takes_detour<const P: usize, const V: usize>(
    ways: &Ways,
    outputs: &Outputs<'_, P, V>,
    is_flagged: impl FnOnce(PortId, PortId, VcId) -> bool,
) -> bool {
    let is_congested = ways.exit.is_some_and(|Exit { behind, port, vc }| match behind {
        // A router knows its own flags at once.
        None => flags(outputs, port).contains(vc),
        Some(behind) => is_flagged(behind, port, vc),
    });
    let trigger = match outputs.plan.selection {
        Selection::Ugal(trigger) => trigger,
        _ => UgalTrigger::default(),
    };
    is_congested || trigger.is_shorter(ways.detour, ways.minimal, outputs)
}

/// The VCs behind a global link that are congested.
pub fn flags<const P: usize, const V: usize>(outputs: &Outputs<'_, P, V>, port: PortId) -> VcSet {
    let plan = outputs.plan;
    let is_global = |port: &PortId| plan.class(*port) == PortClass::GLOBAL;
    let Some(rule) = plan.flags.filter(|_| is_global(&port)) else { return VcSet::EMPTY };
    let links = || outputs.wired.into_iter().filter(is_global);
    let used = |port: PortId, vc| u32::from(outputs.occupancy(port, vc));
    let is_congested = |vc: &VcId| {
        let sum = links().map(|port| used(port, *vc)).fold(0, u32::wrapping_add);
        rule.is_exceeded(used(port, *vc), sum, links().count() as u32)
    };
    let all = plan.vcs(port).iter().filter(is_congested);
    all.fold(VcSet::EMPTY, |all, vc| all.union(VcSet::only(vc)))
}
