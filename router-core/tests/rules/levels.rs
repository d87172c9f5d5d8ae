//! Networks of levels: fat trees by their digits, others by their links, and the routings up and down on both, by all that can be drawn.

mod trees;
mod ways;

use super::explore::{Net, State, each, explore, flat, injected, longest, sorted};
use desvio_core::header::{Address, Header};
use desvio_core::map::levels::{Levels, Parts};
use desvio_core::map::tree::{Tree, TreeError};
use desvio_core::map::{AnyMap, Map, Peer, RouterClass};
use desvio_core::route::up_down::{Ascent, Levelled, UpDown};
use desvio_core::route::up_down_derouting::{Derouting, UpDownDerouting};
use desvio_core::route::valiant_leaves::ValiantLeaves;
use desvio_core::route::{Draw, HopKind, Route};
use desvio_core::units::{PortClass, PortId, PortSet, VcId, VcSet};
use std::collections::{BTreeMap, BTreeSet};

/// Draws every number in turn: one run for each list of choices.
#[derive(Default)]
pub(crate) struct Script {
    choices: Vec<(u32, u32)>,
    at: usize,
}

impl Draw for Script {
    fn below(&mut self, n: u32) -> u32 {
        assert!(n > 0, "a draw among none");
        if self.at == self.choices.len() {
            self.choices.push((0, n));
        }
        self.at += 1;
        self.choices[self.at - 1].0
    }
}

impl Script {
    /// What all draws make, each list of choices once.
    pub(crate) fn all<T>(mut make: impl FnMut(&mut Self) -> T) -> Vec<T> {
        let (mut script, mut all) = (Self::default(), Vec::new());
        loop {
            script.at = 0;
            all.push(make(&mut script));
            while let Some((chosen, of)) = script.choices.pop() {
                if chosen + 1 < of {
                    script.choices.push((chosen + 1, of));
                    break;
                }
            }
            if script.choices.is_empty() {
                return all;
            }
        }
    }
}

/// The digits of a router of a fat tree, w₁ first, and its level, by its address.
fn digits(tree: &Tree, half: u8, router: u32) -> (Vec<u32>, u8) {
    let levels = tree.levels();
    let bits = (1..).find(|bits| 2 * u32::from(half) <= 1 << bits).unwrap();
    let digits = (0..u32::from(levels) - 1).map(|n| router >> (n * bits) & ((1 << bits) - 1)).collect();
    (digits, (router >> ((u32::from(levels) - 1) * bits)) as u8)
}

/// A network of levels by its links, from a router below to one above, in the order of ports. Nodes are at the leaves.
struct Folded {
    sizes: Vec<u32>,
    nodes: u8,
    links: Vec<(u32, u32)>,
}

impl Map for Folded {
    fn routers(&self) -> impl Iterator<Item = u32> {
        0..self.sizes.iter().sum()
    }

    fn ports(&self) -> usize {
        8
    }

    fn port_class(&self, of: RouterClass, port: PortId) -> PortClass {
        if of.0 == 0 && port.number() < self.nodes { PortClass::NODE } else { PortClass::LOCAL }
    }

    fn router_class(&self, router: u32) -> RouterClass {
        RouterClass(u8::from(router >= self.sizes[0]))
    }

    fn peer(&self, router: u32, port: PortId) -> Option<Peer> {
        let first = |at: u32| if at < self.sizes[0] { self.nodes } else { 0 };
        let mine = |at: u32| {
            // Down first, then up.
            let down = self.links.iter().filter(move |link| link.1 == at).copied();
            let up = self.links.iter().filter(move |link| link.0 == at).copied();
            down.chain(up).collect::<Vec<_>>()
        };
        if port.number() < first(router) {
            return Some(Peer::Node);
        }
        let link = *mine(router).get(usize::from(port.number() - first(router)))?;
        let there = if link.0 == router { link.1 } else { link.0 };
        let at = mine(there).iter().position(|&other| other == link)? as u8 + first(there);
        Some(Peer::Router { router: there, port: PortId::new(at) })
    }
}

/// The tables of [`Levels`].
struct Tables {
    ports: Vec<PortSet>,
    up: Vec<PortSet>,
    peers: Vec<u32>,
    wired: Vec<PortSet>,
}

