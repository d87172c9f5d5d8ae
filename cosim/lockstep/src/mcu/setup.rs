//! The setup of a router on a microcontroller, and the routers that a setup cannot describe.

use desvio_sim::blueprint::{Blueprint, BlueprintError};
use desvio_sim::scenario::Ejection;
use desvio_sim::topology::PortClass;
use router_core::links::{FlowControl, PortSizes};
use router_core::map::AnyMap;
use router_core::plan::Plan;
use router_core::settings::Choice;
use std::io;
use tether::setup::{DragonflyMap, GridMap, MAX_DIMENSIONS, MAX_GROUPS, MapSetup, Setup};
use thiserror::Error;

/// Most ports of a router on a microcontroller.
pub(super) const PORTS: usize = 16;

/// Why a router does not run on a microcontroller.
#[derive(Debug, Error)]
pub enum McuError {
    /// Its routing function.
    #[error("routing.algorithm = \"{0}\" needs tables or a random source, which a microcontroller has not")]
    Routing(&'static str),
    /// Its map.
    #[error(
        "a microcontroller takes Dragonflies of up to {MAX_GROUPS} equal groups and grids of up to {MAX_DIMENSIONS} dimensions"
    )]
    Map,
    /// The order of the ports.
    #[error("a microcontroller has node ports first, then local and global ones")]
    Ports,
    /// Marks of congestion.
    #[error("congestion.threshold: what a microcontroller is told has no thresholds, only 0 is possible")]
    Marks,
    /// Lifetime limits.
    #[error(
        "router.head_lifetime, router.packet_lifetime: what a microcontroller is told has no lifetime limits, only 0 is possible"
    )]
    Lifetimes,
    /// Tables of VL arbitration.
    #[error("router.vl_arbitration: what a microcontroller is told has no tables of weights, only false is")]
    VlTables,
    /// Circuits.
    #[error("router.flow_control: a microcontroller has no wires for the answers that circuits need")]
    Circuits,
    /// Contention or congestion that a group shares.
    #[error(
        "selection.trigger and routing.knowledge: a microcontroller has no wires for what a group shares"
    )]
    Notices,
    /// Places on global links.
    #[error(
        "routing.knowledge = \"reservation\": a microcontroller keeps no places on global links that packets ask for"
    )]
    Places,
    /// Packets that go ahead of their addresses.
    #[error("router.flow_control: a microcontroller does not cut packets in two, as \"mad-postman\" does")]
    MadPostman,
    /// Several ports to one node.
    #[error(
        "router.ejection: what a microcontroller is told has one port for each node, only \"own\" is possible"
    )]
    Channels,
    /// Virtual channels of different depths.
    #[error(
        "router.buffer_flits: the virtual channels of a port on a microcontroller are equally deep; lists by VC are for models only"
    )]
    Depths,
    /// Links slower than a flit in each cycle.
    #[error(
        "links.rate: a microcontroller is told of links of a flit in each cycle; slower ones are for models only, and 1 takes all as equal"
    )]
    Rates,
    /// Parallel local links.
    #[error(
        "topology.local_links: the setup of a microcontroller has one link between two routers of a group; more are for models only"
    )]
    LocalLinks,
    /// Too many of something.
    #[error("the firmware refuses this router (reason {0}): it is larger than it is compiled for")]
    Refused(u8),
    /// Something that the feature `small` leaves out.
    #[error(
        "the firmware is compiled with the feature `small` of desvio-core, which leaves out shared places, VCs of more than 255 packets, preferences among outputs and VCs (selection.ports, selection.vcs), escape rings and the hops of Duato's routing; lockstep-whole, of a Cortex-M4F and an RV32IMAC, has them"
    )]
    LeftOut,
    /// The program that leads to it.
    #[error("no {0}; on Debian and Ubuntu: apt-get install qemu-system-arm qemu-system-misc")]
    Missing(String),
    /// The line.
    #[error("the line to the microcontroller: {0}")]
    Line(#[from] io::Error),
    /// The scenario itself.
    #[error(transparent)]
    Blueprint(#[from] BlueprintError),
}

/// The setup that a microcontroller receives for router number `router` of a network.
///
/// # Errors
/// When a [`Setup`] cannot describe the router.
pub fn setup(blueprint: &Blueprint, router: usize) -> Result<Setup, McuError> {
    with_map(blueprint, router, || map(blueprint))
}

/// The setup of a switch that has its routing table from a driver, for router number `router` of a network of any graph. Its map is empty.
///
/// # Errors
/// When a [`Setup`] cannot describe the rest of the router.
pub fn setup_by_table(blueprint: &Blueprint, router: usize) -> Result<Setup, McuError> {
    with_map(blueprint, router, || Ok(MapSetup::Grid(GridMap { sizes: [0; MAX_DIMENSIONS], wraps: false })))
}

/// The setup of a router, with the map that `map` makes. The map comes last, so that an error of the router is reported before one of its routing.
fn with_map(
    blueprint: &Blueprint,
    router: usize,
    map: impl FnOnce() -> Result<MapSetup, McuError>,
) -> Result<Setup, McuError> {
    let scenario = blueprint.scenario();
    blueprint.check_single("a microcontroller")?;
    let plan: Plan<64> = blueprint.plan(router).map_err(BlueprintError::from)?;
    if plan.marking.is_on() {
        return Err(McuError::Marks);
    }
    if plan.vl_arbitration.is_some() {
        return Err(McuError::VlTables);
    }
    if plan.lifetimes.is_on() {
        return Err(McuError::Lifetimes);
    }
    if plan.links.flow.is_circuit() {
        return Err(McuError::Circuits);
    }
    if plan.selection.listens() || plan.flags.is_some() {
        return Err(McuError::Notices);
    }
    if scenario.reservation().is_some() {
        return Err(McuError::Places);
    }
    if plan.links.flow == FlowControl::MadPostman {
        return Err(McuError::MadPostman);
    }
    if scenario.router.has_any_depths() {
        return Err(McuError::Depths);
    }
    if !blueprint.slowest().is_full() {
        return Err(McuError::Rates);
    }
    if scenario.router.options.ejection == Ejection::Any {
        return Err(McuError::Channels);
    }
    let count = |kind| plan.links.each().filter(|&port| plan.links.class(port) == kind).count() as u8;
    let (nodes, locals, globals) =
        (count(PortClass::NODE), count(PortClass::LOCAL), count(PortClass::GLOBAL));
    let in_order = plan.links.each().map(|port| plan.links.class(port)).is_sorted();
    if !in_order || plan.links.radix() > PORTS {
        return Err(McuError::Ports);
    }
    let sizes = |kind| -> PortSizes { plan.links.sizes(kind) };
    let reserved = |kind| plan.links.reserved_of_class(kind);
    Ok(Setup {
        nodes,
        locals,
        globals,
        node: sizes(PortClass::NODE),
        local: sizes(PortClass::LOCAL),
        global: sizes(PortClass::GLOBAL),
        reserved: [reserved(PortClass::LOCAL), reserved(PortClass::GLOBAL)],
        shortest: scenario.shortest_packet() as u16,
        options: plan.options,
        vc_order: plan.links.vc_order,
        count_at: plan.count_at,
        selection: plan.selection,
        preference: plan.preference,
        scheme: scenario.routing.scheme,
        map: map()?,
        here: blueprint.here(router),
        number: router as u32,
        seed: scenario.run.seed,
    })
}

/// The map, where it takes no table.
fn map(blueprint: &Blueprint) -> Result<MapSetup, McuError> {
    let scenario = blueprint.scenario();
    let scheme = scenario.routing.scheme;
    if scheme.draws() {
        return Err(McuError::Routing(scheme.word()));
    }
    match blueprint.map()? {
        AnyMap::Dragonfly(map) if map.local_links() > 1 => Err(McuError::LocalLinks),
        AnyMap::Dragonfly(map) => {
            let (groups, routers) = (map.groups(), map.size(0));
            let fits = groups as usize <= MAX_GROUPS && (1..groups).all(|group| map.size(group) == routers);
            let (groups, routers) = (groups as u8, routers as u8);
            let map = DragonflyMap { groups, routers, arrangement: map.arrangement() };
            if fits { Ok(MapSetup::Dragonfly(map)) } else { Err(McuError::Map) }
        }
        AnyMap::Grid(grid) if grid.is_one_way() => Err(McuError::Routing(scheme.word())),
        AnyMap::Grid(grid) => {
            let dims = scenario.topology.dims().ok_or(McuError::Map)?;
            let mut sizes = [0; MAX_DIMENSIONS];
            sizes.get_mut(..dims.len()).ok_or(McuError::Map)?.copy_from_slice(&dims);
            Ok(MapSetup::Grid(GridMap { sizes, wraps: grid.wraps() }))
        }
        AnyMap::Tree(_)
        | AnyMap::Levels(_)
        | AnyMap::Graph(_)
        | AnyMap::UpDown(_)
        | AnyMap::Forwarding(_)
        | AnyMap::Distance(_)
        | AnyMap::Routes(_)
        | AnyMap::Intervals(_)
        | AnyMap::Steps(_) => Err(McuError::Routing(scheme.word())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use desvio_sim::scenario::Scenario;
    use router_core::units::PortId;
    use std::path::Path;

    #[test]
    fn what_shares_places_is_told_how_many_are_reserved() {
        let text = "[topology]\nkind = \"mesh\"\ndims = [3]\n[router]\nreserved_flits = 8\n[traffic]\nloads = [0.1]\n";
        let of = |set: &str| {
            let scenario = Scenario::parse(text, "s.toml", Path::new("."), &[set.to_owned()]).unwrap();
            setup(&Blueprint::new(scenario).unwrap(), 1).unwrap()
        };
        let (shared, own) = (of("router.buffer_flits=9"), of("router.buffer_flits=8"));
        assert_eq!((shared.reserved[0], shared.local.buffer, shared.is_beyond_small()), (8, 9, true));
        assert_eq!((own.reserved[0], own.local.buffer, own.is_beyond_small()), (8, 8, false));
        let plans = [shared, own].map(|setup| setup.plan::<PORTS>().unwrap());
        assert_eq!(plans.map(|plan| plan.links.shared(PortId::new(1))), [1, 0]);
    }
    #[test]
    fn vcs_of_more_packets_than_a_byte_counts_are_for_the_whole_core() {
        let text = "[topology]\nkind = \"mesh\"\ndims = [3]\n[traffic]\nloads = [0.1]\n";
        let of = |sets: [&str; 2]| {
            let sets = sets.map(str::to_owned);
            let scenario = Scenario::parse(text, "s.toml", Path::new("."), &sets).unwrap();
            setup(&Blueprint::new(scenario).unwrap(), 1).unwrap().is_beyond_small()
        };
        for class in ["node", "local"] {
            let is_beyond = |flits: u32, length| {
                of([
                    &format!("router.buffer_flits.{class}={flits}"),
                    &format!("traffic.packet_flits={length}"),
                ])
            };
            assert!(!is_beyond(255, 1) && is_beyond(256, 1) && !is_beyond(256, 2), "{class}");
        }
    }
}
