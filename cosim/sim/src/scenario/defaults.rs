//! What holds for every key that the file leaves out.

use std::path::PathBuf;

use router_core::links::Depths;
use router_core::route::table::TableScheme;
use router_core::select::occupancy::OccupancyTrigger;
use router_core::settings::Choice;
use router_core::units::VcSet;

use super::PerClass;
use super::model::*;

/// The whole scenario, were only its topology, its schemes and its loads written.
pub(super) fn scenario(like: &Scenario) -> Scenario {
    let topology = like.topology.clone();
    Scenario {
        router: router(&topology, &like.routing),
        links: links(&topology),
        routing: RoutingSettings {
            scheme: like.routing.at_defaults().scheme,
            own: like.routing.at_defaults().own,
            // A file that is named is no default, but has a line.
            tables: like.routing.tables.as_ref().map(|_| PathBuf::new()),
            service_levels: like.routing.service_levels.as_ref().map(|_| PathBuf::new()),
            sl_to_vl: like.routing.sl_to_vl.as_ref().map(|_| PathBuf::new()),
            updates: like
                .routing
                .updates
                .iter()
                .map(|_| TableUpdate { at: 0, tables: PathBuf::new(), service_levels: None, sl_to_vl: None })
                .collect(),
            ..routing(&topology)
        },
        selection: SelectionSettings {
            trigger: like.selection.trigger.at_defaults(),
            ..selection(&like.routing)
        },
        traffic: TrafficSettings { loads: like.traffic.loads.clone(), ..TrafficSettings::defaults() },
        injection: injection(),
        congestion: CongestionSettings::defaults(topology.classes().len()),
        run: run(),
        topology,
    }
}

/// The published set-up: OLM on a Dragonfly, speedup 2, two iterations.
pub(super) fn router(topology: &Topology, routing: &RoutingSettings) -> RouterSettings {
    let vc_allocation = if routing.bubbles() { VcAllocation::Bubble } else { VcAllocation::NonAtomic };
    let none = PerClass::all(topology.classes().len(), 0);
    RouterSettings {
        options: Options { vc_allocation, ..Options::DEFAULT },
        vcs: vcs(topology, routing),
        buffer_flits: per_class(topology, topology.defaults().buffer_flits),
        depths: PerClass::all(topology.classes().len(), Depths::default()),
        reserved_flits: none,
        vl_arbitration: None,
        head_lifetime: none,
        vl_stall_count: none,
    }
}

/// As many of these as the topology has classes.
fn per_class(topology: &Topology, of: &[u32]) -> PerClass<u32> {
    PerClass::new(&of[..topology.classes().len().min(of.len())])
}

/// By class: nodes first, then the links that are nearest to them; further classes are as the last one. At least those that the routing
/// needs on this network, as far as a router has so many.
fn vcs(topology: &Topology, routing: &RoutingSettings) -> PerClass<u32> {
    let usual = routing.default_vcs();
    let needed = routing.needs(topology.map_kind()).vcs;
    let most = VcSet::CAPACITY as u8;
    let local = usual.local.max(needed.local.min(most));
    let global = usual.global.max(needed.global.min(most));
    let of = |class: usize| [usual.node, local, global][class.min(2)].into();
    let all: Vec<u32> = (0..topology.classes().len()).map(of).collect();
    PerClass::new(&all)
}

pub(super) fn links(topology: &Topology) -> LinkSettings {
    let latency = per_class(topology, topology.defaults().latency);
    LinkSettings {
        latency,
        credit_latency: latency,
        rate: None,
        down: Vec::new(),
        credits: CreditForm::default(),
        credit_period: 64,
        credit_flits: 1,
        loss: Loss::default(),
    }
}

pub(super) fn routing(topology: &Topology) -> RoutingSettings {
    let word = topology.default_routing();
    let own = super::own::INSTALLED.all().iter().find(|own| own.word == word);
    RoutingSettings {
        scheme: RoutingScheme::named(word).unwrap_or(TableScheme.into()),
        own: own.and_then(|own| (own.read)(None).ok()),
        tables: None,
        service_levels: None,
        sl_to_vl: None,
        updates: Vec::new(),
        vc_order: VcOrder::Ascending,
    }
}

/// Where a routing offers detours, a trigger that takes them.
pub(super) fn selection(routing: &RoutingSettings) -> SelectionSettings {
    let trigger = match routing.detours() {
        [] => Selection::NEVER,
        _ => Selection::named(routing.trigger()).unwrap_or(OccupancyTrigger::default().into()),
    };
    SelectionSettings { trigger, count_at: CountAt::Head, preference: Preference::RANDOM }
}

pub(super) fn injection() -> InjectionSettings {
    InjectionSettings { control: ControlKind::Free, window: 16, static_rate: false }
}

pub(super) fn run() -> RunSettings {
    RunSettings {
        warmup_cycles: None,
        measure_cycles: None,
        warmup_packets: None,
        measure_packets: None,
        limit_cycles: None,
        window_cycles: 10,
        seed: 1,
        details: false,
    }
}
