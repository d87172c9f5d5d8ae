//! A second opinion on the Dragonfly: numbers of routers in place of addresses, written before the map in `router-core`
//! was all there is, and independently of it.

use super::{Arrangement, PortClass, Topology};

/// A Dragonfly whose groups may differ in size.
///
/// Routers are numbered group by group, nodes router by router. Ports: `p` nodes, then one local port to every other
/// router of the largest group, then `h` global ports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Dragonfly {
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
pub(super) struct GlobalLink {
    /// The router at this end.
    pub(super) router: usize,
    /// Its port.
    pub(super) port: usize,
    /// The router at the other end.
    pub(super) peer: usize,
    /// Its port.
    pub(super) peer_port: usize,
}

impl Dragonfly {
    /// A Dragonfly of `p` nodes and `h` global ports per router.
    pub(super) fn new(p: u32, group_sizes: &[u32], h: u32, arrangement: Arrangement) -> Self {
        let group_sizes: Vec<usize> = group_sizes.iter().map(|&size| size as usize).collect();
        let mut first = vec![0_usize];
        for (group, &size) in group_sizes.iter().enumerate() {
            first.push(first[group].saturating_add(size));
        }
        let largest_group = group_sizes.iter().copied().max().unwrap_or(0);
        Self { p: p as usize, h: h as usize, arrangement, group_sizes, largest_group, first }
    }

    /// The Dragonfly of a scenario; `None` for any other topology.
    pub(super) fn of(topology: &Topology) -> Option<Self> {
        let Topology::Dragonfly(one) = topology else { return None };
        let sizes: Vec<u32> = one.group_sizes.iter().map(|&size| size.into()).collect();
        Some(Self::new(one.p.into(), &sizes, one.h.into(), one.arrangement))
    }

    /// How many groups there are.
    pub(super) fn groups(&self) -> usize {
        self.group_sizes.len()
    }

    /// Routers of `group`.
    pub(super) fn group_size(&self, group: usize) -> usize {
        self.group_sizes[group]
    }

    /// How many routers there are.
    pub(super) fn routers(&self) -> usize {
        self.first[self.groups()]
    }

    /// Group of `router`, and its index in the group.
    pub(super) fn place(&self, router: usize) -> (usize, usize) {
        let group = self.first.partition_point(|&first| first <= router) - 1;
        (group, router - self.first[group])
    }

    /// The router of an index in a group.
    pub(super) fn router(&self, group: usize, index: usize) -> usize {
        self.first[group] + index
    }

    /// The port by which the router of index `from` reaches the router of index `to` of its group.
    pub(super) fn local_port(&self, from: usize, to: usize) -> usize {
        debug_assert_ne!(from, to, "no port leads to the router itself");
        self.p + if to < from { to } else { to - 1 }
    }

    /// The port of global link `k`, 0 to h−1.
    pub(super) fn global_port(&self, k: usize) -> usize {
        self.first_global() + k
    }

    /// The group that `port` of `router` leads to; `None` unless it is a connected global port.
    pub(super) fn group_across(&self, router: usize, port: usize) -> Option<usize> {
        let (group, index) = self.place(router);
        let k = port.checked_sub(self.first_global()).filter(|&k| k < self.h)?;
        self.far_end(group, index * self.h + k).map(|(there, _)| there)
    }

    /// The links from one group to another, by rising router and port.
    pub(super) fn links_between(&self, from: usize, to: usize) -> impl Iterator<Item = GlobalLink> + '_ {
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

    /// Ports of a router.
    pub(super) fn ports(&self) -> usize {
        self.first_global() + self.h
    }

    /// Nodes of a router.
    pub(super) fn p(&self) -> usize {
        self.p
    }

    /// The class of a port.
    pub(super) fn class(&self, port: usize) -> PortClass {
        if port < self.p {
            PortClass::NODE
        } else if port < self.first_global() {
            PortClass::LOCAL
        } else {
            PortClass::GLOBAL
        }
    }

    /// Router and port at the other end of a router-to-router port.
    pub(super) fn across(&self, router: usize, port: usize) -> Option<(usize, usize)> {
        let (group, index) = self.place(router);
        if let Some(k) = port.checked_sub(self.first_global()) {
            let (there, far) = self.far_end(group, index * self.h + k)?;
            return Some(self.end(there, far));
        }
        let n = port - self.p;
        let to = n + usize::from(n >= index);
        (to < self.group_sizes[group]).then(|| (self.router(group, to), self.local_port(to, index)))
    }
}
