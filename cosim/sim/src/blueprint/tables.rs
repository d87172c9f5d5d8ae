//! The tables that every router of a network has, where its routing finds its way by tables.

use super::BlueprintError;
use super::intervals::Labelled;
use super::routes::Written;
use crate::forwarding;
use crate::forwarding::steps::StepTables;
use crate::scenario::{RoutingSettings, Scenario, TableUpdate, Topology};
use crate::topology::{Order, WORD_PORTS, Wiring};
use router_core::drb::Network;
use router_core::map::distance::DistanceTable;
use router_core::map::forwarding::ForwardingTable;
use router_core::map::intervals::IntervalTable;
use router_core::map::levels::{Levels, Parts};
use router_core::map::routes::RouteTable;
use router_core::map::sl_to_vl::SlToVl;
use router_core::map::table::{Table, TableError};
use router_core::map::up_down::UpDownTable;
use router_core::map::{AnyMap, MapKind};
use router_core::route::source::Routes;
use router_core::route::{RoutingScheme, Scheme as _};
use router_core::units::{Bits, PortClass, PortSet, WideBits};
use std::path::PathBuf;

/// Most routers that every router can have a table of: 16 million entries, 128 MiB; twice that for up*/down*.
const TABLE_ROUTERS: usize = 4096;

/// Most routers that keep tables where routers have more than 64 ports, since their entries are four words.
const WIDE_TABLE_ROUTERS: usize = TABLE_ROUTERS / 2;

/// What packets find their way by, where that is tables.
#[derive(Debug)]
pub(super) struct Found<B: Bits> {
    pub(super) tables: Tables<B>,
    /// Those that take their place while the network runs, each with its cycle.
    pub(super) updates: Vec<(u64, Tables<B>)>,
}

impl<B: Bits> Found<B> {
    pub(super) fn of(map: MapKind, scenario: &Scenario, wiring: &Wiring) -> Result<Self, BlueprintError> {
        let tables = Tables::of(map, scenario, wiring)?;
        let updates =
            if map == MapKind::Forwarding { Tables::updates(scenario, wiring)? } else { Vec::new() };
        Ok(Self { tables, updates })
    }

    fn vcs(&self) -> u32 {
        self.updates.iter().map(|(_, tables)| tables.vcs()).fold(self.tables.vcs(), u32::max)
    }
}

/// The same for routers of any number of ports.
#[derive(Debug)]
pub(super) enum AllTables {
    /// At most 64.
    Narrow(Found<usize>),
    /// More.
    Wide(Found<WideBits>),
}

impl AllTables {
    /// There are none.
    pub(super) const NONE: Self = Self::Narrow(Found { tables: Tables::None, updates: Vec::new() });

    /// Those of a map, for a scenario and its wiring.
    pub(super) fn of(map: MapKind, scenario: &Scenario, wiring: &Wiring) -> Result<Self, BlueprintError> {
        Ok(if wiring.ports() > WORD_PORTS {
            Self::Wide(Found::of(map, scenario, wiring)?)
        } else {
            Self::Narrow(Found::of(map, scenario, wiring)?)
        })
    }

    /// VCs between routers that they name, from 0 on.
    pub(super) fn vcs(&self) -> u32 {
        match self {
            Self::Narrow(found) => found.vcs(),
            Self::Wide(found) => found.vcs(),
        }
    }
}

/// The tables of all routers.
#[derive(Debug)]
pub(super) enum Tables<B: Bits> {
    /// The map takes none.
    None,
    /// The ports on shortest routes.
    Graph(Vec<PortSet<B>>),
    /// The ports on shortest routes that go up, then down, and those that lead up.
    UpDown { ports: Vec<PortSet<B>>, up: Vec<PortSet<B>> },
    /// The same of a network of levels, what is behind each port, and the routers of each level.
    Levels { ports: Vec<PortSet<B>>, up: Vec<PortSet<B>>, peers: Vec<u32>, levels: Vec<u32> },
    /// The ports on shortest routes, and their hops.
    Distance { ports: Vec<PortSet<B>>, hops: Vec<u8> },
    /// One port for each destination.
    Forwarding(forwarding::Tables),
    /// One port for each destination, any port: routers discard packets that it leads nowhere.
    Discarding(forwarding::Tables),
    /// Whole routes.
    Routes(Written),
    /// An interval of labels for each port.
    Intervals(Labelled),
    /// One shortest route for each pair of routers, for paths of several of them.
    Steps(StepTables),
}

