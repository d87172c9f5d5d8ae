//! What concerns several tables at once.

use router_core::notice;
use router_core::route::ugal_dragonfly::Knowledge;
use router_core::route::{HopKind, Needs};
use router_core::select::PortRule;
use router_core::settings::{Choice, Word as _};

use super::bubbles;
use super::circuits;
use super::discards;
use super::knowledge;
use super::lifetimes;
use super::link_credits;
use super::model::*;
use super::multicast;
use super::pipeline;
use super::postman;
use super::reservation;
use super::shared_places;
use super::vl_arbitration;
use super::{depths, rate};
use crate::document::{Document, Problem};
use router_core::units::PortClass;

/// Refuses the scenario when its parts do not fit together; `document` has the lines and columns of those that were written.
pub(super) fn check(scenario: &Scenario, document: &Document) -> Result<(), Problem> {
    dimensions(scenario, document)?;
    vcs(scenario, document)?;
    whole_packets(scenario, document)?;
    buffers(scenario, document)?;
    bubbles::check(scenario, document)?;
    replies(scenario, document)?;
    static_rate(scenario, document)?;
    indexes(scenario, document)?;
    turns(scenario, document)?;
    links(&scenario.router, document)?;
    link_credits::check(scenario, document)?;
    vl_arbitration::check(&scenario.router, document)?;
    knowledge::check(scenario, document)?;
    notices(scenario, document)?;
    circuits::check(scenario, document)?;
    postman::check(scenario, document)?;
    pipeline::check(scenario, document)?;
    shared_places::check(scenario, document)?;
    depths::check(scenario, document)?;
    rate::check(scenario, document)?;
    discards::check(scenario, document)?;
    lifetimes::check(&scenario.router, document)?;
    channels(scenario, document)?;
    reservation::check(scenario, document)?;
    multicast::check(scenario, document)?;
    outputs(&scenario.router, document)
}

/// As many dimensions as the routing is for.
fn dimensions(scenario: &Scenario, document: &Document) -> Result<(), Problem> {
    let Scenario { topology, routing, .. } = scenario;
    let (Some(needed), Some(dims)) = (routing.dimensions(), topology.dims()) else { return Ok(()) };
    if usize::from(needed) == dims.len() {
        return Ok(());
    }
    let settings = routing.lines();
    let keys: Vec<_> = settings.iter().map(|(key, _)| format!("routing.{key}")).collect();
    let others = ["routing.algorithm", "topology.dims"];
    let paths: Vec<_> = keys.iter().map(String::as_str).chain(others).collect();
    let settings: Vec<_> = settings.iter().map(|(_, value)| format!(" with {value}")).collect();
    let (word, has) = (routing.word(), dims.len());
    let message = format!("{word} routing{} is for {needed} dimensions, not {has}", settings.concat());
    Err(Problem::new(document.blame(&paths), message)
        .note(format!("`topology.dims` must be a list of {needed} sizes")))
}

/// Enough VCs for the longest route, or for the datelines.
fn vcs(scenario: &Scenario, document: &Document) -> Result<(), Problem> {
    let Scenario { topology, routing, router, .. } = scenario;
    let on = topology.map_kind();
    let Needs { vcs, whose } = routing.needs(on);
    // Settings of the scheme are to blame when others would need less.
    let settings = match routing.at_defaults().needs(on).vcs == vcs {
        true => Vec::new(),
        false => routing.lines().iter().map(|(key, _)| format!("routing.{key}")).collect(),
    };
    // Further classes are as the last one.
    for class in (1..topology.classes().len()).map(|class| PortClass::new(class as u8)) {
        let needed = u32::from(if class == PortClass::LOCAL { vcs.local } else { vcs.global });
        let needed = needed + if needed > 0 { scenario.vcs_of_groups() } else { 0 };
        if topology.has(class) && router.vcs[class] < needed {
            let (kind, has) = (topology.classes()[class.index()], router.vcs[class]);
            let vcs = format!("router.vcs.{kind}");
            let mut paths = vec![vcs.as_str()];
            paths.extend(settings.iter().map(String::as_str));
            paths.extend(["routing.algorithm", "topology.kind"]);
            let at = document.blame(&paths);
            return Err(Problem::new(at, format!("{whose} needs at least {needed} {kind} VCs, not {has}"))
                .note(format!("`router.vcs.{kind}` must be from {needed} to 8")));
        }
    }
    Ok(())
}

