//! The fewest links between two halves of the network.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rayon::prelude::*;

use super::Wiring;
use super::distance::Search;

/// A cut of the routers into two halves that differ by at most one router.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cut {
    /// Links that cross it.
    pub links: u64,
    /// Nodes on one side and on the other.
    pub nodes: [u64; 2],
    /// Whether no other such cut has fewer links; otherwise it is the best one found.
    pub is_least: bool,
}

impl Cut {
    /// The least cut where it is known, otherwise a good one.
    pub(super) fn of(wiring: &Wiring) -> Self {
        if let Some(links) = wiring.known.bisection {
            let half = wiring.nodes() as u64 / 2;
            return Self { links, nodes: [half, half], is_least: true };
        }
        let cuts = orders(wiring).into_par_iter().map(|order| {
            let mut halves = Halves::of(wiring, &order);
            halves.improve();
            Self { links: halves.links as u64, nodes: halves.nodes(), is_least: false }
        });
        let best = cuts.min_by_key(|cut| cut.links);
        best.unwrap_or(Self { links: 0, nodes: [0, 0], is_least: true })
    }
}

/// Orders of the routers whose first half is worth trying.
fn orders(wiring: &Wiring) -> Vec<Vec<usize>> {
    let routers = wiring.routers();
    let search = |from| -> Vec<usize> {
        let mut search = Search::new(routers);
        search.run(wiring, from);
        search.reached().map(|(router, _)| router).collect()
    };
    let by_number: Vec<usize> = (0..routers).collect();
    let mut turned = by_number.clone();
    turned.rotate_left(routers / 4);
    let from_first = search(0);
    let from_far = search(from_first.last().copied().unwrap_or(0));
    vec![by_number, turned, from_first, from_far, spread(routers).collect()]
}

/// All of `0..n`, each stretch of them spread evenly and along no pattern of the numbering.
pub(super) fn spread(n: usize) -> impl Iterator<Item = usize> {
    let golden = (n as f64 * 0.618_033_988_75) as usize;
    let step = (golden.max(1)..).find(|&step| gcd(step, n) == 1).unwrap_or(1);
    (0..n).map(move |i| i * step % n)
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Two halves, and what each router would gain by changing sides.
struct Halves<'a> {
    wiring: &'a Wiring,
    /// Entry `router`: its side, 0 or 1.
    side: Vec<usize>,
    /// Entry `router`: its links across minus its links within.
    gain: Vec<i64>,
    size: [usize; 2],
    links: i64,
}

impl<'a> Halves<'a> {
    fn of(wiring: &'a Wiring, order: &[usize]) -> Self {
        let mut side = vec![0; order.len()];
        order[order.len() / 2..].iter().for_each(|&router| side[router] = 1);
        let size = [order.len() / 2, order.len() - order.len() / 2];
        let mut halves = Self { wiring, gain: vec![0; side.len()], side, size, links: 0 };
        for router in 0..wiring.routers() {
            for (_, there) in wiring.neighbours(router) {
                let crosses = halves.side[router] != halves.side[there];
                halves.gain[router] += if crosses { 1 } else { -1 };
                halves.links += i64::from(crosses);
            }
        }
        halves.links /= 2;
        halves
    }

    fn nodes(&self) -> [u64; 2] {
        let mut nodes = [0; 2];
        for router in 0..self.wiring.routers() {
            nodes[self.side[router]] += self.wiring.nodes_of(router).count() as u64;
        }
        nodes
    }

    /// Passes after Kernighan and Lin, and Fiduccia and Mattheyses, until one finds nothing better.
    fn improve(&mut self) {
        if self.wiring.routers() > MAX_IMPROVED {
            return;
        }
        for _ in 0..MAX_PASSES {
            let before = self.links;
            self.pass();
            if self.links == before {
                return;
            }
        }
    }

    /// Moves every router once, the best of the larger side first, and goes back to the best halves on the way.
    fn pass(&mut self) {
        let routers = self.side.len();
        let mut queue = Queue::new(self);
        let mut moved = Vec::with_capacity(routers);
        let (mut best, mut keep) = (self.links, 0);
        while let Some(router) = queue.pop(self) {
            self.change_side(router);
            moved.push(router);
            let touched = self.wiring.neighbours(router).map(|(_, there)| there);
            touched.for_each(|there| queue.push(self, there));
            let balanced = self.size[0].abs_diff(self.size[1]) <= 1;
            if balanced && self.links < best {
                (best, keep) = (self.links, moved.len());
            }
        }
        moved[keep..].iter().rev().for_each(|&router| self.change_side(router));
    }

    fn change_side(&mut self, router: usize) {
        let from = self.side[router];
        self.links -= self.gain[router];
        self.gain[router] = -self.gain[router];
        self.side[router] = 1 - from;
        self.size[from] -= 1;
        self.size[1 - from] += 1;
        for (_, there) in self.wiring.neighbours(router) {
            self.gain[there] += if self.side[there] == from { 2 } else { -2 };
        }
    }
}

/// The routers of each side that have not moved yet, best gain first. An entry whose gain has changed since is skipped.
struct Queue {
    best: [BinaryHeap<(i64, Reverse<usize>)>; 2],
    done: Vec<bool>,
}

impl Queue {
    fn new(halves: &Halves<'_>) -> Self {
        let mut queue = Self { best: Default::default(), done: vec![false; halves.side.len()] };
        (0..halves.side.len()).for_each(|router| queue.push(halves, router));
        queue
    }

    fn push(&mut self, halves: &Halves<'_>, router: usize) {
        if !self.done[router] {
            self.best[halves.side[router]].push((halves.gain[router], Reverse(router)));
        }
    }

    fn pop(&mut self, halves: &Halves<'_>) -> Option<usize> {
        let larger = usize::from(halves.size[1] > halves.size[0]);
        while let Some((gain, Reverse(router))) = self.best[larger].pop() {
            if !self.done[router] && gain == halves.gain[router] {
                self.done[router] = true;
                return Some(router);
            }
        }
        None
    }
}

/// Passes per order of the routers.
const MAX_PASSES: usize = 16;

/// Routers up to which halves are improved: beyond it, passes take longer than the answer is worth.
const MAX_IMPROVED: usize = 50_000;
