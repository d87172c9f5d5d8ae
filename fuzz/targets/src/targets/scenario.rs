//! Scenario files, and keys that are set: lines that begin with `--set `.

use super::{Outcome, Target, holds, network, seeds, text};
use desvio_sim::scenario::Scenario;
use std::path::Path;

pub(super) const TARGET: Target = Target {
    name: "scenario",
    reads: "scenario files and --set",
    run,
    seeds: || {
        let mut seeds =
            [seeds::files("scenarios", ".toml"), seeds::files("scenarios/cost", ".toml")].concat();
        let sets = "--set selection.trigger=hybrid\n--set router.vcs={ node = 3, local = 4 }\n--set traffic.loads=[0.1]\n";
        let with_sets = |seed: &Vec<u8>| [sets.as_bytes(), seed].concat();
        seeds.extend(seeds.iter().take(3).map(with_sets).collect::<Vec<_>>());
        seeds
    },
    is_rare: |bytes| holds(bytes, "latency = 65535") || holds(bytes, "_flits = 65535"),
};

fn run(bytes: &[u8]) -> Outcome {
    let text = text(bytes);
    let (sets, lines): (Vec<&str>, Vec<&str>) = text.lines().partition(|line| line.starts_with("--set "));
    let sets: Vec<String> = sets.iter().map(|line| line["--set ".len()..].to_owned()).collect();
    let scenario = match Scenario::parse(&lines.join("\n"), "s.toml", Path::new("."), &sets) {
        Ok(scenario) => scenario,
        Err(error) => return Outcome::refused(&error.to_string()),
    };
    // What is written is read, and says the same.
    let written = scenario.to_toml();
    let again = Scenario::parse(&written, "s.toml", Path::new("."), &[]).map(|again| again.to_toml());
    assert_eq!(again.as_ref().map_err(ToString::to_string), Ok(&written), "written otherwise than read");
    network::outcome(scenario)
}
