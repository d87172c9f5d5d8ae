//! `router.discards`: what does not go together with packets that are discarded.

use router_core::route::forwarding::ForwardingScheme;
use router_core::settings::Word as _;

use super::model::*;
use crate::document::{Document, Problem};

/// Refuses what they are not written for.
pub(super) fn check(scenario: &Scenario, document: &Document) -> Result<(), Problem> {
    let Scenario { router, routing, .. } = scenario;
    if !router.options.discards {
        return Ok(());
    }
    let refuse = |path: &str, why: String, note: &str| {
        let at = document.blame(&["router.discards", path]);
        Err(Problem::new(at, format!("`router.discards` {why}")).note(note.to_owned()))
    };
    if routing.scheme != ForwardingScheme.into() {
        let why = format!("is about forwarding tables that are given, not \"{}\"", routing.word());
        return refuse("routing.algorithm", why, "`routing.algorithm` must be \"forwarding\"");
    }
    let flow = router.options.flow_control;
    if flow.is_atomic() {
        let why = format!("is not for \"{}\", which takes heads back", flow.word());
        let note = "`router.flow_control` must be \"vct\", \"wormhole\" or \"store-and-forward\"";
        return refuse("router.flow_control", why, note);
    }
    if router.options.ejection == Ejection::Any {
        let why = "compares the port of a node with the one that its packet came by, not \"any\"".to_owned();
        return refuse("router.ejection", why, "`router.ejection` must be \"own\"");
    }
    Ok(())
}
