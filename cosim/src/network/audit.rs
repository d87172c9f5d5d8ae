//! The books of the network: flits, credits and counters must add up; and who waits for whom when nothing moves.

use super::fault::Fault;
use super::wheel::End;
use super::{Network, Switch};
use router_core::plan::CountAt;
use router_core::units::{PortId, VcId};
use router_core::vc::VcState;
use std::collections::HashMap;
use std::fmt::Write as _;

/// A VC of an input port: router, port, VC in ascending order.
type Channel = (usize, u8, u8);

impl<const P: usize, const V: usize> Network<'_, P, V> {
    /// Checks that nothing has been lost or invented; notes the first thing that has.
    pub(crate) fn audit(&mut self) {
        let found = self.audit_flits().or_else(|| self.audit_credits()).or_else(|| self.audit_contention());
        if self.fault.is_none() {
            self.fault = found;
        }
    }

    /// Packets that have entered and not left, beyond those whose flits are still inside.
    pub(crate) fn lost_packets(&self) -> u64 {
        let missing = self.flits_in.abs_diff(self.flits_out + self.flits_inside());
        missing.div_ceil(u64::from(self.length))
    }

    fn flits_inside(&self) -> u64 {
        let buffered: u64 =
            self.channels().map(|(router, port, vc)| self.flits_in_vc((router, port, vc))).sum();
        let wired: usize = self.wheel.slots().map(|slot| slot.heads.len() + slot.bodies.len()).sum();
        buffered + wired as u64
    }

    fn flits_in_vc(&self, (router, port, vc): Channel) -> u64 {
        let input = self.routers[router].input(PortId::new(port), VcId::new(vc));
        input.map_or(0, |input| u64::from(input.flits()))
    }

    fn channels(&self) -> impl Iterator<Item = Channel> + '_ {
        (0..self.routers.len()).flat_map(|router| {
            (0..P as u8).flat_map(move |port| (0..V as u8).map(move |vc| (router, port, vc)))
        })
    }

    fn audit_flits(&self) -> Option<Fault> {
        let (entered, left, inside) = (self.flits_in, self.flits_out, self.flits_inside());
        (entered != left + inside).then_some(Fault::FlitsLost { cycle: self.cycle, entered, left, inside })
    }

    /// For each VC behind each output: credits here, flits on the way there, flits in the buffer and credits on the
    /// way back make up its depth.
    fn audit_credits(&self) -> Option<Fault> {
        let mut on_wires: HashMap<(u32, u8), u64> = HashMap::new();
        for slot in self.wheel.slots() {
            for head in &slot.heads {
                *on_wires.entry((head.to.key(), head.vc.number())).or_default() += 1;
            }
            for body in &slot.bodies {
                *on_wires.entry((body.to().key(), body.vc().number())).or_default() += 1;
            }
        }
        let mut credits: HashMap<(u32, u8), u64> = HashMap::new();
        for credit in self.wheel.slots().flat_map(|slot| &slot.credits) {
            *credits.entry((credit.to().key(), credit.vc().number())).or_default() += 1;
        }
        for (router, port, vc) in self.channels() {
            let (own, id) = (PortId::new(port), VcId::new(vc));
            if !self.routers[router].here().wired.contains(own) || !self.plan.vcs(own).contains(id) {
                continue;
            }
            let label = self.plan.relabel(own, id).number();
            let there = self.links[router * P + usize::from(port)].to;
            let here = End::port::<P>(router, usize::from(port));
            let buffered = match there.as_node() {
                Some(_) => 0,
                None => {
                    let (next, next_port) = there.as_port::<P>();
                    self.flits_in_vc((next, next_port, vc))
                }
            };
            let held = self.routers[router].output(own).map_or(0, |out| u64::from(out.credits.left(id)));
            let on_way = on_wires.get(&(there.key(), label)).copied().unwrap_or(0);
            let back = credits.get(&(here.key(), label)).copied().unwrap_or(0);
            let (found, depth) = (held + on_way + buffered + back, u64::from(self.plan.buffer(own)));
            if found != depth {
                return Some(Fault::CreditsLost { cycle: self.cycle, router, port, vc: label, found, depth });
            }
        }
        None
    }

    fn audit_contention(&self) -> Option<Fault> {
        if self.plan.count_at != CountAt::Head {
            return None;
        }
        for (at, router) in self.routers.iter().enumerate() {
            for port in 0..P as u8 {
                let counted = u64::from(router.contention(PortId::new(port)));
                let found = wanting(router, PortId::new(port));
                if counted != found {
                    return Some(Fault::Contention { cycle: self.cycle, router: at, port, counted, found });
                }
            }
        }
        None
    }

    /// The VC that a VC waits for: the one behind the output that its front packet holds or asks for.
    fn waits_for(&self, (router, port, vc): Channel) -> Option<Channel> {
        let input = self.routers[router].input(PortId::new(port), VcId::new(vc))?;
        let (out, out_vc) = match input.state() {
            VcState::Idle => return None,
            VcState::Active { out, vc } => (out, vc),
            VcState::Waiting => {
                let out = input.request().first().unwrap_or(input.minimal());
                (out, input.candidates().holding(out)?.vcs.and(self.plan.vcs(out)).first()?)
            }
        };
        let there = self.links[router * P + out.index()].to;
        if there.as_node().is_some() {
            return None;
        }
        let (next, next_port) = there.as_port::<P>();
        Some((next, next_port, out_vc.number()))
    }

    /// A cycle of VCs that wait for each other, one line each.
    pub(crate) fn waiting_cycle(&self) -> String {
        find_ring(self.channels(), |at| self.waits_for(at)).map_or_else(
            || {
                "  no virtual channels wait for each other in a ring: a packet waits for what never comes"
                    .to_owned()
            },
            |ring| self.describe(&ring),
        )
    }

    fn describe(&self, ring: &[Channel]) -> String {
        let mut text = String::from("  these virtual channels wait for each other in a ring:");
        for &(router, port, vc) in ring {
            let kind = self.plan.kind(PortId::new(port));
            let label = self.plan.relabel_of_kind(kind, VcId::new(vc)).number();
            let flits = self.flits_in_vc((router, port, vc));
            let _ = write!(text, "\n  router {router}, port {port} ({kind:?}), VC {label}: {flits} flits");
        }
        text
    }
}