impl<B: Bits> Tables<B> {
    /// Those of a map, for a scenario and its wiring.
    fn of(map: MapKind, scenario: &Scenario, wiring: &Wiring) -> Result<Self, BlueprintError> {
        if !is_tables(map) {
            return Ok(Self::None);
        }
        let routers = wiring.routers();
        let most = if wiring.ports() > WORD_PORTS { WIDE_TABLE_ROUTERS } else { TABLE_ROUTERS };
        if routers > most {
            let word = scenario.routing.word();
            return Err(BlueprintError::TooLargeForTables { word, routers, most });
        }
        Ok(match map {
            MapKind::UpDown => {
                let root = root(scenario);
                let order = Order::from(wiring, root).ok_or(BlueprintError::NoSuchRoot { root, routers })?;
                Self::UpDown { ports: order.legal_sets(), up: order.up_sets() }
            }
            MapKind::Levels => {
                let word = scenario.routing.word();
                Self::levels(wiring, scenario.topology.levels().ok_or(BlueprintError::Unfit(word))?)
            }
            MapKind::Distance => Self::Distance { ports: wiring.minimal_sets(), hops: hops(wiring) },
            MapKind::Forwarding => Self::forwarding(scenario, forwarding(scenario, wiring)?),
            MapKind::Routes => Self::Routes(routes(scenario, wiring)?),
            MapKind::Intervals => Self::Intervals(intervals(scenario, wiring)?),
            MapKind::Steps => Self::Steps(steps(scenario, wiring)?),
            _ => Self::Graph(wiring.minimal_sets()),
        })
    }

    fn forwarding(scenario: &Scenario, tables: forwarding::Tables) -> Self {
        if scenario.router.options.discards { Self::Discarding(tables) } else { Self::Forwarding(tables) }
    }

    /// Up, then down, by so many routers in each level.
    fn levels(wiring: &Wiring, levels: Vec<u32>) -> Self {
        let order = Order::of_levels(wiring, &levels);
        let leaves = levels.first().map_or(0, |&leaves| leaves as usize);
        let ports = order.legal_sets_towards(leaves);
        Self::Levels { ports, up: order.up_sets(), peers: wiring.neighbour_table(), levels }
    }

