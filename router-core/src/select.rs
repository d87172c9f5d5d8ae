//! Stage 3. Selection: one of the candidates. It knows credits and counters and never the map.
//!
//! In each cycle in which the front packet of a VC waits, selection names the outputs it asks for; the allocator
//! uses them in the next cycle, after checking them again against that cycle's credits. Normally that is one
//! port. The minimal output is asked for unless the trigger fires *and* one misroute, drawn at random among those
//! offered, is valid at this moment: so a blocked packet never stops asking for its minimal, order-respecting way
//! on (`ESCAPE-REQUESTED`; `docs/olm.md`).

#[macro_use]
mod trigger;

use crate::contention::Contention;
use crate::lfsr::Tap;
use crate::output::OutputPort;
use crate::per_port::PerPort;
use crate::plan::Plan;
use crate::route::{CandidateSet, Candidates, HopKind};
use crate::units::{PortId, PortSet, VcId, VcSet};
pub use trigger::{Detour, Thresholds, Trigger};

triggers! {
    /// Never: minimal hops only.
    Never(never::NeverTrigger),
    /// The minimal output's buffer is full enough.
    Occupancy(occupancy::OccupancyTrigger),
    /// Enough packets want the minimal output.
    Contention(contention::ContentionTrigger),
    /// More packets want the minimal output than want others on average.
    ContentionAverage(contention_average::AverageTrigger),
    /// Either of occupancy and contention.
    Hybrid(hybrid::HybridTrigger),
    /// Always: every candidate with room is asked for at once (patent, example 1).
    Always(always::AlwaysTrigger),
}

impl Default for Selection {
    /// Never.
    fn default() -> Self {
        Self::NEVER
    }
}

/// What selection sees of the outputs.
#[derive(Clone, Copy)]
pub struct Outputs<'a, const P: usize, const V: usize> {
    /// The common settings.
    pub plan: &'a Plan<P>,
    /// The output ports.
    pub ports: &'a PerPort<OutputPort<V>, P>,
    /// VCs of the next router that a packet holds, from its head's grant to its tail's.
    pub owned: &'a PerPort<VcSet, P>,
    /// The contention counters.
    pub contention: &'a Contention<P>,
    /// The connected ports.
    pub wired: PortSet,
    /// Those whose FIFO takes no flit more.
    pub full: PortSet,
}

impl<const P: usize, const V: usize> Outputs<'_, P, V> {
    /// Whether the FIFO of a port takes one flit more.
    #[inline(always)]
    pub const fn accepts(&self, port: PortId) -> bool {
        !self.full.contains(port)
    }

    /// Whether a port cannot take a packet for lack of space: in the buffer of this VC, or in the FIFO. That another
    /// packet is just passing into the VC does not count.
    #[inline(always)]
    pub fn is_blocked(&self, port: PortId, vc: VcId, length: u16) -> bool {
        !self.accepts(port) || self.ports.get(port).is_some_and(|out| out.credits.left(vc) < length)
    }

    /// The VCs by which a head may leave now: FIFO, VC and credits have room for it. Empty: infeasible.
    #[inline]
    pub fn open(&self, port: PortId, set: &CandidateSet, length: u16) -> VcSet {
        let room = self.plan.flow.room(length, set.kind);
        match self.ports.get(port) {
            Some(out) if self.accepts(port) => {
                out.roomy(set.vcs.and(self.plan.vcs(port)).minus(self.owned.at(port)), room)
            }
            _ => VcSet::EMPTY,
        }
    }

    /// The ports of a set by which a head may leave now.
    #[inline]
    fn open_ports(&self, set: &CandidateSet, length: u16) -> PortSet {
        let mut found = set.ports.minus(self.full);
        for port in found {
            if self.open(port, set, length).is_empty() {
                found.remove(port);
            }
        }
        found
    }

    /// The ports of all sets by which a head may leave now.
    fn all_open_ports(&self, candidates: &Candidates, length: u16) -> PortSet {
        candidates.sets().fold(PortSet::EMPTY, |all, set| all.union(self.open_ports(&set, length)))
    }
}

