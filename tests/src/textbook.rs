//! The router of `docs/shapes.md`, as near to the textbook's as scenarios come.

use crate::measure::blueprint;
use desvio_sim::blueprint::Blueprint;

/// The page's `shapes.toml` on a grid of 16×16 of this kind: keys of `[routing]`, VCs between routers and flits of each, and keys that are set.
///
/// # Panics
/// When the scenario is refused.
#[must_use]
pub fn grid(kind: &str, routing: &str, (vcs, flits): (u32, u32), sets: &[&str]) -> Blueprint {
    let text = format!(
        "topology = {{ kind = \"{kind}\", dims = [16, 16], nodes_per_router = 4 }}
        routing = {{ {routing} }}
        traffic = {{ packet_flits = 16, loads = [1] }}
        run = {{ warmup_cycles = 3000, measure_cycles = 5000 }}
        [router]
        flow_control = \"wormhole\"
        vc_allocation = \"atomic\"
        vcs = {{ node = 4, local = {vcs} }}
        buffer_flits = {{ node = 16, local = {flits} }}
        speedup = 1
        output_flits = 1
        iterations = 1"
    );
    blueprint(&text, sets)
}