/// Not wormhole, where the routing rests on room for whole packets, unless no two packets are ever in a VC.
fn whole_packets(scenario: &Scenario, document: &Document) -> Result<(), Problem> {
    let Scenario { routing, router, .. } = scenario;
    let is_free =
        !router.options.flow_control.by_flit() || router.options.vc_allocation == VcAllocation::Atomic;
    if is_free || !routing.whole_packets() {
        return Ok(());
    }
    let at = document.blame(&["router.flow_control", "router.vc_allocation", "routing.algorithm"]);
    let message = format!(
        "{} routing is free of deadlock only where a buffer has room for the whole packet, not with \"wormhole\" and VCs that packets share",
        routing.word()
    );
    // An escape ring has bubbles, and no other allocation of VCs.
    let or = if routing.bubbles() { "" } else { ", or `router.vc_allocation` \"atomic\"" };
    let note = format!("`router.flow_control` must be \"vct\" or \"store-and-forward\"{or}");
    Err(Problem::new(at, message).note(note))
}

/// Room for a whole packet wherever it must wait in one piece.
fn buffers(scenario: &Scenario, document: &Document) -> Result<(), Problem> {
    let Scenario { topology, router, routing, traffic, .. } = scenario;
    let (flow_control, buffer_flits) = (router.options.flow_control, &router.buffer_flits);
    let misroutes = routing.detours().contains(&HopKind::LocalMisroute);
    let word = routing.word();
    let needs_whole = |class: PortClass| match flow_control {
        FlowControl::Vct | FlowControl::StoreAndForward => Some(format!("\"{}\" needs", flow_control.word())),
        _ if misroutes && class == PortClass::LOCAL => {
            Some(format!("the local misroutes of \"{word}\" need"))
        }
        _ if routing.scheme.insists_on(class) => Some(format!("the detours that \"{word}\" insists on need")),
        _ => None,
    };
    let packet = scenario.longest_packet();
    let key = match packet {
        _ if packet == traffic.packet_flits.longest() => "traffic.packet_flits",
        _ if packet == traffic.reply_flits => "traffic.reply_flits",
        _ if packet == scenario.answer_flits() => "routing.ack_flits",
        _ => "congestion.notification_flits",
    };
    for ((class, _), kind) in buffer_flits.iter().zip(topology.classes()) {
        // A misroute of a wormhole takes a VC that holds the whole packet, and waits for no other one.
        let is_deepest_enough =
            flow_control.by_flit() && router.has_depths(class) && !routing.scheme.insists_on(class);
        let room = if is_deepest_enough { router.buffer_flits[class] } else { router.kept_flits(class) };
        let Some(why) = needs_whole(class).filter(|_| topology.has(class) && packet > room) else { continue };
        if router.shares(class) {
            let reserved = format!("router.reserved_flits.{kind}");
            let at = document.blame(&[&reserved, "router.reserved_flits", key, "infiniband.mtu_bytes"]);
            let message = format!(
                "a packet of {packet} flits does not fit into the {room} that are reserved for a {kind} VC: it would wait for what other VCs hold, as {why} room for it"
            );
            return Err(Problem::new(at, message)
                .note(format!("the longest packet of `{key}` has {packet} flits, `{reserved}` is {room}")));
        }
        let buffer = format!("router.buffer_flits.{kind}");
        let at = document.blame(&[key, "infiniband.mtu_bytes", &buffer, "router.flow_control"]);
        let message =
            format!("a packet of {packet} flits does not fit into a {kind} buffer of {room} flits, as {why}");
        return Err(Problem::new(at, message)
            .note(format!("the longest packet of `{key}` has {packet} flits, `{buffer}` is {room}")));
    }
    Ok(())
}

/// What counts packets without a reply needs replies.
fn replies(scenario: &Scenario, document: &Document) -> Result<(), Problem> {
    if scenario.injection.control != ControlKind::Window || scenario.answer_flits() > 0 {
        return Ok(());
    }
    let at = document.blame(&["traffic.reply_flits", "injection.control"]);
    let message = "a window is opened by replies, but no packet has one";
    Err(Problem::new(at, message).note("`traffic.reply_flits` must be from 1 to 1023"))
}

/// What waits for one destination alone lets others pass.
fn static_rate(scenario: &Scenario, document: &Document) -> Result<(), Problem> {
    let (injection, scope) = (&scenario.injection, scenario.congestion.scope);
    let (why, note) = match (injection.control, scope) {
        _ if !injection.static_rate => return Ok(()),
        (ControlKind::Window, _) => {
            ("a window counts the packets to all destinations", "`injection.control` must be another one")
        }
        (ControlKind::CongestionControl, ControlScope::Node) => (
            "a notification holds back all destinations of a node",
            "`congestion.scope` must be \"destination\"",
        ),
        _ if scenario.has_groups() => (
            "a message for a group has several of them",
            "`traffic.pattern` must be another one than \"multicast\"",
        ),
        _ if scenario.reservation().is_some() => (
            "packets that have asked for a place keep their order",
            "`routing.knowledge` must be another one",
        ),
        _ => return Ok(()),
    };
    let at = document.blame(&["injection.static_rate"]);
    Err(Problem::new(at, format!("a static rate has a queue for each destination, but {why}")).note(note))
}

