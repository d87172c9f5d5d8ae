//! Supernodes: the routers near an end of a metapath.

use crate::map::Map as _;
use crate::map::grid::Grid;

/// The gravity area of a router of a grid: all routers that are at most `radius` hops away, the router itself included. Near the edge of a
/// mesh it is smaller than in the middle.
#[derive(Clone, Copy, Debug)]
pub struct Supernode {
    /// The network.
    pub grid: Grid,
    /// The router in the middle.
    pub centre: u32,
    /// Hops to the farthest router.
    pub radius: u8,
}

impl Supernode {
    /// Its routers, the nearest first; those as near in the order of their numbers.
    pub fn routers(self) -> impl Iterator<Item = u32> {
        let Self { grid, centre, radius } = self;
        (0..=u32::from(radius)).flat_map(move |hops| {
            let all = (0..grid.count()).map(move |number| grid.nth(number));
            all.filter(move |&router| grid.distance(centre, router) == hops)
        })
    }

    /// How many they are.
    #[must_use]
    pub fn size(self) -> usize {
        let Self { grid, centre, radius } = self;
        grid.routers().filter(|&router| grid.distance(centre, router) <= radius.into()).count()
    }
}
