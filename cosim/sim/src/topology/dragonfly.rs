//! Dragonfly: groups of fully connected routers, fully connected among each other.

use std::collections::BTreeSet;

use crate::scenario::{self, Arrangement};

use super::{Hops, Known, Layout, PortKind, TopologyError};

/// A Dragonfly whose groups may differ in size.
///
/// Routers are numbered group by group, nodes router by router. Ports: `p` nodes, then one local port to every other
/// router of the largest group, then `h` global ports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dragonfly {
    p: usize,
    h: usize,
    arrangement: Arrangement,
    group_sizes: Vec<usize>,
    largest_group: usize,
    /// Entry `group`: its first router; one entry more, the number of routers.
    first: Vec<usize>,
}

/// One end of a global link, and the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GlobalLink {
    /// The router at this end.
    pub router: usize,
    /// Its port.
    pub port: usize,
    /// The router at the other end.
    pub peer: usize,
    /// Its port.
    pub peer_port: usize,
}

impl Dragonfly {
    /// A Dragonfly of `p` nodes and `h` global ports per router.
    #[must_use]
    pub fn new(p: u32, group_sizes: &[u32], h: u32, arrangement: Arrangement) -> Self {
        let group_sizes: Vec<usize> = group_sizes.iter().map(|&size| size as usize).collect();
        let mut first = vec![0_usize];
        for (group, &size) in group_sizes.iter().enumerate() {
            first.push(first[group].saturating_add(size));
        }
        let largest_group = group_sizes.iter().copied().max().unwrap_or(0);
        Self { p: p as usize, h: h as usize, arrangement, group_sizes, largest_group, first }
    }

    /// The Dragonfly of a scenario; `None` for any other topology.
    #[must_use]
    pub fn of(topology: &scenario::Topology) -> Option<Self> {
        match topology {
            scenario::Topology::Dragonfly { p, group_sizes, h, arrangement } => {
                Some(Self::new(*p, group_sizes, *h, *arrangement))
            }
            _ => None,
        }
    }

    /// Nodes per router.
    #[must_use]
    pub fn p(&self) -> usize {
        self.p
    }

    /// Global ports per router.
    #[must_use]
    pub fn h(&self) -> usize {
        self.h
    }

    /// Which global port leads to which group.
    #[must_use]
    pub fn arrangement(&self) -> Arrangement {
        self.arrangement
    }

    /// How many groups there are.
    #[must_use]
    pub fn groups(&self) -> usize {
        self.group_sizes.len()
    }

    /// Routers of `group`.
    #[must_use]
    pub fn group_size(&self, group: usize) -> usize {
        self.group_sizes[group]
    }

    /// Routers of the largest group.
    #[must_use]
    pub fn largest_group(&self) -> usize {
        self.largest_group
    }

    /// How many routers there are.
    #[must_use]
    pub fn routers(&self) -> usize {
        self.first[self.groups()]
    }

    /// Group of `router`, and its index in the group.
    #[must_use]
    pub fn place(&self, router: usize) -> (usize, usize) {
        let group = self.first.partition_point(|&first| first <= router) - 1;
        (group, router - self.first[group])
    }

    /// The router of an index in a group.
    #[must_use]
    pub fn router(&self, group: usize, index: usize) -> usize {
        self.first[group] + index
    }

    /// The port by which the router of index `from` reaches the router of index `to` of its group.
    #[must_use]
    pub fn local_port(&self, from: usize, to: usize) -> usize {
        debug_assert_ne!(from, to, "no port leads to the router itself");
        self.p + if to < from { to } else { to - 1 }
    }

    /// The port of global link `k`, 0 to h−1.
    #[must_use]
    pub fn global_port(&self, k: usize) -> usize {
        self.first_global() + k
    }

    /// The group that `port` of `router` leads to; `None` unless it is a connected global port.
    #[must_use]
    pub fn group_across(&self, router: usize, port: usize) -> Option<usize> {
        let (group, index) = self.place(router);
        let k = port.checked_sub(self.first_global()).filter(|&k| k < self.h)?;
        self.far_end(group, index * self.h + k).map(|(there, _)| there)
    }

