//! What a scenario means once it has been read and checked: every default filled in, every value legal.

use super::PerClass;
pub use crate::topology::{Arrangement, Topology};
pub use crate::traffic::Pattern;

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
    /// How long to run and what to measure.
    pub run: RunSettings,
}

/// `[router]`
#[derive(Debug, Clone, PartialEq)]
pub struct RouterSettings {
    /// When a packet may move on.
    pub flow_control: FlowControl,
    /// Virtual channels, 1…8 each. The Dragonfly's routings use as many as their routes have hops of a kind; more stay
    /// unused between routers.
    pub vcs: PerClass<u32>,
    /// Flits each VC's buffer holds, 1…65535.
    pub buffer_flits: PerClass<u32>,
    /// Internal cycles per link cycle, 1…8.
    pub speedup: u32,
    /// Flits the FIFO of each output holds, at least `speedup`.
    pub output_flits: u32,
    /// How requests are matched with outputs.
    pub allocator: Allocator,
    /// Iterations of a separable allocator, 1…8.
    pub iterations: u32,
    /// The arbiters inside the allocator.
    pub arbiter: Arbiter,
}

/// When a packet may move to the next buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FlowControl {
    /// Virtual cut-through: room for the whole packet, but need not have arrived whole.
    Vct,
    /// Room for one flit.
    Wormhole,
    /// Room for the whole packet, which must have arrived whole.
    StoreAndForward,
}

/// How requests are matched with outputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Allocator {
    /// Each input nominates one VC, then each output picks one input.
    SeparableInputFirst,
    /// Each output picks one input, then each input accepts one output.
    SeparableOutputFirst,
    /// A rotating diagonal sweeps the whole matrix of requests.
    Wavefront,
}

/// Who is served among several requesters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arbiter {
    /// The first at or after a pointer that moves past each winner.
    RoundRobin,
    /// The least recently served.
    Matrix,
}

/// `[links]`
#[derive(Debug, Clone, PartialEq)]
pub struct LinkSettings {
    /// Cycles a flit or a credit is on the way, 1…10000.
    pub latency: PerClass<u32>,
}

/// `[routing]`
#[derive(Debug, Clone, PartialEq)]
pub struct RoutingSettings {
    /// The routing function.
    pub algorithm: Algorithm,
    /// Which non-minimal hops OLM may take.
    pub nonminimal: Nonminimal,
    /// Whether order indexes rise or fall along a route.
    pub vc_order: VcOrder,
    /// Limit of local misroutes, 0…7.
    pub local_misroutes: u32,
    /// What that limit counts in.
    pub misroute_scope: MisrouteScope,
    /// Which misroute is offered in the source group.
    pub policy: Policy,
    /// Whether local misrouting (`+L`) is offered in the other groups.
    pub policy_local: bool,
    /// What Valiant's intermediate point is.
    pub intermediate: Intermediate,
}

/// The routing function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Algorithm {
    /// Shortest routes. Dragonfly.
    Minimal,
    /// Through a random intermediate point. Dragonfly.
    Valiant,
    /// On-the-fly local misrouting. Dragonfly.
    Olm,
    /// One dimension after the other, datelines on a torus. Mesh, torus.
    DimensionOrder,
    /// Every shortest route, from a table, one VC per hop. Any topology.
    Table,
    /// Up by any port, then down by the one way there. Fat tree.
    UpDown,
}

/// Which set of non-minimal rules OLM follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nonminimal {
    /// Rules i–l. At injection only global misroutes are legal, so the policy NRG has nothing to offer there, and
    /// RRG does what MM does.
    Restricted,
    /// Rules f–h.
    Free,
}

/// Whether order indexes rise or fall along a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VcOrder {
    /// They rise.
    Ascending,
    /// They fall: VC `c` of the ascending order is VC `last − c`.
    Descending,
}

/// What the limit of local misroutes counts in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MisrouteScope {
    /// Each group anew.
    Group,
    /// The whole route.
    Route,
}

/// Which misroute is offered in the source group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Policy {
    /// A global port of a random router of the group.
    Rrg,
    /// A global port of the current router.
    Crg,
    /// A global port of a neighbour.
    Nrg,
    /// Mixed mode: current router at injection, neighbour in transit.
    Mm,
}

/// Valiant's intermediate point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Intermediate {
    /// Any router of a random group other than the source's.
    Group,
    /// A random router.
    Node,
}

/// `[selection]`
#[derive(Debug, Clone, PartialEq)]
pub struct SelectionSettings {
    /// When a detour is considered.
    pub trigger: Trigger,
    /// Share of the minimal output VC's buffer in use before a detour is considered, 0…1.
    pub minimal_occupancy: f64,
    /// A detour's occupancy may be at most this share of the minimal one's, 0…4.
    pub relative_threshold: f64,
    /// When the minimal output is global; `None`: no further condition.
    pub global_restriction: Option<GlobalRestriction>,
    /// Packets that must want the minimal output, 1…255.
    pub contention_threshold: u32,
    /// `contention-average`: the minimal output's counter must exceed this many times the mean, 0…16.
    pub contention_factor: f64,
    /// When a packet is counted.
    pub count_at: CountAt,
}

/// A global minimal output is avoided only when it is fuller than the other global outputs of the router.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GlobalRestriction {
    /// Times the mean occupancy of the router's global outputs, 0…16.
    pub factor: f64,
    /// Plus this many packets, 0…255.
    pub packets: u32,
}

/// When a detour is considered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trigger {
    /// Never: minimal only.
    Never,
    /// Occupancy of the minimal output, seen from its credits.
    Occupancy,
    /// Contention counter against a fixed threshold.
    Contention,
    /// Contention counter against the mean of all of them.
    ContentionAverage,
    /// Occupancy or contention.
    Hybrid,
    /// Always: every candidate with room is requested at once.
    Always,
}

/// When a packet raises its contention counter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CountAt {
    /// When it reaches the front of its VC.
    Head,
    /// When its head is written into the buffer.
    Arrival,
}

/// `[traffic]`
#[derive(Debug, Clone, PartialEq)]
pub struct TrafficSettings {
    /// Who sends to whom.
    pub pattern: Pattern,
    /// Flits per packet, 1…1023.
    pub packet_flits: u32,
    /// When packets are generated.
    pub process: Process,
    /// Mean packets of a burst of the burst process, 1…
    pub burst_packets: f64,
    /// Which loads to run.
    pub loads: Loads,
}

/// When packets are generated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Process {
    /// Independently in each cycle.
    Bernoulli,
    /// Exponential gaps, rounded to cycles.
    Exponential,
    /// Bursts of back-to-back packets to one destination, the bursts' lengths geometric.
    Burst,
}

/// Which offered loads to run, in flits per node per cycle.
#[derive(Debug, Clone, PartialEq)]
pub enum Loads {
    /// These, each in (0, 1].
    List(Vec<f64>),
    /// Find the highest load that is still accepted, by bisection.
    Saturation,
}

/// `[run]`
#[derive(Debug, Clone, PartialEq)]
pub struct RunSettings {
    /// Cycles before measuring; `None`: until stationary.
    pub warmup_cycles: Option<u64>,
    /// Cycles measured; `None`: until the confidence intervals are narrow.
    pub measure_cycles: Option<u64>,
    /// Limit of warm-up and of measurement each, when automatic.
    pub limit_cycles: u64,
    /// Width of a window of the time series, in cycles.
    pub window_cycles: u64,
    /// Of every random choice.
    pub seed: u64,
}
