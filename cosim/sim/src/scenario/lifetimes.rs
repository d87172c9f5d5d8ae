//! `router.head_lifetime`, `router.vl_stall_count` and `router.packet_lifetime`: for how long a packet waits at the head of a queue, and may be
//! in a router.

use router_core::lifetime::{HeadLimit, Lifetimes, TICKS};
use router_core::plan::Plan;
use router_core::settings::Word as _;

use super::model::*;
use crate::document::{Document, Problem, Section};

impl RouterSettings {
    /// The limits of all outputs of a plan.
    pub(crate) fn lifetimes<const P: usize>(&self, plan: &Plan<P>) -> Lifetimes<P> {
        let mut all = Lifetimes::new(self.options.speedup as u8);
        for port in plan.links.each() {
            let class = plan.links.class(port);
            let (cycles, stall_count) = (self.head_lifetime[class], self.vl_stall_count[class] as u8);
            all.set_limit(port, HeadLimit { cycles, stall_count });
        }
        all.set_packet_limit(self.options.packet_lifetime);
        all
    }
}

/// Refuses a `router.packet_lifetime` that is not whole ticks.
pub(super) fn are_whole_ticks(section: &Section<'_>, cycles: u32) -> Result<(), Problem> {
    let Some(field) = section.get("packet_lifetime") else { return Ok(()) };
    if cycles.is_multiple_of(TICKS as u32) {
        return Ok(());
    }
    let message = format!("`{}` has to be a multiple of {TICKS}, not {cycles}", field.path);
    Err(field.refuse(message).note("the clock by which packets grow old ticks four times in it"))
}

/// Refuses what they are not written for.
pub(super) fn check(router: &RouterSettings, document: &Document) -> Result<(), Problem> {
    let flow = router.options.flow_control;
    if router.head_lifetime.highest() == 0 && router.vl_stall_count.highest() > 0 {
        let message = "`router.vl_stall_count` counts packets that are discarded since they waited too long, but none is";
        return Err(Problem::new(document.blame(&["router.vl_stall_count"]), message)
            .note("`router.head_lifetime` must be above 0, or `infiniband.hoq_life` below 20"));
    }
    if router.has_lifetimes() && flow.is_atomic() {
        let is_of_heads = router.head_lifetime.highest() > 0;
        let (key, value) = if is_of_heads {
            ("router.head_lifetime", "infiniband.hoq_life")
        } else {
            ("router.packet_lifetime", "infiniband.lifetime_value")
        };
        let keys = [key, value, "router.flow_control"];
        let message = format!("`{key}` is not for \"{}\", which takes heads back", flow.word());
        let note = "`router.flow_control` must be \"vct\", \"wormhole\" or \"store-and-forward\"";
        return Err(Problem::new(document.blame(&keys), message).note(note));
    }
    Ok(())
}
