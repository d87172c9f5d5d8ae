//! A run in progress: it warms up, measures, and knows how it ended.

use super::link_series::LinkSeries;
use super::stationary::{self, Batch, Growth, Narrow, Verdict, Watch};
use super::{Progress, relaxation};
use crate::blueprint::Blueprint;
use crate::network::{Network, Tally, Violation};
use crate::summary::State;
use router_core::route::Route;
use router_core::units::Bits;

/// A run in progress.
pub(super) struct Session<'b, 'p, const P: usize, const V: usize, R, B: Bits> {
    pub(super) network: Network<'b, P, V, R, B>,
    pub(super) blueprint: &'b Blueprint,
    pub(super) progress: &'p dyn Fn(Progress),
    /// Nodes that send.
    pub(super) senders: usize,
    /// Cycles of a batch.
    pub(super) batch: u64,
    /// First cycle of the measured window.
    pub(super) start: u64,
    /// Which source queues were found to grow without end.
    pub(super) growth: Growth,
    /// Whether the confidence intervals became narrow.
    pub(super) narrow: bool,
    /// Whether as much was measured as the scenario says.
    pub(super) is_complete: bool,
    pub(super) measured: Vec<Batch>,
    /// What links carry over time, where results have that.
    pub(super) links: Option<LinkSeries>,
}

pub(super) const NARROW: Narrow = Narrow { latency: 0.02, accepted: 0.01, load: 0.002 };
/// Fewest batches from which growth is judged.
pub(super) const BATCHES: usize = 10;

impl<'b, 'p, const P: usize, const V: usize, R: Route<B> + Sync, B: Bits> Session<'b, 'p, P, V, R, B> {
    pub(super) fn new(
        network: Network<'b, P, V, R, B>,
        blueprint: &'b Blueprint,
        progress: &'p dyn Fn(Progress),
        senders: usize,
    ) -> Self {
        let longest = u64::from(blueprint.longest_latency());
        Self {
            network,
            blueprint,
            progress,
            senders,
            batch: (5 * longest).max(500),
            start: 0,
            growth: Growth::None,
            narrow: false,
            is_complete: true,
            measured: Vec::new(),
            links: LinkSeries::of(blueprint.scenario()),
        }
    }

    fn limit(&self) -> u64 {
        let run = &self.blueprint.scenario().run;
        run.longest_warmup() + run.longest_measurement(self.blueprint.wiring().nodes())
    }

    /// Runs `cycles` cycles; what was delivered in them.
    pub(super) fn advance(&mut self, cycles: u64) -> Batch {
        let begin = self.begin();
        self.run_to(self.network.cycle() + cycles);
        self.batch_since(begin, cycles)
    }

    pub(super) fn run_to(&mut self, cycle: u64) {
        let Self { network, links, .. } = self;
        while let Some(links) = links.as_mut().filter(|_| network.violation().is_none()) {
            let end = links.end(network.cycle());
            if end > cycle {
                break;
            }
            network.run_to(end);
            links.read(network, false);
            links.close(end);
        }
        self.network.run_to(cycle);
        (self.progress)(Progress { cycle: self.network.cycle(), limit: self.limit() });
    }

    /// Where a batch begins: what has been delivered, and waits in the source queues.
    pub(super) fn begin(&self) -> (Sums, (f64, f64)) {
        (self.network.tally().clone_sums(), self.network.waits())
    }

    /// What was delivered in the `cycles` since then.
    pub(super) fn batch_since(&self, (before, waits): (Sums, (f64, f64)), cycles: u64) -> Batch {
        Batch::between(&before, &self.network.tally(), cycles, waits, self.network.waits())
    }

