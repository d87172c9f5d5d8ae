//! An order of the routers, from a root or by level, and the routes that go up in it, then down.

use rayon::prelude::*;
use router_core::units::{Bits, PortId, PortSet};

use super::Wiring;
use super::distance::{UNREACHED, masks};

/// An order of the routers: by rising distance from a root, or from the highest level down, then by number. Of two routers that are joined,
/// the first is the upper one.
#[derive(Debug)]
pub struct Order<'w> {
    wiring: &'w Wiring,
    /// The routers, the upper ones first.
    routers: Vec<usize>,
    /// Entry `router`: its place in the order.
    place: Vec<usize>,
}

impl<'w> Order<'w> {
    /// The order from `root`; `None` where there is no such router.
    #[must_use]
    pub fn from(wiring: &'w Wiring, root: u32) -> Option<Self> {
        let root = usize::try_from(root).ok().filter(|&root| root < wiring.routers())?;
        let distances = wiring.distances_from(root);
        Some(Self::rising(wiring, |router| distances[router]))
    }

    /// The order of a network of so many routers in each level, the lowest level first.
    #[must_use]
    pub fn of_levels(wiring: &'w Wiring, sizes: &[u32]) -> Self {
        let ends: Vec<usize> = super::ends(sizes.iter().copied());
        Self::rising(wiring, |router| std::cmp::Reverse(ends.partition_point(|&end| end <= router)))
    }

    fn rising<K: Ord>(wiring: &'w Wiring, key: impl Fn(usize) -> K) -> Self {
        let mut routers: Vec<usize> = (0..wiring.routers()).collect();
        routers.sort_by_key(|&router| key(router));
        let mut place = vec![0; routers.len()];
        for (number, &router) in routers.iter().enumerate() {
            place[router] = number;
        }
        Self { wiring, routers, place }
    }

    /// Entry `router`: bit `port` is set where the other end is the upper one.
    #[must_use]
    pub fn up_ports(&self) -> Vec<u64> {
        masks(self.up_sets())
    }

    /// Entry `router` has the ports where the other end is the upper one.
    #[must_use]
    pub fn up_sets<B: Bits>(&self) -> Vec<PortSet<B>> {
        let of = |router| self.upward(router).map(|(port, _)| PortId::new(port as u8)).collect();
        (0..self.wiring.routers()).map(of).collect()
    }

    /// The ports on shortest routes of those that go up, then down.
    ///
    /// Entry `(there * routers + here) * 2` has bit `port` set when that port of `here` brings a packet that may still go up one hop closer
    /// to `there`. The entry after it is for packets that have gone down. Takes 16 bytes per pair of routers. For routers of at most 64
    /// ports; [`Self::legal_sets`] is for all.
    #[must_use]
    pub fn legal_ports(&self) -> Vec<u64> {
        masks(self.legal_sets())
    }

    /// The ports of [`legal_ports`](Self::legal_ports) as sets.
    #[must_use]
    pub fn legal_sets<B: Bits>(&self) -> Vec<PortSet<B>> {
        self.legal_sets_towards(self.wiring.routers())
    }

    /// The ports of [`legal_ports`](Self::legal_ports) as sets, for packets to the first so many routers only.
    #[must_use]
    pub fn legal_sets_towards<B: Bits>(&self, destinations: usize) -> Vec<PortSet<B>> {
        let routers = self.wiring.routers();
        let mut sets = vec![PortSet::EMPTY; 2 * routers * destinations];
        let columns = sets.par_chunks_mut(2 * routers).enumerate();
        columns.for_each_init(
            || [vec![0; routers], vec![0; routers]],
            |[free, down], (there, column)| {
                self.measure(there, free, down);
                self.fill(free, down, column);
            },
        );
        sets
    }

    /// The hops left to `there`, for packets that may still go up, and for those that have gone down.
    ///
    /// What goes down comes to later routers in the order only, what goes up to earlier ones: a pass each.
    fn measure(&self, there: usize, free: &mut [u32], down: &mut [u32]) {
        down.fill(UNREACHED);
        down[there] = 0;
        for &router in self.routers.iter().rev().filter(|&&router| router != there) {
            down[router] = further(self.downward(router).map(|(_, next)| down[next]).min());
        }
        for &router in &self.routers {
            let up = further(self.upward(router).map(|(_, next)| free[next]).min());
            free[router] = down[router].min(up);
        }
    }

    /// Entry `router`: the fewest hops down from there to `there`; `u32::MAX` where there is no such way.
    #[must_use]
    pub fn hops_down_to(&self, there: usize) -> Vec<u32> {
        let mut down = vec![UNREACHED; self.routers.len()];
        down[there] = 0;
        for &router in self.routers.iter().rev().filter(|&&router| router != there) {
            down[router] = further(self.downward(router).map(|(_, next)| down[next]).min());
        }
        down
    }

    /// Entry `router`: the router and its port by which the way down from `top` comes there, by the fewest hops; nothing for `top` and where
    /// there is no way. Of ways of as many hops, `turn` says which.
    #[must_use]
    pub fn ways_down_from(&self, top: usize, turn: usize) -> Vec<Option<(usize, usize)>> {
        let mut above = vec![None; self.routers.len()];
        let mut level = vec![top];
        while !level.is_empty() {
            let mut below = Vec::new();
            for &router in &level {
                let mut ways: Vec<_> = self.downward(router).collect();
                let turned = turn % ways.len().max(1);
                ways.rotate_left(turned);
                for (port, next) in ways {
                    if above[next].is_none() {
                        above[next] = Some((router, port));
                        below.push(next);
                    }
                }
            }
            let turned = turn % below.len().max(1);
            below.rotate_left(turned);
            level = below;
        }
        above
    }

    fn fill<B: Bits>(&self, free: &[u32], down: &[u32], column: &mut [PortSet<B>]) {
        for (here, entries) in column.chunks_exact_mut(2).enumerate() {
            for (port, next) in self.wiring.neighbours(here) {
                let is_up = self.place[next] < self.place[here];
                let left = further(Some(if is_up { free[next] } else { down[next] }));
                let reaches = left != UNREACHED;
                let port = PortId::new(port as u8);
                if reaches && left == free[here] {
                    entries[0].insert(port);
                }
                if reaches && !is_up && left == down[here] {
                    entries[1].insert(port);
                }
            }
        }
    }

    fn upward(&self, router: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.wiring.neighbours(router).filter(move |&(_, next)| self.place[next] < self.place[router])
    }

    fn downward(&self, router: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.wiring.neighbours(router).filter(move |&(_, next)| self.place[next] > self.place[router])
    }
}

/// One hop more than the fewest, if there is a way at all.
fn further(hops: Option<u32>) -> u32 {
    hops.map_or(UNREACHED, |hops| hops.saturating_add(1))
}
