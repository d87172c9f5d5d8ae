//! What holds for every key that the file leaves out.

use super::model::*;
use super::{PerClass, Word};
use crate::traffic::Uniform;

/// The whole scenario, were only its topology, its routing algorithm and its loads written.
pub(super) fn scenario(like: &Scenario) -> Scenario {
    let topology = like.topology.clone();
    let written = RoutingSettings {
        algorithm: like.routing.algorithm,
        intermediate: like.routing.intermediate,
        ..routing(&topology)
    };
    Scenario {
        router: router(&topology, &written),
        links: links(&topology),
        selection: selection(&written),
        traffic: TrafficSettings { loads: like.traffic.loads.clone(), ..traffic() },
        run: run(),
        routing: routing(&topology),
        topology,
    }
}

/// The published set-up: OLM on a Dragonfly, speedup 2, two iterations.
pub(super) fn router(topology: &Topology, routing: &RoutingSettings) -> RouterSettings {
    RouterSettings {
        flow_control: FlowControl::Vct,
        vcs: vcs(topology, routing),
        buffer_flits: per_class(topology, topology.defaults().buffer_flits),
        speedup: 2,
        output_flits: 32,
        allocator: Allocator::SeparableInputFirst,
        iterations: 2,
        arbiter: Arbiter::Matrix,
    }
}

fn vcs(topology: &Topology, routing: &RoutingSettings) -> PerClass<u32> {
    match (topology, routing.algorithm, routing.intermediate) {
        (Topology::Dragonfly(_), Algorithm::Valiant, Intermediate::Node) => PerClass::new(&[3, 4, 2]),
        (Topology::Dragonfly(_), Algorithm::Minimal | Algorithm::Valiant | Algorithm::Olm, _) => {
            PerClass::new(&[3, 3, 2])
        }
        _ => PerClass::all(topology.classes().len(), 4),
    }
}

/// As many of these as the topology has classes.
fn per_class(topology: &Topology, of: &[u32]) -> PerClass<u32> {
    PerClass::new(&of[..topology.classes().len().min(of.len())])
}

pub(super) fn links(topology: &Topology) -> LinkSettings {
    LinkSettings { latency: per_class(topology, topology.defaults().latency) }
}

pub(super) fn routing(topology: &Topology) -> RoutingSettings {
    let word = topology.default_routing();
    let known = Algorithm::WORDS.iter().find(|(other, _)| *other == word);
    let algorithm = known.map_or(Algorithm::Table, |(_, algorithm)| *algorithm);
    RoutingSettings {
        algorithm,
        nonminimal: Nonminimal::Restricted,
        vc_order: VcOrder::Ascending,
        local_misroutes: 1,
        misroute_scope: MisrouteScope::Group,
        policy: Policy::Mm,
        policy_local: true,
        intermediate: Intermediate::Group,
    }
}

pub(super) fn selection(routing: &RoutingSettings) -> SelectionSettings {
    let trigger = if routing.algorithm == Algorithm::Olm { Trigger::Occupancy } else { Trigger::Never };
    SelectionSettings {
        trigger,
        minimal_occupancy: 0.0,
        relative_threshold: 0.70,
        global_restriction: Some(GLOBAL_RESTRICTION),
        contention_threshold: 3,
        contention_factor: 1.5,
        count_at: CountAt::Head,
    }
}

/// Also for the key that a written `global_restriction` leaves out.
pub(super) const GLOBAL_RESTRICTION: GlobalRestriction = GlobalRestriction { factor: 1.5, packets: 5 };

/// With no loads: they must be written.
pub(super) fn traffic() -> TrafficSettings {
    TrafficSettings {
        pattern: Uniform.into(),
        packet_flits: 8,
        process: Process::Bernoulli,
        burst_packets: 4.0,
        loads: Loads::List(Vec::new()),
    }
}

pub(super) fn run() -> RunSettings {
    RunSettings {
        warmup_cycles: None,
        measure_cycles: None,
        limit_cycles: 50_000,
        window_cycles: 10,
        seed: 1,
    }
}
