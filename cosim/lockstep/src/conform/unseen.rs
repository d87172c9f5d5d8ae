//! What the scenario promises and the check does not look at, with the reason.

use super::pins::FlowPins;
use super::promise::Promise;
use super::rule::Rule;
use super::site::Site;
use desvio_sim::scenario::{CreditForm, Priority};
use router_core::select::{PortRule, Preference, VcRule};

/// A promise that is not looked at: its rule or its key in the scenario, and why.
pub type Unseen = (String, &'static str);

/// The promises of a scenario that a check of a switch with these outputs does not look at.
pub(super) fn unseen(site: &Site<'_>, output: &FlowPins) -> Vec<Unseen> {
    let scenario = site.blueprint.scenario();
    let (router, links) = (&scenario.router, &scenario.links);
    let promise = Promise::of(scenario);
    let shows_room = matches!(output, FlowPins::Credit { .. });
    let shows_free = shows_room || matches!(output, FlowPins::OnOff { freed: Some(_), .. });
    let is_atomic = site.wired().any(|port| promise.is_atomic(site.port(port).kind));
    let marks = site.wired().any(|port| scenario.congestion.threshold[site.port(port).kind] > 0);
    let detours = !scenario.routing.scheme.detours().is_empty() && !scenario.selection.trigger.is_never();
    let rules = [
        (Rule::RoomForAll, promise.is_whole() && !shows_free, ROOM),
        (Rule::RoomForTwo, promise.has_bubbles() && !shows_room, ROOM),
        (Rule::VcEmpty, is_atomic && !shows_free, "these outputs do not show when a VC is empty"),
        (
            Rule::FairShare,
            router.vl_arbitration.is_some(),
            "the weights of vl_arbitration say who gets how much",
        ),
    ];
    let Preference { ports, vcs } = scenario.selection.preference;
    let keys = [
        ("selection.trigger", detours, "when a detour is taken, of those that are legal"),
        ("selection.ports", ports != PortRule::Random, "which of several outputs with room is taken"),
        ("selection.vcs", vcs != VcRule::Random, "which of several VCs with room is taken"),
        (
            "router.priority",
            router.options.priority == Priority::Transit,
            "whether an input from a router goes before one from a node",
        ),
        ("router.vl_arbitration", router.vl_arbitration.is_some(), "the order of the VCs"),
        (
            "router.allocation_unit",
            promise.is_by_packet(),
            "whether an input sends a packet in one go; of outputs, PACKET-WHOLE does",
        ),
        ("router.discards", router.options.discards, "a packet that is discarded is FLIT-LOST"),
        (
            "router.head_lifetime",
            router.head_lifetime.highest() > 0,
            "a packet that is discarded is FLIT-LOST",
        ),
        (
            "router.packet_lifetime",
            router.options.packet_lifetime > 0,
            "a packet that is discarded is FLIT-LOST",
        ),
        (
            "congestion.threshold",
            marks,
            "which packets are marked; a mark is FLIT-CHANGED unless `rewrites` allows it",
        ),
        ("links.credits", links.credits == CreditForm::Absolute, "a credit is a pulse for one flit"),
        ("links.credit_flits", links.credit_flits > 1, "a credit is a pulse for one flit"),
    ];
    let rules = rules.into_iter().filter(|one| one.1).map(|(rule, _, why)| (rule.name().to_owned(), why));
    let keys = keys.into_iter().filter(|one| one.1).map(|(key, _, why)| (key.to_owned(), why));
    rules.chain(keys).collect()
}

const ROOM: &str = "these outputs do not show how much room the next buffer has";
