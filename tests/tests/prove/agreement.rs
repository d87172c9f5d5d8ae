//! What is proven runs: of any routing, on small networks, with any flow control and packets about as long as a buffer.
//!
//! A scenario is refused, or it is not proven, or its run at a load of 1 ends without packets that wait for each other or can never leave.

use super::scenario;
use desvio_prove::prove;
use desvio_sim::blueprint::Blueprint;
use desvio_sim::run::run;
use desvio_sim::scenario::Scenario;
use rayon::prelude::*;
use router_core::links::FlowControl;
use router_core::route::RoutingScheme;
use router_core::route::ugal_dragonfly::Knowledge;
use router_core::select::Selection;
use router_core::settings::{Choice as _, Word as _};
use std::path::Path;

const TOPOLOGIES: [&str; 9] = [
    "kind = \"dragonfly\"\np = 1\na = 2\nh = 1",
    "kind = \"dragonfly\"\np = 2\na = 4\nh = 1",
    "kind = \"mesh\"\ndims = [3, 3]",
    "kind = \"torus\"\ndims = [4, 4]",
    "kind = \"torus\"\ndims = [5]",
    "kind = \"one-way-torus\"\ndims = [3, 3]",
    "kind = \"fat-tree\"\nradix = 4\nlevels = 2",
    "kind = \"orthogonal-fat-tree\"\nq = 2",
    "kind = \"ring\"\nrouters = 5",
];

/// Flits of a buffer between routers, and of one between groups.
const BUFFERS: [(u32, u32); 4] = [(4, 4), (8, 4), (4, 8), (16, 16)];
const LENGTHS: [&str; 5] = ["3", "4", "5", "8", "[{ flits = 2, share = 0.5 }, { flits = 6, share = 0.5 }]"];
const ALLOCATIONS: [&str; 3] = ["non-atomic", "atomic", "bubble"];
const UNITS: [&str; 2] = ["flit", "packet"];
const PIPELINES: [u32; 2] = [4, 5];
const POLICIES: [&str; 3] = ["MM+L", "CRG+L", "RRG"];

/// The choices of each place of a scenario, by number.
fn sizes() -> Vec<usize> {
    let routings = RoutingScheme::all().count();
    let (knowledge, flows, triggers) =
        (Knowledge::WORDS.len(), FlowControl::WORDS.len(), Selection::all().count());
    vec![
        TOPOLOGIES.len(),
        routings,
        knowledge,
        triggers,
        flows,
        BUFFERS.len(),
        LENGTHS.len(),
        ALLOCATIONS.len(),
        UNITS.len(),
        PIPELINES.len(),
        POLICIES.len(),
    ]
}

/// The scenario of these choices; nothing where a choice concerns no part of it, so that it is another one's twin.
fn text(at: &[usize]) -> Option<String> {
    let [topology, routing, knowledge, trigger, flow, buffer, length, allocation, unit, pipeline, policy] =
        at
    else {
        return None;
    };
    let scheme = RoutingScheme::all().nth(*routing)?;
    let (word, has_groups) = (scheme.word(), TOPOLOGIES[*topology].contains("dragonfly"));
    let (knows, detours) = (word == "ugal-dragonfly", !scheme.detours().is_empty());
    let is_twin = *knowledge > 0 && !knows
        || *trigger > 0 && !detours
        || *policy > 0 && word != "olm"
        || !has_groups && BUFFERS[*buffer].0 != BUFFERS[*buffer].1;
    if is_twin {
        return None;
    }
    let mut lines = format!("[topology]\n{}\n[routing]\nalgorithm = \"{word}\"\n", TOPOLOGIES[*topology]);
    if knows {
        lines += &format!("knowledge = \"{}\"\n", Knowledge::WORDS[*knowledge].0);
    }
    if word == "olm" {
        lines += &format!("policy = \"{}\"\n", POLICIES[*policy]);
    }
    if detours {
        lines += &format!("[selection]\ntrigger = \"{}\"\n", Selection::all().nth(*trigger)?.word());
    }
    let (local, global) = BUFFERS[*buffer];
    let buffers = match has_groups {
        true => format!("{{ node = 8, local = {local}, global = {global} }}"),
        false => local.to_string(),
    };
    lines += &format!(
        "[router]\nflow_control = \"{}\"\nvc_allocation = \"{}\"\nallocation_unit = \"{}\"\npipeline = {}\nvcs = 8\nbuffer_flits = {buffers}\n",
        FlowControl::WORDS[*flow].0,
        ALLOCATIONS[*allocation],
        UNITS[*unit],
        PIPELINES[*pipeline],
    );
    let pattern = if has_groups { "{ adversarial = 1 }" } else { "\"uniform\"" };
    lines += &format!("[traffic]\npacket_flits = {}\npattern = {pattern}\nloads = [1.0]\n", LENGTHS[*length]);
    lines += "[run]\nwarmup_cycles = 0\nmeasure_cycles = 3000\n[links]\nlatency = 2\n";
    Some(lines)
}

/// What became of a scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Refused,
    NotProven,
    Runs,
}