/// A packet that waits.
#[derive(Clone, Copy)]
pub struct Waiting<'a> {
    /// Its candidates.
    pub candidates: &'a Candidates,
    /// Its minimal output, where it is counted.
    pub minimal: PortId,
    /// Its flits.
    pub length: u16,
    /// Its random bits of this cycle.
    pub tap: Tap,
}

impl Selection {
    /// Minimal hops only.
    pub const NEVER: Self = Self::Never(never::NeverTrigger);

    /// Whether there are minimal hops only.
    pub const fn is_never(&self) -> bool {
        matches!(self, Self::Never(_))
    }

    /// The outputs to ask for; none only when there is no candidate.
    #[inline]
    pub fn choose<const P: usize, const V: usize>(
        &self,
        packet: &Waiting<'_>,
        outputs: &Outputs<'_, P, V>,
    ) -> PortSet {
        let candidates = packet.candidates;
        if self.asks_all() {
            let open = outputs.all_open_ports(candidates, packet.length);
            return if open.is_empty() { PortSet::only(packet.minimal) } else { open };
        }
        if candidates.is_forced() {
            return any(outputs.all_open_ports(candidates, packet.length), || packet.tap)
                .or_else(|| any(candidates.ports(), || packet.tap))
                .map_or(PortSet::EMPTY, PortSet::only);
        }
        let Some(minimal) = candidates.of_kind(HopKind::Minimal) else { return PortSet::EMPTY };
        if candidates.has_detours()
            && let Some(detour) = self.detour(packet, &minimal, outputs)
        {
            return PortSet::only(detour);
        }
        choose_minimal(packet, &minimal, outputs)
    }

    /// A misroute drawn at random, if the trigger fires and the one drawn is valid.
    #[inline]
    fn detour<const P: usize, const V: usize>(
        &self,
        packet: &Waiting<'_>,
        minimal: &CandidateSet,
        outputs: &Outputs<'_, P, V>,
    ) -> Option<PortId> {
        if !self.fires(packet, minimal, outputs) {
            return None;
        }
        let set = draw_set(packet)?;
        let port = any(set.ports, || packet.tap)?;
        if outputs.open(port, &set, packet.length).is_empty() {
            return None;
        }
        let valid = self.allows(packet, minimal, &Detour { port, set: &set }, outputs);
        valid.then_some(port)
    }
}

/// The minimal output; where several are minimal, another one when it has no room and the other has.
#[inline]
fn choose_minimal<const P: usize, const V: usize>(
    packet: &Waiting<'_>,
    minimal: &CandidateSet,
    outputs: &Outputs<'_, P, V>,
) -> PortSet {
    let own = PortSet::only(packet.minimal);
    if minimal.ports == own || !outputs.open(packet.minimal, minimal, packet.length).is_empty() {
        return own;
    }
    any(outputs.open_ports(minimal, packet.length), || packet.tap).map_or(own, PortSet::only)
}

/// One port of a set, each as likely as the others.
#[inline]
pub(crate) fn any(ports: PortSet, tap: impl Fn() -> Tap) -> Option<PortId> {
    if ports.is_single() { ports.first() } else { ports.nth(tap().below(ports.len())) }
}

/// The set to draw a misroute from. Where global and local ones are offered (policy RRG) the router to misroute
/// from is drawn first: the own one, or one of those behind the local ports.
#[inline]
fn draw_set(packet: &Waiting<'_>) -> Option<CandidateSet> {
    let global = packet.candidates.of_kind(HopKind::GlobalMisroute);
    let local = packet.candidates.of_kind(HopKind::LocalMisroute);
    match (global, local) {
        (Some(global), Some(local)) => {
            let own = packet.tap.second_below(local.ports.len().wrapping_add(1)) == 0;
            Some(if own { global } else { local })
        }
        (one, other) => one.or(other),
    }
}
