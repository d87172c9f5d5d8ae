//! The outcomes that a search has to have seen.

use super::pair::Counts;
use super::thresholds::Thresholds;
use super::{ASKED, P, TRIGGERS, V};
use router_core::PortClass;
use router_core::fixed::{U1F15, U8F8};
use router_core::route::HopKind;
use router_core::select::always::AlwaysTrigger;
use router_core::select::contention::ContentionTrigger;
use router_core::select::ectn::EctnTrigger;
use router_core::select::hybrid::HybridTrigger;
use router_core::select::occupancy::OccupancyTrigger;
use router_core::select::{Detour, Outputs, Selection, Trigger, Waiting};
use router_core::units::PortSet;

pub(super) fn note_asked(
    tally: &mut Counts,
    trigger: usize,
    asked: PortSet,
    packet: &Waiting<'_>,
    open: PortSet,
) {
    let kind = asked.first().and_then(|port| packet.candidates.holding(port).next()).map(|set| set.kind);
    let own = asked == PortSet::only(packet.minimal);
    let outcome = match kind {
        None => return,
        Some(_) if packet.candidates.is_forced() => 4 + usize::from(asked.and(open).is_empty()),
        Some(HopKind::Minimal) => usize::from(!own),
        Some(HopKind::GlobalMisroute) => 2,
        Some(HopKind::LocalMisroute) => 3,
        Some(HopKind::Escape) => panic!("the RTL has no escapes"),
    };
    tally.saw(trigger * ASKED.len() + outcome, 1);
}

pub(super) fn note_said(
    tally: &mut Counts,
    thresholds: &Thresholds,
    packet: &Waiting<'_>,
    outputs: &Outputs<'_, P, V>,
) {
    let minimal = packet.candidates.vcs_of(HopKind::Minimal, packet.minimal);
    if packet.candidates.ports_of(HopKind::Minimal).is_empty() {
        return;
    }
    let minimal_ports = packet.candidates.ports_of(HopKind::Minimal);
    if packet.candidates.is_forced() || !packet.candidates.has_detours() {
        return;
    }
    let trigger = &thresholds.occupancy;
    let unrestricted = OccupancyTrigger { global_restriction: None, ..*trigger };
    let fires = trigger.fires(packet, outputs);
    let free = unrestricted.fires(packet, outputs);
    let vc = minimal.and(outputs.links.vcs(packet.minimal)).first().unwrap_or_default();
    let blocked = outputs.is_blocked(packet.minimal, vc, packet.length);
    let restricted =
        outputs.links.class(packet.minimal) == PortClass::GLOBAL && trigger.global_restriction.is_some();
    let asks = |selection: Selection| selection.choose(packet, outputs);
    let is_detour = |asked: PortSet| asked.and(minimal_ports).is_empty();
    let by_occupancy = is_detour(asks(Selection::Occupancy(*trigger)));
    let by_count = is_detour(asks(Selection::Contention(thresholds.fixed)));
    let drawn = asks(Selection::Hybrid(HybridTrigger {
        occupancy: OccupancyTrigger {
            relative_threshold: U8F8::MAX,
            minimal_occupancy: U1F15::ZERO,
            global_restriction: None,
        },
        contention: ContentionTrigger { threshold: 0 },
    }));
    let allowed = drawn.first().filter(|_| is_detour(drawn)).and_then(|port| {
        let kind = packet.candidates.holding(port).next()?.kind;
        Some(trigger.allows(packet, Detour { port, kind }, outputs))
    });
    let misroutes = [HopKind::GlobalMisroute, HopKind::LocalMisroute];
    let both = misroutes.iter().all(|&kind| !packet.candidates.ports_of(kind).is_empty());
    let said = [
        true,
        fires,
        blocked && !fires,
        !blocked,
        restricted && free && !fires,
        restricted && fires,
        fires && allowed == Some(true),
        fires && allowed == Some(false),
        by_occupancy && !by_count,
        by_count && !by_occupancy,
        both && (by_occupancy || by_count),
        asks(Selection::Always(AlwaysTrigger)).len() > 1,
        is_detour(asks(Selection::Ectn(EctnTrigger {
            contention: thresholds.fixed,
            ..EctnTrigger::default()
        }))) && !by_count,
    ];
    let first = TRIGGERS.len() * ASKED.len();
    said.iter().enumerate().for_each(|(at, &yes)| tally.saw(first + at, u64::from(yes)));
}
