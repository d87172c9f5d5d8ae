//! Stage 3. Selection: one of the candidates. Its inputs are credits and counters, never the map.
//!
//! In each cycle in which the front packet of a VC waits, selection names the outputs that the packet requests; the
//! allocator uses them in the next cycle, after checking them again against that cycle's credits. Normally that is one
//! port. The minimal output is requested unless the trigger fires *and* one misroute, drawn at random among those offered, is valid at this
//! moment. So a blocked packet never stops requesting its minimal, order-respecting way on (`ESCAPE-REQUESTED`; `docs/olm.md`). Where
//! packets [wait for detours](crate::plan::Plan::waits_for_detours), both ways respect the order.

#[macro_use]
mod trigger;
pub mod outputs;
mod preference;

pub use outputs::Outputs;
pub use preference::{PortRule, Preference, VcRule};

use crate::draw::any;
use crate::lfsr::Tap;
use crate::route::{Candidates, HopKind};
use crate::units::{Bits, Channel, PortId, PortSet};
pub use trigger::{Detour, Thresholds, Trigger};

triggers! {
    /// Never: minimal hops only.
    Never(never::NeverTrigger),
    /// The minimal output's buffer is full enough.
    Occupancy(occupancy::OccupancyTrigger),
    /// Enough packets have the same minimal output.
    Contention(contention::ContentionTrigger),
    /// The minimal output's contention counter is above a multiple of the mean over all outputs.
    ContentionAverage(contention_average::AverageTrigger),
    /// Either of occupancy and contention.
    Hybrid(hybrid::HybridTrigger),
    /// Always: every candidate with room is requested at once (patent, example 1), or one of them, drawn at random in each cycle, where
    /// requests are registered.
    Always(always::AlwaysTrigger),
    /// The minimal output's queue times its hops exceeds the detour's.
    Ugal(ugal::UgalTrigger),
    /// Enough packets have the same minimal output, or enough of the group leave it for the same group.
    Ectn(ectn::EctnTrigger),
}

impl Default for Selection {
    /// Never.
    fn default() -> Self {
        Self::NEVER
    }
}

/// A packet that waits.
#[derive(Clone, Copy)]
pub struct Waiting<'a, B: Bits = usize> {
    /// The input VC that it is at the front of.
    pub at: Channel,
    /// Its candidates.
    pub candidates: &'a Candidates<B>,
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

    /// The outputs to request; none only when there is no candidate.
    #[inline(always)]
    pub fn choose<const P: usize, const V: usize, B: Bits>(
        &self,
        packet: &Waiting<'_, B>,
        outputs: &Outputs<'_, P, V, B>,
    ) -> PortSet<B> {
        match packet.candidates.only_way() {
            Some(only) => only,
            None => self.choose_among(packet, outputs),
        }
    }

    /// The outputs to request, for a packet that may have a choice.
    #[inline(never)]
    pub(crate) fn choose_among<const P: usize, const V: usize, B: Bits>(
        &self,
        packet: &Waiting<'_, B>,
        outputs: &Outputs<'_, P, V, B>,
    ) -> PortSet<B> {
        let candidates = packet.candidates;
        if self.asks_any() {
            let all = choose_all(packet, outputs);
            return if outputs.asks_one { one_of(all, packet) } else { all };
        }
        if candidates.is_special() {
            return self.choose_specially(packet, outputs);
        }
        let minimal = candidates.minimal_ports();
        if minimal.is_empty() {
            return PortSet::EMPTY;
        }
        if candidates.has_detours()
            && self.fires(packet, outputs)
            && let Some(detour) = self.detour(packet, outputs)
        {
            return PortSet::only(detour);
        }
        choose_minimal(packet, minimal, outputs)
    }

    /// A detour that is due; or what is chosen beside an escape, and the escape where that has no room.
    #[inline(never)]
    fn choose_specially<const P: usize, const V: usize, B: Bits>(
        &self,
        packet: &Waiting<'_, B>,
        outputs: &Outputs<'_, P, V, B>,
    ) -> PortSet<B> {
        let Some((others, escape)) = packet.candidates.beside_escape() else {
            return choose_forced(packet, outputs);
        };
        let chosen = self.choose_among(&Waiting { candidates: &others, ..*packet }, outputs);
        if chosen.into_iter().any(|port| outputs.is_open(port, &others, packet.length)) {
            return chosen;
        }
        let opens = |&port: &PortId| !outputs.open(port, packet.candidates, packet.length).1.is_empty();
        let open = escape.into_iter().find(opens).map(PortSet::only);
        open.unwrap_or(if chosen.is_empty() { escape } else { chosen })
    }

    /// A misroute drawn at random, if the one drawn is valid: good enough, and with room unless packets wait for that.
    #[inline]
    fn detour<const P: usize, const V: usize, B: Bits>(
        &self,
        packet: &Waiting<'_, B>,
        outputs: &Outputs<'_, P, V, B>,
    ) -> Option<PortId> {
        let detour = draw_detour(packet)?;
        let waits = !cfg!(feature = "small") && outputs.waits_for_detours;
        let is_valid = self.allows(packet, detour, outputs)
            && (waits || outputs.is_open(detour.port, packet.candidates, packet.length));
        is_valid.then_some(detour.port)
    }
}

