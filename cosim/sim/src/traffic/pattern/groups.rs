//! What patterns of groups share: so many groups, or routers of a group, further in a circle.

use super::{Field, Problem, Topology};

/// Reads how many further: at least one, and not all the way round `of` of them; `None`: the network has no groups.
pub(super) fn further(field: &Field<'_>, word: &str, of: Option<u32>, what: &str) -> Result<u32, Problem> {
    match of {
        None => Err(field.refuse(format!("the pattern `{word}` needs a dragonfly"))),
        Some(1) => Err(field.refuse(format!("the pattern `{word}` needs more {what} than one"))),
        Some(of) => {
            let expected =
                || field.wrong(format!("a whole number from 1 to {}: there are {of} {what}", of - 1));
            field.whole(1..=of - 1).map_err(|_| expected())
        }
    }
}

/// How many groups there are.
pub(super) fn count(topology: &Topology) -> Option<u32> {
    topology.groups().and_then(|groups| u32::try_from(groups.len()).ok())
}

/// The number `n` after `from`, of `count` in a circle.
pub(super) fn after(from: usize, n: u32, count: usize) -> usize {
    (from + n as usize % count) % count
}
