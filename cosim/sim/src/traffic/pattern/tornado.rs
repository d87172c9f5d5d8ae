//! Half-way round each dimension.

use super::{Field, NodeMap, Problem, Rule, Stream, Targets, Topology, TrafficError};

/// ⌈`k` / 2⌉ − 1 further in each dimension, the index of the node at its router kept: as far as a torus makes packets go
/// one way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tornado;

impl Rule for Tornado {
    const WORD: &'static str = "tornado";

    fn read(field: &Field<'_>, topology: &Topology) -> Result<Self, Problem> {
        check(field, Self::WORD, topology)?;
        Ok(Self)
    }

    fn targets(&self, on: &NodeMap, _random: &mut Stream) -> Result<Targets, TrafficError> {
        move_in_each_dimension(on, Self::WORD, |k| k.div_ceil(2) - 1)
    }
}

/// Refuses a network without dimensions.
pub(super) fn check(field: &Field<'_>, word: &str, topology: &Topology) -> Result<(), Problem> {
    match topology.dims() {
        None => Err(field.refuse(format!("the pattern \"{word}\" needs a mesh or a torus"))),
        Some(_) => Ok(()),
    }
}

/// Each node to the one of the same index at another router, `by(k)` routers further along each dimension of `k` routers.
pub(super) fn move_in_each_dimension(
    on: &NodeMap,
    pattern: &'static str,
    by: impl Fn(u32) -> u32,
) -> Result<Targets, TrafficError> {
    let dims = on.dims(pattern)?;
    on.alike(pattern)?;
    let moved = |router: u32| {
        let (mut to, mut stride, mut rest) = (0, 1, router);
        for &k in dims {
            to += (rest % k + by(k)) % k * stride;
            stride *= k;
            rest /= k;
        }
        to
    };
    let nodes = (0..on.routers()).flat_map(|router| on.at(moved(router)).nodes());
    Ok(Targets::Fixed(nodes.collect()))
}
