//! Stage 3, by the group's flags ([`crate::piggyback`]): which of a router's global links it flags, and which way a new packet takes.

use super::Router;
use crate::header::Header;
use crate::plan::Plan;
use crate::route::ways::{Exit, Ways};
use crate::route::{Arrival, Route};
use crate::select::ugal::UgalTrigger;
use crate::select::{Outputs, Selection};
use crate::units::{Bits, PortClass, PortId, VcId, VcSet};
use crate::vc::Descriptor;

impl<S, const P: usize, const V: usize, B: Bits> Router<S, P, V, B>
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
        routing: &impl Route<B>,
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
fn takes_detour<const P: usize, const V: usize, B: Bits>(
    ways: &Ways,
    plan: &Plan<P>,
    outputs: &Outputs<'_, P, V, B>,
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
fn flags<const P: usize, const V: usize, B: Bits>(
    plan: &Plan<P>,
    outputs: &Outputs<'_, P, V, B>,
    port: PortId,
) -> VcSet {
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

#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::contention::Contention;
    use crate::fixed::U8F8;
    use crate::lent::Lent;
    use crate::links::PortSizes;
    use crate::output::OutputPort;
    use crate::per_port::PerPort;
    use crate::piggyback::FlagRule;
    use crate::route::ways::Way;
    use crate::select::Preference;
    use crate::select::ugal::Queue;
    use crate::units::PortSet;

    const PORTS: usize = 6;
    const DEPTH: u16 = 12;

    /// A node, a local port, two global ones, and one that is not connected.
    fn plan(rule: Option<FlagRule>, bias: u16, queue: Queue) -> Plan<PORTS> {
        let classes = [0, 1, 2, 2, 2].map(PortClass::new);
        let mut plan = Plan::new(&classes, &[PortSizes { vcs: 2, buffer: DEPTH }; 3]).unwrap();
        (plan.flags, plan.selection) = (rule, Selection::Ugal(UgalTrigger { bias, queue }));
        plan
    }

    /// With so many flits behind the VCs of the ports.
    fn with_outputs<R>(
        plan: &Plan<PORTS>,
        used: [[u16; 2]; 5],
        see: impl FnOnce(&Outputs<'_, PORTS, 2>) -> R,
    ) -> R {
        let mut ports = PerPort::from_fn(|_| OutputPort::<2>::new(DEPTH));
        for (port, vcs) in used.iter().enumerate() {
            for (vc, &flits) in vcs.iter().enumerate() {
                let out = ports.get_mut(PortId::new(port as u8)).unwrap();
                (0..flits).for_each(|_| out.credits.take(VcId::new(vc as u8)));
            }
        }
        let (owned, lent, contention) = (PerPort::default(), Lent::NONE, Contention::new(false));
        see(&Outputs {
            links: &plan.links,
            ports: &ports,
            owned: &owned,
            lent: &lent,
            contention: &contention,
            wired: PortSet::first_n(4),
            waits_for_detours: false,
            asks_one: false,
            preference: Preference::RANDOM,
            full: PortSet::EMPTY,
            held: PortSet::EMPTY,
        })
    }

    /// Proves: a VC of a connected global link is flagged that holds more than factor times the mean of its siblings, itself included, and so many
    /// flits; at equality it is not.
    #[test]
    fn a_link_is_flagged_above_its_mean() {
        for (factor, flits) in [(512, 0), (256, 0), (320, 2), (0, 3), (128, 1)] {
            let plan = plan(Some(FlagRule { factor: U8F8::from_bits(factor), flits }), 0, Queue::Port);
            for (one, other) in (0..=DEPTH).flat_map(|one| (0..=DEPTH).map(move |other| (one, other))) {
                // VC 1 has them the other way round; what is behind a port that is not connected does not count.
                let used = [[1, 2], [9, 4], [one, other], [other, one], [12, 12]];
                let exceeds = |own: u16| {
                    2 * 256 * (i64::from(own) - i64::from(flits)) > i64::from(factor) * i64::from(one + other)
                };
                let vcs =
                    |first: bool, second: bool| VcSet::from_bits(u8::from(first) | u8::from(second) << 1);
                let expected = [
                    VcSet::EMPTY,
                    VcSet::EMPTY,
                    vcs(exceeds(one), exceeds(other)),
                    vcs(exceeds(other), exceeds(one)),
                ];
                let found = with_outputs(&plan, used, |outputs| {
                    [0, 1, 2, 3].map(|port| flags(&plan, outputs, PortId::new(port)))
                });
                assert_eq!(found, expected, "{factor} {flits} {one} {other}");
            }
        }
        let none = plan(None, 0, Queue::Port);
        assert!(with_outputs(&none, [[9, 9]; 5], |outputs| flags(&none, outputs, PortId::new(2))).is_empty());
    }

    /// Proves: a new packet takes its detour where the link of its shortest way is flagged, or where queue times hops exceeds the detour's and the
    /// bias; at equality it does not.
    #[test]
    fn a_detour_is_taken_by_flag_or_by_queue() {
        let way = |port, vc, hops| Way { port: PortId::new(port), vc: VcId::new(vc), hops };
        for (bias, queue) in [(0, Queue::Port), (4, Queue::Port), (0, Queue::Vc)] {
            let plan = plan(Some(FlagRule { factor: U8F8::from_bits(256), flits: 3 }), bias, queue);
            for (minimal, detour) in
                (0..=DEPTH).flat_map(|minimal| (0..=DEPTH).map(move |detour| (minimal, detour)))
            {
                let used = [[0, 0], [minimal, 1], [detour, 2], [0, 0], [0, 0]];
                let ways = |exit| Ways { minimal: way(1, 0, 2), exit, detour: way(2, 0, 3) };
                let (all, others) =
                    if queue == Queue::Port { (minimal + 1, detour + 2) } else { (minimal, detour) };
                let by_queue = 2 * all > 3 * others + bias;
                let takes = |exit, told| {
                    with_outputs(&plan, used, |outputs| {
                        takes_detour(&ways(exit), &plan, outputs, |_, _, _| told)
                    })
                };
                assert_eq!(takes(None, true), by_queue, "{minimal} {detour}");
                let exit =
                    |behind, port, vc| Some(Exit { behind, port: PortId::new(port), vc: VcId::new(vc) });
                for told in [false, true] {
                    assert_eq!(takes(exit(Some(PortId::new(1)), 3, 0), told), by_queue || told);
                    // The router's own flag: two global links, one of them with `detour` flits in VC 0.
                    let own = 2 * (i64::from(detour) - 3) > i64::from(detour);
                    assert_eq!(takes(exit(None, 2, 0), told), by_queue || own);
                    assert_eq!(takes(exit(None, 3, 0), told), by_queue);
                }
                with_outputs(&plan, used, |outputs| {
                    let seen = |port: PortId, there: PortId, vc: VcId| {
                        assert_eq!((port.number(), there.number(), vc.number()), (1, 3, 1));
                        true
                    };
                    assert!(takes_detour(&ways(exit(Some(PortId::new(1)), 3, 1)), &plan, outputs, seen));
                });
            }
        }
    }
}
