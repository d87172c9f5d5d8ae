//! An order of the routers, from a root or by level, and the routes that go up in it, then down.

use rayon::prelude::*;

use super::Wiring;
use super::distance::UNREACHED;

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
        let of = |router| self.upward(router).fold(0, |mask, (port, _)| mask | 1_u64 << port);
        (0..self.wiring.routers()).map(of).collect()
    }

    /// The ports on shortest routes of those that go up, then down.
    ///
    /// Entry `(there * routers + here) * 2` has bit `port` set when that port of `here` brings a packet that may still go up one hop closer
    /// to `there`. The entry after it is for packets that have gone down. Takes 16 bytes per pair of routers.
    #[must_use]
    pub fn legal_ports(&self) -> Vec<u64> {
        self.legal_ports_towards(self.wiring.routers())
    }

    /// The same for packets to the first so many routers only.
    #[must_use]
    pub fn legal_ports_towards(&self, destinations: usize) -> Vec<u64> {
        let routers = self.wiring.routers();
        let mut masks = vec![0; 2 * routers * destinations];
        let columns = masks.par_chunks_mut(2 * routers).enumerate();
        columns.for_each_init(
            || [vec![0; routers], vec![0; routers]],
            |[free, down], (there, column)| {
                self.measure(there, free, down);
                self.fill(free, down, column);
            },
        );
        masks
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

    fn fill(&self, free: &[u32], down: &[u32], column: &mut [u64]) {
        for (here, entries) in column.chunks_exact_mut(2).enumerate() {
            for (port, next) in self.wiring.neighbours(here) {
                let is_up = self.place[next] < self.place[here];
                let left = further(Some(if is_up { free[next] } else { down[next] }));
                let reaches = left != UNREACHED;
                entries[0] |= u64::from(reaches && left == free[here]) << port;
                entries[1] |= u64::from(reaches && !is_up && left == down[here]) << port;
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
