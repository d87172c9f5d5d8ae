//! The patterns: who sends to whom.
//!
//! A pattern is one file that implements `Rule`, and one line in the list below.

mod bits;
mod groups;
pub(crate) mod own;
mod read;

use super::error::TrafficError;
use super::node_map::NodeMap;
use super::rule::{Rule, patterns};
use super::targets::Targets;
use crate::document::write::quoted;
use crate::document::{Field, Problem};
use crate::random::Stream;
use crate::topology::Topology;

patterns! {
    uniform::Uniform,
    permutation::Permutation,
    switch_permutation::SwitchPermutation,
    transpose::Transpose,
    bit_reversal::BitReversal,
    bit_complement::BitComplement,
    shuffle::Shuffle,
    butterfly::Butterfly,
    tornado::Tornado,
    neighbour::Neighbour,
    adversarial::Adversarial,
    adversarial_index::AdversarialIndex,
    adversarial_local::AdversarialLocal,
    hot_spot::HotSpot,
    pairs::Pairs,
    cartesian::Cartesian,
    mixture::Mixture,
    multicast::Multicast,
}

pub use cartesian::Transform;
pub use mixture::PatternShare;

/// The word of the pattern that is made of two others.
const SWITCH_AT: &str = "switch-at";

/// A stretch of time with one pattern.
#[derive(Debug, Clone)]
pub(super) struct Phase {
    /// The first cycle after it; `u64::MAX`: it has no end.
    pub(super) end: u64,
    /// Who sends to whom.
    pub(super) targets: Targets,
}

impl Pattern {
    /// How many patterns of it send to groups of nodes.
    pub(crate) fn multicasts(&self) -> usize {
        match self {
            Self::Multicast(_) => 1,
            Self::Mixture(Mixture(parts)) => parts.iter().map(|part| part.pattern.multicasts()).sum(),
            Self::SwitchAt { from, to, .. } => from.multicasts() + to.multicasts(),
            _ => 0,
        }
    }

    /// Its phases in time order, from cycle 0 to the end of time. What each draws, such as a permutation, is drawn anew.
    pub(super) fn phases(&self, on: &NodeMap, random: &mut Stream) -> Result<Vec<Phase>, TrafficError> {
        let mut phases = Vec::new();
        self.add_phases(&mut phases, (0, u64::MAX), on, random)?;
        Ok(phases)
    }
}

/// A word, or a table with the word as its key.
fn written(word: &str, parameter: Option<String>) -> String {
    match parameter {
        None => quoted(word),
        Some(parameter) => format!("{{ {word} = {parameter} }}"),
    }
}
