//! What is known where it is decided which way a packet takes, and what goes with it.

use router_core::route::ugal_dragonfly::Knowledge;
use router_core::settings::{Choice as _, Word as _};

use super::model::*;
use crate::document::{Document, Problem};

impl Scenario {
    /// What is known where it is decided which way a packet takes, if the routing is UGAL on a Dragonfly.
    #[must_use]
    pub fn knowledge(&self) -> Option<Knowledge> {
        match self.routing.scheme {
            RoutingScheme::UgalDragonfly(scheme) => Some(scheme.knowledge),
            _ => None,
        }
    }

    /// Whether packets react to flags of their group while they wait.
    #[must_use]
    pub fn heeds_flags(&self) -> bool {
        self.knowledge() == Some(Knowledge::GroupEachCycle)
    }
}

/// Flags are heeded where queues are compared.
pub(super) fn check(scenario: &Scenario, document: &Document) -> Result<(), Problem> {
    let trigger = scenario.selection.trigger;
    if !scenario.heeds_flags() || matches!(trigger, Selection::Ugal(_)) {
        return Ok(());
    }
    let at = document.blame(&["selection.trigger", "routing.knowledge"]);
    let (word, trigger) = (Knowledge::GroupEachCycle.word(), trigger.word());
    let message = format!(
        "`routing.knowledge = \"{word}\"` compares queues in each cycle in which a packet waits, \"{trigger}\" does not"
    );
    Err(Problem::new(at, message).note("`selection.trigger` must be \"ugal\""))
}
