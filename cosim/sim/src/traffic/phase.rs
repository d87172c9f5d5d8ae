//! A stretch of time with one pattern.

use super::error::TrafficError;
use super::layout::Layout;
use super::pattern::Pattern;
use super::random::Stream;
use crate::scenario;

/// A stretch of time with one pattern.
#[derive(Debug, Clone)]
pub(super) struct Phase {
    /// The first cycle after it; `u64::MAX`: it has no end.
    pub(super) end: u64,
    /// Who sends to whom.
    pub(super) pattern: Pattern,
}

/// The phases of a pattern, in time order, from cycle 0 to the end of time; a phase that lasts no cycle is left out.
/// Each permutation is another one, drawn from `rng`.
pub(super) fn phases(
    asked: &scenario::Pattern,
    layout: &Layout,
    rng: &mut Stream,
) -> Result<Vec<Phase>, TrafficError> {
    let mut phases = Vec::new();
    add(&mut phases, asked, (0, u64::MAX), layout, rng)?;
    Ok(phases)
}

/// Appends the phases of `asked` from the first cycle of `time` until its second.
fn add(
    phases: &mut Vec<Phase>,
    asked: &scenario::Pattern,
    time: (u64, u64),
    layout: &Layout,
    rng: &mut Stream,
) -> Result<(), TrafficError> {
    use scenario::Pattern as Asked;
    let (start, end) = time;
    if start >= end {
        return Ok(());
    }
    let pattern = match asked {
        Asked::SwitchAt { cycle, from, to } => {
            add(phases, from, (start, end.min(*cycle)), layout, rng)?;
            return add(phases, to, (start.max(*cycle), end), layout, rng);
        }
        Asked::Uniform => Pattern::Uniform { nodes: layout.nodes },
        Asked::Adversarial(n) => Pattern::adversarial(*n, layout)?,
        Asked::AdversarialIndex(n) => Pattern::adversarial_index(*n, layout)?,
        Asked::AdversarialLocal(n) => Pattern::adversarial_local(*n, layout)?,
        Asked::Permutation => Pattern::permutation(layout, rng)?,
        Asked::SwitchPermutation => Pattern::switch_permutation(layout, rng)?,
        Asked::Transpose => Pattern::transpose(layout)?,
        Asked::BitReversal => Pattern::bit_reversal(layout)?,
        Asked::BitComplement => Pattern::bit_complement(layout)?,
        Asked::Shuffle => Pattern::shuffle(layout)?,
        Asked::Butterfly => Pattern::butterfly(layout)?,
        Asked::Tornado => Pattern::tornado(layout)?,
        Asked::Neighbour => Pattern::neighbour(layout)?,
        Asked::HotSpot { nodes, share } => Pattern::hot_spot(nodes, *share, layout)?,
    };
    phases.push(Phase { end, pattern });
    Ok(())
}
