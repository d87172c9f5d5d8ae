//! From a scenario to what all its runs share: the wiring, the addresses, the tables, the routers' common plan.

use crate::rtl::{Rtl, RtlError};
use crate::scenario::{self, Algorithm, Scenario};
use crate::topology::{Topology, TopologyError, Wiring};
use crate::traffic::NodeMap;
use fixed::types::{U1F15, U8F8};
use router_core::alloc::{Allocation, AllocatorKind, ArbiterKind};
use router_core::header::Address;
use router_core::map::RouterClass;
use router_core::map::dragonfly::{Dragonfly, MapError};
use router_core::map::grid::{Grid, GridError};
use router_core::map::tree::{Tree, TreeError};
use router_core::plan::{CountAt, FlowControl, Plan, PlanError, PortSizes, VcOrder};
use router_core::route::dimension_order::DimensionOrder;
use router_core::route::minimal::Minimal;
use router_core::route::olm::{Olm, Policy, Rules, Scope};
use router_core::route::table::{Table, TableError};
use router_core::route::up_down::UpDown;
use router_core::route::valiant::{Intermediate, Valiant};
use router_core::route::{Here, Routing};
use router_core::select::Selection;
use router_core::select::contention::{AverageTrigger, ContentionTrigger};
use router_core::select::occupancy::{GlobalRestriction, OccupancyTrigger};
use router_core::units::{PortClass, PortSet};
use router_core::vc::Descriptor;
use thiserror::Error;

/// Most routers that every router can have a table of: 16 million entries, 128 MiB.
const TABLE_ROUTERS: usize = 4096;
/// Most memory for buffers, in GiB.
const MOST_GIB: usize = 8;

/// A scenario that cannot be built, although each of its values is legal.
#[derive(Debug, Error)]
pub enum BlueprintError {
    /// The wiring.
    #[error(transparent)]
    Topology(#[from] TopologyError),
    /// The tables.
    #[error("routing table: {0}")]
    Table(#[from] TableError),
    /// The routers.
    #[error("router: {0}")]
    Plan(#[from] PlanError),
    /// Routers in SystemVerilog.
    #[error(transparent)]
    Rtl(Box<RtlError>),
    /// More buffers than fit into memory.
    #[error(
        "router.buffer_flits: the buffers of this network take {0} GiB to simulate, the limit is {MOST_GIB}; smaller buffers or longer packets need less"
    )]
    TooLarge(usize),
    /// Too many routers for a table each.
    #[error(
        "routing.algorithm = \"table\" keeps a table at every router and takes at most {TABLE_ROUTERS} routers; this network has {0}"
    )]
    TooLargeForTables(usize),
    /// One VC per hop, and not enough of them.
    #[error(
        "router.vcs: table routing uses one VC per hop; the longest shortest route has {hops} hops, but {vcs} VCs are given (up to 8 are possible)"
    )]
    TooFewVcs {
        /// Hops of the longest route.
        hops: u32,
        /// VCs given.
        vcs: u32,
    },
}

/// What all runs of a scenario share.
#[derive(Debug)]
pub struct Blueprint {
    scenario: Scenario,
    wiring: Wiring,
    /// Every router's table.
    table: Vec<PortSet>,
    /// Every router's address.
    routers: Vec<u32>,
    /// Routers that also run in SystemVerilog.
    rtl: Option<Rtl>,
}

impl Blueprint {
    /// Wires a scenario and fills its tables.
    ///
    /// # Errors
    /// When the network cannot be built as described.
    pub fn new(scenario: Scenario) -> Result<Self, BlueprintError> {
        let wiring = Wiring::build(&scenario.topology)?;
        let mut blueprint =
            Self { routers: addresses(&scenario, &wiring), table: Vec::new(), rtl: None, scenario, wiring };
        if blueprint.scenario.routing.algorithm == Algorithm::Table {
            blueprint.fill_table()?;
        }
        blueprint.routing()?;
        blueprint.check_memory()?;
        Ok(blueprint)
    }

    /// A buffer takes a descriptor per packet that it may hold.
    fn check_memory(&self) -> Result<(), BlueprintError> {
        let plans = self.plans::<64>()?;
        let of = |router: usize| plans[usize::from(self.wiring.router_class(router).0)].places();
        let places: usize = (0..self.wiring.routers()).map(of).sum();
        let gib = (places * size_of::<Descriptor>()) >> 30;
        if gib > MOST_GIB { Err(BlueprintError::TooLarge(gib)) } else { Ok(()) }
    }

