//! Who sends to whom, worked out for one network.

use super::error::TrafficError;
use super::layout::{Layout, Span};
use super::random::{Stream, below, chance};

/// Who sends to whom, worked out for one network.
#[derive(Debug, Clone)]
pub(super) enum Pattern {
    /// Any node but the sender.
    Uniform {
        /// Nodes of the network.
        nodes: u32,
    },
    /// Always the same node, by sender; the sender itself: it sends nothing.
    Fixed(Vec<u32>),
    /// Any of these nodes but the sender, by sender.
    Spread(Vec<Span>),
    /// A share of all packets goes to a few nodes, the rest is uniform.
    HotSpot {
        /// The few nodes.
        spots: Vec<u32>,
        /// Share of the packets sent to them.
        share: f64,
        /// Nodes of the network.
        nodes: u32,
    },
}

impl Pattern {
    /// A random node of the group `n` further. If that is the sender's own group: of the others in it.
    pub(super) fn adversarial(n: u32, layout: &Layout) -> Result<Self, TrafficError> {
        let (groups, _) = layout.groups().ok_or(TrafficError::NeedsGroups("adversarial"))?;
        let targets = groups.iter().enumerate().flat_map(|(g, group)| {
            let target = groups[further(g, n, groups.len())];
            group.nodes().map(move |_| target)
        });
        Ok(Self::Spread(targets.collect()))
    }

    /// The node of the same index in the group `n` further, wrapping where that group is smaller.
    pub(super) fn adversarial_index(n: u32, layout: &Layout) -> Result<Self, TrafficError> {
        let (groups, _) = layout.groups().ok_or(TrafficError::NeedsGroups("adversarial-index"))?;
        let targets = groups.iter().enumerate().flat_map(|(g, group)| {
            let target = groups[further(g, n, groups.len())];
            (0..group.len).map(move |index| target.first + index % target.len)
        });
        Ok(Self::Fixed(targets.collect()))
    }

    /// A random node of the router `n` further in the group. If that is the sender's own router: of the others at it.
    pub(super) fn adversarial_local(n: u32, layout: &Layout) -> Result<Self, TrafficError> {
        let (groups, p) = layout.groups().ok_or(TrafficError::NeedsGroups("adversarial-local"))?;
        let targets = groups.iter().flat_map(|group| {
            let routers = group.len / p;
            group.nodes().map(move |node| {
                let router = further(((node - group.first) / p) as usize, n, routers as usize) as u32;
                Span { first: group.first + router * p, len: p }
            })
        });
        Ok(Self::Spread(targets.collect()))
    }

    /// A share of all packets goes to one of `spots`, the rest is uniform.
    pub(super) fn hot_spot(spots: &[u32], share: f64, layout: &Layout) -> Result<Self, TrafficError> {
        let nodes = layout.nodes;
        if spots.is_empty() {
            return Err(TrafficError::NoHotSpot);
        }
        if let Some(&node) = spots.iter().find(|&&node| node >= nodes) {
            return Err(TrafficError::NoSuchNode { node, nodes });
        }
        if !(0.0..=1.0).contains(&share) {
            return Err(TrafficError::Share(share));
        }
        Ok(Self::HotSpot { spots: spots.to_vec(), share, nodes })
    }

    /// Whether `node` sends anything.
    pub(super) fn sends(&self, node: u32) -> bool {
        match self {
            Self::Uniform { nodes } | Self::HotSpot { nodes, .. } => *nodes > 1,
            Self::Fixed(targets) => targets[node as usize] != node,
            Self::Spread(targets) => {
                let target = targets[node as usize];
                target.len > u32::from(target.contains(node))
            }
        }
    }

    /// A destination for `node`, which must be one that sends.
    #[inline]
    pub(super) fn draw(&self, node: u32, rng: &mut Stream) -> u32 {
        match self {
            Self::Uniform { nodes } => other_than(node, Span { first: 0, len: *nodes }, rng),
            Self::Fixed(targets) => targets[node as usize],
            Self::Spread(targets) => other_than(node, targets[node as usize], rng),
            Self::HotSpot { spots, share, nodes } => {
                if chance(rng, *share) {
                    let spot = spots[below(rng, spots.len() as u32) as usize];
                    if spot != node {
                        return spot;
                    }
                }
                other_than(node, Span { first: 0, len: *nodes }, rng)
            }
        }
    }
}

/// The number `n` after `from`, of `count` in a circle.
fn further(from: usize, n: u32, count: usize) -> usize {
    (from + n as usize % count) % count
}

/// Any of `span` but `node`, all alike.
#[inline]
fn other_than(node: u32, span: Span, rng: &mut Stream) -> u32 {
    if !span.contains(node) {
        return span.first + below(rng, span.len);
    }
    let drawn = span.first + below(rng, span.len - 1);
    drawn + u32::from(drawn >= node)
}
