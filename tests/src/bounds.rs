//! Exact saturation bounds: every route is walked over the wiring, and the link that most of them need is found.

use desvio_sim::topology::{Peer, PortClass, Wiring};
use std::ops::Range;

/// A positive fraction in lowest terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ratio {
    /// Above the line.
    pub over: u64,
    /// Below it.
    pub under: u64,
}

impl Ratio {
    /// `over / under`.
    #[must_use]
    pub fn new(over: u64, under: u64) -> Self {
        let (mut a, mut b) = (over, under);
        while b > 0 {
            (a, b) = (b, a % b);
        }
        Self { over: over / a.max(1), under: under / a.max(1) }
    }

    /// As a number.
    #[must_use]
    pub fn value(self) -> f64 {
        self.over as f64 / self.under as f64
    }
}

/// How often routes use each link, in whole numbers.
#[derive(Clone, Debug)]
pub struct Loads<'w> {
    wiring: &'w Wiring,
    /// Entry `router · ports + port`.
    links: Vec<u64>,
    /// Entry `node`: what it sends.
    sent: Vec<u64>,
}

impl<'w> Loads<'w> {
    /// No routes yet.
    #[must_use]
    pub fn new(wiring: &'w Wiring) -> Self {
        Self { wiring, links: vec![0; wiring.routers() * wiring.ports()], sent: vec![0; wiring.nodes()] }
    }

    /// Adds `weight` routes between two nodes by these routers, which must be neighbours of each other; `route` begins
    /// with the router of `from` and ends with that of `to`.
    ///
    /// # Panics
    /// When two of the routers are not neighbours.
    pub fn add(&mut self, from: usize, to: usize, route: &[usize], weight: u64) {
        let (first, _) = self.wiring.attachment(from);
        let (last, exit) = self.wiring.attachment(to);
        assert!(route.first() == Some(&first) && route.last() == Some(&last), "{route:?} is no route");
        self.sent[from] += weight;
        for hop in route.windows(2).filter(|hop| hop[0] != hop[1]) {
            let port = port_to(self.wiring, hop[0], hop[1]).unwrap_or_else(|| panic!("{hop:?} is no link"));
            self.links[hop[0] * self.wiring.ports() + port] += weight;
        }
        self.links[last * self.wiring.ports() + exit] += weight;
    }

    /// The highest load of any link of a kind, per unit of load that each sending node offers.
    ///
    /// # Panics
    /// When the nodes that send do not all send alike, or none does.
    #[must_use]
    pub fn highest(&self, kind: PortClass) -> Ratio {
        let mut sent = self.sent.iter().copied().filter(|&sent| sent > 0);
        let each = sent.next().unwrap_or_else(|| panic!("no node sends"));
        assert!(sent.all(|other| other == each), "nodes send different amounts");
        let of_kind =
            |port: &usize| self.wiring.class(port / self.wiring.ports(), port % self.wiring.ports()) == kind;
        let most = (0..self.links.len()).filter(of_kind).map(|link| self.links[link]).max();
        Ratio::new(most.unwrap_or(0), each)
    }

    /// The load at which the busiest link is full; at most 1, where the links of the nodes are.
    #[must_use]
    pub fn bound(&self) -> Ratio {
        let kinds = [PortClass::NODE, PortClass::LOCAL, PortClass::GLOBAL].map(|kind| self.highest(kind));
        let full = |load: &Ratio| Ratio::new(load.under, load.over.max(load.under));
        let bounds = kinds.iter().map(full);
        bounds.min_by(|a, b| a.value().total_cmp(&b.value())).unwrap_or(Ratio { over: 1, under: 1 })
    }
}

/// The port by which `from` reaches its neighbour `to`.
#[must_use]
pub fn port_to(wiring: &Wiring, from: usize, to: usize) -> Option<usize> {
    wiring.neighbours(from).find(|&(_, other)| other == to).map(|(port, _)| port)
}

/// A Dragonfly of equal groups, known from its wiring alone.
#[derive(Debug)]
pub struct Groups<'w> {
    wiring: &'w Wiring,
    /// Routers per group.
    a: usize,
    /// Entry `from · groups + to`: the two routers of the one link from one group to another.
    links: Vec<Option<(usize, usize)>>,
}

