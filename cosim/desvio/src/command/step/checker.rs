//! The rules for a switch that runs elsewhere: all of its pins come in, broken rules go out.

use super::super::failure::Failure;
use super::Arguments;
use super::lines::{answer, need, next, number, refused};
use desvio_lockstep::conform::{
    Composed, ConformError, Facts, Finding, Halt, Options, PortMap, Rule, Violation, Watch, Watched, watch,
};
use desvio_sim::blueprint::Blueprint;
use serde_json::{Map, Value as Json, json};
use std::path::Path;

/// Answers requests until there are no more.
pub(super) fn serve(blueprint: &Blueprint, map: &Path, arguments: &Arguments) -> Result<(), Failure> {
    let map = PortMap::load(map).map_err(|error| Failure::Input(error.to_string()))?;
    let options = Options {
        router: arguments.router,
        cycles: 0,
        seed: arguments.seed,
        patience: arguments.patience,
        fair_share: 0.0,
        allow: arguments.allow.clone(),
        all_pairs: arguments.all_pairs,
        out: None,
        coverage: None,
    };
    let mut is_over = false;
    let mut hello = |watched: &[Watched], facts: &Facts| {
        let widths =
            exchange(watched, facts).map_err(|error| ConformError::Input(error.message().to_owned()))?;
        is_over = widths.is_none();
        // Nobody goes on: any width will do.
        Ok(widths.unwrap_or_default())
    };
    let served = watch(blueprint, &map, &options, &mut hello, requests);
    match served {
        _ if is_over => Ok(()),
        Ok(served) => served,
        Err(error @ ConformError::Map(_)) => Err(Failure::Input(error.to_string())),
        Err(error) => Err(Failure::Input(format!("error: {error}"))),
    }
}

/// Says which module ports are looked at, and hears how wide they are; `None` at the end of the input.
fn exchange(watched: &[Watched], facts: &Facts) -> Result<Option<Vec<u32>>, Failure> {
    let Facts { clock, constants, parameters, vcs, leads_to, credits } = facts;
    let pins: Vec<_> =
        watched.iter().map(|pin| json!({ "name": pin.name, "is_output": pin.is_output })).collect();
    let rules: Map<_, _> =
        Rule::ALL.into_iter().map(|rule| (rule.name().to_owned(), rule.sentence().into())).collect();
    let hello = json!({
        "pins": pins, "clock": clock, "constants": constants, "parameters": parameters,
        "vcs": vcs, "leads_to": leads_to, "credits": credits, "rules": rules,
    });
    if !answer(&hello)? {
        return Ok(None);
    }
    while let Some(request) = next()? {
        let widths = request.get("widths").and_then(Json::as_array);
        let widths = widths.map(|widths| widths.iter().filter_map(Json::as_u64).map(|bits| bits as u32));
        match widths {
            Some(widths) => return Ok(Some(widths.collect())),
            None => {
                let why = "expected `widths` first: the bits of each of `pins`";
                if !answer(&refused(why))? {
                    return Ok(None);
                }
            }
        }
    }
    Ok(None)
}

fn requests(watch: &mut Watch<'_, '_>) -> Result<(), Failure> {
    if !answer(&json!({ "patience": watch.patience() }))? {
        return Ok(());
    }
    let mut broken: Option<Rule> = None;
    while let Some(request) = next()? {
        let answered = if let Some(packet) = request.get("packet") {
            compose(watch, packet).unwrap_or_else(|why| refused(&why))
        } else if request.get("counts").is_some() {
            counts(watch)
        } else if let Some(rule) = broken {
            refused(&format!("the check has ended: {rule} broken"))
        } else {
            let ended = if let Some(values) = request.get("see").and_then(Json::as_array) {
                watch.step(values.iter().map(|value| value.as_str().unwrap_or_default()))
            } else if request.get("finish").is_some() {
                watch.finish()
            } else {
                Err(Halt::Bench("expected `see`, `packet`, `finish` or `counts`".to_owned()))
            };
            match ended {
                Ok(()) => json!({ "is_even": watch.is_even(), "still": watch.still() }),
                Err(Halt::Bench(why)) => json!({ "bench": why, "cycle": watch.counts()[0] }),
                Err(Halt::Broken(violation)) => {
                    broken = Some(violation.rule);
                    told(watch, violation)
                }
            }
        };
        if !answer(&answered)? {
            break;
        }
    }
    broken.map_or(Ok(()), |rule| Err(Failure::Broken(format!("does not conform: {rule} broken"))))
}

/// A broken rule, in the words of `desvio conform`.
fn told(watch: &Watch<'_, '_>, violation: Violation) -> Json {
    let mismatch = watch.mismatch(violation);
    let Violation { rule, place, message, since, packet } = &mismatch.violation;
    json!({ "broken": {
        "rule": rule.name(), "sentence": rule.sentence(), "cycle": mismatch.cycle, "place": place,
        "message": message, "since": since, "packet": packet, "events": mismatch.events,
        "text": mismatch.to_string(),
    }})
}

fn compose(watch: &mut Watch<'_, '_>, packet: &Json) -> Result<Json, String> {
    let from = (need(packet, "port", PORTS)? as usize, need(packet, "vc", VCS)? as usize);
    let output = number(packet, "output", PORTS)?.map(|port| port as usize);
    let flits = number(packet, "flits", MOST_FLITS)?.map(|flits| flits as u16);
    let composed = watch.compose(from, output, flits)?;
    let composed = composed.map(|Composed { number, flits, description }| {
        json!({ "number": number, "flits": flits, "description": description })
    });
    Ok(json!({ "packet": composed }))
}

fn counts(watch: &Watch<'_, '_>) -> Json {
    let [cycles, packets, flits] = watch.counts();
    let checks = Rule::ALL.into_iter().map(|rule| (rule.name().to_owned(), watch.checks().of(rule).into()));
    let allowed = watch.findings().iter().map(|Finding { count, cycle, first }| {
        json!({ "rule": first.rule.name(), "count": count, "cycle": cycle, "message": first.message })
    });
    json!({
        "cycles": cycles, "packets": packets, "flits": flits,
        "checks": checks.collect::<Map<_, _>>(), "allowed": allowed.collect::<Vec<_>>(),
    })
}

/// Ports and VCs of a switch, at most, and one more than the flits of the longest packet.
const PORTS: u64 = 64;
const VCS: u64 = 8;
const MOST_FLITS: u64 = 1024;
