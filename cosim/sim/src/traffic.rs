//! Who sends to whom, and when.
//!
//! [`Traffic`] holds what all nodes share and never changes; each node draws its packets from its own
//! [`Generator`], one after the other. What a generator returns does not depend on when it is called, so a
//! network calls it only when the node is ready for the next packet and stores no queue of waiting packets.
//!
//! Every process is stationary from cycle 0 on: each cycle of a run has the same mean rate, and the nodes are
//! out of step with each other from the start.

mod error;
mod generator;
mod lengths;
mod loads;
mod node_map;
mod packet_flits;
mod pattern;
mod process;
mod rule;
mod settings;
mod targets;
#[cfg(test)]
mod tests;

use crate::random;
pub use crate::random::Stream;
pub use error::TrafficError;
pub use generator::{Generated, Generator};
pub use loads::{Loads, MOST_LOAD};
pub use node_map::{NodeMap, Span};
pub use packet_flits::{LengthShare, PacketFlits};
pub(crate) use pattern::own;
pub use pattern::*;
pub use rule::Rule;
pub use settings::{InjectionVc, Process, TrafficSettings};
pub use targets::Targets;

use lengths::Lengths;
use pattern::Phase;

/// The traffic of one load on one network.
#[derive(Debug, Clone)]
pub struct Traffic {
    pub(crate) seed: u64,
    pub(crate) injection_vc: InjectionVc,
    nodes: u32,
    process: process::Process,
    lengths: Lengths,
    /// In time order, the last one without an end.
    phases: Vec<Phase>,
}

impl Traffic {
    /// The traffic `settings` describe on a network, at `load` flits per sending node and cycle.
    ///
    /// A node that a pattern maps to itself sends nothing; the other nodes still offer `load` each. Permutations
    /// depend on `seed` and the network only, so every load of a series runs the same ones.
    pub fn new(settings: &TrafficSettings, on: &NodeMap, load: f64, seed: u64) -> Result<Self, TrafficError> {
        if on.nodes() < 2 {
            return Err(TrafficError::NobodySends);
        }
        let lengths = Lengths::new(&settings.packet_flits)?;
        let process = process::Process::new(settings, load)?;
        let phases = settings.pattern.phases(on, &mut random::stream(seed, PATTERNS))?;
        let injection_vc = settings.injection_vc;
        let traffic = Self { seed, injection_vc, nodes: on.nodes(), process, lengths, phases };
        if traffic.active_nodes().next().is_none() {
            return Err(TrafficError::NobodySends);
        }
        Ok(traffic)
    }

    /// The packets of `node`, from the first on. The same at each call.
    pub fn generator(&self, node: u32) -> Generator {
        Generator::new(self, node)
    }

    /// The nodes that ever send, in ascending order: those that send in at least one phase of the pattern.
    pub fn active_nodes(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.nodes).filter(|&node| self.phases.iter().any(|phase| phase.targets.sends(node)))
    }
}

/// The members of each group that a pattern sends to, in ascending order; none where it sends to single nodes.
pub(crate) fn groups(
    settings: &TrafficSettings,
    on: &NodeMap,
    seed: u64,
) -> Result<Vec<Vec<u32>>, TrafficError> {
    let phases = settings.pattern.phases(on, &mut random::stream(seed, PATTERNS))?;
    Ok(phases.iter().flat_map(|phase| phase.targets.groups(on.nodes())).collect())
}

/// The stream of random numbers that permutations are drawn from; the streams of the nodes have their numbers.
const PATTERNS: u64 = u64::MAX;