fn verdict(text: &str) -> Verdict {
    let Ok(scenario) = Scenario::parse(text, "test.toml", Path::new("."), &[]) else {
        return Verdict::Refused;
    };
    let Ok(blueprint) = Blueprint::new(scenario) else { return Verdict::Refused };
    let Ok(routing) = blueprint.routing() else { return Verdict::Refused };
    let proof = prove(&blueprint, routing, &|| {}).unwrap_or_else(|error| panic!("{error}: {text}"));
    if !proof.holds() {
        return Verdict::NotProven;
    }
    let outcome = run(&blueprint, 1.0, &|_| {}).unwrap_or_else(|error| panic!("{error}: {text}"));
    if let Some(violation) = outcome.violation {
        panic!("proven, but {violation}\n{proof}{text}");
    }
    Verdict::Runs
}

/// The choices with this number, of all.
fn choices(mut number: u64) -> Vec<usize> {
    let place = |size: usize| {
        let choice = number % size as u64;
        number /= size as u64;
        choice as usize
    };
    sizes().into_iter().map(place).collect()
}

/// Numbers that look random, from a linear congruential generator.
fn random(seed: u64) -> impl Iterator<Item = u64> {
    std::iter::successors(Some(seed), |state| {
        Some(state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407))
    })
    .skip(1)
    .map(|state| state >> 16)
}

/// Looks at so many scenarios, and returns how many were refused, not proven and run.
fn look_at(seed: u64, count: usize) -> [usize; 3] {
    let texts: Vec<_> = random(seed).filter_map(|number| text(&choices(number))).take(count).collect();
    let verdicts: Vec<_> = texts.par_iter().map(|text| verdict(text)).collect();
    [Verdict::Refused, Verdict::NotProven, Verdict::Runs]
        .map(|wanted| verdicts.iter().filter(|&&verdict| verdict == wanted).count())
}

/// The variable DESVIO_SEED chooses others.
#[test]
fn what_is_proven_runs() {
    let seed = std::env::var("DESVIO_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    let [refused, _, run] = look_at(seed, 600);
    assert!(refused > 0 && run > 10, "seed {seed}: {refused} refused, {run} run");
}

mod slow {
    #[test]
    fn what_is_proven_runs() {
        let [refused, not_proven, run] = super::look_at(2, 4_000);
        assert!(refused > 0 && not_proven > 0 && run > 100, "{refused}, {not_proven}, {run}");
    }
}

/// A hop that a routing insists on has room for the longest packet, whatever the class of its buffer, or the scenario is refused. Where it
/// never can have room, and is refused nowhere, the packet is stranded.
#[test]
fn a_detour_that_is_due_has_room() {
    let insists = |routing: &str, local: u32, global: u32, flits: &str| {
        format!(
            "[topology]\nkind = \"dragonfly\"\np = 1\na = 2\nh = 1\n[router]\nflow_control = \"wormhole\"\nvcs = 6\n\
             buffer_flits = {{ node = 4, local = {local}, global = {global} }}\n[routing]\n{routing}\n\
             [traffic]\npattern = {{ adversarial = 1 }}\nloads = [0.5]\npacket_flits = {flits}\n"
        )
    };
    let knowing = |word: &str| format!("algorithm = \"ugal-dragonfly\"\nknowledge = \"{word}\"");
    let of = |word: &str| format!("algorithm = \"{word}\"");
    let all = ["group", "oracle", "reservation", "group-each-cycle"].map(knowing);
    for routing in all.iter().cloned().chain(["olm", "par", "rlm"].map(of)) {
        let mixed = "[{ flits = 2, share = 0.5 }, { flits = 5, share = 0.5 }]";
        for (local, global) in [(4, 8), (8, 4)] {
            for flits in ["5", mixed] {
                let text = insists(&routing, local, global, flits);
                let refused = Scenario::parse(&text, "test.toml", Path::new("."), &[]).map(drop);
                let message = refused.expect_err(&text).to_string();
                assert!(message.contains("does not fit into a"), "{message}");
            }
        }
        let proof = super::of(&insists(&routing, 8, 8, mixed));
        assert!(proof.holds(), "{proof}");
    }
    // Sources that do not decide take the detour only where there is room.
    for routing in ["router", "credits"].map(knowing) {
        assert!(super::of(&insists(&routing, 4, 4, "5")).holds());
    }
    // The same past the checks: a scenario that a program made.
    for (routing, flits) in [(&all[1], 5), (&all[0], 6)] {
        let mut scenario = scenario(&insists(routing, 8, 8, "5"));
        scenario.router.buffer_flits = desvio_sim::scenario::PerClass::new(&[8, 4, 4]);
        scenario.traffic.packet_flits = desvio_sim::traffic::PacketFlits::Same(flits);
        let blueprint = Blueprint::new(scenario).expect("a network");
        let proof = prove(&blueprint, blueprint.routing().expect("a routing"), &|| {}).expect("an answer");
        let [stranded] = proof.stuck() else { panic!("{proof}") };
        assert!(stranded.behind.is_empty() && !proof.holds(), "{proof}");
    }
}