    /// Until the time given, or until everything is stationary, or the queues are seen to grow without end.
    pub(super) fn warm_up(&mut self) {
        let run = &self.blueprint.scenario().run;
        if let Some(packets) = run.warmup_packets {
            self.warm_up_packets(packets);
            self.measured.clear();
        } else if let Some(cycles) = run.warmup_cycles {
            for end in (self.batch..cycles).step_by(self.batch as usize).chain([cycles]) {
                self.advance(end.saturating_sub(self.network.cycle()));
            }
        } else {
            let mut watch = Watch::default();
            while self.network.violation().is_none() {
                watch.push(self.advance(self.batch));
                match watch.verdict() {
                    Verdict::Stationary => break,
                    Verdict::Growing(growth) => {
                        self.growth = growth;
                        break;
                    }
                    Verdict::Unsteady if self.network.cycle() < run.longest_warmup() => {}
                    Verdict::Unsteady => {
                        self.growth = watch.growth_at_limit();
                        break;
                    }
                }
            }
        }
        if let Some(links) = &mut self.links {
            links.read(&self.network, true);
        }
        self.network.reset_tally();
        self.start = self.network.cycle();
    }

    /// For the time given, or until the confidence intervals are narrow, seen twice in a row, or the limit.
    pub(super) fn measure(&mut self) {
        let run = &self.blueprint.scenario().run;
        match (run.measure_packets, run.measure_cycles) {
            (Some(packets), _) => self.is_complete = self.measure_packets(packets),
            (None, Some(cycles)) => self.measure_fixed(cycles),
            (None, None) => {
                self.measure_until_narrow(run.longest_measurement(self.blueprint.wiring().nodes()))
            }
        }
        // Growth too slow for the warm-up to see, or inside the network instead of in the source queues.
        if self.measured.len() >= BATCHES {
            self.growth = self.growth.max(stationary::growth(&self.measured));
            if !run.is_fixed() && !self.narrow && stationary::climbs(&self.measured) {
                self.growth = Growth::All;
            }
        }
    }

    fn measure_until_narrow(&mut self, limit: u64) {
        // Looking after each batch would find the moment at which chance makes the intervals narrow.
        let (mut next_look, mut narrow_before) = (2 * BATCHES, false);
        while self.network.violation().is_none() && self.network.cycle() - self.start < limit {
            let batch = self.advance(self.batch);
            self.measured.push(batch);
            if self.measured.len() < next_look {
                continue;
            }
            next_look = self.measured.len() * 5 / 4;
            let (batches, grows) = (&self.measured, self.growth != Growth::None);
            let lasting =
                relaxation::cycles(&self.blueprint.scenario().traffic, &self.network.tally().latencies);
            let narrow = stationary::is_narrow(batches, &NARROW, self.senders, grows, lasting);
            if narrow && narrow_before {
                self.narrow = true;
                break;
            }
            narrow_before = narrow;
        }
    }

    /// A fixed number of cycles, in batches as equal as can be: about as long as in an automatic measurement, but neither fewer than 20 nor
    /// more than 1,000.
    fn measure_fixed(&mut self, cycles: u64) {
        let batches = (cycles / self.batch).clamp(2 * BATCHES as u64, 1_000);
        for n in 1..=batches {
            let end = self.start + cycles * n / batches;
            let length = end - self.network.cycle().min(end);
            if length > 0 {
                let batch = self.advance(length);
                self.measured.push(batch);
            }
        }
    }

    pub(super) fn state(&self) -> State {
        let run = &self.blueprint.scenario().run;
        match self.network.violation() {
            Some(Violation::Deadlock { .. }) => State::Deadlock,
            Some(Violation::Losses { .. }) => State::Losses,
            Some(_) => State::Violation,
            _ if self.growth == Growth::All => State::Saturated,
            _ if self.growth == Growth::Some => State::Starved,
            _ if run.is_fixed() && self.is_complete => State::Fixed,
            _ if self.narrow => State::Converged,
            _ => State::Limit,
        }
    }
}

/// The sums of a tally that batches are made of.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sums {
    pub(super) flits: u64,
    pub(super) packets: u64,
    pub(super) latency: u64,
    pub(super) network_latency: u64,
}

impl Tally {
    pub(super) fn clone_sums(&self) -> Sums {
        Sums {
            flits: self.load_flits(),
            packets: self.packets,
            latency: self.latency,
            network_latency: self.network_latency,
        }
    }
}
