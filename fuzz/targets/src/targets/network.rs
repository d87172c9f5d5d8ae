//! The network of a scenario, where it is small.

use super::Outcome;
use desvio_sim::blueprint::Blueprint;
use desvio_sim::scenario::Scenario;

/// Larger ones take seconds, and have nothing that smaller ones have not.
const NODES: u32 = 600;

/// Builds it.
pub(super) fn outcome(scenario: Scenario) -> Outcome {
    let (trigger, scheme) =
        (format!("{:?}", scenario.selection.trigger), format!("{:?}", scenario.routing.scheme));
    let kinds =
        [trigger, scheme].map(|text| text.chars().take_while(|c| c.is_alphabetic()).collect::<String>());
    if scenario.topology.nodes().is_some_and(|nodes| nodes > NODES) {
        return Outcome::taken(("large", kinds));
    }
    match Blueprint::new(scenario) {
        Ok(blueprint) => Outcome::taken((blueprint.wiring().routers(), kinds)),
        Err(error) => Outcome::refused(&error.to_string()),
    }
}