/// Outputs in turn are drawn as packets come to the front.
fn turns(scenario: &Scenario, document: &Document) -> Result<(), Problem> {
    let selection = &scenario.selection;
    if selection.preference.ports != PortRule::Cyclic || selection.count_at == CountAt::Head {
        return Ok(());
    }
    let at = document.blame(&["selection.ports", "selection.count_at"]);
    let message =
        "\"cyclic\" takes turns in the order in which packets come to the front of a VC, not on \"arrival\"";
    Err(Problem::new(at, message).note("`selection.count_at` must be \"head\""))
}

/// The lowest index of congestion control is not above the highest.
fn indexes(scenario: &Scenario, document: &Document) -> Result<(), Problem> {
    let adapter = &scenario.congestion.adapter;
    let (min, limit) = (u16::from(adapter.min), adapter.limit);
    if min <= limit {
        return Ok(());
    }
    let at = document.blame(&["congestion.ccti_min", "congestion.ccti_limit"]);
    let message =
        format!("`congestion.ccti_min` must not be above `congestion.ccti_limit`, but {min} > {limit}");
    Err(Problem::new(at, message))
}

/// Nothing that one node remembers of another, where they are channels of the same.
fn channels(scenario: &Scenario, document: &Document) -> Result<(), Problem> {
    let answers = scenario.answer_flits() > 0 || scenario.listens();
    if scenario.router.options.ejection == Ejection::Own || !answers {
        return Ok(());
    }
    let keys = ["router.ejection", "traffic.reply_flits", "routing.algorithm", "injection.control"];
    let message = "what answers a packet comes from the channel that it came to, not from \"any\"";
    Err(Problem::new(document.blame(&keys), message).note("`router.ejection` must be \"own\""))
}

/// Routers whose broadcasts new packets react to have groups, and not too many.
fn notices(scenario: &Scenario, document: &Document) -> Result<(), Problem> {
    let Scenario { topology, routing, selection, .. } = scenario;
    let counts = selection.trigger.listens();
    if !counts && !scenario.heeds_flags() {
        return Ok(());
    }
    let word = if counts { selection.trigger.word() } else { Knowledge::GroupEachCycle.word() };
    if counts && !routing.counts_groups() {
        let able = RoutingScheme::all().filter(RoutingScheme::counts_groups);
        let able: Vec<_> = able.map(|scheme| format!("\"{}\"", scheme.word())).collect();
        let at = document.blame(&["selection.trigger", "routing.algorithm"]);
        let message = format!(
            "\"{word}\" counts the packets of a group that leave for another one, which \"{}\" does not misroute there",
            routing.word()
        );
        return Err(
            Problem::new(at, message).note(format!("`routing.algorithm` must be one of {}", able.join(", ")))
        );
    }
    if matches!(topology, Topology::Dragonfly(of) if of.local_links > 1) {
        let at = document.blame(&["topology.local_links", "selection.trigger", "routing.knowledge"]);
        let message = format!("\"{word}\" tells the routers of a group by the one link to each of them");
        return Err(Problem::new(at, message).note("`topology.local_links` must be 1"));
    }
    let groups = topology.groups().map_or(0, |groups| groups.len() as u32);
    if groups > notice::GROUPS {
        let at = document.blame(&["topology.groups", "topology.h", "selection.trigger", "routing.knowledge"]);
        let message = format!("\"{word}\" is for networks of up to {} groups, not {groups}", notice::GROUPS);
        return Err(Problem::new(at, message));
    }
    Ok(())
}

/// A packet that holds a link has room for all of it behind it.
fn links(router: &RouterSettings, document: &Document) -> Result<(), Problem> {
    if router.options.allocation_unit == AllocationUnit::Flit || !router.options.flow_control.by_flit() {
        return Ok(());
    }
    let at = document.blame(&["router.allocation_unit", "router.flow_control"]);
    let word = router.options.flow_control.word();
    let message = format!(
        "\"packet\" needs room for the whole packet behind an output, not \"{word}\": one that waits would hold its link before all VCs"
    );
    Err(Problem::new(at, message)
        .note("`router.flow_control` must be \"vct\" or \"store-and-forward\", or `router.allocation_unit` \"flit\""))
}

/// An output takes a flit in every internal cycle.
fn outputs(router: &RouterSettings, document: &Document) -> Result<(), Problem> {
    let Options { output_flits, speedup, .. } = router.options;
    if output_flits >= speedup {
        return Ok(());
    }
    let at = document.blame(&["router.output_flits", "router.speedup"]);
    let message =
        format!("`router.output_flits` must be at least `router.speedup`, but {output_flits} < {speedup}");
    Err(Problem::new(at, message))
}
