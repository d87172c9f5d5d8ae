//! Where in its network a router is tested.

use desvio_sim::blueprint::Blueprint;

/// Most places.
const MOST: usize = 8;

/// Routers of a network that are of the same class as router number `like`: all of a small one; of a large one the first, the last and
/// some between them.
pub fn places(blueprint: &Blueprint, like: usize) -> Vec<usize> {
    let wiring = blueprint.wiring();
    let is_like = |router: &usize| wiring.router_class(*router) == wiring.router_class(like);
    let routers: Vec<_> = (0..wiring.routers()).filter(is_like).collect();
    let count = routers.len().min(MOST);
    (0..count).map(|n| routers[n * (routers.len() - 1) / (count - 1).max(1)]).collect()
}
