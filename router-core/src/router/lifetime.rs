//! Packets that wait at the head of a queue for too long, or are in the router for too long ([`crate::lifetime`]), are discarded.

mod ages;

use super::{Admitted, Router};
use crate::alloc::{Grant, Grants};
use crate::discard::Discard;
use crate::lifetime::TICKS;
use crate::per_port::{PerPort, PerVc};
use crate::plan::Plan;
use crate::units::{Bits, Channel, PortId, PortSet, VcId, VcSet};
use crate::vc::{Descriptor, Front};
use crate::vc_sets::VcSets;
use ages::Ages;

/// How long packets have waited, and which VCs are stalled. The feature `small` leaves it out.
#[derive(Clone, Debug)]
pub(super) struct Heads<const P: usize, const V: usize> {
    /// Internal cycles that the front packet of each input VC has waited, where its output has a limit.
    #[cfg(not(feature = "small"))]
    ages: PerVc<u32, P, V>,
    #[cfg(feature = "small")]
    ages: PerVc<u32, 0, 0>,
    /// Cycles in succession in which a packet for a VC behind an output has been discarded, since its time was up.
    #[cfg(not(feature = "small"))]
    late_discards: PerVc<u8, P, V>,
    #[cfg(feature = "small")]
    late_discards: PerVc<u8, 0, 0>,
    /// The first link cycle in which it is not stalled any more.
    #[cfg(not(feature = "small"))]
    stalled_until: PerVc<u64, P, V>,
    #[cfg(feature = "small")]
    stalled_until: PerVc<u64, 0, 0>,
    /// How long packets have been in the router.
    packets: Ages<P, V>,
}

impl<const P: usize, const V: usize> Heads<P, V> {
    /// Nothing has waited.
    pub(super) const NONE: Self = Self {
        ages: PerVc::filled(0),
        late_discards: PerVc::filled(0),
        stalled_until: PerVc::filled(0),
        packets: Ages::NONE,
    };

    fn age(&self, input: PortId, vc: VcId) -> u32 {
        self.ages.get(input, vc).copied().unwrap_or_default()
    }

    fn set_age(&mut self, input: PortId, vc: VcId, age: u32) {
        if let Some(place) = self.ages.get_mut(input, vc) {
            *place = age;
        }
    }

    /// The front packet of an input VC is gone.
    pub(super) fn forget(&mut self, Channel { port, vc }: Channel) {
        self.packets.forget_first(port, vc);
    }

    /// Whether a VC behind an output is stalled in the link cycle before `next`.
    fn is_stalled(&self, output: PortId, vc: VcId, next: u64) -> bool {
        self.stalled_until.get(output, vc).is_some_and(|&until| next < until)
    }
}

/// Packets that are discarded in this cycle, and the VCs behind outputs for which their time is up.
pub(super) struct Due<const P: usize, const V: usize> {
    packets: VcSets<P, V>,
    late: PerPort<VcSet, P>,
}

