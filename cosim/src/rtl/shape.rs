//! A scenario's router as the RTL knows it: parameters of the module, and what it is told while it is reset.

use crate::blueprint::{Blueprint, BlueprintError};
use crate::lockstep::probe::VcRegister;
use crate::topology::PortKind;
use router_core::alloc::{AllocatorKind, ArbiterKind};
use router_core::layout;
use router_core::lfsr::Lfsr;
use router_core::map::dragonfly::Dragonfly;
use router_core::plan::descriptors;
use router_core::plan::{CountAt, Plan, PortSizes};
use router_core::route::Routing;
use router_core::route::candidates::Packing;
use router_core::select::Selection;
use router_core::select::occupancy::OccupancyTrigger;
use router_core::units::{PortId, VcId};
use thiserror::Error;

/// Most ports of a router in SystemVerilog.
pub(crate) const PORTS: usize = 64;

/// Bits of a flit in lockstep: a header, and 32 bits of payload.
pub(crate) const FLIT_WIDTH: u32 = 96;

/// Why a scenario's router does not exist in SystemVerilog.
#[derive(Debug, Error)]
pub enum NotInRtl {
    /// Its routing function.
    #[error("routing.algorithm = \"{0}\" is not written in SystemVerilog; minimal, olm and table are")]
    Routing(&'static str),
    /// A Dragonfly with groups of different sizes.
    #[error("the SystemVerilog knows Dragonflies with equal groups only")]
    Groups,
    /// The order of the ports.
    #[error("the SystemVerilog has node ports first, then local and global ones")]
    Ports,
    /// More than lockstep can look into.
    #[error("lockstep compares the registers of routers with up to 16 ports; this one has {0}")]
    TooWide(usize),
    /// An output FIFO that the model's pins have no room for.
    #[error("router.output_flits: lockstep takes FIFOs of up to {most} flits, not {0}", most = crate::lockstep::model::FIFO)]
    Fifo(u32),
    /// The scenario itself.
    #[error(transparent)]
    Blueprint(#[from] BlueprintError),
}

/// What a router looks like to the RTL.
#[derive(Debug, Clone)]
pub struct Shape {
    /// Parameters of the module `router`, by name.
    pub parameters: Vec<(&'static str, u32)>,
    /// Ports, the unconnected ones included.
    pub ports: usize,
    /// The largest number of VCs of a port.
    pub vcs: usize,
    /// Internal cycles to a link cycle.
    pub speedup: u64,
    /// Bits of a contention counter.
    pub counter_width: u32,
    kinds: KindCounts,
    set_kinds: &'static [u32],
    plan: Plan<PORTS>,
    shortest: u16,
    /// Thresholds: configuration inputs by name, with their widths.
    thresholds: Vec<(&'static str, u32, u64)>,
}

/// What one router is told: inputs by name, with their widths; and its table.
#[derive(Debug)]
pub struct Configuration {
    /// What it takes in while it is reset only: inputs by name, with their widths.
    pub inputs: Vec<(&'static str, u32, u64)>,
    /// What it takes in when it is told to, too.
    pub thresholds: Vec<(&'static str, u32, u64)>,
    /// The ports towards each router.
    pub rows: Vec<u64>,
}

impl Shape {
    /// The shape of all routers of a network.
    ///
    /// # Errors
    /// When the RTL cannot be like that.
    pub fn of(blueprint: &Blueprint) -> Result<Self, NotInRtl> {
        let plan = blueprint.plan::<PORTS>().map_err(BlueprintError::from)?;
        let router = &blueprint.scenario().router;
        let kinds = KindCounts::of(blueprint)?;
        let vcs = router.vcs.node.max(router.vcs.local).max(router.vcs.global);
        let shortest = blueprint.scenario().traffic.packet_flits;
        let counter_width = kinds.counter_width(&plan, shortest);
        let allocation = plan.allocation;
        let mut parameters = vec![
            ("NODES", kinds.nodes),
            ("LOCALS", kinds.locals),
            ("GLOBALS", kinds.globals),
            ("VCS", vcs),
            ("NODE_VCS", router.vcs.node),
            ("LOCAL_VCS", router.vcs.local),
            ("GLOBAL_VCS", router.vcs.global),
            ("NODE_FLITS", router.buffer_flits.node),
            ("LOCAL_FLITS", router.buffer_flits.local),
            ("GLOBAL_FLITS", router.buffer_flits.global),
            ("SHORTEST", shortest),
            ("OUTPUT_FLITS", router.output_flits),
            ("SPEEDUP", router.speedup),
            ("FLIT_WIDTH", FLIT_WIDTH),
            ("COUNTER_WIDTH", counter_width),
            ("FLOW", plan.flow as u32),
            ("VC_ORDER", plan.vc_order as u32),
            ("COUNT_AT", plan.count_at as u32),
            ("TRIGGER", trigger(&plan.selection)),
            ("ALLOCATOR", allocation.kind as u32),
            ("ARBITER", allocation.arbiter as u32),
            ("ITERATIONS", u32::from(allocation.iterations)),
        ];
        parameters.extend(routing(blueprint)?);
        let number = parameters.iter().find(|(name, _)| *name == "ROUTING").map_or(0, |&(_, number)| number);
        Ok(Self {
            parameters,
            ports: blueprint.wiring().ports(),
            vcs: vcs as usize,
            speedup: u64::from(router.speedup),
            counter_width,
            kinds,
            set_kinds: layout::ROUTING_KINDS[number as usize],
            shortest: shortest as u16,
            thresholds: thresholds(&plan, counter_width),
            plan,
        })
    }

    /// What router number `router` is told.
    ///
    /// # Errors
    /// When the network cannot be built.
    pub fn configuration(&self, blueprint: &Blueprint, router: usize) -> Result<Configuration, NotInRtl> {
        let here = blueprint.here(router);
        let word = Lfsr::new(blueprint.scenario().run.seed, router as u32).word();
        let ports = self.ports as u32;
        let inputs = vec![
            ("config_router", layout::ROUTER_BITS, u64::from(here.router)),
            ("config_wired", ports, here.wired.bits() as u64),
            ("config_exits", ports, here.exits.bits() as u64),
            ("config_seed", 32, u64::from(word)),
        ];
        let rows = match blueprint.routing()? {
            Routing::Table(table) => {
                let routers = 0..blueprint.wiring().routers() as u32;
                routers.map(|there| table.ports(here.router, there).bits() as u64).collect()
            }
            _ => vec![0],
        };
        Ok(Configuration { inputs, thresholds: self.thresholds.clone(), rows })
    }
}

/// Widths of the RTL's registers.
impl Shape {
    /// Ports to nodes, which come first.
    pub(crate) fn nodes(&self) -> usize {
        self.kinds.nodes as usize
    }

    /// VCs of a port.
    pub(crate) fn vcs_of(&self, at: usize) -> usize {
        self.plan.vcs(port(at)).len()
    }

    /// Places of each VC of a port.
    pub(crate) fn depth_of(&self, at: usize) -> u16 {
        self.plan.buffer(port(at))
    }

    /// Packets that each VC of a port has room for.
    pub(crate) fn places_of(&self, at: usize) -> u16 {
        descriptors(self.depth_of(at), self.shortest)
    }

    pub(crate) fn plan(&self) -> &Plan<PORTS> {
        &self.plan
    }

    /// From how many packets on an output is contended, if the trigger has such a number.
    pub(crate) fn contention_threshold(&self) -> Option<u16> {
        match self.plan.selection {
            Selection::Contention(trigger) | Selection::Hybrid(_, trigger) => Some(trigger.threshold),
            _ => None,
        }
    }

    /// The name on the wire of a VC of a port.
    pub(crate) fn label(&self, at: usize, vc: usize) -> u8 {
        let port = port(at);
        self.plan.relabel(port, VcId::new(vc as u8)).number()
    }

    /// Flits of the shortest packet.
    pub(crate) fn shortest(&self) -> u16 {
        self.shortest
    }

    /// Width of a register of a VC of a port.
    pub(crate) fn bits_of(&self, port: usize, register: VcRegister) -> u32 {
        match register {
            VcRegister::State => 2,
            VcRegister::Flits => bits(self.depth_of(port).into()),
            VcRegister::Packets => bits(self.places_of(port).into()),
            VcRegister::Left | VcRegister::Expected => layout::LENGTH_BITS,
            VcRegister::Candidates => self.packing().bits(self.set_kinds().len() as u32),
            VcRegister::Minimal | VcRegister::Request => self.ports as u32,
            VcRegister::OutVc => self.vc_bits(),
        }
    }

    /// How candidates are packed into one register.
    pub fn packing(&self) -> Packing {
        Packing { ports: self.ports as u32, vcs: self.vcs as u32 }
    }

    /// The kinds of hop of the sets that its routing offers, in offer order.
    pub(crate) fn set_kinds(&self) -> &'static [u32] {
        self.set_kinds
    }

    /// Width of the number of a VC.
    pub fn vc_bits(&self) -> u32 {
        bits(self.vcs as u32 - 1).max(1)
    }

    /// Width of the number of a port.
    pub(crate) fn port_bits(&self) -> u32 {
        bits(self.ports as u32 - 1).max(1)
    }

    pub(crate) fn credit_bits(&self) -> u32 {
        let kinds = [PortKind::Node, PortKind::Local, PortKind::Global];
        bits(kinds.iter().map(|&kind| u32::from(self.plan.sizes(kind).buffer)).max().unwrap_or(0))
    }

    pub(crate) fn queued_bits(&self) -> u32 {
        bits(self.plan.output_flits)
    }

    pub(crate) fn phase_bits(&self) -> u32 {
        bits(self.speedup as u32 - 1).max(1)
    }

    pub(crate) fn is_wavefront(&self) -> bool {
        self.plan.allocation.kind == AllocatorKind::Wavefront
    }

    /// Whether the allocator chooses among several outputs of one packet: only one trigger leaves that to it.
    pub(crate) fn has_choices(&self) -> bool {
        !self.is_wavefront() && matches!(self.plan.selection, Selection::Always)
    }

    /// Width of an arbiter's state.
    pub(crate) fn arbiter_bits(&self, requesters: usize) -> u32 {
        let requesters = requesters as u32;
        match self.plan.allocation.arbiter {
            ArbiterKind::RoundRobin => requesters,
            ArbiterKind::Matrix => (requesters * (requesters - 1) / 2).max(1),
        }
    }
}

/// Bits of a number up to `highest`.
const fn bits(highest: u32) -> u32 {
    u32::BITS - highest.leading_zeros()
}

/// How many ports of each kind a router has.
#[derive(Debug, Clone, Copy)]
struct KindCounts {
    nodes: u32,
    locals: u32,
    globals: u32,
}

impl KindCounts {
    fn of(blueprint: &Blueprint) -> Result<Self, NotInRtl> {
        let wiring = blueprint.wiring();
        let kinds: Vec<_> = (0..wiring.ports()).map(|port| wiring.kind(port)).collect();
        let count = |kind| kinds.iter().filter(|&&other| other == kind).count() as u32;
        let (nodes, locals, globals) =
            (count(PortKind::Node), count(PortKind::Local), count(PortKind::Global));
        if kinds.is_sorted() { Ok(Self { nodes, locals, globals }) } else { Err(NotInRtl::Ports) }
    }

    /// Bits of a counter that can count every packet that is counted at all, and one more: every front packet, or
    /// every packet of every buffer.
    fn counter_width(&self, plan: &Plan<PORTS>, shortest: u32) -> u32 {
        let of = |ports: u32, kind: PortKind| {
            let PortSizes { vcs, buffer } = plan.sizes(kind);
            let packets = match plan.count_at {
                CountAt::Head => 1,
                CountAt::Arrival => descriptors(buffer, shortest as u16),
            };
            ports * u32::from(vcs) * u32::from(packets)
        };
        let most = of(self.nodes, PortKind::Node)
            + of(self.locals, PortKind::Local)
            + of(self.globals, PortKind::Global);
        u32::BITS - (most + 1).leading_zeros()
    }
}

fn routing(blueprint: &Blueprint) -> Result<Vec<(&'static str, u32)>, NotInRtl> {
    match blueprint.routing()? {
        Routing::Minimal(minimal) => {
            let mut parameters = dragonfly(&minimal.map)?;
            parameters.push(("ROUTING", layout::ROUTING_MINIMAL));
            Ok(parameters)
        }
        Routing::Olm(olm) => {
            let mut parameters = dragonfly(&olm.map)?;
            parameters.extend([
                ("ROUTING", layout::ROUTING_OLM),
                ("RULES", olm.rules as u32),
                ("POLICY", olm.policy as u32),
                ("LOCAL_MISROUTING", u32::from(olm.local_misrouting)),
                ("LIMIT", u32::from(olm.limit)),
                ("SCOPE", olm.scope as u32),
            ]);
            Ok(parameters)
        }
        Routing::Table(_) => {
            let rows = blueprint.wiring().routers() as u32;
            Ok(vec![("ROUTING", layout::ROUTING_TABLE), ("GROUPS", 1), ("TABLE_ROUTERS", rows)])
        }
        Routing::Valiant(_) => Err(NotInRtl::Routing("valiant")),
        Routing::DimensionOrder(_) => Err(NotInRtl::Routing("dimension-order")),
    }
}

fn dragonfly(map: &Dragonfly<'_>) -> Result<Vec<(&'static str, u32)>, NotInRtl> {
    let groups = map.groups();
    if (1..groups).any(|group| map.size(group) != map.size(0)) {
        return Err(NotInRtl::Groups);
    }
    Ok(vec![("GROUPS", groups), ("ARRANGEMENT", map.arrangement() as u32)])
}

fn trigger(selection: &Selection) -> u32 {
    match selection {
        Selection::Never => layout::TRIGGER_NEVER,
        Selection::Occupancy(_) => layout::TRIGGER_OCCUPANCY,
        Selection::Contention(_) => layout::TRIGGER_CONTENTION,
        Selection::ContentionAverage(_) => layout::TRIGGER_CONTENTION_AVERAGE,
        Selection::Hybrid(..) => layout::TRIGGER_HYBRID,
        Selection::Always => layout::TRIGGER_ALWAYS,
    }
}

fn thresholds(plan: &Plan<PORTS>, counter_width: u32) -> Vec<(&'static str, u32, u64)> {
    let (occupancy, contention, factor) = match plan.selection {
        Selection::Occupancy(trigger) => (Some(trigger), 0, 0),
        Selection::Contention(trigger) => (None, trigger.threshold, 0),
        Selection::ContentionAverage(trigger) => (None, 0, trigger.factor.to_bits()),
        Selection::Hybrid(occupancy, contention) => (Some(occupancy), contention.threshold, 0),
        Selection::Never | Selection::Always => (None, 0, 0),
    };
    // A threshold that no counter reaches is one beyond the highest count.
    let highest = (1u64 << counter_width) - 1;
    let by_count = matches!(
        plan.selection,
        Selection::Contention(_) | Selection::ContentionAverage(_) | Selection::Hybrid(..)
    );
    let mut inputs = vec![
        ("config_occupancy_enable", 1, u64::from(occupancy.is_some())),
        ("config_contention_enable", 1, u64::from(by_count)),
        ("config_contention_threshold", counter_width, u64::from(contention).min(highest)),
        ("config_contention_factor", 16, u64::from(factor)),
    ];
    inputs.extend(occupancy_thresholds(occupancy));
    inputs
}

fn occupancy_thresholds(trigger: Option<OccupancyTrigger>) -> [(&'static str, u32, u64); 5] {
    let bits = |of: fn(&OccupancyTrigger) -> u16| trigger.as_ref().map_or(0, |t| u64::from(of(t)));
    let restriction = trigger.and_then(|t| t.global_restriction);
    [
        ("config_minimal_occupancy", 16, bits(|t| t.minimal_occupancy.to_bits())),
        ("config_relative_threshold", 16, bits(|t| t.relative_threshold.to_bits())),
        ("config_restriction", 1, u64::from(restriction.is_some())),
        ("config_restriction_factor", 16, restriction.map_or(0, |r| u64::from(r.factor.to_bits()))),
        ("config_restriction_packets", 16, restriction.map_or(0, |r| u64::from(r.packets))),
    ]
}

/// The number of a port, for lists of ports.
pub(crate) fn port(number: usize) -> PortId {
    PortId::new(number as u8)
}