    /// The map; nothing where it takes no tables. `between(r)` are the ports of router `r` that lead to other routers.
    pub(super) fn map(
        &self,
        wiring: &Wiring,
        between: impl Fn(u32) -> PortSet<B>,
    ) -> Result<Option<AnyMap<'_, B>>, TableError> {
        let routers = wiring.routers() as u32;
        Ok(match self {
            Self::None => None,
            Self::Routes(Written { routes, hops }) => {
                Some(AnyMap::Routes(RouteTable::load(routes, routers, wiring.ports() as u8, *hops)?))
            }
            Self::Intervals(Labelled { labels, starts }) => {
                Some(AnyMap::Intervals(IntervalTable::load(labels, starts, wiring.ports() as u32, between)?))
            }
            Self::Steps(steps) => Some(AnyMap::Steps(steps.map(between)?)),
            Self::Graph(ports) => Some(AnyMap::Graph(Table::load(ports, routers, between)?)),
            Self::Distance { ports, hops } => {
                Some(AnyMap::Distance(DistanceTable::new(Table::load(ports, routers, between)?, hops)?))
            }
            Self::Levels { ports, up, peers, levels } => {
                let parts = Parts { ports, up, peers, width: wiring.ports() as u32, sizes: levels };
                Some(AnyMap::Levels(Levels::load(parts, between)?))
            }
            Self::UpDown { ports, up } => Some(AnyMap::UpDown(UpDownTable::load(ports, up, between)?)),
            Self::Forwarding(tables) => {
                let forwarding::Tables { entries, first, layers, rule, .. } = tables;
                let table = ForwardingTable::load(entries, first, layers, routers, *rule, between)?;
                Some(AnyMap::Forwarding(with_lanes(table, tables, wiring)?))
            }
            Self::Discarding(tables) => {
                let forwarding::Tables { entries, first, layers, rule, .. } = tables;
                let table = ForwardingTable::load_unverified(entries, first, layers, routers, *rule)?;
                Some(AnyMap::Forwarding(with_lanes(table, tables, wiring)?))
            }
        })
    }

    /// Those that take their place while the network runs, each with its cycle.
    fn updates(scenario: &Scenario, wiring: &Wiring) -> Result<Vec<(u64, Self)>, BlueprintError> {
        let RoutingSettings { service_levels, sl_to_vl, .. } = &scenario.routing;
        let update = |update: &TableUpdate| {
            let files = forwarding::Files {
                tables: &update.tables,
                service_levels: update
                    .service_levels
                    .as_ref()
                    .or(service_levels.as_ref())
                    .map(PathBuf::as_path),
                sl_to_vl: update.sl_to_vl.as_ref().or(sl_to_vl.as_ref()).map(PathBuf::as_path),
            };
            Ok((update.at, Self::forwarding(scenario, read(files, scenario, wiring)?)))
        };
        scenario.routing.updates.iter().map(update).collect()
    }

    /// VCs between routers that the tables name, from 0 on.
    fn vcs(&self) -> u32 {
        match self {
            Self::Forwarding(tables) | Self::Discarding(tables) => tables.vcs,
            Self::Steps(steps) => steps.vcs,
            _ => 0,
        }
    }
}

/// Whether a map is tables, by the numbers of routers.
pub(super) fn is_tables(map: MapKind) -> bool {
    matches!(
        map,
        MapKind::Graph
            | MapKind::UpDown
            | MapKind::Levels
            | MapKind::Forwarding
            | MapKind::Distance
            | MapKind::Routes
            | MapKind::Intervals
            | MapKind::Steps
    )
}

/// A map of tables, with the tables from service levels to lanes where there are any.
fn with_lanes<'t>(
    table: ForwardingTable<'t>,
    tables: &'t forwarding::Tables,
    wiring: &Wiring,
) -> Result<ForwardingTable<'t>, TableError> {
    let Some(of) = &tables.sl_to_vl else { return Ok(table) };
    let sizes = (wiring.routers() as u32, wiring.ports() as u32, table.destinations());
    Ok(table.with_lanes(SlToVl::load(&of.tables, &of.levels, sizes)?))
}

/// Computed, or from the files that the scenario names.
fn forwarding(scenario: &Scenario, wiring: &Wiring) -> Result<forwarding::Tables, BlueprintError> {
    match (&scenario.routing.scheme, &scenario.routing.tables) {
        (RoutingScheme::Layered(_), _) => {
            forwarding::Tables::layered(wiring).map_err(BlueprintError::Forwarding)
        }
        (RoutingScheme::DrbInfiniBand(scheme), _) => {
            let limits = forwarding::Limits {
                lids: scheme.lids().into(),
                paths: scheme.paths.open_paths.into(),
                detour: scheme.detour_hops.into(),
                vcs: vcs_between(scenario),
                dims: match scenario.topology.map_kind() {
                    MapKind::Mesh | MapKind::Torus => scenario.topology.dims().unwrap_or_default(),
                    _ => Vec::new(),
                },
            };
            forwarding::Tables::alternatives(wiring, &limits).map_err(BlueprintError::Forwarding)
        }
        (_, Some(tables)) => {
            let RoutingSettings { service_levels, sl_to_vl, .. } = &scenario.routing;
            let files = forwarding::Files {
                tables,
                service_levels: service_levels.as_deref(),
                sl_to_vl: sl_to_vl.as_deref(),
            };
            read(files, scenario, wiring)
        }
        (_, None) => Err(BlueprintError::NoTables),
    }
}

