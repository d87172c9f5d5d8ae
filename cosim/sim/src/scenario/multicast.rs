//! What does not go together with messages for groups of nodes.

use router_core::settings::Word as _;
use router_core::units::PortClass;

use super::model::*;
use crate::document::{Document, Problem};

impl Scenario {
    /// Whether some messages are for groups of nodes.
    #[must_use]
    pub fn has_groups(&self) -> bool {
        self.traffic.pattern.multicasts() > 0
    }

    /// VCs of each link between routers that messages for groups have for themselves: the highest, where there are several.
    #[must_use]
    pub fn vcs_of_groups(&self) -> u32 {
        let between = self
            .router
            .vcs
            .iter()
            .filter(|(class, _)| *class != PortClass::NODE && self.topology.has(*class));
        let fewest = between.map(|(_, vcs)| vcs).min().unwrap_or(0);
        u32::from(self.has_groups() && fewest > 1)
    }
}

/// Refuses what copies of a message have no rule for.
pub(super) fn check(scenario: &Scenario, document: &Document) -> Result<(), Problem> {
    if !scenario.has_groups() {
        return Ok(());
    }
    let Scenario { topology, router, links, routing, traffic, injection, congestion, .. } = scenario;
    let refuse = |path: &str, why: &str, note: &str| {
        let at = document.blame(&[path, "traffic.pattern"]);
        Err(Problem::new(at, format!("the pattern \"multicast\" {why}")).note(note.to_owned()))
    };
    if traffic.pattern.multicasts() > 1 {
        let why = "is there more than once";
        return refuse("traffic.pattern", why, "one pattern \"multicast\" has all groups");
    }
    if !matches!(router.options.flow_control, FlowControl::Vct | FlowControl::StoreAndForward) {
        let why = format!(
            "keeps a whole packet until each copy has left, not with \"{}\"",
            router.options.flow_control.word()
        );
        let note = "`router.flow_control` must be \"vct\" or \"store-and-forward\"";
        return refuse("router.flow_control", &why, note);
    }
    if router.options.vc_allocation == VcAllocation::Bubble {
        let why = "has no ring to escape by";
        return refuse(
            "router.vc_allocation",
            why,
            "`router.vc_allocation` must be \"non-atomic\" or \"atomic\"",
        );
    }
    if router.options.pipeline.registers_requests() {
        let why = "has no copies where requests are registered";
        return refuse("router.pipeline", why, "`router.pipeline` must be 4");
    }
    if router.options.discards {
        let why = "has no packets that are discarded";
        return refuse("router.discards", why, "`router.discards` must be false");
    }
    if router.has_lifetimes() {
        let why = "has no packets that are discarded";
        return refuse(
            "router.head_lifetime",
            why,
            "`router.head_lifetime` and `router.packet_lifetime` must be 0",
        );
    }
    if router.options.ejection == Ejection::Any {
        let why = "has a copy for each node, not for \"any\" channel of it";
        return refuse("router.ejection", why, "`router.ejection` must be \"own\"");
    }
    if router.reserved_flits.iter().any(|(class, _)| topology.has(class) && router.shares(class)) {
        let why = "keeps a whole packet, which shared places are not kept for";
        return refuse("router.reserved_flits", why, "`router.reserved_flits` must be left out");
    }
    if !links.down.is_empty() || links.loss != Loss::default() {
        let why = "has no links that lose what they carry: a copy that is lost is never sent again";
        let note = "`links.down`, `links.packet_loss` and `links.credit_loss` must be left out";
        return refuse(if links.down.is_empty() { "links" } else { "links.down" }, why, note);
    }
    if scenario.answer_flits() > 0 || scenario.has_paths() || scenario.reservation().is_some() {
        let why = "is for messages that nobody answers";
        let note = "`traffic.reply_flits` must be 0, and the routing one whose sources get no notifications";
        return refuse(
            if traffic.reply_flits > 0 { "traffic.reply_flits" } else { "routing.algorithm" },
            why,
            note,
        );
    }
    if injection.control != ControlKind::Free || congestion.marks_anything() {
        let why = "is for sources that nothing holds back";
        let note = "`injection.control` must be \"free\", and `congestion.threshold` 0";
        return refuse("injection.control", why, note);
    }
    if !routing.updates.is_empty() {
        let why = "has trees that do not change";
        return refuse("routing.updates", why, "`routing.updates` must be left out");
    }
    if matches!(routing.scheme, RoutingScheme::UgalDragonfly(_)) {
        let why = "is not for \"ugal-dragonfly\", which weighs two ways of each new packet";
        return refuse("routing.algorithm", why, "`routing.algorithm` must be another one");
    }
    if routing.own.is_some() {
        let why = "is not for a routing of this program's own";
        return refuse("routing.algorithm", why, "`routing.algorithm` must be another one");
    }
    let classes = topology.classes().len();
    let between: Vec<u32> = (1..classes)
        .map(|class| PortClass::new(class as u8))
        .filter(|class| topology.has(*class))
        .map(|class| router.vcs[class])
        .collect();
    if between.windows(2).any(|pair| pair[0] != pair[1]) {
        let why = "takes one VC of all links between routers";
        return refuse("router.vcs", why, "`router.vcs` must be one number for all links between routers");
    }
    Ok(())
}
