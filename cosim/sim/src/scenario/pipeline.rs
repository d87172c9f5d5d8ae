//! What does not go together with requests that are registered.

use super::model::*;
use crate::document::{Document, Problem};
use router_core::select::Selection;
use router_core::select::ectn::EctnTrigger;
use router_core::settings::{Choice as _, Word as _};

/// Refuses what a pipeline of 5 or 6 has no rule for.
pub(super) fn check(scenario: &Scenario, document: &Document) -> Result<(), Problem> {
    let Scenario { router, selection, .. } = scenario;
    if !router.options.pipeline.registers_requests() {
        return Ok(());
    }
    let cycles = router.options.pipeline.cycles();
    let refuse = |path: &str, why: String, note: &str| {
        let at = document.blame(&[path, "router.pipeline"]);
        Err(Problem::new(at, format!("a pipeline of {cycles} {why}"))
            .note(format!("{note}, or `router.pipeline` 4")))
    };
    let Options { output_flits, speedup, .. } = router.options;
    if router.options.flow_control.is_atomic() {
        let why = format!("is not for \"{}\", which takes heads back", router.options.flow_control.word());
        return refuse(
            "router.flow_control",
            why,
            "`router.flow_control` must be \"vct\", \"wormhole\" or \"store-and-forward\"",
        );
    }
    if router.options.allocation_unit == AllocationUnit::Packet {
        let why = "allocates flits, not packets: two of an input may have been admitted".to_owned();
        return refuse("router.allocation_unit", why, "`router.allocation_unit` must be \"flit\"");
    }
    let trigger = selection.trigger.word();
    if matches!(selection.trigger, Selection::Ectn(EctnTrigger { counters_per_flit: 1.., .. })) {
        let why = format!(
            "keeps places in outputs for what was admitted, and the notices of \"{trigger}\" take some"
        );
        let note = "`selection.ectn_counters_per_flit` must be 0: wires of their own";
        return refuse("selection.trigger", why, note);
    }
    if router.options.pipeline.registers_grants() && router.has_lifetimes() {
        let why = "grants in one cycle and sends in the next, when the time of a packet may be up".to_owned();
        let is_of_heads = router.head_lifetime.highest() > 0;
        let key = if is_of_heads { "router.head_lifetime" } else { "router.packet_lifetime" };
        return refuse(key, why, &format!("`{key}` must be left out"));
    }
    let kept = router.options.pipeline.ahead();
    if speedup > 1 && output_flits < speedup + kept {
        let why = format!(
            "keeps {} of each output for what has been admitted: `router.output_flits` must be at least `router.speedup` + {kept}, but {output_flits} < {speedup} + {kept}",
            if kept == 1 { "a place" } else { "2 places" }
        );
        return refuse("router.output_flits", why, "`router.output_flits` must be larger");
    }
    Ok(())
}