/// A ring in a graph in which each place leads to one other at most.
fn find_ring(
    starts: impl Iterator<Item = Channel>,
    next: impl Fn(Channel) -> Option<Channel>,
) -> Option<Vec<Channel>> {
    // By which start each place was reached first.
    let mut reached: HashMap<Channel, usize> = HashMap::new();
    for (n, start) in starts.enumerate() {
        let mut path = vec![start];
        while let Some(&at) = path.last()
            && !reached.contains_key(&at)
        {
            reached.insert(at, n);
            path.extend(next(at));
        }
        if let Some((last, before)) = path.split_last()
            && reached[last] == n
            && let Some(first) = before.iter().position(|place| place == last)
        {
            return Some(before[first..].to_vec());
        }
    }
    None
}

/// Packets at a router that are counted at `port`, found by looking at each VC's front.
fn wanting<const P: usize, const V: usize>(router: &Switch<P, V>, port: PortId) -> u64 {
    let mut found = 0;
    for input in 0..P as u8 {
        for vc in 0..V as u8 {
            let wants = router
                .input(PortId::new(input), VcId::new(vc))
                .is_some_and(|vc| vc.state() != VcState::Idle && vc.minimal() == port);
            found += u64::from(wants);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        /// Against the definition: from a place of a ring one comes back to it.
        #[test]
        fn rings_are_found_where_there_are_any(leads in proptest::collection::vec(proptest::option::of(0usize..12), 12)) {
            let next = |(at, _, _): Channel| leads[at].map(|to| (to, 0, 0));
            let comes_back = |start: usize| {
                let mut at = leads[start];
                for _ in 0..12 {
                    match at { Some(here) if here == start => return true, Some(here) => at = leads[here], None => return false }
                }
                false
            };
            match find_ring((0..12).map(|n| (n, 0, 0)), next) {
                None => proptest::prop_assert!((0..12).all(|n| !comes_back(n))),
                Some(ring) => {
                    for (n, &at) in ring.iter().enumerate() {
                        proptest::prop_assert_eq!(next(at), Some(ring[(n + 1) % ring.len()]));
                    }
                }
            }
        }
    }
}