impl<'w> Groups<'w> {
    /// Groups of `a` routers each.
    ///
    /// # Panics
    /// When two groups are joined by more than one link.
    #[must_use]
    pub fn new(wiring: &'w Wiring, a: usize) -> Self {
        let count = wiring.routers() / a;
        let mut links = vec![None; count * count];
        for router in 0..wiring.routers() {
            for port in (0..wiring.ports()).filter(|&port| wiring.class(router, port) == PortClass::GLOBAL) {
                let Some(Peer::Router { router: peer, .. }) = wiring.peer(router, port) else { continue };
                let slot = &mut links[router / a * count + peer as usize / a];
                assert!(slot.is_none(), "parallel links between groups");
                *slot = Some((router, peer as usize));
            }
        }
        Self { wiring, a, links }
    }

    /// How many groups there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.wiring.routers() / self.a
    }

    /// How many routers each has.
    #[must_use]
    pub fn routers_per_group(&self) -> usize {
        self.a
    }

    /// The group of a node.
    #[must_use]
    pub fn group_of(&self, node: usize) -> usize {
        self.wiring.attachment(node).0 / self.a
    }

    /// The nodes of a group.
    #[must_use]
    pub fn nodes_of(&self, group: usize) -> Range<usize> {
        let size = self.wiring.nodes() / self.count();
        group * size..(group + 1) * size
    }

    /// The routers at both ends of the link from one group to another.
    ///
    /// # Panics
    /// When there is no such link.
    #[must_use]
    pub fn link(&self, from: usize, to: usize) -> (usize, usize) {
        self.links[from * self.count() + to].unwrap_or_else(|| panic!("no link from group {from} to {to}"))
    }

    /// Adds `weight` minimal routes: local, global, local.
    pub fn add_minimal(&self, loads: &mut Loads<'_>, from: usize, to: usize, weight: u64) {
        self.add_through(loads, from, to, &[], weight);
    }

    /// Adds `weight` routes for each group that Valiant's routing may go through: any but the source's; the
    /// destination's makes the route minimal, and so is traffic inside a group.
    pub fn add_valiant(&self, loads: &mut Loads<'_>, from: usize, to: usize, weight: u64) {
        let (source, destination) = (self.group_of(from), self.group_of(to));
        for via in (0..self.count()).filter(|&via| via != source) {
            let through: &[usize] = if via == destination || source == destination { &[] } else { &[via] };
            self.add_through(loads, from, to, through, weight);
        }
    }

    fn add_through(&self, loads: &mut Loads<'_>, from: usize, to: usize, through: &[usize], weight: u64) {
        let (first, last) = (self.wiring.attachment(from).0, self.wiring.attachment(to).0);
        let mut route = vec![first];
        let mut group = first / self.a;
        for &next in through.iter().chain([&(last / self.a)]) {
            if next != group {
                let (exit, entry) = self.link(group, next);
                route.extend([exit, entry]);
                group = next;
            }
        }
        route.push(last);
        loads.add(from, to, &route, weight);
    }

    /// Adds the routes of one of the papers' patterns with `add`.
    pub fn add_pattern(&self, loads: &mut Loads<'_>, pattern: Pattern, add: Add<'w>) {
        let nodes_per_router = self.wiring.nodes() / self.wiring.routers();
        for from in 0..self.wiring.nodes() {
            let (group, router) = (self.group_of(from), self.wiring.attachment(from).0);
            let to = match pattern {
                Pattern::Uniform => 0..self.wiring.nodes(),
                Pattern::Adversarial(n) => self.nodes_of((group + n) % self.count()),
                Pattern::AdversarialLocal(n) => {
                    let next = group * self.a + (router + n) % self.a;
                    next * nodes_per_router..(next + 1) * nodes_per_router
                }
            };
            to.filter(|&to| to != from).for_each(|to| add(self, loads, from, to, 1));
        }
    }
}

/// [`Groups::add_minimal`] or [`Groups::add_valiant`].
pub type Add<'w> = fn(&Groups<'w>, &mut Loads<'_>, usize, usize, u64);

/// A pattern of the papers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// Every other node.
    Uniform,
    /// Every node of the group so many further.
    Adversarial(usize),
    /// Every node of the router so many further in the group.
    AdversarialLocal(usize),
}
