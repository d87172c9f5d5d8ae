//! What one run of one load measured.

use crate::topology::{Names, Peer};
use router_core::discard::Discard;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The result of one load. Loads in flits per node per cycle, times in link cycles.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// The load that was set.
    pub load: f64,
    /// The load generated in the measured window, by the nodes that send at all.
    pub offered: f64,
    /// The load delivered in the measured window, by the nodes that send at all.
    pub accepted: f64,
    /// Half-width of the 95 % confidence interval of `accepted`; NaN when there were too few batches.
    pub accepted_ci95: f64,
    /// Generation of a packet to delivery of its tail.
    pub latency_mean: f64,
    /// Half-width of the 95 % confidence interval of `latency_mean`; NaN when there were too few batches.
    pub latency_ci95: f64,
    /// Median latency.
    pub latency_p50: u64,
    /// Latency that 99 % of the packets do not exceed.
    pub latency_p99: u64,
    /// Longest latency.
    pub latency_max: u64,
    /// Standard deviation of the latencies; NaN where no packet was delivered.
    pub latency_sd: f64,
    /// Injection of the head to delivery of the tail.
    pub network_latency_mean: f64,
    /// Router-to-router links crossed.
    pub hops_mean: f64,
    /// Global misroutes per packet.
    pub global_misroutes_mean: f64,
    /// Local misroutes per packet.
    pub local_misroutes_mean: f64,
    /// Share of the packets misrouted at least once, 0…1.
    pub misrouted_share: f64,
    /// Injected load of the node that injected least, among those that send at all: starvation shows here.
    pub accepted_min_node: f64,
    /// Jain's fairness index of the injected loads, 0…1.
    pub fairness_jain: f64,
    /// Packets whose latency was measured.
    pub packets_measured: u64,
    /// Packets that entered and neither left nor are still inside. Anything but 0 is an error.
    pub packets_lost: u64,
    /// Flits lost by links that went down, since the start of the run.
    pub flits_lost_by_links: u64,
    /// Flits of dead addresses that routers killed, since the start of the run: mad postman.
    pub flits_killed: u64,
    /// Paths that were open to a packet when it was sent, where sources choose among several; NaN where they do not.
    pub open_paths_mean: f64,
    /// How the run ended.
    pub state: State,
    /// Cycles before the measured window.
    pub warmup_cycles: u64,
    /// Cycles of the measured window.
    pub measure_cycles: u64,
    /// Packets by router-to-router links crossed: entry `n` counts those with `n` hops.
    pub hop_histogram: Vec<u64>,
    /// Flits per cycle and link, mean over the links of a class and the busiest one: each class with its name, links to
    /// nodes first.
    pub link_utilisation: Vec<(&'static str, Utilisation)>,
    /// Latency and misrouting over time, for a pattern that switches; otherwise empty.
    pub series: Vec<Window>,
    /// What routers discarded, where they do.
    pub discards: Option<Discards>,
    /// What routers marked and sources made of it, where either is set to do so.
    pub congestion: Option<Congestion>,
    /// Every link and every node, with `run.details`.
    pub details: Option<Box<Details>>,
}

/// What each link and each node did in the measured window, and how long packets took.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Details {
    /// Every direction of every link that a router drives, by router, then by port.
    pub links: Vec<LinkUse>,
    /// Every node.
    pub nodes: Vec<NodeUse>,
    /// Packets by latency, from the shortest to the longest; latencies that no packet had are left out.
    pub latencies: Vec<LatencyBin>,
    /// What each link carried over time, for a pattern that switches; otherwise empty.
    pub over_time: Vec<LinkWindow>,
    /// What the file of the network calls its routers, ports and nodes, where it has names.
    pub names: Option<Arc<Names>>,
}

/// What each link carried in one window of time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkWindow {
    /// First cycle of the window, relative to the switch (negative: before it).
    pub start: i64,
    /// Its cycles.
    pub cycles: u64,
    /// Flits, in the order of [`Details::links`].
    pub flits: Vec<u32>,
}

/// The packets with about the same latency, from generation to delivery of the tail, in cycles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LatencyBin {
    /// The shortest.
    pub from: u64,
    /// How many packets.
    pub packets: u64,
}

impl LatencyBin {
    /// Latencies below this have a bin each; above, each power of two has half as many bins.
    const EXACT: u64 = 64;

    /// Where the bin of a latency begins.
    #[must_use]
    pub const fn start(latency: u64) -> u64 {
        latency - latency % Self::width(latency)
    }

    /// The first latency above the bin.
    #[must_use]
    pub const fn below(self) -> u64 {
        self.from + Self::width(self.from)
    }

    const fn width(latency: u64) -> u64 {
        if latency < Self::EXACT { 1 } else { 1 << (latency.ilog2() - Self::EXACT.ilog2() + 1) }
    }
}

