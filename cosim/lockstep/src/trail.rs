//! A digest of everything that a lockstep compares, by which two runs are found to be equal.

use super::compare::{Moment, Observer};
use super::settings::Settings;
use router_core::header;

/// Takes down each cycle, beside another observer.
pub struct Trail<'o> {
    observer: &'o mut dyn Observer,
    /// Four at once, which do not wait for each other.
    sums: [u64; 4],
}

impl<'o> Trail<'o> {
    /// Nothing taken down yet.
    pub fn new(observer: &'o mut dyn Observer) -> Self {
        Self { observer, sums: [1, 2, 3, 4] }
    }

    /// Of all cycles so far.
    pub fn digest(&self) -> u64 {
        self.sums.iter().fold(0, |sum, &one| mixed(sum, one))
    }
}

/// A word is added: a turn, and a multiplication by an odd number, which lose nothing.
const fn mixed(sum: u64, word: u64) -> u64 {
    (sum.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

impl Observer for Trail<'_> {
    fn reset(&mut self, cycle: u32, settings: &Settings, came: bool) {
        self.sums[0] = mixed(self.sums[0], u64::from(cycle));
        self.observer.reset(cycle, settings, came);
    }

    fn observe(&mut self, moment: Moment<'_>) {
        for words in moment.rtl_registers.chunks(4) {
            self.sums.iter_mut().zip(words).for_each(|(sum, &word)| *sum = mixed(*sum, word));
        }
        for (port, signals) in moment.rtl_outputs.ports.iter().enumerate() {
            let Some(flit) = signals.flit else { continue };
            let flags = u64::from(flit.head) << 8 | u64::from(flit.tail) << 9 | (port as u64) << 16;
            self.sums[0] = mixed(self.sums[0], u64::from(flit.vc) | flags);
            let pairs: [u64; 1 + header::WORDS] = flit.data.map(u64::from);
            self.sums.iter_mut().zip(pairs).for_each(|(sum, word)| *sum = mixed(*sum, word));
        }
        self.observer.observe(moment);
    }
}
