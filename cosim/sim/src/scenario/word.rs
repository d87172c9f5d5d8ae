//! What the choices are called in the file: each word in one place, for reading, for writing and for error texts.

use super::model::*;

/// A choice that the scenario file names by a word.
pub trait Word: Copy + PartialEq + 'static {
    /// Every word and what it means.
    const WORDS: &'static [(&'static str, Self)];

    /// The word of this choice.
    fn word(self) -> &'static str;
}

macro_rules! words {
    ($type:ty { $($word:literal => [$($choice:tt)+],)+ }) => {
        impl Word for $type {
            const WORDS: &'static [(&'static str, Self)] = &[$(($word, $($choice)+)),+];

            fn word(self) -> &'static str {
                match self {
                    $($($choice)+ => $word,)+
                }
            }
        }
    };
}

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

words!(Arrangement {
    "palmtree" => [Self::Palmtree],
    "consecutive" => [Self::Consecutive],
    "absolute" => [Self::Absolute],
});

words!(FlowControl {
    "vct" => [Self::Vct],
    "wormhole" => [Self::Wormhole],
    "store-and-forward" => [Self::StoreAndForward],
});

words!(Allocator {
    "separable-input-first" => [Self::SeparableInputFirst],
    "separable-output-first" => [Self::SeparableOutputFirst],
    "wavefront" => [Self::Wavefront],
});

words!(Arbiter {
    "round-robin" => [Self::RoundRobin],
    "matrix" => [Self::Matrix],
});

words!(Algorithm {
    "minimal" => [Self::Minimal],
    "valiant" => [Self::Valiant],
    "olm" => [Self::Olm],
    "dimension-order" => [Self::DimensionOrder],
    "table" => [Self::Table],
});

words!(Nonminimal {
    "restricted" => [Self::Restricted],
    "free" => [Self::Free],
});

words!(VcOrder {
    "ascending" => [Self::Ascending],
    "descending" => [Self::Descending],
});

words!(MisrouteScope {
    "group" => [Self::Group],
    "route" => [Self::Route],
});

words!(Intermediate {
    "group" => [Self::Group],
    "node" => [Self::Node],
});

words!(Trigger {
    "never" => [Self::Never],
    "occupancy" => [Self::Occupancy],
    "contention" => [Self::Contention],
    "contention-average" => [Self::ContentionAverage],
    "hybrid" => [Self::Hybrid],
    "always" => [Self::Always],
});

words!(CountAt {
    "head" => [Self::Head],
    "arrival" => [Self::Arrival],
});

words!(Process {
    "bernoulli" => [Self::Bernoulli],
    "exponential" => [Self::Exponential],
    "burst" => [Self::Burst],
});

// `routing.policy` names both what is offered in the source group and whether the others misroute locally.
words!((Policy, bool) {
    "RRG" => [(Policy::Rrg, false)],
    "CRG" => [(Policy::Crg, false)],
    "NRG" => [(Policy::Nrg, false)],
    "MM" => [(Policy::Mm, false)],
    "RRG+L" => [(Policy::Rrg, true)],
    "CRG+L" => [(Policy::Crg, true)],
    "NRG+L" => [(Policy::Nrg, true)],
    "MM+L" => [(Policy::Mm, true)],
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

/// The tables of the file and their keys.
pub(super) const SECTIONS: &[(&str, &[&str])] = &[
    ("topology", &["kind", "p", "a", "h", "groups", "arrangement", "dims", "nodes_per_router", "file"]),
    (
        "router",
        &[
            "flow_control",
            "vcs",
            "buffer_flits",
            "speedup",
            "output_flits",
            "allocator",
            "iterations",
            "arbiter",
        ],
    ),
    ("links", &["latency"]),
    (
        "routing",
        &[
            "algorithm",
            "nonminimal",
            "vc_order",
            "local_misroutes",
            "misroute_scope",
            "policy",
            "intermediate",
        ],
    ),
    (
        "selection",
        &[
            "trigger",
            "minimal_occupancy",
            "relative_threshold",
            "global_restriction",
            "contention_threshold",
            "contention_factor",
            "count_at",
        ],
    ),
    ("traffic", &["pattern", "packet_flits", "process", "burst_packets", "loads"]),
    ("run", &["warmup_cycles", "measure_cycles", "limit_cycles", "window_cycles", "seed"]),
];
