//! Which multi-step path is opened next.

use super::{MultiStep, Supernode};
use crate::map::grid::Grid;

/// The order in which the multi-step paths of a grid are opened. Each time it is the one that shares fewest links with those that are open;
/// of several, the shortest. Of several such, it is the one whose *i* is nearest to the source, then the one whose *j* is nearest to the
/// destination.
///
/// Paths that lead through a router twice, or that have no link which the open ones have not, are never opened.
///
/// It depends on nothing but the ends: path 2 of a metapath is the same one whenever it is opened. Paths may overlap, and where supernodes
/// are small they have to: the steps in the supernodes may use links that another path's long step uses.
#[derive(Clone, Copy, Debug)]
pub struct Alternatives {
    /// The network, of up to 512 addresses.
    pub grid: Grid,
    /// The radius of the supernodes of both ends.
    pub radius: u8,
}

/// Routers whose addresses fit half of a header's `via`.
const ROUTERS: usize = 1 << super::POINT_BITS;

/// Links of a network, by router: the outputs in each direction.
struct Links([u16; ROUTERS]);

impl Links {
    /// Those of open paths.
    fn of(grid: Grid, from: u32, to: u32, open: impl Iterator<Item = MultiStep>) -> Self {
        let mut links = Self([0; ROUTERS]);
        for (router, bit) in open.flat_map(|path| ways(grid, from, to, path)) {
            if let Some(outputs) = links.0.get_mut(router as usize) {
                *outputs |= bit;
            }
        }
        links
    }

    fn contains(&self, (router, bit): (u32, u16)) -> bool {
        self.0.get(router as usize).is_some_and(|outputs| outputs & bit != 0)
    }
}

/// The links of a path: a router and one bit for the direction.
fn ways(grid: Grid, from: u32, to: u32, path: MultiStep) -> impl Iterator<Item = (u32, u16)> {
    let MultiStep { first, second } = path;
    let steps = [(from, first), (first, second), (second, to)];
    let links = steps.into_iter().flat_map(move |(a, b)| grid.links(a, b));
    links.map(move |(router, port)| (router, 1u16.wrapping_shl(grid.way(port).into())))
}

/// Whether a path leads through a router twice: it would only load links.
fn comes_back(grid: Grid, from: u32, to: u32, path: MultiStep) -> bool {
    let mut seen = [0u32; ROUTERS / u32::BITS as usize];
    let mut is_new = |router: u32| {
        let Some(word) = seen.get_mut((router / u32::BITS) as usize) else { return false };
        let bit = 1u32.wrapping_shl(router);
        core::mem::replace(word, *word | bit) & bit == 0
    };
    let mut routers = ways(grid, from, to, path).map(|(router, _)| router);
    !(is_new(to) && routers.all(is_new))
}

impl Alternatives {
    /// Links of a path from one router to another \[2\].
    #[must_use]
    pub fn length(&self, from: u32, to: u32, path: MultiStep) -> u32 {
        let [first, middle, last] = [(from, path.first), (path.first, path.second), (path.second, to)]
            .map(|(a, b)| self.grid.distance(a, b));
        first.saturating_add(middle).saturating_add(last)
    }

    /// The path that is opened after these, which are those of the same ends; `None` where there is none.
    #[must_use]
    pub fn next(
        &self,
        from: u32,
        to: u32,
        open: impl Iterator<Item = MultiStep> + Clone,
    ) -> Option<MultiStep> {
        if from == to {
            return None;
        }
        let Self { grid, radius } = *self;
        let taken = Links::of(grid, from, to, open.clone());
        let around = |centre| Supernode { grid, centre, radius }.routers();
        let pairs = around(from).flat_map(|first| around(to).map(move |second| MultiStep { first, second }));
        let paths = pairs.filter(|&path| !open.clone().any(|other| other == path));
        let judged = paths.filter(|&path| !comes_back(grid, from, to, path)).filter_map(|path| {
            let length = self.length(from, to, path);
            let shared = ways(grid, from, to, path).filter(|&link| taken.contains(link)).count() as u32;
            // What has no link of its own brings nothing.
            (shared < length).then_some((shared, length, path))
        });
        // The first one of the least, in the order of `pairs`.
        judged.min_by_key(|&(shared, length, _)| (shared, length)).map(|(_, _, path)| path)
    }
}