    fn fill_table(&mut self) -> Result<(), BlueprintError> {
        let routers = self.wiring.routers();
        if routers > TABLE_ROUTERS {
            return Err(BlueprintError::TooLargeForTables(routers));
        }
        let hops =
            (0..routers).filter_map(|r| self.wiring.distances_from(r).into_iter().max()).max().unwrap_or(0);
        let Scenario { topology, router, .. } = &self.scenario;
        let between = |class: &PortClass| *class != PortClass::NODE && topology.has(*class);
        let vcs = router.vcs.iter().filter(|(class, _)| between(class)).map(|(_, vcs)| vcs).min();
        let vcs = vcs.unwrap_or(0);
        if hops > vcs {
            return Err(BlueprintError::TooFewVcs { hops, vcs });
        }
        self.table =
            self.wiring.minimal_ports().into_iter().map(|bits| PortSet::from_bits(bits as usize)).collect();
        Ok(())
    }

    /// Runs some routers in SystemVerilog, too, in lockstep with their models.
    pub fn attach(&mut self, rtl: Rtl) {
        self.rtl = Some(rtl);
    }

    /// The routers that also run in SystemVerilog.
    pub fn rtl(&self) -> Option<&Rtl> {
        self.rtl.as_ref()
    }

    /// The scenario.
    pub fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    /// The wiring.
    pub fn wiring(&self) -> &Wiring {
        &self.wiring
    }

    /// The connected ports of a router.
    pub fn wired(&self, router: usize) -> PortSet {
        self.ports(router, |_| true)
    }

    /// A router's place, as its routing function knows it.
    pub fn here(&self, router: usize) -> Here {
        let address = self.routers[router];
        let group_exits = self.scenario.topology.group_exits(self.wiring.address(router));
        Here { router: address, wired: self.wired(router), group_exits }
    }

    /// The ports of a router for which something holds.
    fn ports(&self, router: usize, holds: impl Fn(usize) -> bool) -> PortSet {
        let connected = (0..self.wiring.ports()).filter(|&port| self.wiring.peer(router, port).is_some());
        PortSet::from_bits(connected.filter(|&port| holds(port)).fold(0, |bits, port| bits | 1 << port))
    }

    /// A node's address.
    pub fn address(&self, node: usize) -> Address {
        let (router, port) = self.wiring.attachment(node);
        Address { router: self.routers[router], port: port as u8 }
    }

    /// What traffic patterns see of the network.
    pub fn node_map(&self) -> NodeMap {
        let topology = &self.scenario.topology;
        let nodes_at = (0..self.wiring.routers()).map(|router| self.wiring.nodes_of(router).count() as u32);
        NodeMap::new(nodes_at, topology.groups().as_deref(), topology.dims().as_deref())
    }

    /// The routing function.
    ///
    /// # Errors
    /// When the maps or tables make no sense; not after [`Blueprint::new`] has succeeded.
    pub fn routing(&self) -> Result<Routing<'_>, BlueprintError> {
        let settings = &self.scenario.routing;
        Ok(match settings.algorithm {
            Algorithm::Minimal => Routing::Minimal(Minimal { map: self.dragonfly()? }),
            Algorithm::Valiant => Routing::Valiant(Valiant {
                map: self.dragonfly()?,
                intermediate: match settings.intermediate {
                    scenario::Intermediate::Group => Intermediate::Group,
                    scenario::Intermediate::Node => Intermediate::Router,
                },
            }),
            Algorithm::Olm => Routing::Olm(olm(self.dragonfly()?, settings)),
            Algorithm::DimensionOrder => Routing::DimensionOrder(DimensionOrder {
                grid: self.grid()?,
                vcs: self.scenario.router.vcs[PortClass::LOCAL] as u8,
            }),
            Algorithm::Table => {
                let between = |router: u32| {
                    let router = router as usize;
                    self.ports(router, |port| self.wiring.class(router, port) != PortClass::NODE)
                };
                Routing::Table(Table::load(&self.table, self.wiring.routers() as u32, between)?)
            }
            Algorithm::UpDown => Routing::UpDown(UpDown { tree: self.tree()? }),
        })
    }

    fn dragonfly(&self) -> Result<Dragonfly<'_>, TopologyError> {
        match &self.scenario.topology {
            Topology::Dragonfly(dragonfly) => Ok(dragonfly.map()?),
            _ => Err(MapError::Groups.into()),
        }
    }

    fn grid(&self) -> Result<Grid, TopologyError> {
        match &self.scenario.topology {
            Topology::Mesh(mesh) => Ok(mesh.map()?),
            Topology::Torus(torus) => Ok(torus.map()?),
            _ => Err(GridError::Dimensions.into()),
        }
    }

    fn tree(&self) -> Result<Tree, TopologyError> {
        match &self.scenario.topology {
            Topology::FatTree(tree) => Ok(tree.map()?),
            _ => Err(TreeError::Levels.into()),
        }
    }

    /// What all routers of each class have in common.
    ///
    /// # Errors
    /// When the network's routers have more than `P` ports.
    pub fn plans<const P: usize>(&self) -> Result<Vec<Plan<P>>, PlanError> {
        (0..self.wiring.router_classes()).map(|class| self.plan_of(RouterClass(class as u8))).collect()
    }

    /// What a router has in common with the others of its class.
    ///
    /// # Errors
    /// When the network's routers have more than `P` ports.
    pub fn plan<const P: usize>(&self, router: usize) -> Result<Plan<P>, PlanError> {
        self.plan_of(self.wiring.router_class(router))
    }

    fn plan_of<const P: usize>(&self, class: RouterClass) -> Result<Plan<P>, PlanError> {
        let router = &self.scenario.router;
        let size = |(vcs, buffer): (&u32, &u32)| PortSizes { vcs: *vcs as u8, buffer: *buffer as u16 };
        let sizes: Vec<_> =
            router.vcs.as_slice().iter().zip(router.buffer_flits.as_slice()).map(size).collect();
        let mut plan = Plan::new(self.wiring.port_classes(class), &sizes)?
            .with_shortest(self.scenario.traffic.packet_flits as u16);
        plan.restricted = self.scenario.topology.restricted();
        plan.output_flits = router.output_flits;
        plan.flow = match router.flow_control {
            scenario::FlowControl::Vct => FlowControl::Vct,
            scenario::FlowControl::Wormhole => FlowControl::Wormhole,
            scenario::FlowControl::StoreAndForward => FlowControl::StoreAndForward,
        };
        plan.vc_order = match self.scenario.routing.vc_order {
            scenario::VcOrder::Ascending => VcOrder::Ascending,
            scenario::VcOrder::Descending => VcOrder::Descending,
        };
        plan.count_at = match self.scenario.selection.count_at {
            scenario::CountAt::Head => CountAt::Head,
            scenario::CountAt::Arrival => CountAt::Arrival,
        };
        plan.selection = selection(&self.scenario.selection);
        plan.allocation = allocation(router);
        Ok(plan)
    }
}

