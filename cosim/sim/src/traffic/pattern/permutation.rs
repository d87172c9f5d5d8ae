//! A seeded random permutation of the nodes without fixed points.

use super::{Field, NodeMap, Problem, Rule, Stream, Targets, Topology, TrafficError};
use crate::random::below;

/// A seeded random permutation of the nodes, any without fixed points alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Permutation;

impl Rule for Permutation {
    const WORD: &'static str = "permutation";

    fn read(_field: &Field<'_>, _topology: &Topology) -> Result<Self, Problem> {
        Ok(Self)
    }

    fn targets(&self, on: &NodeMap, random: &mut Stream) -> Result<Targets, TrafficError> {
        let to = derangement(on.nodes(), random).ok_or(TrafficError::NothingToPermute(Self::WORD))?;
        Ok(Targets::Fixed(to))
    }
}

/// A permutation of `0…len − 1` without fixed points, each with the same probability; `None` if there is none.
///
/// Shuffles as Fisher and Yates did, and starts again at the first fixed point: a place is final once it was
/// visited, so this keeps the shuffles without fixed points and no others. About one in e succeeds. (Sattolo's
/// shuffle never fails but yields only single cycles.)
pub(super) fn derangement(len: u32, rng: &mut Stream) -> Option<Vec<u32>> {
    if len < 2 {
        return None;
    }
    let mut to: Vec<u32> = (0..len).collect();
    while !shuffled_without_fixed_point(&mut to, rng) {}
    Some(to)
}

/// Shuffles `to`, which may be in any order before; false: it gave up at a fixed point.
fn shuffled_without_fixed_point(to: &mut [u32], rng: &mut Stream) -> bool {
    for place in (0..to.len()).rev() {
        to.swap(place, below(rng, place as u32 + 1) as usize);
        if to[place] as usize == place {
            return false;
        }
    }
    true
}
