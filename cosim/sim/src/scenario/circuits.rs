//! What does not go together with circuits.

use super::model::*;
use crate::document::{Document, Problem};
use router_core::route::HopKind;
use router_core::settings::Word as _;

/// Refuses what a network with circuits cannot have.
pub(super) fn check(scenario: &Scenario, document: &Document) -> Result<(), Problem> {
    if !scenario.router.options.flow_control.is_circuit() {
        return Ok(());
    }
    let Scenario { router, routing, .. } = scenario;
    let refuse = |paths: &[&str], why: String, note: &str| {
        let at = document.blame(&[paths, &["router.flow_control"]].concat());
        let word = router.options.flow_control.word();
        Err(Problem::new(at, format!("\"{word}\" {why}")).note(note.to_owned()))
    };
    if router.options.vc_allocation != VcAllocation::Atomic {
        let why = "holds VCs that no other packet is in, not \"non-atomic\" ones".to_owned();
        return refuse(&["router.vc_allocation"], why, "`router.vc_allocation` must be \"atomic\"");
    }
    if !scenario.links.down.is_empty() {
        let why = "has no links that go down: an answer that is lost never comes".to_owned();
        return refuse(&["links.down"], why, "there must be no `links.down`");
    }
    if scenario.has_paths() {
        let why = "has no sources that balance paths".to_owned();
        let note = format!("`routing.algorithm` must be another one than \"{}\"", routing.word());
        return refuse(&["routing.algorithm"], why, &note);
    }
    if scenario.injection.control == ControlKind::CongestionControl
        || scenario.congestion.threshold.as_slice().iter().any(|&threshold| threshold > 0)
    {
        let why = "has no congestion control: its routers do not mark".to_owned();
        let note = "`congestion.threshold` must be 0, and `injection.control` another one than \"congestion-control\"";
        return refuse(&["injection.control", "congestion.threshold"], why, note);
    }
    let detours = routing.detours().iter().any(|kind| *kind != HopKind::Minimal);
    if router.options.flow_control.backtracks() && detours {
        let why = "tries ways that lead nearer to the destination, not the detours of a routing".to_owned();
        return refuse(
            &["routing.algorithm"],
            why,
            "`routing.algorithm` must be one without detours, such as \"multipath\"",
        );
    }
    messages(scenario, refuse)?;
    buffers(scenario, refuse)
}

/// A head, and something that waits for its answer.
fn messages(
    scenario: &Scenario,
    refuse: impl Fn(&[&str], String, &str) -> Result<(), Problem>,
) -> Result<(), Problem> {
    let (shortest, replies) = (scenario.traffic.packet_flits.shortest(), scenario.traffic.reply_flits);
    let why = || "sends a head ahead and at least one flit behind it, but a packet has 1 flit".to_owned();
    if shortest < 2 {
        return refuse(&["traffic.packet_flits"], why(), "`traffic.packet_flits` must be from 2 to 1023");
    }
    if replies == 1 {
        return refuse(&["traffic.reply_flits"], why(), "`traffic.reply_flits` must be 0, or from 2 to 1023");
    }
    Ok(())
}

/// Cycles, and so flits, from a flit on a link to the next one in the same place of the buffer behind it. A credit takes as long as a flit,
/// and a router holds the place for six internal cycles at most.
fn round_trip(latency: u32) -> u32 {
    2 * latency + 6
}

/// What has been sent is never kept waiting for credits.
fn buffers(
    scenario: &Scenario,
    refuse: impl Fn(&[&str], String, &str) -> Result<(), Problem>,
) -> Result<(), Problem> {
    let Scenario { topology, router, links, .. } = scenario;
    let sizes = router.buffer_flits.iter().zip(links.latency.iter()).zip(topology.classes());
    for (((class, room), (_, latency)), kind) in sizes {
        let needed = round_trip(latency);
        if topology.has(class) && room < needed {
            let buffer = format!("router.buffer_flits.{kind}");
            let why = format!(
                "sends data without flow control: a {kind} buffer needs a place for each cycle until its credit is back, {needed} with links of {latency}, not {room}"
            );
            let note = format!("`{buffer}` must be from {needed} to 65535");
            return refuse(&[&buffer, &format!("links.latency.{kind}")], why, &note);
        }
    }
    Ok(())
}
