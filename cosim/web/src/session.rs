//! A network that the page looks at.

use std::path::Path;

use desvio_sim::blueprint::Blueprint;
use desvio_sim::document::Expected;
use desvio_sim::network::{Live, live};
use desvio_sim::run;
use desvio_sim::scenario::{Scenario, ScenarioError, Word as _};
use desvio_sim::topology::{Peer, Wiring};
use desvio_sim::traffic::Traffic;
use serde_json::{Value as Json, json};

/// A run in progress.
pub struct Session {
    live: Box<dyn Live>,
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session").field("cycle", &self.live.cycle()).finish_non_exhaustive()
    }
}

/// Begins a run, and describes its network as JSON.
///
/// What it is made of is never freed: the page has an instance of the module for each run.
///
/// # Errors
/// What is wrong with the scenario.
pub fn start(text: &str, load: f64) -> Result<(Session, String), String> {
    let scenario = read(text)?;
    let (settings, seed) = (scenario.traffic.clone(), scenario.run.seed);
    let blueprint: &'static Blueprint = Box::leak(Box::new(Blueprint::new(scenario).map_err(shown)?));
    let traffic = Traffic::new(&settings, &blueprint.node_map(), load, seed).map_err(shown)?;
    let senders = traffic.active_nodes().count();
    let description = description(text, blueprint, senders).to_string();
    let live = live(blueprint, Box::leak(Box::new(traffic))).map_err(shown)?;
    Ok((Session { live }, description))
}

/// Measures one load as the command does, and gives its numbers as JSON.
///
/// # Errors
/// What is wrong with the scenario.
pub fn measure(text: &str, load: f64) -> Result<String, String> {
    let blueprint = Blueprint::new(read(text)?).map_err(shown)?;
    let outcome = run::run(&blueprint, load, &|_| {}).map_err(shown)?;
    let summary = &outcome.summary;
    let numbers = json!({
        "load": summary.load,
        "offered": summary.offered,
        "accepted": summary.accepted,
        "latency_mean": summary.latency_mean,
        "latency_ci95": summary.latency_ci95,
        "latency_p99": summary.latency_p99,
        "misrouted_share": summary.misrouted_share,
        "hops_mean": summary.hops_mean,
        "packets_measured": summary.packets_measured,
        "keeps_up": summary.state.keeps_up(),
        "violation": outcome.violation.map(|violation| violation.to_string()),
    });
    Ok(numbers.to_string())
}

impl Session {
    /// Runs so many cycles on.
    pub fn advance(&mut self, cycles: u64) {
        self.live.run_to(self.live.cycle() + cycles);
    }

    /// The cycle, then flits, packets, latency and misrouted packets so far, then 1 where an invariant is broken. Next come the flits that
    /// each wire has carried, by router and port, and the flits queued in each router. Five numbers follow for each head on a wire: its
    /// router and port, the cycles left and those of the whole way, and 1 for a detour.
    pub fn frame(&self, frame: &mut Vec<f64>) {
        let (sums, live) = (self.live.sums(), &self.live);
        frame.clear();
        frame
            .extend([live.cycle(), sums.flits, sums.packets, sums.latency, sums.misrouted].map(|n| n as f64));
        frame.push(f64::from(u8::from(live.violation().is_some())));
        frame.extend(live.carried().into_iter().map(f64::from));
        frame.extend(live.queued().into_iter().map(f64::from));
        for head in live.heads() {
            let (router, port) = head.from;
            let (left, whole) = head.left;
            frame.extend([router, port, left, whole, head.misrouted.into()].map(f64::from));
        }
    }
}

/// A scenario, then values that replace its own, as in `routing.algorithm=olm`: parts with a byte 0 between them.
fn parse(input: &str, more: Option<String>) -> Result<Scenario, ScenarioError> {
    let mut parts = input.split('\0').map(str::to_owned);
    let text = parts.next().unwrap_or_default();
    let sets: Vec<_> = parts.chain(more).collect();
    Scenario::parse(&text, "scenario.toml", Path::new(""), &sets)
}

fn read(input: &str) -> Result<Scenario, String> {
    parse(input, None).map_err(shown)
}

fn shown(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// What the page draws: links as `[router, port, other router, class]`, the nodes of each router, how the network is laid out, and
/// the words that fit it.
fn description(text: &str, blueprint: &Blueprint, senders: usize) -> Json {
    let (scenario, wiring) = (blueprint.scenario(), blueprint.wiring());
    let link = |router: usize, port: usize| match wiring.peer(router, port) {
        Some(Peer::Router { router: other, .. }) if wiring.sends(router, port) => {
            Some(json!([router, port, other, wiring.class(router, port).index()]))
        }
        _ => None,
    };
    let links = |router: usize| (0..wiring.ports()).filter_map(move |port| link(router, port));
    let topology = &scenario.topology;
    json!({
        "routers": wiring.routers(),
        "ports": wiring.ports(),
        "nodes": wiring.nodes(),
        "senders": senders,
        "classes": wiring.class_names(),
        "links": (0..wiring.routers()).flat_map(links).collect::<Vec<_>>(),
        "attached": attached(wiring),
        "groups": topology.groups(),
        "dims": topology.dims(),
        "levels": topology.levels(),
        "kind": topology.word(),
        "routing": scenario.routing.word(),
        "flow_control": scenario.router.options.flow_control.word(),
        "routings": words(text, "routing.algorithm"),
        "toml": scenario.to_toml(),
    })
}

fn attached(wiring: &Wiring) -> Vec<usize> {
    (0..wiring.routers()).map(|router| wiring.nodes_of(router).count()).collect()
}

/// The words that a key takes, from what a wrong one is refused with.
fn words(text: &str, key: &str) -> Vec<String> {
    match parse(text, Some(format!("{key}=\"?\""))) {
        Err(ScenarioError::Refused(refusal)) => match refusal.expected.map(|expected| *expected) {
            Some(Expected::Words(words)) => words,
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}