    /// The links from one group to another, by rising router and port.
    pub fn links_between(&self, from: usize, to: usize) -> impl Iterator<Item = GlobalLink> + '_ {
        let start = if from == to { usize::MAX } else { self.index(from, to) };
        let links = start..self.group_sizes[from] * self.h;
        links.step_by(self.groups().max(2) - 1).filter_map(move |link| {
            let (_, far) = self.far_end(from, link)?;
            let (router, port) = self.end(from, link);
            let (peer, peer_port) = self.end(to, far);
            Some(GlobalLink { router, port, peer, peer_port })
        })
    }

    fn first_global(&self) -> usize {
        self.p + self.largest_group.saturating_sub(1)
    }

    /// Router and port of a group's global link number `link`.
    fn end(&self, group: usize, link: usize) -> (usize, usize) {
        (self.router(group, link / self.h), self.global_port(link % self.h))
    }

    /// Group and link number at the other end of global link `link` of `group`.
    ///
    /// Each group deals its links out to the other groups, one each per round, in the order of the arrangement. A
    /// link joins two groups when both have one for the other in the same round.
    fn far_end(&self, group: usize, link: usize) -> Option<(usize, usize)> {
        let others = self.groups() - 1;
        let round = link.checked_div(others)?;
        let there = self.order(group, link % others);
        let far = round * others + self.index(there, group);
        (far < self.group_sizes[there] * self.h).then_some((there, far))
    }

    /// The group that `group` counts as its other group number `n`, 0 to groups−2.
    fn order(&self, group: usize, n: usize) -> usize {
        let groups = self.groups();
        match self.arrangement {
            Arrangement::Palmtree => (group + groups - (n + 1)) % groups,
            Arrangement::Consecutive => (group + n + 1) % groups,
            Arrangement::Absolute => n + usize::from(n >= group),
        }
    }

    /// The number under which `group` counts `other`: the inverse of [`Self::order`].
    fn index(&self, group: usize, other: usize) -> usize {
        let groups = self.groups();
        match self.arrangement {
            Arrangement::Palmtree => (group + groups - other - 1) % groups,
            Arrangement::Consecutive => (other + groups - group - 1) % groups,
            Arrangement::Absolute => other - usize::from(other > group),
        }
    }

    /// One group, when the next group is wired like it with every group number one higher.
    fn representatives(&self) -> Option<usize> {
        let equal_groups = self.group_sizes.iter().all(|&size| size == self.largest_group);
        (equal_groups && self.arrangement != Arrangement::Absolute).then_some(self.largest_group)
    }

    /// Mean local and global hops of the shortest local–global–local route between two nodes.
    fn minimal_hops(&self) -> Option<Hops> {
        let (mut local, mut global) = (0, 0);
        for from in 0..self.groups() {
            let size = self.group_sizes[from];
            local += size * size.saturating_sub(1);
            for to in (0..self.groups()).filter(|&to| to != from) {
                global += size * self.group_sizes[to];
                local += self.local_hops(from, to);
            }
        }
        let nodes = (self.routers() * self.p) as f64;
        let share = (self.p * self.p) as f64 / (nodes * (nodes - 1.0));
        (nodes > 1.0).then_some(Hops { local: local as f64 * share, global: global as f64 * share })
    }

    /// Local hops of the shortest routes from every router of one group to every router of another, summed.
    fn local_hops(&self, from: usize, to: usize) -> usize {
        let ends: BTreeSet<_> = self.links_between(from, to).map(|link| (link.router, link.peer)).collect();
        let exits = ends.iter().map(|end| end.0).collect::<BTreeSet<_>>().len();
        let entries = ends.iter().map(|end| end.1).collect::<BTreeSet<_>>().len();
        let pairs = self.group_sizes[from] * self.group_sizes[to];
        let at_neither = (self.group_sizes[from] - exits) * (self.group_sizes[to] - entries);
        // Two hops, one fewer where the route starts at an exit or stops at an entry, none along one link.
        pairs + at_neither - ends.len()
    }
}

impl Layout for Dragonfly {
    fn check(&self) -> Result<(), TopologyError> {
        let groups = self.groups();
        let pairs = (0..groups).flat_map(|from| (0..from).map(move |to| (to, from)));
        let mut unlinked = pairs.filter(|&(from, to)| self.links_between(from, to).next().is_none());
        unlinked.next().map_or(Ok(()), |(from, to)| Err(TopologyError::UnlinkedGroups { from, to, groups }))
    }

    fn routers(&self) -> usize {
        self.routers()
    }

    fn ports(&self) -> usize {
        self.first_global() + self.h
    }

    fn nodes_at(&self, _router: usize) -> usize {
        self.p
    }

    fn kind(&self, port: usize) -> PortKind {
        if port < self.p {
            PortKind::Node
        } else if port < self.first_global() {
            PortKind::Local
        } else {
            PortKind::Global
        }
    }

    fn across(&self, router: usize, port: usize) -> Option<(usize, usize)> {
        let (group, index) = self.place(router);
        if let Some(k) = port.checked_sub(self.first_global()) {
            let (there, far) = self.far_end(group, index * self.h + k)?;
            return Some(self.end(there, far));
        }
        let n = port - self.p;
        let to = n + usize::from(n >= index);
        (to < self.group_sizes[group]).then(|| (self.router(group, to), self.local_port(to, index)))
    }

    fn known(&self) -> Known {
        Known { minimal_hops: self.minimal_hops(), representatives: self.representatives(), bisection: None }
    }
}
