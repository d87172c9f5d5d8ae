//! What holds for every key that the file leaves out.

use router_core::route::Vcs;
use router_core::route::dimension_order::DimensionOrderScheme;
use router_core::route::olm::OlmScheme;
use router_core::route::table::TableScheme;
use router_core::select::occupancy::OccupancyTrigger;
use router_core::settings::Choice;

use super::model::*;

/// The whole scenario, were only its topology, its schemes and its loads written.
pub(super) fn scenario(like: &Scenario) -> Scenario {
    let topology = like.topology.clone();
    Scenario {
        router: router(&like.routing.scheme),
        links: links(&topology),
        routing: RoutingSettings { scheme: like.routing.scheme.at_defaults(), ..routing(&topology) },
        selection: SelectionSettings {
            trigger: like.selection.trigger.at_defaults(),
            ..selection(&like.routing)
        },
        traffic: TrafficSettings { loads: like.traffic.loads.clone(), ..traffic() },
        run: run(),
        topology,
    }
}

/// The published set-up: OLM on a Dragonfly, speedup 2, two iterations.
pub(super) fn router(scheme: &RoutingScheme) -> RouterSettings {
    let Vcs { node, local, global } = scheme.default_vcs();
    RouterSettings {
        flow_control: FlowControl::Vct,
        vcs: PerKind { node: node.into(), local: local.into(), global: global.into() },
        buffer_flits: PerKind { node: 32, local: 32, global: 256 },
        speedup: 2,
        output_flits: 32,
        allocator: AllocatorKind::SeparableInputFirst,
        iterations: 2,
        arbiter: ArbiterKind::Matrix,
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
    let scheme = match topology {
        Topology::Dragonfly { .. } => OlmScheme::default().into(),
        Topology::Mesh { .. } | Topology::Torus { .. } => DimensionOrderScheme.into(),
        Topology::Graph { .. } => TableScheme.into(),
    };
    RoutingSettings { scheme, vc_order: VcOrder::Ascending }
}

/// Where a routing offers detours, a trigger that takes them.
pub(super) fn selection(routing: &RoutingSettings) -> SelectionSettings {
    let trigger = match routing.scheme.detours() {
        [] => Selection::NEVER,
        _ => OccupancyTrigger::default().into(),
    };
    SelectionSettings { trigger, count_at: CountAt::Head }
}

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
