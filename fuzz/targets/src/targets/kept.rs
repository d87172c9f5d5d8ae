//! What the cache of `desvio cost` holds: numbers of parts, and the modules of a router.

use super::{Outcome, Target, holds};
use desvio_cost::{Measured, Tree};

pub(super) const TARGET: Target = Target {
    name: "kept",
    reads: "measured.json and tree.json of finished syntheses",
    run,
    seeds: || SMALL.map(|text| text.as_bytes().to_vec()).to_vec(),
    is_rare: |bytes| {
        holds(bytes, "\"depth\":65535") || holds(bytes, ":18446744073709551615") || holds(bytes, ":65536,")
    },
};

const SMALL: [&str; 2] = [
    r#"{"cells":{"$_AND_":2,"$_SDFF_PP0_":1},"memories":[{"width":96,"places":8,"read_ports":2}],"depth":7,"area":null,"delay":1.5,"frequency":80}"#,
    r#"{"modules":{"dsv_router":{"name":"router","parameters":{"PORTS":3},"instances":[["lfsr","dsv_lfsr"]]},"dsv_lfsr":{"name":"lfsr","parameters":{},"instances":[]}},"defaults":{"router":["lfsr"]}}"#,
];

fn run(bytes: &[u8]) -> Outcome {
    match (serde_json::from_slice::<Measured>(bytes), serde_json::from_slice::<Tree>(bytes)) {
        (Ok(measured), _) => Outcome::taken((measured.cells.len(), measured.memories.len())),
        (_, Ok(tree)) => Outcome::taken(format!("{tree:?}").len() / 64),
        (Err(error), Err(_)) => Outcome::refused(&error.to_string()),
    }
}
