//! `router.head_lifetime` and `router.vl_stall_count`: for how long a packet waits at the head of a queue.

use router_core::lifetime::{HeadLimit, Lifetimes};
use router_core::plan::Plan;
use router_core::settings::Word as _;
use router_core::units::PortSet;

use super::model::*;
use crate::document::{Document, Problem};

impl RouterSettings {
    /// The limits of all outputs of a plan.
    pub(crate) fn lifetimes<const P: usize>(&self, plan: &Plan<P>) -> Lifetimes<P> {
        let mut all = Lifetimes::new(self.speedup as u8);
        for port in PortSet::first_n(plan.radix().into()) {
            let class = plan.class(port);
            let (cycles, stall_count) = (self.head_lifetime[class], self.vl_stall_count[class] as u8);
            all.set_limit(port, HeadLimit { cycles, stall_count });
        }
        all
    }
}

/// Refuses what they are not written for.
pub(super) fn check(router: &RouterSettings, document: &Document) -> Result<(), Problem> {
    let flow = router.flow_control;
    if !router.has_lifetimes() {
        let is_alone = router.vl_stall_count.highest() > 0;
        let message = "`router.vl_stall_count` counts packets that are discarded since they waited too long, but none is";
        let refused = || Problem::new(document.blame(&["router.vl_stall_count"]), message);
        return if is_alone {
            Err(refused().note("`router.head_lifetime` must be above 0, or `infiniband.hoq_life` below 20"))
        } else {
            Ok(())
        };
    }
    if flow.is_atomic() {
        let keys = ["router.head_lifetime", "infiniband.hoq_life", "router.flow_control"];
        let message =
            format!("`router.head_lifetime` is not for \"{}\", which takes heads back", flow.word());
        let note = "`router.flow_control` must be \"vct\", \"wormhole\" or \"store-and-forward\"";
        return Err(Problem::new(document.blame(&keys), message).note(note));
    }
    Ok(())
}
