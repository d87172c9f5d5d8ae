//! What a scenario means once it has been read and checked: every default filled in, every value legal.

use std::path::{Path, PathBuf};

use super::PerClass;
pub use super::congestion::CongestionSettings;
use super::own::OwnScheme;
pub use super::vl_arbitration::VlArbitrationSettings;
pub use crate::topology::{Arrangement, Topology};
pub use crate::traffic::{LengthShare, Loads, PacketFlits, Pattern, Process, TrafficSettings};
pub use router_core::alloc::{AllocatorKind, ArbiterKind};
pub use router_core::links::{FlowControl, VcAllocation, VcOrder};
pub use router_core::plan::{AllocationUnit, CountAt, Pipeline, Priority};
pub use router_core::route::RoutingScheme;
pub use router_core::select::Selection;
use router_core::units::PortClass;

/// One network, its traffic, and how to measure it.
#[derive(Debug, Clone, PartialEq)]
pub struct Scenario {
    /// Which routers there are and how they are joined.
    pub topology: Topology,
    /// The router at every place of it.
    pub router: RouterSettings,
    /// The wires.
    pub links: LinkSettings,
    /// Which ways a packet may take.
    pub routing: RoutingSettings,
    /// Which of them it takes.
    pub selection: SelectionSettings,
    /// What the nodes send.
    pub traffic: TrafficSettings,
    /// When nodes may send it.
    pub injection: InjectionSettings,
    /// What routers and nodes do about congestion.
    pub congestion: CongestionSettings,
    /// How long to run and what to measure.
    pub run: RunSettings,
}

/// `[router]`
#[derive(Debug, Clone, PartialEq)]
pub struct RouterSettings {
    /// When a packet may move on.
    pub flow_control: FlowControl,
    /// When it may take a VC of the next router.
    pub vc_allocation: VcAllocation,
    /// Flits of the address of a dimension, which packets bring under mad postman, 1…16.
    pub address_flits: u32,
    /// Virtual channels, 1…8 each. The Dragonfly's routings use as many as their routes have hops of a kind; more stay
    /// unused between routers.
    pub vcs: PerClass<u32>,
    /// Flits each VC's buffer holds, 1…65535.
    pub buffer_flits: PerClass<u32>,
    /// Flits of it that are kept for that VC, where the VCs of a port share the others; 0: all of them are. Never at nodes.
    pub reserved_flits: PerClass<u32>,
    /// Internal cycles per link cycle, 1…8.
    pub speedup: u32,
    /// Flits the FIFO of each output holds, at least `speedup`.
    pub output_flits: u32,
    /// How requests are matched with outputs.
    pub allocator: AllocatorKind,
    /// Iterations of a separable allocator, 1…8.
    pub iterations: u32,
    /// The arbiters inside the allocator.
    pub arbiter: ArbiterKind,
    /// What an output and the input that sends to it are allocated to.
    pub allocation_unit: AllocationUnit,
    /// Which inputs an output serves first.
    pub priority: Priority,
    /// Internal cycles of a head from wire to wire, 4 to 6.
    pub pipeline: Pipeline,
    /// Whether the packet behind a tail is selected while the tail leaves.
    pub selects_ahead: bool,
    /// Whether SystemVerilog has the buffers of an input in one synchronous memory: no cycle depends on it.
    pub synchronous_buffers: bool,
    /// The tables by which outputs pick the VC of the next packet, instead of turn by turn.
    pub vl_arbitration: Option<VlArbitrationSettings>,
    /// Whether packets are discarded that the forwarding tables lead nowhere.
    pub discards: bool,
    /// Cycles that a packet waits for an output of each class before it is discarded; 0: for ever.
    pub head_lifetime: PerClass<u32>,
    /// Discards in succession by which a virtual channel behind an output of each class is stalled, 0…7; 0: none is.
    pub vl_stall_count: PerClass<u32>,
    /// Cycles that a packet may be in a router, 0 or from 4 on: in four ticks; 0: for ever.
    pub packet_lifetime: u32,
    /// Which port a packet leaves by.
    pub ejection: Ejection,
}

impl RouterSettings {
    /// Flits that a VC of a class has room for whatever the others of its port hold.
    #[must_use]
    pub fn kept_flits(&self, class: PortClass) -> u32 {
        let buffer = self.buffer_flits[class];
        if self.shares(class) { self.reserved_flits[class] } else { buffer }
    }

    /// Whether the VCs of a port of a class share places: not where there is one.
    #[must_use]
    pub fn shares(&self, class: PortClass) -> bool {
        self.vcs[class] > 1 && (1..self.buffer_flits[class]).contains(&self.reserved_flits[class])
    }

    /// Whether packets are discarded that wait at the head of a queue, or are in a router, for too long.
    #[must_use]
    pub fn has_lifetimes(&self) -> bool {
        self.longest_lifetime() > 0
    }

    /// Cycles of the longest limit; 0 where there is none.
    #[must_use]
    pub fn longest_lifetime(&self) -> u32 {
        self.head_lifetime.highest().max(self.packet_lifetime)
    }
}

/// Which port a packet leaves by at its destination.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ejection {
    /// That of its node.
    Own,
    /// Any to a node: the nodes of a router are the channels of one node, by which it sends and receives.
    Any,
}

