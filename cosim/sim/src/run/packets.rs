//! Runs as long as packets take: so many delivered before the measured window, so many in it.

use super::session::{BATCHES, Session};
use router_core::route::Route;
use router_core::units::{Bits, VcSet};

/// Without a limit of its own, a run by packets ends after so many cycles for each.
const CYCLES_PER_PACKET: u64 = 1_000;
/// Batches of a measurement.
const EQUAL: u64 = 2 * BATCHES as u64;

impl<const P: usize, const V: usize, R: Route<B> + Sync, B: Bits> Session<'_, '_, P, V, R, B> {
    /// Until so many packets have been delivered.
    pub(super) fn warm_up_packets(&mut self, packets: u64) {
        self.deliver(packets, self.end(packets));
    }

    /// So many packets, in batches as equal as can be; whether all were delivered.
    pub(super) fn measure_packets(&mut self, packets: u64) -> bool {
        let end = self.end(packets);
        (1..=EQUAL).all(|n| self.deliver((packets * n).div_ceil(EQUAL), end))
    }

    /// The cycle in which it ends at the latest.
    fn end(&self, packets: u64) -> u64 {
        let limit = self.blueprint.scenario().run.limit_cycles;
        self.network.cycle() + limit.unwrap_or_else(|| packets.saturating_mul(CYCLES_PER_PACKET))
    }

    /// One batch: to the first cycle in which so many packets have been delivered since the tally began, or to `end`.
    fn deliver(&mut self, packets: u64, end: u64) -> bool {
        let (first, begin) = (self.network.cycle(), self.begin());
        let (nodes, shortest) =
            (self.blueprint.wiring().nodes() as u64, u64::from(self.blueprint.scenario().traffic.shortest()));
        loop {
            let left = packets.saturating_sub(self.network.delivered());
            let goes_on = self.network.violation().is_none() && self.network.cycle() < end;
            if left == 0 || !goes_on {
                let batch = self.batch_since(begin, self.network.cycle() - first);
                self.measured.push(batch);
                return left == 0;
            }
            // In `c` cycles a node gets `c / shortest` packets at most, and the ends of one in each VC that came before.
            let safe = ((left - 1) / nodes).saturating_sub(VcSet::CAPACITY as u64) * shortest;
            self.run_to((self.network.cycle() + safe.clamp(1, self.batch)).min(end));
        }
    }
}
