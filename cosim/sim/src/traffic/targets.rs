//! Who sends to whom, worked out for one network: what a node's generator draws from.

use super::node_map::Span;
use crate::random::{Stream, below, chance, unit};

/// Who sends to whom, worked out for one network.
#[derive(Debug, Clone)]
pub enum Targets {
    /// Any of these nodes but the sender, the same set for every sender.
    Any(Span),
    /// Always the same node, by sender; the sender itself: it sends nothing.
    Fixed(Vec<u32>),
    /// One group for each sender: its number, added to the number of all nodes. A node that names itself sends nothing.
    Groups(Vec<u32>),
    /// Any of these nodes but the sender, by sender.
    Spread(Vec<Span>),
    /// A share of all packets goes to a few nodes, the rest to any of all nodes but the sender.
    Mixed {
        /// The few nodes.
        spots: Vec<u32>,
        /// Share of the packets sent to them.
        share: f64,
        /// All nodes.
        all: Span,
    },
    /// Each with its share of the packets; a sender that one of them gives nothing divides its packets among the others.
    Choice(Vec<(f64, Targets)>),
}

impl Targets {
    /// The nodes that packets go to, of a span the last one.
    pub(super) fn named(&self) -> Box<dyn Iterator<Item = u32> + '_> {
        let last = |span: &Span| span.first.saturating_add(span.len.saturating_sub(1));
        match self {
            Self::Any(all) => Box::new(std::iter::once(last(all))),
            // A pattern of a program's own has no groups: its numbers are beyond those of nodes.
            Self::Fixed(targets) | Self::Groups(targets) => Box::new(targets.iter().copied()),
            Self::Spread(spans) => Box::new(spans.iter().map(last)),
            Self::Mixed { spots, all, .. } => Box::new(spots.iter().copied().chain([last(all)])),
            Self::Choice(parts) => Box::new(parts.iter().flat_map(|(_, targets)| targets.named())),
        }
    }

    /// How many senders its lists by sender have.
    pub(super) fn by_sender(&self) -> Box<dyn Iterator<Item = usize> + '_> {
        match self {
            Self::Any(_) | Self::Mixed { .. } => Box::new(std::iter::empty()),
            Self::Fixed(targets) | Self::Groups(targets) => Box::new(std::iter::once(targets.len())),
            Self::Spread(spans) => Box::new(std::iter::once(spans.len())),
            Self::Choice(parts) => Box::new(parts.iter().flat_map(|(_, targets)| targets.by_sender())),
        }
    }

    /// The members of each group that they send to, in ascending order, in a network of so many nodes.
    pub(super) fn groups(&self, nodes: u32) -> Vec<Vec<u32>> {
        match self {
            Self::Groups(targets) => {
                let count =
                    targets.iter().filter_map(|to| to.checked_sub(nodes)).max().map_or(0, |last| last + 1);
                let mut members = vec![Vec::new(); count as usize];
                for (node, to) in (0..).zip(targets) {
                    if let Some(group) = to.checked_sub(nodes) {
                        members[group as usize].push(node);
                    }
                }
                members
            }
            Self::Choice(parts) => parts.iter().flat_map(|(_, targets)| targets.groups(nodes)).collect(),
            _ => Vec::new(),
        }
    }

    /// Whether `node` sends anything.
    pub(super) fn sends(&self, node: u32) -> bool {
        match self {
            Self::Any(all) | Self::Mixed { all, .. } => all.len > 1,
            Self::Fixed(targets) | Self::Groups(targets) => targets[node as usize] != node,
            Self::Choice(parts) => parts.iter().any(|(_, targets)| targets.sends(node)),
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
            Self::Any(all) => other_than(node, *all, rng),
            Self::Fixed(targets) | Self::Groups(targets) => targets[node as usize],
            Self::Spread(targets) => other_than(node, targets[node as usize], rng),
            Self::Mixed { spots, share, all } => {
                if chance(rng, *share) {
                    let spot = spots[below(rng, spots.len() as u32) as usize];
                    if spot != node {
                        return spot;
                    }
                }
                other_than(node, *all, rng)
            }
            Self::Choice(parts) => chosen(parts, node, rng),
        }
    }
}

/// A destination by one of `parts`, of those by which `node` sends.
fn chosen(parts: &[(f64, Targets)], node: u32, rng: &mut Stream) -> u32 {
    let sending = || parts.iter().filter(|(_, targets)| targets.sends(node));
    let mut left = unit(rng) * sending().map(|(share, _)| share).sum::<f64>();
    let mut found = None;
    for (share, targets) in sending() {
        found = Some(targets);
        if left <= *share {
            break;
        }
        left -= share;
    }
    found.map_or(node, |targets| targets.draw(node, rng))
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