/// `[links]`
#[derive(Debug, Clone, PartialEq)]
pub struct LinkSettings {
    /// Cycles a flit is on the way, 1…10000.
    pub latency: PerClass<u32>,
    /// Cycles a credit is on the way, 1…10000. Where it is as `latency`, a link that has a latency of its own has it for credits, too.
    pub credit_latency: PerClass<u32>,
    /// Links that go down.
    pub down: Vec<LinkDown>,
    /// How credits come over links between routers.
    pub credits: CreditForm,
    /// Cycles between two flow control packets of a virtual channel, 1…65536, where credits are absolute.
    pub credit_period: u32,
    /// Flits whose places a credit of a link between routers gives back, 1…1023.
    pub credit_flits: u32,
    /// What links between routers lose.
    pub loss: Loss,
}

impl LinkSettings {
    /// Whether what links between routers carry is lost, or changed, on the way.
    #[must_use]
    pub fn is_tapped(&self) -> bool {
        self.loss != Loss::default() || self.credits != CreditForm::default() || self.credit_flits > 1
    }
}

/// How credits come over a link.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum CreditForm {
    /// A pulse for each place that has become free.
    #[default]
    Pulse,
    /// In each period a packet that says how much may be sent in all, as InfiniBand has it.
    Absolute,
}

/// Shares of what links between routers carry that are lost, 0…1.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Loss {
    /// Of packets.
    pub packets: f64,
    /// Of credits, or of the packets that tell them.
    pub credits: f64,
}

/// A link between routers that goes down, both ways, for good.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LinkDown {
    /// A router at one of its ends.
    pub router: u32,
    /// The port there.
    pub port: u32,
    /// The first cycle in which it is down.
    pub at: u64,
    /// Whether the ports at its ends take what is sent into it from then on, so that nothing waits for it.
    pub discards: bool,
}

/// Forwarding tables that take the place of those before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableUpdate {
    /// The first cycle in which they are looked up.
    pub at: u64,
    /// Their file.
    pub tables: PathBuf,
    /// The file of the service levels that come with them; those of the scenario where there is none.
    pub service_levels: Option<PathBuf>,
    /// The file of the tables from service levels to lanes that come with them; those of the scenario where there is none.
    pub sl_to_vl: Option<PathBuf>,
}

impl TableUpdate {
    /// The files that it names.
    pub(super) fn files(&self) -> impl Iterator<Item = &Path> {
        let more = [&self.service_levels, &self.sl_to_vl].into_iter().filter_map(|file| file.as_deref());
        [self.tables.as_path()].into_iter().chain(more)
    }
}

/// `[routing]`
#[derive(Debug, Clone, PartialEq)]
pub struct RoutingSettings {
    /// The routing, with its settings. Of one of the program's own, one of tables stands here.
    pub scheme: RoutingScheme,
    /// A routing of the program's own, which is used instead.
    pub own: Option<OwnScheme>,
    /// The file of its forwarding tables, where it takes them from one.
    pub tables: Option<PathBuf>,
    /// The file of the service levels of pairs of nodes, where there is one.
    pub service_levels: Option<PathBuf>,
    /// The file of the tables from service levels to virtual lanes, where there is one.
    pub sl_to_vl: Option<PathBuf>,
    /// Tables that take their place while the network runs, in the order of their cycles.
    pub updates: Vec<TableUpdate>,
    /// Whether order indexes rise or fall along a route.
    pub vc_order: VcOrder,
}

/// `[selection]`
#[derive(Debug, Clone, PartialEq)]
pub struct SelectionSettings {
    /// When a detour is considered, with the trigger's settings.
    pub trigger: Selection,
    /// When a packet is counted.
    pub count_at: CountAt,
}

/// `[injection]`
#[derive(Debug, Clone, PartialEq)]
pub struct InjectionSettings {
    /// When a node may send.
    pub control: ControlKind,
    /// Packets of a node without a reply, at most, for a control that counts them, 1…65535.
    pub window: u32,
}

/// When a node may send the next packet that it generated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ControlKind {
    /// As soon as there is room for it at the router.
    Free,
    /// While fewer than `window` of its packets have no reply.
    Window,
    /// Behind a delay that notifications of congestion make longer.
    CongestionControl,
}

/// `[run]`
#[derive(Debug, Clone, PartialEq)]
pub struct RunSettings {
    /// Cycles before measuring; `None`: until stationary.
    pub warmup_cycles: Option<u64>,
    /// Cycles measured; `None`: until the confidence intervals are narrow.
    pub measure_cycles: Option<u64>,
    /// Limit of warm-up and of measurement each, when automatic; `None`: by the size of the network.
    pub limit_cycles: Option<u64>,
    /// Width of a window of the time series, in cycles.
    pub window_cycles: u64,
    /// Of every random choice.
    pub seed: u64,
    /// Whether results have every link and every node.
    pub details: bool,
}

/// Cycles of a warm-up, and of a measurement of a large network, at most.
const LIMIT_CYCLES: u64 = 50_000;
/// Nodes of a network that is large: its packets in as many cycles are enough for narrow intervals.
const MANY_NODES: u64 = 1_000;
/// How much longer a small network is measured, at most.
const LONGER: u64 = 10;

impl RunSettings {
    /// Cycles of the warm-up, those that it has or its limit.
    #[must_use]
    pub fn longest_warmup(&self) -> u64 {
        self.warmup_cycles.unwrap_or(self.limit_cycles.unwrap_or(LIMIT_CYCLES))
    }

    /// Cycles of the measurement of a network with so many nodes, those that it has or its limit: as few nodes as send few packets need long.
    #[must_use]
    pub fn longest_measurement(&self, nodes: usize) -> u64 {
        let by_size = || LIMIT_CYCLES * (MANY_NODES / nodes.max(1) as u64).clamp(1, LONGER);
        self.measure_cycles.or(self.limit_cycles).unwrap_or_else(by_size)
    }
}