/// Every port with room; the minimal one where none has, or all where none is minimal.
#[inline(never)]
fn choose_all<const P: usize, const V: usize, B: Bits>(
    packet: &Waiting<'_, B>,
    outputs: &Outputs<'_, P, V, B>,
) -> PortSet<B> {
    let candidates = packet.candidates;
    let open = outputs.open_ports(candidates, packet.length);
    match () {
        () if !open.is_empty() => open,
        () if candidates.minimal_ports().is_empty() => candidates.ports(),
        () => PortSet::only(packet.minimal),
    }
}

/// A port with room, whatever the hop; any port where none has.
#[inline(never)]
fn choose_forced<const P: usize, const V: usize, B: Bits>(
    packet: &Waiting<'_, B>,
    outputs: &Outputs<'_, P, V, B>,
) -> PortSet<B> {
    let candidates = packet.candidates;
    let open = outputs.open_ports(candidates, packet.length);
    one_of(if open.is_empty() { candidates.ports() } else { open }, packet)
}

/// One of these ports, drawn at random.
fn one_of<B: Bits>(ports: PortSet<B>, packet: &Waiting<'_, B>) -> PortSet<B> {
    any(ports, || packet.tap).map_or(PortSet::EMPTY, PortSet::only)
}

/// The minimal output; where several are minimal, the one that the packet [prefers](Preference): by default another one when it has no room
/// and the other has.
#[inline(always)]
fn choose_minimal<const P: usize, const V: usize, B: Bits>(
    packet: &Waiting<'_, B>,
    minimal: PortSet<B>,
    outputs: &Outputs<'_, P, V, B>,
) -> PortSet<B> {
    let own = PortSet::only(packet.minimal);
    if minimal == own { own } else { choose_of_several(packet, minimal, outputs) }
}

#[inline(never)]
fn choose_of_several<const P: usize, const V: usize, B: Bits>(
    packet: &Waiting<'_, B>,
    minimal: PortSet<B>,
    outputs: &Outputs<'_, P, V, B>,
) -> PortSet<B> {
    if !outputs.preference.draws_ports() {
        return outputs.preferred(packet);
    }
    let own = PortSet::only(packet.minimal);
    let has_room = |port| outputs.is_open_minimally(port, packet.candidates, packet.length);
    if has_room(packet.minimal) {
        return own;
    }
    let mut others = minimal.minus(outputs.closed());
    for port in others {
        if !has_room(port) {
            others.remove(port);
        }
    }
    any(others, || packet.tap).map_or(own, PortSet::only)
}

/// A misroute. Where global and local ones are offered (policy RRG) the router to misroute from is drawn first: the own
/// one, or one of those behind the local ports.
#[inline(always)]
fn draw_detour<B: Bits>(packet: &Waiting<'_, B>) -> Option<Detour> {
    let [global, local] = packet.candidates.misroutes();
    if !local.is_empty() {
        let routers = local.len();
        if global.is_empty() || packet.tap.second_below(routers.wrapping_add(1)) > 0 {
            let port = local.nth(packet.tap.below(routers))?;
            return Some(Detour { port, kind: HopKind::LocalMisroute });
        }
    }
    let port = any(global, || packet.tap)?;
    Some(Detour { port, kind: HopKind::GlobalMisroute })
}