impl Folded {
    fn level(&self, router: u32) -> usize {
        let mut sum = 0;
        self.sizes
            .iter()
            .position(|&size| {
                sum += size;
                router < sum
            })
            .unwrap()
    }

    fn tables(&self) -> Tables {
        let net = Net::of(self);
        let routers: u32 = self.sizes.iter().sum();
        let up: Vec<PortSet> = (0..routers)
            .map(|router| {
                net.neighbours(router)
                    .filter(|way| self.level(way.1) > self.level(router))
                    .map(|way| way.0)
                    .collect()
            })
            .collect();
        let wired = (0..routers).map(|router| net.neighbours(router).map(|way| way.0).collect()).collect();
        let mut peers = vec![u32::MAX; (routers * 8) as usize];
        for router in 0..routers {
            net.neighbours(router)
                .for_each(|(port, there)| peers[(router * 8) as usize + port.index()] = there);
        }
        let mut ports = Vec::new();
        for leaf in 0..self.sizes[0] {
            // Hops up, then down: first those that go down alone, then those that may go up.
            let mut down: BTreeMap<u32, u32> = BTreeMap::from([(leaf, 0)]);
            let mut any: BTreeMap<u32, u32> = BTreeMap::from([(leaf, 0)]);
            for _ in 0..routers {
                for router in 0..routers {
                    for (port, there) in net.neighbours(router) {
                        let is_up = up[router as usize].contains(port);
                        if !is_up && let Some(&hops) = down.get(&there) {
                            let own = down.entry(router).or_insert(u32::MAX);
                            *own = (*own).min(hops + 1);
                        }
                        if let Some(&hops) = if is_up { any.get(&there) } else { down.get(&there) } {
                            let own = any.entry(router).or_insert(u32::MAX);
                            *own = (*own).min(hops + 1);
                        }
                    }
                }
            }
            for router in 0..routers {
                for gone_down in [false, true] {
                    let ways = net.neighbours(router).filter(|&(port, there)| {
                        let is_up = up[router as usize].contains(port);
                        let next = if is_up { any.get(&there) } else { down.get(&there) };
                        let own = if gone_down { down.get(&router) } else { any.get(&router) };
                        router != leaf
                            && !(is_up && gone_down)
                            && next.is_some_and(|next| Some(&(next + 1)) == own)
                    });
                    ports.push(ways.map(|way| way.0).collect());
                }
            }
        }
        Tables { ports, up, peers, wired }
    }
}

impl Tables {
    fn load<'t>(&'t self, sizes: &'t [u32]) -> Levels<'t> {
        let Self { ports, up, peers, wired } = self;
        Levels::load(Parts { ports, up, peers, width: 8, sizes }, |router| wired[router as usize]).unwrap()
    }
}

/// Two levels: five leaves, some without a spine in common; a fat tree of two levels; three levels.
fn folded() -> Vec<Folded> {
    let some = [(0, 5), (0, 6), (1, 6), (1, 7), (2, 7), (2, 8), (3, 5), (3, 8), (4, 5), (4, 7)];
    let full = (0..4).flat_map(|leaf| (4..6).map(move |spine| (leaf, spine)));
    let three = [
        (0, 4),
        (0, 5),
        (1, 4),
        (1, 5),
        (2, 6),
        (2, 7),
        (3, 6),
        (3, 7),
        (4, 8),
        (4, 9),
        (5, 8),
        (5, 9),
        (6, 8),
        (6, 9),
        (7, 8),
        (7, 9),
    ];
    vec![
        Folded { sizes: vec![5, 4], nodes: 2, links: some.into() },
        Folded { sizes: vec![4, 2], nodes: 3, links: full.collect() },
        Folded { sizes: vec![4, 4, 2], nodes: 2, links: three.into() },
        // One way up from the leaves, and two from above them.
        Folded {
            sizes: vec![3, 3, 2],
            nodes: 1,
            links: vec![(0, 3), (1, 4), (2, 5), (2, 4), (3, 6), (3, 7), (4, 6), (4, 7), (5, 7)],
        },
    ]
}
