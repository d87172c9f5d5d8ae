//! Maps of the ports of foreign switches.

use super::{Outcome, Target, holds, seeds, text};
use desvio_lockstep::conform::PortMap;

pub(super) const TARGET: Target = Target {
    name: "map",
    reads: "maps of desvio conform",
    run,
    seeds: || seeds::files("examples/foreign-switch", "map.toml"),
    is_rare: |bytes| holds(bytes, "ports = 65") || holds(bytes, "vcs = 9"),
};

fn run(bytes: &[u8]) -> Outcome {
    match PortMap::parse(&text(bytes), "map.toml") {
        Ok(map) => Outcome::taken(format!("{map:?}").len() / 16),
        Err(error) => Outcome::refused(&error.to_string().replace(':', " ")),
    }
}
