//! What the choices are called in the file, and which keys its tables have.

use super::choice::{Keys, keys_of};
use super::model::*;
use router_core::settings::Choice;
pub use router_core::settings::Word;
use router_core::words;

/// `topology.kind`
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Dragonfly,
    Mesh,
    Torus,
    Graph,
}

words!(Kind {
    "dragonfly" => [Self::Dragonfly],
    "mesh" => [Self::Mesh],
    "torus" => [Self::Torus],
    "graph" => [Self::Graph],
});

words!(Process {
    "bernoulli" => [Self::Bernoulli],
    "exponential" => [Self::Exponential],
    "burst" => [Self::Burst],
});

/// The patterns that are a word and nothing more.
pub(super) const PLAIN_PATTERNS: &[(&str, Pattern)] = &[
    ("uniform", Pattern::Uniform),
    ("permutation", Pattern::Permutation),
    ("switch-permutation", Pattern::SwitchPermutation),
    ("transpose", Pattern::Transpose),
    ("bit-reversal", Pattern::BitReversal),
    ("bit-complement", Pattern::BitComplement),
    ("shuffle", Pattern::Shuffle),
    ("butterfly", Pattern::Butterfly),
    ("tornado", Pattern::Tornado),
    ("neighbour", Pattern::Neighbour),
];

/// The keys of the patterns that are a table. The first ones name a pattern, the last two belong to `switch-at`.
pub(super) const PATTERN_KEYS: &[&str] =
    &["adversarial", "adversarial-index", "adversarial-local", "hot-spot", "switch-at", "from", "to"];

/// Instead of a number of cycles: as many as it takes.
pub(super) const AUTO: &str = "auto";

/// Instead of a list of loads: the highest that is still accepted.
pub(super) const SATURATION: &str = "saturation";

/// The keys of a quantity per kind of port.
pub(super) const PORT_KINDS: &[&str] = &["node", "local", "global"];

/// The tables of the file.
pub(super) const SECTIONS: &[&str] =
    &["topology", "router", "links", "routing", "selection", "traffic", "run"];

/// The keys of a table; those of all schemes in the tables that choose one.
pub(super) fn keys(section: &str) -> Keys {
    match section {
        "topology" => {
            vec!["kind", "p", "a", "h", "groups", "arrangement", "dims", "nodes_per_router", "file"]
        }
        "router" => vec![
            "flow_control",
            "vcs",
            "buffer_flits",
            "speedup",
            "output_flits",
            "allocator",
            "iterations",
            "arbiter",
        ],
        "links" => vec!["latency"],
        "routing" => with_schemes::<RoutingScheme>(&["algorithm", "vc_order"]),
        "selection" => with_schemes::<Selection>(&["trigger", "count_at"]),
        "traffic" => vec!["pattern", "packet_flits", "process", "burst_packets", "loads"],
        "run" => vec!["warmup_cycles", "measure_cycles", "limit_cycles", "window_cycles", "seed"],
        _ => Vec::new(),
    }
}

/// These keys, then each key of each scheme once.
fn with_schemes<C: Choice>(own: &[&'static str]) -> Keys {
    let mut keys = own.to_vec();
    for key in C::all().flat_map(keys_of) {
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    keys
}
