//! Files that `desvio cost` reads: studies, and measurements of the firmware.

use super::{Outcome, Target, holds, seeds};
use crate::scratch;
use desvio_cost::Software;
use desvio_cost::study::Study;

pub(super) const STUDY: Target = Target {
    name: "study",
    reads: "studies of desvio cost",
    run: study,
    seeds: || seeds::files("scenarios/cost", "study.toml"),
    is_rare: |bytes| holds(bytes, "= 65535") || holds(bytes, "=65535"),
};

pub(super) const MEASUREMENTS: Target = Target {
    name: "measurements",
    reads: "tables of measurements of the firmware",
    run: measurements,
    seeds: || seeds::files("firmware", "cost.csv"),
    is_rare: |bytes| holds(bytes, ",65535,") || holds(bytes, ",nan"),
};

fn study(bytes: &[u8]) -> Outcome {
    match Study::load(&scratch::file("study.toml", bytes)) {
        Ok(study) => Outcome::taken(study.pairs().len()),
        Err(error) => Outcome::refused(error.to_string().lines().last().unwrap_or_default()),
    }
}

fn measurements(bytes: &[u8]) -> Outcome {
    match Software::read(&scratch::file("cost.csv", bytes)) {
        Ok(software) => Outcome::taken(software.targets().len()),
        Err(error) => Outcome::refused(&error.to_string()),
    }
}
