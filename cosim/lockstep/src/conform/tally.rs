//! What a run has counted and measured.

use super::share::Served;
use std::collections::BTreeMap;

/// Counts of one run.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally {
    pub(super) packets: u64,
    pub(super) flits_in: u64,
    pub(super) flits_out: u64,
    pub(super) credits_back: u64,
    pub(super) credits_given: u64,
    /// By input port, input VC and output port: packets.
    pub(super) used: BTreeMap<(usize, usize, usize), u64>,
    /// Cycles from head in to head out of packets that were alone, by input and output port.
    pub(super) alone: BTreeMap<(usize, usize), Span>,
    /// By input port and VC: flits that came out.
    pub(super) served: Served,
    /// Whether packets are alone at the moment.
    pub(super) is_alone: bool,
}

/// The least and the most of something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) least: u64,
    pub(super) most: u64,
    pub(super) count: u64,
}

impl Span {
    /// With one more.
    pub(super) fn with(self, value: u64) -> Self {
        Self { least: self.least.min(value), most: self.most.max(value), count: self.count + 1 }
    }

    /// Just one.
    pub(super) fn only(value: u64) -> Self {
        Self { least: value, most: value, count: 1 }
    }

    /// Both together.
    pub(super) fn join(self, other: Self) -> Self {
        Self {
            least: self.least.min(other.least),
            most: self.most.max(other.most),
            count: self.count + other.count,
        }
    }
}

impl Tally {
    /// A head has left `latency` cycles after it came.
    pub(super) fn head_left(&mut self, (port, vc): (usize, usize), output: usize, latency: u64) {
        *self.used.entry((port, vc, output)).or_default() += 1;
        if self.is_alone {
            let span =
                self.alone.entry((port, output)).or_insert_with(|| Span { count: 0, ..Span::only(latency) });
            *span = span.with(latency);
        }
    }
}
