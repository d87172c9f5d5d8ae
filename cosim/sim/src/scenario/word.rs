//! What the choices are called in the file, and which keys its tables have.

use super::choice::{Keys, keys_of, keys_of_group};
use super::infiniband;
use super::model::*;
use crate::document::Tables;
use router_core::settings::Choice;
pub use router_core::settings::Word;
use router_core::words;

words!(ControlKind {
    "free" => [Self::Free],
    "window" => [Self::Window],
    "congestion-control" => [Self::CongestionControl],
});

words!(ControlScope {
    "node" => [Self::Node],
    "destination" => [Self::Destination],
});

words!(CreditForm {
    "pulse" => [Self::Pulse],
    "absolute" => [Self::Absolute],
});

/// Instead of a number of cycles: as many as it takes.
pub(super) const AUTO: &str = "auto";

/// The tables of the file.
pub(super) const SECTIONS: &[&str] =
    &["topology", "router", "links", "routing", "selection", "traffic", "injection", "congestion", "run"];

/// The table whose bytes and metres are turned into what the others say in flits and cycles. It is read and never written.
pub(super) const INFINIBAND: &str = "infiniband";

/// All of them with their keys.
pub(super) fn tables() -> Tables {
    let written = SECTIONS.iter().map(|&section| (section, keys(section)));
    written.chain([(INFINIBAND, infiniband::keys())]).collect()
}

/// The keys of a table; those of all schemes in the tables that choose one.
pub(super) fn keys(section: &str) -> Keys {
    match section {
        "topology" => with_topologies(),
        "router" => RouterSettings::keys(),
        "links" => vec![
            "latency",
            "credit_latency",
            "rate",
            "down",
            "credits",
            "credit_period",
            "credit_flits",
            "packet_loss",
            "credit_loss",
        ],
        "routing" => {
            let own = ["algorithm", "vc_order", "tables", "service_levels", "sl_to_vl", "updates"];
            let mut keys = with_schemes::<RoutingScheme>(&own);
            let registered = super::own::INSTALLED.all().iter().flat_map(|routing| (routing.keys)());
            registered.for_each(|key| {
                if !keys.contains(&key) {
                    keys.push(key)
                }
            });
            keys
        }
        "selection" => {
            let mut keys = with_schemes::<Selection>(&["trigger", "count_at"]);
            keys.extend(keys_of_group::<Preference>());
            keys
        }
        "traffic" => TrafficSettings::KEYS.to_vec(),
        "injection" => vec!["control", "window", "static_rate"],
        "congestion" => CongestionSettings::keys(),
        "run" => vec![
            "warmup_cycles",
            "measure_cycles",
            "warmup_packets",
            "measure_packets",
            "limit_cycles",
            "window_cycles",
            "seed",
            "details",
        ],
        _ => Vec::new(),
    }
}

/// The kind, then each key of each topology once.
fn with_topologies() -> Keys {
    let mut keys = vec!["kind"];
    for key in Topology::kinds().into_iter().flat_map(|(_, keys)| keys) {
        if !keys.contains(key) {
            keys.push(key);
        }
    }
    keys
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
