//! What does not go together with mad postman.

use router_core::header::LENGTH_BITS;
use router_core::map::MapKind;
use router_core::units::PortClass;

use super::model::*;
use crate::document::{Document, Problem};

/// Refuses what a network cannot have whose packets go ahead of their addresses.
pub(super) fn check(scenario: &Scenario, document: &Document) -> Result<(), Problem> {
    if scenario.router.options.flow_control != FlowControl::MadPostman {
        return Ok(());
    }
    let refuse = |paths: &[&str], why: &str, note: &str| {
        let at = document.blame(&[paths, &["router.flow_control"]].concat());
        Err(Problem::new(at, format!("\"mad-postman\" {why}")).note(note.to_owned()))
    };
    let Scenario { topology, router, links, routing, selection, congestion, injection, .. } = scenario;
    if topology.map_kind() != MapKind::Mesh {
        let why = "goes straight on in a dimension: it is for meshes";
        return refuse(&["topology.kind"], why, "`topology.kind` must be \"mesh\"");
    }
    if !matches!(routing.scheme, RoutingScheme::DimensionOrder(_)) {
        let why = "has an address for one dimension after the other ahead of a packet";
        return refuse(&["routing.algorithm"], why, "`routing.algorithm` must be \"dimension-order\"");
    }
    if router.options.vc_allocation != VcAllocation::Atomic {
        let why = "cuts packets in two, in VCs that no other packet is in, not \"non-atomic\" ones";
        return refuse(&["router.vc_allocation"], why, "`router.vc_allocation` must be \"atomic\"");
    }
    if selection.count_at != CountAt::Head {
        let why = "counts a packet where it comes to the front";
        return refuse(&["selection.count_at"], why, "`selection.count_at` must be \"head\"");
    }
    if !links.down.is_empty() {
        let why = "has no links that go down: a dead address that is lost would be missed";
        return refuse(&["links.down"], why, "there must be no `links.down`");
    }
    if injection.control == ControlKind::CongestionControl
        || congestion.threshold.as_slice().iter().any(|&threshold| threshold > 0)
    {
        let why = "has no congestion control: its routers do not mark";
        let note = "`congestion.threshold` must be 0, and `injection.control` another one than \"congestion-control\"";
        return refuse(&["injection.control", "congestion.threshold"], why, note);
    }
    sizes(scenario, refuse)
}

/// A packet with all its addresses is no longer than a header can tell, and an address that is blocked fits a buffer, with what is behind it.
fn sizes(
    scenario: &Scenario,
    refuse: impl Fn(&[&str], &str, &str) -> Result<(), Problem>,
) -> Result<(), Problem> {
    let Scenario { topology, router, .. } = scenario;
    let address = u32::from(router.options.address_flits);
    let addresses = address * topology.dims().map_or(0, |dims| dims.len() as u32);
    let most = (1 << LENGTH_BITS) - 1 - addresses;
    let longest = scenario.longest_packet();
    if longest > most {
        let why =
            format!("sends up to {addresses} flits of addresses ahead of a packet: {longest} are too many");
        let note = format!("`traffic.packet_flits` and `traffic.reply_flits` must be up to {most}");
        return refuse(&["traffic.packet_flits", "traffic.reply_flits"], &why, &note);
    }
    let (class, room) = (topology.classes()[1], router.buffer_flits[PortClass::LOCAL]);
    if room <= address {
        let why = format!("keeps an address of {address} flits and a flit behind it, not {room} flits");
        let buffer = format!("router.buffer_flits.{class}");
        let note = format!("`{buffer}` must be from {} to 65535", address + 1);
        return refuse(&[&buffer, "router.address_flits"], &why, &note);
    }
    Ok(())
}
