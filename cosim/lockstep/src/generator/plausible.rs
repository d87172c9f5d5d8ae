//! Which packets could come.

use super::VIA_AHEAD;
use crate::shape::Shape;
use crate::stimulus::PacketIn;
use router_core::route::{Arrival, Here, Route, Routing};
use router_core::units::{PortClass, PortId, VcId};

/// Whether packets go by way of some point.
const fn goes_by(routing: &Routing<'_>) -> bool {
    matches!(routing, Routing::Valiant(_) | Routing::UgalDragonfly(_))
}

/// Whether a packet could be in that VC of that port: it keeps the order that excludes deadlock, and has a way on, unless packets without one
/// are discarded.
pub(super) fn is_plausible(routing: &Routing<'_>, here: &Here, shape: &Shape, packet: &PacketIn) -> bool {
    let port = PortId::new(packet.port as u8);
    let kind = shape.plan().links.class(port);
    let from = Arrival { port, kind, vc: shape.plan().links.relabel(port, VcId::new(packet.vc)) };
    let header = packet.packet(0).header;
    let at_start = packet.progress == 0 || goes_by(routing) && packet.progress == VIA_AHEAD;
    let fresh = kind != PortClass::NODE || at_start;
    let Ok(found) = routing.offer(here, from, &header) else { return false };
    let exists = |port: PortId, vc: VcId| shape.plan().links.vcs(port).contains(vc);
    fresh
        && routing.keeps_order(here, from, &header)
        && (shape.plan().options.discards || found.iter().any(|c| exists(c.port, c.vc)))
}
