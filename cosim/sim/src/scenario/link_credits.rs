//! `links.credits`, `links.packet_loss`, `links.credit_loss`, `links.credit_flits`, `links.credit_latency`: what they do not go together with.

use super::model::*;
use crate::document::{Document, Problem};
use router_core::absolute_credits::{BLOCK_BYTES, MOST_ROOM, PACKET_BYTES};
use router_core::route::RoutingScheme;
use router_core::route::ugal_dragonfly::Knowledge;
use router_core::settings::Word as _;
use router_core::units::PortClass;

/// Refuses what they are not written for.
pub(super) fn check(scenario: &Scenario, document: &Document) -> Result<(), Problem> {
    let Scenario { router, links, routing, .. } = scenario;
    latency(router, links, document)?;
    if !links.is_tapped() {
        return Ok(());
    }
    let key = if links.loss.packets > 0.0 {
        "links.packet_loss"
    } else if links.loss.credits > 0.0 {
        "links.credit_loss"
    } else if links.credit_flits > 1 {
        "links.credit_flits"
    } else {
        "links.credits"
    };
    let refuse = |path: &str, why: String, note: String| {
        Err(Problem::new(document.blame(&[key, path]), format!("`{key}` {why}")).note(note))
    };
    let flow = router.options.flow_control;
    if flow.is_atomic() {
        let why = format!("is not for \"{}\", which takes heads back", flow.word());
        let note = "`router.flow_control` must be \"vct\", \"wormhole\" or \"store-and-forward\"";
        return refuse("router.flow_control", why, note.to_owned());
    }
    if !links.down.is_empty() {
        let why = "is about links that stay up".to_owned();
        return refuse("links.down", why, "`links.down` must be left out".to_owned());
    }
    if let RoutingScheme::UgalDragonfly(scheme) = routing.scheme
        && scheme.knowledge == Knowledge::Credits
    {
        let why = "is not for routers that hold credits back".to_owned();
        return refuse("routing.knowledge", why, "`routing.knowledge` must not be \"credits\"".to_owned());
    }
    if links.loss.packets > 0.0 && scenario.reservation().is_some() {
        let why =
            "is not for packets that ask for a place: a question or an answer that is lost is waited for"
                .to_owned();
        return refuse(
            "routing.knowledge",
            why,
            "`routing.knowledge` must not be \"reservation\"".to_owned(),
        );
    }
    whole_credits(scenario, document)?;
    if links.credits == CreditForm::Absolute { absolute(router, links, document) } else { Ok(()) }
}

/// A credit for several flits: all packets are of whole credits, so that none is kept for a part of one, and none is lost.
fn whole_credits(scenario: &Scenario, document: &Document) -> Result<(), Problem> {
    let Scenario { topology, router, links, traffic, .. } = scenario;
    let flits = links.credit_flits;
    if flits == 1 {
        return Ok(());
    }
    let key = "links.credit_flits";
    let refuse = |path: &str, why: &str, note: &str| {
        Err(Problem::new(document.blame(&[key, path]), format!("`{key}` {why}")).note(note))
    };
    if links.loss != Loss::default() {
        let why = "is for links that lose nothing";
        return refuse("links.credit_loss", why, "`links.packet_loss` and `links.credit_loss` must be 0");
    }
    if links.credits == CreditForm::Absolute {
        let why = "is for credits that are pulses";
        return refuse("links.credits", why, "`links.credits` must be \"pulse\"");
    }
    let is_whole = matches!(traffic.packet_flits, PacketFlits::Same(length) if length.is_multiple_of(flits));
    if !is_whole || !traffic.reply_flits.is_multiple_of(flits) {
        let why = "is for packets of whole credits";
        let note = format!("`traffic.packet_flits` and `traffic.reply_flits` must be multiples of {flits}");
        return refuse("traffic.packet_flits", why, &note);
    }
    let between = [PortClass::LOCAL, PortClass::GLOBAL].into_iter().filter(|&class| topology.has(class));
    let least = between.map(|class| router.kept_flits(class)).min().unwrap_or(flits);
    if least < flits {
        let why = format!(
            "cannot be {flits} where a virtual channel has {least} flits for itself: its places would wait for a credit that is never whole"
        );
        let note =
            "`router.buffer_flits`, and `router.reserved_flits` where it is set, must be as many at least";
        return refuse("router.reserved_flits", &why, note);
    }
    if scenario.has_paths()
        || scenario.reservation().is_some()
        || scenario.injection.control == ControlKind::CongestionControl
    {
        let why = "is for packets of whole credits, not for messages of a few flits";
        let note = "there must be no paths that sources choose, no reservation and no congestion control";
        return refuse("injection.control", why, note);
    }
    Ok(())
}

/// Answers of circuits come with credits, and flow control packets with flits.
fn latency(router: &RouterSettings, links: &LinkSettings, document: &Document) -> Result<(), Problem> {
    if links.credit_latency == links.latency {
        return Ok(());
    }
    let key = "links.credit_latency";
    let refuse = |path: &str, why: &str, note: &str| {
        Err(Problem::new(document.blame(&[key, path]), format!("`{key}` {why}")).note(note))
    };
    let flow = router.options.flow_control;
    if flow.is_atomic() {
        let why = format!("is not for \"{}\", whose answers take as long as flits", flow.word());
        let note = "`router.flow_control` must be \"vct\", \"wormhole\" or \"store-and-forward\"";
        return refuse("router.flow_control", &why, note);
    }
    if links.credits == CreditForm::Absolute {
        let why = "is for credits that are pulses: flow control packets take as long as flits";
        return refuse("links.credits", why, "`links.credits` must be \"pulse\"");
    }
    Ok(())
}

/// What flow control packets have no room for.
fn absolute(router: &RouterSettings, links: &LinkSettings, document: &Document) -> Result<(), Problem> {
    let (vcs, period) = (router.vcs.highest(), links.credit_period);
    // Half of a link at most.
    let least = (2 * PACKET_BYTES * vcs).div_ceil(BLOCK_BYTES);
    if period < least {
        let path = "links.credit_period";
        let message = format!(
            "flow control packets of {vcs} virtual channels, with a `{path}` of {period}, take more than half of a link"
        );
        return Err(Problem::new(document.blame(&[path, "router.vcs", "links.credits"]), message)
            .note(format!("`{path}` must be at least {least}")));
    }
    let (flits, most) = (router.buffer_flits.highest(), u32::from(MOST_ROOM));
    if flits > most {
        let path = "router.buffer_flits";
        let message = format!("absolute credits are for buffers of up to {most} flits, not {flits}");
        return Err(Problem::new(document.blame(&[path, "links.credits"]), message)
            .note(format!("`{path}` must be at most {most}, or `links.credits` \"pulse\"")));
    }
    Ok(())
}