/// What the wire behind an output port carried.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LinkUse {
    /// The router that drives it.
    pub router: usize,
    /// Its port.
    pub port: u8,
    /// What it leads to.
    pub to: Peer,
    /// The class of the link.
    pub class: &'static str,
    /// Flits per cycle, 0…1: how long there was a flit on the wire.
    pub utilisation: f64,
    /// Cycles that a head waited for it, mean over the packets that took it. The wait begins in the cycle in which the head would be on the
    /// wire if it were granted as soon as it is first in its VC and routed. It ends when the head is there. 0 in an empty network, NaN
    /// where no packet took it.
    pub wait_mean: f64,
}

/// What a node sent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NodeUse {
    /// Its router.
    pub router: usize,
    /// Its port there.
    pub port: usize,
    /// Flits per cycle that it injected; 0 for one that sends nothing.
    pub injected: f64,
    /// Cycles that the packet which waited longest in its source queue had waited at the end of the run.
    pub waiting: u64,
}

impl Summary {
    /// How busy the links of a class were, by its name; NaN where there is no such class.
    #[must_use]
    pub fn utilisation(&self, class: &str) -> Utilisation {
        let found = self.link_utilisation.iter().find(|(name, _)| *name == class);
        found.map_or(Utilisation { mean: f64::NAN, max: f64::NAN }, |(_, utilisation)| *utilisation)
    }
}

/// How busy the links of one class were, in flits per cycle, 0…1. NaN where there is no such link.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Utilisation {
    /// Over all links of the class.
    pub mean: f64,
    /// Of the busiest.
    pub max: f64,
}

/// The packets injected in one window of time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Window {
    /// First cycle of the window, relative to the switch (negative: before it).
    pub start: i64,
    /// Packets injected in it and delivered before the end of the run.
    pub packets: u64,
    /// Their mean latency; NaN when there are none.
    pub latency_mean: f64,
    /// Share of them misrouted at least once; NaN when there are none.
    pub misrouted_share: f64,
}

/// Marks of congestion, and what sources made of them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Congestion {
    /// Share of the measured packets that were marked (FECN), 0…1; NaN where none were delivered.
    pub marked_share: f64,
    /// Notifications (BECN) that came to their nodes in the measured window, in replies or on their own.
    pub notifications: u64,
    /// The index of a node (CCTI) at the end of the run, mean over all that send; NaN where nodes do not listen.
    pub ccti_mean: f64,
    /// The highest of them.
    pub ccti_max: u16,
}

/// Packets that routers discarded, since the start of the run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Discards {
    /// By reason: entry [`Discard::index`].
    pub packets: [u64; Discard::COUNT],
    /// Whether those are discarded that wait too long: results speak of it.
    pub has_lifetime: bool,
    /// Their flits, as far as they have been dropped.
    pub flits: u64,
}

impl Discards {
    /// Both together.
    #[must_use]
    pub fn plus(mut self, other: Self) -> Self {
        self.packets.iter_mut().zip(other.packets).for_each(|(sum, more)| *sum += more);
        self.flits += other.flits;
        self.has_lifetime |= other.has_lifetime;
        self
    }
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// Fixed numbers of cycles, as asked.
    Fixed,
    /// Stationary, and the confidence intervals became narrow enough.
    Converged,
    /// Stationary, but the limit came before the intervals were narrow enough.
    Limit,
    /// The source queues of some nodes kept growing, although on the whole the nodes keep up.
    Starved,
    /// Never stationary: source queues kept growing.
    Saturated,
    /// Nothing moved any more: virtual channels wait for each other.
    Deadlock,
    /// Nothing moved any more: links had lost too many places.
    Losses,
    /// Another invariant was found broken.
    Violation,
}

impl State {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Fixed,
        Self::Converged,
        Self::Limit,
        Self::Starved,
        Self::Saturated,
        Self::Deadlock,
        Self::Losses,
        Self::Violation,
    ];

    /// Whether every node's source queue kept up with the offered load.
    pub const fn keeps_up(self) -> bool {
        matches!(self, Self::Fixed | Self::Converged | Self::Limit)
    }

    /// Whether it ended early: nothing moved any more, or an invariant was found broken.
    pub const fn is_broken(self) -> bool {
        matches!(self, Self::Deadlock | Self::Losses | Self::Violation)
    }

    /// The word in the table and in the CSV.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Fixed => "fixed",
            Self::Converged => "converged",
            Self::Limit => "limit",
            Self::Starved => "starved",
            Self::Saturated => "saturated",
            Self::Deadlock => "deadlock",
            Self::Losses => "losses",
            Self::Violation => "violation",
        }
    }
}