/// The routers' addresses in the numbering of the routing function.
fn addresses(scenario: &Scenario, wiring: &Wiring) -> Vec<u32> {
    let is_table = scenario.routing.algorithm == Algorithm::Table;
    let address = |router| if is_table { router as u32 } else { wiring.address(router) };
    (0..wiring.routers()).map(address).collect()
}

fn olm<'t>(map: Dragonfly<'t>, settings: &scenario::RoutingSettings) -> Olm<'t> {
    Olm {
        map,
        rules: match settings.nonminimal {
            scenario::Nonminimal::Restricted => Rules::Restricted,
            scenario::Nonminimal::Free => Rules::Free,
        },
        policy: match settings.policy {
            scenario::Policy::Rrg => Policy::Rrg,
            scenario::Policy::Crg => Policy::Crg,
            scenario::Policy::Nrg => Policy::Nrg,
            scenario::Policy::Mm => Policy::Mm,
        },
        local_misrouting: settings.policy_local,
        limit: settings.local_misroutes as u8,
        scope: match settings.misroute_scope {
            scenario::MisrouteScope::Group => Scope::Group,
            scenario::MisrouteScope::Route => Scope::Route,
        },
    }
}

fn selection(settings: &scenario::SelectionSettings) -> Selection {
    let occupancy = OccupancyTrigger {
        minimal_occupancy: U1F15::saturating_from_num(settings.minimal_occupancy),
        relative_threshold: U8F8::saturating_from_num(settings.relative_threshold),
        global_restriction: settings.global_restriction.map(|restriction| GlobalRestriction {
            factor: U8F8::saturating_from_num(restriction.factor),
            packets: restriction.packets as u16,
        }),
    };
    let contention = ContentionTrigger { threshold: settings.contention_threshold as u16 };
    match settings.trigger {
        scenario::Trigger::Never => Selection::Never,
        scenario::Trigger::Occupancy => Selection::Occupancy(occupancy),
        scenario::Trigger::Contention => Selection::Contention(contention),
        scenario::Trigger::ContentionAverage => Selection::ContentionAverage(AverageTrigger {
            factor: U8F8::saturating_from_num(settings.contention_factor),
        }),
        scenario::Trigger::Hybrid => Selection::Hybrid(occupancy, contention),
        scenario::Trigger::Always => Selection::Always,
    }
}

fn allocation(router: &scenario::RouterSettings) -> Allocation {
    Allocation {
        kind: match router.allocator {
            scenario::Allocator::SeparableInputFirst => AllocatorKind::SeparableInputFirst,
            scenario::Allocator::SeparableOutputFirst => AllocatorKind::SeparableOutputFirst,
            scenario::Allocator::Wavefront => AllocatorKind::Wavefront,
        },
        arbiter: match router.arbiter {
            scenario::Arbiter::RoundRobin => ArbiterKind::RoundRobin,
            scenario::Arbiter::Matrix => ArbiterKind::Matrix,
        },
        iterations: router.iterations as u8,
    }
}
