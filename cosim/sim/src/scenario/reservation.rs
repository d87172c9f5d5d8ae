//! What does not go together with packets that ask for places on global links.

use router_core::route::ugal_dragonfly::Knowledge;
use router_core::settings::Word as _;

use super::model::*;
use crate::document::{Document, Problem};

/// Refuses what would leave a question without an answer, a place with a packet that never crosses, or a packet that has not asked.
pub(super) fn check(scenario: &Scenario, document: &Document) -> Result<(), Problem> {
    let Scenario { router, traffic, injection, links, .. } = scenario;
    if scenario.reservation().is_none() {
        return Ok(());
    }
    let refuse = |path: &str, why: &str, note: &str| {
        let at = document.blame(&[path, "routing.knowledge"]);
        let word = Knowledge::Reservation.word();
        Err(Problem::new(at, format!("`routing.knowledge = \"{word}\"` {why}")).note(note.to_owned()))
    };
    if router.options.flow_control.is_atomic() {
        let why =
            format!("has no \"{}\": questions are packets of one flit", router.options.flow_control.word());
        let note = "`router.flow_control` must be \"vct\", \"wormhole\" or \"store-and-forward\"";
        return refuse("router.flow_control", &why, note);
    }
    if !links.down.is_empty() {
        let why = "has no links that go down: a packet that is lost never gives its place back";
        return refuse("links.down", why, "there must be no `links.down`");
    }
    if router.has_lifetimes() {
        let why = "has no packets that are discarded: one that is lost never gives its place back";
        return refuse("router.head_lifetime", why, "`router.head_lifetime` must be 0");
    }
    if traffic.reply_flits > 0 {
        let why = "is for requests: replies ask for no place";
        return refuse("traffic.reply_flits", why, "`traffic.reply_flits` must be 0");
    }
    if injection.control != ControlKind::Free {
        let why = "holds packets back until they are answered, and nothing else does";
        return refuse("injection.control", why, "`injection.control` must be \"free\"");
    }
    if router.options.ejection == Ejection::Any {
        let why = "has answers that come from the channel that was asked, not from \"any\"";
        return refuse("router.ejection", why, "`router.ejection` must be \"own\"");
    }
    Ok(())
}