impl<S, const P: usize, const V: usize, B: Bits> Router<S, P, V, B>
where
    S: AsRef<[Descriptor]> + AsMut<[Descriptor]>,
{
    /// The packets whose time is up, at the head of their queue or in the router, or whose VCs are all stalled: they wait no more, and ask for
    /// nothing.
    #[inline(never)]
    pub(super) fn due(&mut self, plan: &Plan<P>, next: u64) -> Due<P, V> {
        let mut due = Due { packets: VcSets::EMPTY, late: PerPort::default() };
        if plan.lifetimes.limits_packets() {
            self.heads.packets.see(plan.lifetimes.ticks(next), &self.fronts);
        }
        self.waiting.each(|input, vc| {
            let (Some(flow), Some(front)) = (self.flows.get(input, vc), self.fronts.get(input, vc)) else {
                return;
            };
            if !flow.is_waiting() {
                return;
            }
            let is_late = self.is_late(plan, input, vc, front);
            if is_late || self.is_shut(plan, front, next) || self.heads.packets.is_old(input, vc) {
                due.packets.insert(input, vc);
            }
            if is_late {
                let output = front.minimal();
                waited_for(plan, front).iter().for_each(|vc| due.late.insert(output, vc));
            }
        });
        let Self { waiting, undecided, admitted: Admitted { vcs: admitted, .. }, .. } = self;
        due.packets.each(|input, vc| {
            waiting.remove(input, vc);
            undecided.remove(input, vc);
            admitted.remove(input, vc);
        });
        due
    }

    /// Whether the time of the front packet of a VC, which waits, is up.
    #[inline]
    fn is_late(&self, plan: &Plan<P>, input: PortId, vc: VcId, front: &Front<B>) -> bool {
        let limit = plan.lifetimes.internal_cycles(front.minimal());
        limit.is_some_and(|limit| self.heads.age(input, vc) >= limit)
    }

    /// Whether all VCs that a packet waits for are stalled.
    #[inline]
    fn is_shut(&self, plan: &Plan<P>, front: &Front<B>, next: u64) -> bool {
        let vcs = waited_for(plan, front);
        !vcs.is_empty() && vcs.iter().all(|vc| self.heads.is_stalled(front.minimal(), vc, next))
    }

    /// Whether the front packet of an input VC is discarded in the next cycle, since it has waited for too long: it asks for nothing then.
    pub fn expires(&self, plan: &Plan<P>, input: PortId, vc: VcId, next: u64) -> bool {
        let (Some(flow), Some(front)) = (self.flows.get(input, vc), self.fronts.get(input, vc)) else {
            return false;
        };
        plan.has_lifetimes()
            && flow.is_waiting()
            && (self.is_late(plan, input, vc, front)
                || self.is_shut(plan, front, next)
                || self.heads.packets.will_be_old(plan.lifetimes.ticks(next), input, vc))
    }

    /// Packets of an input VC that have seen one tick of the clock of lifetimes in the router, two, and so on, in the link cycle before `next`.
    pub fn aged(&self, plan: &Plan<P>, input: PortId, vc: VcId, next: u64) -> [u16; TICKS] {
        self.heads.packets.at(plan.lifetimes.ticks(next), input, vc)
    }

    /// Packets that wait and are not granted have waited for another cycle, and those whose tail is granted are gone behind it.
    #[inline(never)]
    pub(super) fn grow_older(&mut self, plan: &Plan<P>, grants: &Grants<P, B>) {
        self.waiting.each(|input, vc| {
            let (Some(flow), Some(front)) = (self.flows.get(input, vc), self.fronts.get(input, vc)) else {
                return;
            };
            let counts = flow.is_waiting()
                && grants.vc_of(input) != Some(vc)
                && plan.lifetimes.internal_cycles(front.minimal()).is_some();
            let age = if counts { self.heads.age(input, vc).wrapping_add(1) } else { 0 };
            self.heads.set_age(input, vc, age);
        });
        for Grant { input, vc, .. } in grants.iter() {
            if self.flows.get(input, vc).is_some_and(|flow| flow.left() == 1) {
                self.heads.forget(Channel::new(input, vc));
            }
        }
    }

    /// A head leaves into a VC behind an output.
    #[cold]
    #[inline(never)]
    pub(super) fn pass(&mut self, Channel { port, vc }: Channel) {
        if let Some(count) = self.heads.late_discards.get_mut(port, vc) {
            *count = 0;
        }
    }

    /// What is due is discarded, and counted where its time was up.
    #[inline(never)]
    pub(super) fn expire(&mut self, plan: &Plan<P>, due: &Due<P, V>, next: u64) {
        due.packets.each(|input, vc| {
            let (Some(flow), Some(front)) = (self.flows.get(input, vc), self.fronts.get_mut(input, vc))
            else {
                return;
            };
            front.ask(PortSet::EMPTY);
            self.contention.fall(front.minimal());
            // None of it has left.
            let length = flow.left();
            self.heads.set_age(input, vc, 0);
            self.waiting.insert(input, vc);
            self.discard(Channel::new(input, vc), length, Discard::Lifetime);
        });
        for (port, vcs) in (0..=u8::MAX).map(PortId::new).zip(due.late.iter()) {
            for vc in vcs.iter() {
                self.count_late(plan, Channel::new(port, vc), next);
            }
        }
    }

    /// A packet for a VC behind an output is discarded, since its time is up: one of several in succession.
    fn count_late(&mut self, plan: &Plan<P>, Channel { port, vc }: Channel, next: u64) {
        let limit = plan.lifetimes.limit(port);
        let Heads { late_discards, stalled_until, .. } = &mut self.heads;
        let (Some(count), Some(until)) = (late_discards.get_mut(port, vc), stalled_until.get_mut(port, vc))
        else {
            return;
        };
        if limit.stall_count == 0 || next < *until {
            return;
        }
        *count = count.wrapping_add(1);
        if *count >= limit.stall_count {
            (*count, *until) = (0, next.wrapping_add(limit.stalled_cycles()));
        }
    }

    /// Internal cycles that the front packet of an input VC has waited, where its output has a lifetime limit.
    pub fn age(&self, input: PortId, vc: VcId) -> u32 {
        self.heads.age(input, vc)
    }

    /// Cycles in succession in which a packet for a VC behind an output has been discarded, since its time was up; below the
    /// stall count.
    pub fn late_discards(&self, output: PortId, vc: VcId) -> u8 {
        self.heads.late_discards.get(output, vc).copied().unwrap_or_default()
    }

    /// Link cycles for which a VC behind an output is still stalled, in the link cycle before `next`.
    pub fn stalled_for(&self, output: PortId, vc: VcId, next: u64) -> u64 {
        self.heads.stalled_until.get(output, vc).map_or(0, |until| until.saturating_sub(next))
    }
}

/// The VCs that a waiting packet may take at the output that it is counted at.
fn waited_for<const P: usize, B: Bits>(plan: &Plan<P>, front: &Front<B>) -> VcSet {
    front.candidates().vcs_at(front.minimal()).and(plan.links.vcs(front.minimal()))
}
