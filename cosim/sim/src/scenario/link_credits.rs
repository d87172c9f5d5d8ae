//! `links.credits`, `links.packet_loss`, `links.credit_loss`: what they do not go together with.

use super::model::*;
use crate::document::{Document, Problem};
use router_core::absolute_credits::{BLOCK_BYTES, MOST_ROOM, PACKET_BYTES};
use router_core::route::RoutingScheme;
use router_core::route::ugal_dragonfly::Knowledge;
use router_core::settings::Word as _;

/// Refuses what they are not written for.
pub(super) fn check(scenario: &Scenario, document: &Document) -> Result<(), Problem> {
    let Scenario { router, links, routing, .. } = scenario;
    if !links.is_tapped() {
        return Ok(());
    }
    let key = if links.loss.packets > 0.0 {
        "links.packet_loss"
    } else if links.loss.credits > 0.0 {
        "links.credit_loss"
    } else {
        "links.credits"
    };
    let refuse = |path: &str, why: String, note: String| {
        Err(Problem::new(document.blame(&[key, path]), format!("`{key}` {why}")).note(note))
    };
    let flow = router.flow_control;
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
    if links.credits == CreditForm::Absolute { absolute(router, links, document) } else { Ok(()) }
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
