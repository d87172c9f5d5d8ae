//! What does not go together with requests that are registered.

use super::model::*;
use crate::document::{Document, Problem};
use router_core::settings::{Choice as _, Word as _};

/// Refuses what a pipeline of 5 has no rule for.
pub(super) fn check(scenario: &Scenario, document: &Document) -> Result<(), Problem> {
    let Scenario { router, selection, .. } = scenario;
    if !router.pipeline.registers_requests() {
        return Ok(());
    }
    let refuse = |path: &str, why: String, note: &str| {
        let at = document.blame(&[path, "router.pipeline"]);
        Err(Problem::new(at, format!("a pipeline of 5 {why}"))
            .note(format!("{note}, or `router.pipeline` 4")))
    };
    let RouterSettings { output_flits, speedup, .. } = *router;
    if router.flow_control.is_atomic() {
        let why = format!("is not for \"{}\", which takes heads back", router.flow_control.word());
        return refuse(
            "router.flow_control",
            why,
            "`router.flow_control` must be \"vct\", \"wormhole\" or \"store-and-forward\"",
        );
    }
    if router.allocation_unit == AllocationUnit::Packet {
        let why = "allocates flits, not packets: two of an input may have been admitted".to_owned();
        return refuse("router.allocation_unit", why, "`router.allocation_unit` must be \"flit\"");
    }
    if selection.trigger.asks_all() || selection.trigger.listens() {
        let why = format!(
            "registers a request for one output, and outputs take flits of no other, not \"{}\"",
            selection.trigger.word()
        );
        return refuse("selection.trigger", why, "`selection.trigger` must be another one");
    }
    if speedup > 1 && output_flits <= speedup {
        let why = format!(
            "keeps a place of each output for what has been admitted: `router.output_flits` must be above `router.speedup`, but {output_flits} <= {speedup}"
        );
        return refuse("router.output_flits", why, "`router.output_flits` must be larger");
    }
    Ok(())
}
