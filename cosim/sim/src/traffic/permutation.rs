//! Patterns in which each node sends to one other node and receives from one.

use super::error::TrafficError;
use super::layout::{Layout, Shape};
use super::pattern::Pattern;
use super::random::{Stream, below};

impl Pattern {
    /// A random permutation of the nodes, any without fixed points alike.
    pub(super) fn permutation(layout: &Layout, rng: &mut Stream) -> Result<Self, TrafficError> {
        let to = derangement(layout.nodes, rng).ok_or(TrafficError::NothingToPermute("permutation"))?;
        Ok(Self::Fixed(to))
    }

    /// A random permutation of the routers, any without fixed points alike; the node index is kept.
    pub(super) fn switch_permutation(layout: &Layout, rng: &mut Stream) -> Result<Self, TrafficError> {
        let p = layout.nodes_per_router();
        let routers = layout.nodes.checked_div(p).unwrap_or(0);
        let to = derangement(routers, rng).ok_or(TrafficError::NothingToPermute("switch-permutation"))?;
        Ok(Self::Fixed(to.iter().flat_map(|&router| (0..p).map(move |index| router * p + index)).collect()))
    }

    /// Swaps the halves of the node number's bits.
    pub(super) fn transpose(layout: &Layout) -> Result<Self, TrafficError> {
        let bits = bits("transpose", layout)?;
        if bits % 2 != 0 {
            return Err(TrafficError::NeedsEvenBits { pattern: "transpose", bits });
        }
        let mask = layout.nodes - 1;
        Ok(Self::each(layout, |node| (node << (bits / 2) | node >> (bits / 2)) & mask))
    }

    /// Reverses the bits of the node number.
    pub(super) fn bit_reversal(layout: &Layout) -> Result<Self, TrafficError> {
        let bits = bits("bit-reversal", layout)?;
        Ok(Self::each(layout, |node| node.reverse_bits() >> (u32::BITS - bits)))
    }

    /// Inverts the bits of the node number.
    pub(super) fn bit_complement(layout: &Layout) -> Result<Self, TrafficError> {
        bits("bit-complement", layout)?;
        Ok(Self::each(layout, |node| layout.nodes - 1 - node))
    }

    /// Rotates the bits of the node number left by one.
    pub(super) fn shuffle(layout: &Layout) -> Result<Self, TrafficError> {
        let bits = bits("shuffle", layout)?;
        let mask = layout.nodes - 1;
        Ok(Self::each(layout, |node| (node << 1 | node >> (bits - 1)) & mask))
    }

    /// Swaps the highest and the lowest bit of the node number.
    pub(super) fn butterfly(layout: &Layout) -> Result<Self, TrafficError> {
        let highest = bits("butterfly", layout)? - 1;
        Ok(Self::each(layout, |node| {
            let differ = (node ^ node >> highest) & 1;
            node ^ (differ | differ << highest)
        }))
    }

    /// ⌈`k` / 2⌉ − 1 further in each dimension, the node index kept: as far as a torus makes packets go one way.
    pub(super) fn tornado(layout: &Layout) -> Result<Self, TrafficError> {
        Self::move_in_each_dimension("tornado", layout, |k| k.div_ceil(2) - 1)
    }

    /// One further in each dimension, the node index kept.
    pub(super) fn neighbour(layout: &Layout) -> Result<Self, TrafficError> {
        Self::move_in_each_dimension("neighbour", layout, |_| 1)
    }

    fn each(layout: &Layout, to: impl Fn(u32) -> u32) -> Self {
        Self::Fixed((0..layout.nodes).map(to).collect())
    }

    /// Each node to the one `by(k)` routers further along each dimension of `k` routers.
    fn move_in_each_dimension(
        pattern: &'static str,
        layout: &Layout,
        by: impl Fn(u32) -> u32,
    ) -> Result<Self, TrafficError> {
        let Shape::Grid { dims, nodes_per_router } = &layout.shape else {
            return Err(TrafficError::NeedsDimensions(pattern));
        };
        Ok(Self::each(layout, |node| {
            let (mut to, mut stride, mut rest) =
                (node % nodes_per_router, *nodes_per_router, node / nodes_per_router);
            for &k in dims {
                to += (rest % k + by(k)) % k * stride;
                stride *= k;
                rest /= k;
            }
            to
        }))
    }
}

/// How many bits a node number has, at least 1.
fn bits(pattern: &'static str, layout: &Layout) -> Result<u32, TrafficError> {
    let nodes = layout.nodes;
    if nodes < 2 || !nodes.is_power_of_two() {
        return Err(TrafficError::NeedsPowerOfTwo { pattern, nodes });
    }
    Ok(nodes.trailing_zeros())
}

/// A permutation of `0…len − 1` without fixed points, each with the same probability; `None` if there is none.
///
/// Shuffles as Fisher and Yates did, and starts again at the first fixed point: a place is final once it was
/// visited, so this keeps the shuffles without fixed points and no others. About one in e succeeds. (Sattolo's
/// shuffle never fails but yields only single cycles.)
fn derangement(len: u32, rng: &mut Stream) -> Option<Vec<u32>> {
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
