//! How many packets of each VC have been in the router for how many ticks.

use crate::lifetime::TICKS;
use crate::per_port::PerVc;
use crate::units::{Bits, PortId, VcId};
use crate::vc::Front;

/// The packets of a VC that have seen so many ticks.
#[derive(Clone, Copy, Debug)]
struct Queue {
    /// All that came before the cycle that was seen last.
    all: u16,
    /// Those that have seen one tick, two, and so on: the first so many.
    aged: [u16; TICKS],
}

impl Queue {
    const EMPTY: Self = Self { all: 0, aged: [0; TICKS] };

    /// What they have seen behind so many ticks more.
    fn after(self, ticks: u64) -> [u16; TICKS] {
        let mut aged = self.aged;
        for _ in 0..ticks.min(TICKS as u64) {
            aged.rotate_right(1);
            let [youngest, ..] = &mut aged;
            *youngest = self.all;
        }
        aged
    }

    fn forget_first(&mut self) {
        self.all = self.all.saturating_sub(1);
        self.aged.iter_mut().for_each(|count| *count = count.saturating_sub(1));
    }
}

/// Those of all VCs. The feature `small` leaves them out.
#[derive(Clone, Debug)]
pub(super) struct Ages<const P: usize, const V: usize> {
    #[cfg(not(feature = "small"))]
    queues: PerVc<Queue, P, V>,
    #[cfg(feature = "small")]
    queues: PerVc<Queue, 0, 0>,
    /// Ticks that have been seen. A router without packets sees none, and needs none: what comes is counted in the next cycle.
    ticks: [u64; COUNTS],
}

const COUNTS: usize = if cfg!(feature = "small") { 0 } else { 1 };

impl<const P: usize, const V: usize> Ages<P, V> {
    pub(super) const NONE: Self = Self { queues: PerVc::filled(Queue::EMPTY), ticks: [0; COUNTS] };

    /// A cycle begins, so many ticks since the first one: packets grow older; then what came in the cycle before is counted.
    #[inline(never)]
    pub(super) fn see<B: Bits>(&mut self, ticks: u64, fronts: &PerVc<Front<B>, P, V>) {
        let more = ticks.wrapping_sub(self.ticks());
        self.ticks = [ticks; COUNTS];
        let ports = (0..P as u8).map(PortId::new);
        for (port, vc) in ports.flat_map(|port| (0..V as u8).map(move |vc| (port, VcId::new(vc)))) {
            if let (Some(queue), Some(front)) = (self.queues.get_mut(port, vc), fronts.get(port, vc)) {
                *queue = Queue { all: front.packets(), aged: queue.after(more) };
            }
        }
    }

    fn ticks(&self) -> u64 {
        self.ticks.first().copied().unwrap_or_default()
    }

    /// The front packet is gone.
    pub(super) fn forget_first(&mut self, port: PortId, vc: VcId) {
        if let Some(queue) = self.queues.get_mut(port, vc) {
            queue.forget_first();
        }
    }

    /// The packets of a VC that have seen one tick, two, and so on, in the cycle with so many ticks.
    pub(super) fn at(&self, ticks: u64, port: PortId, vc: VcId) -> [u16; TICKS] {
        self.queues.get(port, vc).map_or([0; TICKS], |queue| queue.after(ticks.wrapping_sub(self.ticks())))
    }

    /// Whether the front packet of a VC is too old in the cycle that was seen last,
    pub(super) fn is_old(&self, port: PortId, vc: VcId) -> bool {
        self.will_be_old(self.ticks(), port, vc)
    }

    /// and in the one with so many ticks.
    pub(super) fn will_be_old(&self, ticks: u64, port: PortId, vc: VcId) -> bool {
        self.at(ticks, port, vc).last().is_some_and(|&count| count > 0)
    }
}
