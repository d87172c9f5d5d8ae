//! A seeded random permutation of the routers without fixed points.

use super::permutation::derangement;
use super::{Field, NodeMap, Problem, Rule, Stream, Targets, Topology, TrafficError};

/// A seeded random permutation of the routers that have nodes, any without fixed points alike; the index of the node at
/// its router is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SwitchPermutation;

impl Rule for SwitchPermutation {
    const WORD: &'static str = "switch-permutation";

    fn read(_field: &Field<'_>, _topology: &Topology) -> Result<Self, Problem> {
        Ok(Self)
    }

    fn targets(&self, on: &NodeMap, random: &mut Stream) -> Result<Targets, TrafficError> {
        let (routers, each) = on.alike(Self::WORD)?;
        let to = derangement(routers.len() as u32, random);
        let to = to.ok_or(TrafficError::NothingToPermute(Self::WORD))?;
        let nodes = |router: &u32| on.at(routers[*router as usize]).first;
        Ok(Targets::Fixed(to.iter().map(nodes).flat_map(|first| first..first + each).collect()))
    }
}
