//! Buffers whose places the VCs of a port share.

use super::PerClass;
use super::model::*;
use crate::document::{Data, Document, Problem, Section};
use router_core::route::HopKind;
use router_core::settings::{Choice as _, Word as _};
use router_core::units::PortClass;

const KEY: &str = "reserved_flits";

/// A whole number for every class of link but that to nodes, or a table with one for some of these.
pub(super) fn read(
    section: &Section<'_>,
    classes: &[&str],
    default: PerClass<u32>,
) -> Result<PerClass<u32>, Problem> {
    let Some(field) = section.get(KEY) else { return Ok(default) };
    let between = classes.get(1..).unwrap_or_default();
    if !matches!(field.value.data, Data::Table(_)) {
        let all = PerClass::read(section, KEY, classes, 1..=65_535, default)?;
        return Ok(all.with(PortClass::NODE, 0));
    }
    let table = field.section(between)?;
    let each = between.iter().map(|name| {
        let of_class = table.get(name).map(|field| field.whole(1..=65_535));
        of_class.unwrap_or(Ok(0))
    });
    let each = std::iter::once(Ok(0)).chain(each).collect::<Result<Vec<_>, _>>()?;
    Ok(PerClass::new(&each))
}

/// `{ local = 8 }`: the classes whose VCs share places.
pub(super) fn write(reserved: PerClass<u32>, classes: &[&str]) -> String {
    let each = reserved.iter().zip(classes).filter(|((_, flits), _)| *flits > 0);
    let each: Vec<_> = each.map(|((_, flits), name)| format!("{name} = {flits}")).collect();
    format!("{{ {} }}", each.join(", "))
}

/// Refuses what shared places have no rule for.
pub(super) fn check(scenario: &Scenario, document: &Document) -> Result<(), Problem> {
    let Scenario { topology, router, links, routing, congestion, .. } = scenario;
    let named = topology.classes().iter().zip(router.reserved_flits.iter());
    let refuse = |paths: &[&str], why: String, note: String| {
        let at = document.blame(&[paths, &["router.reserved_flits"]].concat());
        Err(Problem::new(at, why).note(note))
    };
    for (kind, (class, reserved)) in named.filter(|(_, (class, _))| topology.has(*class)) {
        let buffer = router.buffer_flits[class];
        if reserved > buffer {
            let path = format!("router.reserved_flits.{kind}");
            let why = format!("{reserved} flits cannot be reserved of a {kind} buffer of {buffer}");
            return refuse(&[&path], why, format!("`{path}` must be from 1 to {buffer}"));
        }
    }
    if !router.buffer_flits.iter().any(|(class, _)| topology.has(class) && router.shares(class)) {
        return Ok(());
    }
    let without = "or `router.reserved_flits` must be left out";
    // What is admitted is not kept: others may take shared places before the rest of a packet comes, so that it waits in two routers at once.
    let scheme = routing.scheme;
    if scheme.whole_packets() {
        let why = format!(
            "{} routing is free of deadlock only where a buffer has room for the whole packet, which shared places are not kept for",
            scheme.word()
        );
        let note = format!("`routing.algorithm` must be another one, {without}");
        return refuse(&["routing.algorithm"], why, note);
    }
    let closes_rings =
        matches!(scheme, RoutingScheme::Olm(_)) && scheme.detours().contains(&HopKind::LocalMisroute);
    if closes_rings && topology.has(PortClass::LOCAL) && router.shares(PortClass::LOCAL) {
        let [local, global] =
            [PortClass::LOCAL, PortClass::GLOBAL].map(|class| topology.classes()[class.index()]);
        let why = format!(
            "the local misroutes of \"{}\" need room for the whole packet, which shared places are not kept for",
            scheme.word()
        );
        let path = format!("router.reserved_flits.{local}");
        let note = format!(
            "`{path}` must be left out: `router.reserved_flits = {{ {global} = … }}` shares places at {global} ports alone"
        );
        return refuse(&[&path], why, note);
    }
    if router.options.vc_allocation != VcAllocation::NonAtomic {
        let word = router.options.vc_allocation.word();
        let why = format!("virtual channels that are allocated \"{word}\" share no places");
        let note = format!("`router.vc_allocation` must be \"non-atomic\", {without}");
        return refuse(&["router.vc_allocation", "router.flow_control"], why, note);
    }
    if router.options.allocation_unit == AllocationUnit::Packet {
        let why =
            "a packet that an output is allocated to would hold it while shared places are taken by others";
        let note = format!("`router.allocation_unit` must be \"flit\", {without}");
        return refuse(&["router.allocation_unit"], why.to_owned(), note);
    }
    if congestion.marks_anything() {
        let why = "marks are set by how full the buffer of a VC is, which has no size of its own where places are shared";
        return refuse(
            &["congestion.threshold"],
            why.to_owned(),
            format!("`congestion.threshold` must be 0, {without}"),
        );
    }
    if links.credits != CreditForm::default() {
        let why = format!(
            "\"{}\" credits say how many flits each VC takes, which have no places in common",
            links.credits.word()
        );
        return refuse(&["links.credits"], why, format!("`links.credits` must be left out, {without}"));
    }
    Ok(())
}
