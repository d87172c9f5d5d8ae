//! What holds for every key that the file leaves out.

use super::model::*;

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
        buffer_flits: PerKind { node: 32, local: 32, global: 256 },
        speedup: 2,
        output_flits: 32,
        allocator: Allocator::SeparableInputFirst,
        iterations: 2,
        arbiter: Arbiter::Matrix,
    }
}

fn vcs(topology: &Topology, routing: &RoutingSettings) -> PerKind<u32> {
    match (topology, routing.algorithm, routing.intermediate) {
        (Topology::Dragonfly { .. }, Algorithm::Valiant, Intermediate::Node) => {
            PerKind { node: 3, local: 4, global: 2 }
        }
        (Topology::Dragonfly { .. }, Algorithm::Minimal | Algorithm::Valiant | Algorithm::Olm, _) => {
            PerKind { node: 3, local: 3, global: 2 }
        }
        _ => PerKind { node: 4, local: 4, global: 4 },
    }
}

pub(super) fn links(topology: &Topology) -> LinkSettings {
    let latency = match topology {
        Topology::Dragonfly { .. } => PerKind { node: 1, local: 10, global: 100 },
        _ => PerKind { node: 1, local: 1, global: 1 },
    };
    LinkSettings { latency }
}

pub(super) fn routing(topology: &Topology) -> RoutingSettings {
    let algorithm = match topology {
        Topology::Dragonfly { .. } => Algorithm::Olm,
        Topology::Mesh { .. } | Topology::Torus { .. } => Algorithm::DimensionOrder,
        Topology::Graph { .. } => Algorithm::Table,
    };
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
        pattern: Pattern::Uniform,
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
