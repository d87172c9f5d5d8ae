//! Leaves without a common root: which need more than one way up and down.

use rayon::prelude::*;

use super::Wiring;
use super::bisection::spread;

impl Wiring {
    /// The share of the pairs of leaves that have no root above both, and from how many leaves it was measured if not from all; nothing
    /// where routers do not stand in levels.
    pub(super) fn share_apart(&self) -> Option<(f64, Option<usize>)> {
        let leaves = *self.known.levels.first()? as usize;
        let roots = self.roots_above();
        let words = roots[0].len();
        let enough = (MOST_COMPARED / (leaves * words).max(1)).max(1);
        let sample: Vec<usize> = spread(leaves).take(enough).collect();
        let apart = |&leaf: &usize| {
            let alone = |other: &[u64]| roots[leaf].iter().zip(other).all(|(a, b)| a & b == 0);
            roots[..leaves].iter().filter(|other| alone(other)).count()
        };
        let found: usize = sample.par_iter().map(apart).sum();
        let share = found as f64 / (sample.len() as f64 * (leaves as f64 - 1.0));
        Some((share, (sample.len() < leaves).then_some(sample.len())))
    }

    /// Entry `router`: the roots above it, a bit each.
    fn roots_above(&self) -> Vec<Vec<u64>> {
        let levels = &self.known.levels;
        let starts: Vec<usize> = super::ends(levels.iter().copied());
        let level = |router: usize| starts.partition_point(|&start| start <= router);
        let first_root = starts[levels.len() - 1];
        let words = (self.routers() - first_root).div_ceil(64);
        let mut above = vec![vec![0_u64; words]; self.routers()];
        for router in (0..self.routers()).rev() {
            let mut own = vec![0; words];
            match router.checked_sub(first_root) {
                Some(root) => own[root / 64] |= 1 << (root % 64),
                None => {
                    for (_, there) in
                        self.neighbours(router).filter(|&(_, there)| level(there) > level(router))
                    {
                        own.iter_mut().zip(&above[there]).for_each(|(own, more)| *own |= more);
                    }
                }
            }
            above[router] = own;
        }
        above
    }
}

/// Words of bits that are compared at most: a second's work.
const MOST_COMPARED: usize = 1 << 30;
