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
    "up-down" => [Self::UpDown],
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

/// Instead of a number of cycles: as many as it takes.
pub(crate) const AUTO: &str = "auto";

/// Instead of a list of loads: the highest that is still accepted.
pub(crate) const SATURATION: &str = "saturation";

/// The tables of the file and their keys; of `[topology]` only the one that all topologies have.
pub(crate) const SECTIONS: &[(&str, &[&str])] = &[
    ("topology", &["kind"]),
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

/// The keys of a table, whatever topology the scenario has; none of a table that does not exist.
pub(crate) fn keys(section: &str) -> Vec<&'static str> {
    let known = SECTIONS.iter().find(|(name, _)| *name == section);
    let mut keys = known.map_or_else(Vec::new, |(_, keys)| keys.to_vec());
    if section == "topology" {
        for key in Topology::KINDS.iter().flat_map(|(_, keys)| *keys) {
            if !keys.contains(key) {
                keys.push(key);
            }
        }
    }
    keys
}
