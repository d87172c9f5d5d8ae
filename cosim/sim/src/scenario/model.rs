//! What a scenario means once it has been read and checked: every default filled in, every value legal.

use std::path::{Path, PathBuf};

use router_core::rate::Rate;

use super::PerClass;
pub use super::congestion::CongestionSettings;
use super::own::OwnScheme;
pub use super::router::RouterSettings;
pub use super::vl_arbitration::VlArbitrationSettings;
pub use crate::topology::{Arrangement, Topology};
pub use crate::traffic::{LengthShare, Loads, PacketFlits, Pattern, Process, TrafficSettings};
pub use router_core::alloc::{AllocatorKind, ArbiterKind};
pub use router_core::links::{FlowControl, VcAllocation, VcOrder};
pub use router_core::options::{AllocationUnit, Ejection, Options, Pipeline, Priority};
pub use router_core::plan::CountAt;
pub use router_core::route::RoutingScheme;
pub use router_core::select::{Preference, Selection};

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

/// `[links]`
#[derive(Debug, Clone, PartialEq)]
pub struct LinkSettings {
    /// Cycles a flit is on the way, 1…10000.
    pub latency: PerClass<u32>,
    /// Cycles a credit is on the way, 1…10000. Where it is as `latency`, a link that has a latency of its own has it for credits, too.
    pub credit_latency: PerClass<u32>,
    /// Flits per cycle of each class of links; where there are none, each carries one, or what a fabric's file says.
    pub rate: Option<PerClass<Rate>>,
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
    /// Which of several minimal outputs, and which of several VCs.
    pub preference: Preference,
}

/// `[injection]`
#[derive(Debug, Clone, PartialEq)]
pub struct InjectionSettings {
    /// When a node may send.
    pub control: ControlKind,
    /// Packets of a node without a reply, at most, for a control that counts them, 1…65535.
    pub window: u32,
    /// Whether a node waits behind a packet to a destination whose way is slower than its own link, and sends to others meanwhile.
    pub static_rate: bool,
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

/// Which packets of a node wait when one of them has met congestion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ControlScope {
    /// All that it generates.
    Node,
    /// Those to the same destination.
    Destination,
}

/// `[run]`
#[derive(Debug, Clone, PartialEq)]
pub struct RunSettings {
    /// Cycles before measuring; `None`: until stationary.
    pub warmup_cycles: Option<u64>,
    /// Cycles measured; `None`: until the confidence intervals are narrow.
    pub measure_cycles: Option<u64>,
    /// Packets delivered before measuring, instead of cycles.
    pub warmup_packets: Option<u64>,
    /// Packets delivered in the measured window, instead of cycles.
    pub measure_packets: Option<u64>,
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
    /// Whether the scenario says how much is measured, in cycles or in packets.
    #[must_use]
    pub const fn is_fixed(&self) -> bool {
        self.measure_cycles.is_some() || self.measure_packets.is_some()
    }

    /// The run with numbers of cycles before the measured window and in it.
    #[must_use]
    pub fn with_cycles(self, warmup: u64, measure: u64) -> Self {
        let (warmup_cycles, measure_cycles) = (Some(warmup), Some(measure));
        Self { warmup_cycles, measure_cycles, warmup_packets: None, measure_packets: None, ..self }
    }

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
