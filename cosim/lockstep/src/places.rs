//! Where in its network a router is tested.

use desvio_sim::blueprint::Blueprint;

/// Most places.
const MOST: usize = 8;

/// Routers of a network: all of a small one; of a large one the first, the last and some between them.
pub fn places(blueprint: &Blueprint) -> Vec<usize> {
    let routers = blueprint.wiring().routers();
    let count = routers.min(MOST);
    (0..count).map(|n| n * (routers - 1) / (count - 1).max(1)).collect()
}
