//! What all curves of a picture have in common, in the words of people.

use super::super::Curve;
use crate::names;
use desvio_sim::scenario::Scenario;
use std::path::Path;

/// Keys that have a place of their own in the subtitle, in this order, whether they are at their default or not.
const NAMED: [&str; 3] = ["routing.algorithm", "selection.trigger", "traffic.pattern"];
const LENGTH: &str = "traffic.packet_flits";
const SEED: &str = "run.seed";

/// The name of an only curve, then what all curves share: network, routing, trigger, pattern and packets always, other settings where they
/// differ from the defaults, the seed.
pub(super) fn subtitle(curves: &[Curve]) -> String {
    let Some((first, others)) = curves.split_first() else { return String::new() };
    let shared = |key: &str| {
        let of =
            |curve: &Curve| curve.keys.iter().find(|(known, _)| known == key).map(|(_, value)| value.clone());
        of(first).filter(|value| others.iter().all(|curve| of(curve).as_ref() == Some(value)))
    };
    let mut parts: Vec<String> = Vec::new();
    parts.extend(others.is_empty().then(|| first.name.clone()).filter(|name| !name.is_empty()));
    parts.extend(
        network(first).filter(|name| others.iter().all(|curve| network(curve).as_ref() == Some(name))),
    );
    let is_meant = |value: &String| value != "\"never\"";
    parts.extend(NAMED.iter().filter_map(|key| Some(names::value(key, &shared(key).filter(is_meant)?))));
    parts.extend(shared(LENGTH).map(|flits| match flits.parse::<u32>() {
        Ok(flits) => format!("{flits}-flit packets"),
        Err(_) => format!("{LENGTH} = {flits}"),
    }));
    let named =
        |key: &str| key.starts_with("topology.") || key == LENGTH || key == SEED || NAMED.contains(&key);
    let settings = first.settings.iter().filter(|(key, _)| !named(key));
    let settings = settings.filter(|setting| others.iter().all(|curve| curve.settings.contains(setting)));
    parts.extend(settings.map(|(key, value)| format!("{key} = {value}")));
    parts.extend(shared(SEED).map(|seed| format!("seed {seed}")));
    parts.join(" · ")
}

/// The network of a curve; `None` where its scenario cannot be read any more.
fn network(curve: &Curve) -> Option<String> {
    let scenario = Scenario::parse(&curve.scenario, "scenario", Path::new(""), &[]).ok()?;
    Some(names::network(&scenario))
}