/// VCs that every link between routers has.
fn vcs_between(scenario: &Scenario) -> usize {
    let Scenario { topology, router, .. } = scenario;
    let between = router.vcs.iter().filter(|(class, _)| *class != PortClass::NODE && topology.has(*class));
    between.map(|(_, vcs)| vcs as usize).min().unwrap_or(0)
}

/// From files.
fn read(
    files: forwarding::Files<'_>,
    scenario: &Scenario,
    wiring: &Wiring,
) -> Result<forwarding::Tables, BlueprintError> {
    let fabric = match &scenario.topology {
        Topology::Graph(graph) => graph.fabric()?,
        _ => None,
    };
    let Scenario { router, .. } = scenario;
    Ok(forwarding::Tables::read(files, wiring, fabric.as_ref(), &router.vcs, router.options.discards)?)
}

/// What sources write.
fn routes(scenario: &Scenario, wiring: &Wiring) -> Result<Written, BlueprintError> {
    let kind = match scenario.routing.scheme {
        RoutingScheme::Source(scheme) => scheme.routes,
        _ => Routes::default(),
    };
    let word = scenario.routing.word();
    Written::of(kind, wiring, scenario.topology.levels().as_deref())
        .map_err(|misfit| BlueprintError::Misfit { word, misfit })
}

/// Shortest routes, and VCs for the steps that lead to supernodes. Routes are spread over the links where the VCs suffice for them.
fn steps(scenario: &Scenario, wiring: &Wiring) -> Result<StepTables, BlueprintError> {
    let word = scenario.routing.word();
    let RoutingScheme::Drb(scheme) = scenario.routing.scheme else { return Err(BlueprintError::Unfit(word)) };
    let vcs = vcs_between(scenario);
    let with_vcs = |routes: Result<StepTables, forwarding::Flaw>, most| -> Result<_, BlueprintError> {
        let routes = routes.map_err(BlueprintError::Forwarding)?;
        let map = AnyMap::Steps(routes.map(|_| PortSet::<usize>::first_n(wiring.ports()))?);
        scheme.check(&map).map_err(|misfit| BlueprintError::Misfit { word, misfit })?;
        let network = Network::of(&map).ok_or(BlueprintError::Unfit(word))?;
        Ok(routes.with_vcs(network, wiring, &scheme, (vcs, most)))
    };
    if let Some(spread) = with_vcs(StepTables::spread(wiring), vcs)? {
        return Ok(spread);
    }
    with_vcs(StepTables::by_lowest_port(wiring), usize::MAX)?.ok_or(BlueprintError::Unfit(word))
}

/// Row by row on a mesh, by a tree elsewhere.
fn intervals(scenario: &Scenario, wiring: &Wiring) -> Result<Labelled, BlueprintError> {
    if let (MapKind::Mesh, Some(dims)) = (scenario.topology.map_kind(), scenario.topology.dims()) {
        return Ok(Labelled::mesh(wiring, &dims));
    }
    let (root, routers) = (root(scenario), wiring.routers());
    Labelled::tree(wiring, root).ok_or(BlueprintError::NoSuchRoot { root, routers })
}

/// The router that everything goes down from.
fn root(scenario: &Scenario) -> u32 {
    match scenario.routing.scheme {
        RoutingScheme::UpDownStar(scheme) => scheme.root,
        RoutingScheme::Interval(scheme) => scheme.root,
        _ => 0,
    }
}

/// Entry `here * routers + there`: hops of the shortest routes.
fn hops(wiring: &Wiring) -> Vec<u8> {
    let rows = (0..wiring.routers()).flat_map(|router| wiring.distances_from(router));
    rows.map(|hops| u8::try_from(hops).unwrap_or(u8::MAX)).collect()
}
