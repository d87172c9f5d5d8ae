//! Stimuli of lockstep, and the model under those that fit it.

use super::{Outcome, Target, holds, seeds};
use desvio_lockstep::driver::Driver;
use desvio_lockstep::frame::Frame;
use desvio_lockstep::generator::StimulusGenerator;
use desvio_lockstep::model::ModelTwin;
use desvio_lockstep::replay::Replay;
use desvio_lockstep::rtl::Shape;
use desvio_lockstep::twin::Twin;
use desvio_sim::blueprint::Blueprint;
use desvio_sim::scenario::Scenario;
use proptest::strategy::ValueTree as _;
use std::path::PathBuf;
use std::sync::OnceLock;

pub(super) const TARGET: Target = Target {
    name: "stimulus",
    reads: "stimulus.toml of lockstep, and runs it on the model",
    run,
    seeds: written,
    is_rare: |bytes| holds(bytes, "length = 65535") || holds(bytes, "at = 4294967295"),
};

/// Most cycles that the model runs.
const CYCLES: u32 = 200;

/// The smallest router.
fn tiny() -> &'static (Blueprint, Shape) {
    static TINY: OnceLock<(Blueprint, Shape)> = OnceLock::new();
    TINY.get_or_init(|| {
        let file = seeds::root().join("scenarios/tiny.toml");
        let scenario = Scenario::load(&file, &[]).unwrap_or_else(|error| panic!("{error}"));
        let blueprint = Blueprint::new(scenario).unwrap_or_else(|error| panic!("{error}"));
        let shape = Shape::of(&blueprint).unwrap_or_else(|error| panic!("{error}"));
        (blueprint, shape)
    })
}

fn written() -> Vec<Vec<u8>> {
    let (blueprint, shape) = tiny();
    let generator = StimulusGenerator::new(blueprint, shape, 0, 1).unwrap_or_else(|error| panic!("{error}"));
    let seed = |number| {
        let stimulus = generator.tree(number, 120)?.current();
        let scenario = PathBuf::from("scenario.toml");
        let replay = Replay { scenario, router: 0, seed: 1, flit_width: None, stimulus };
        toml::to_string(&replay).map(String::into_bytes).map_err(|error| error.to_string())
    };
    (0..12).map(seed).collect::<Result<_, String>>().unwrap_or_else(|error| panic!("{error}"))
}

fn run(bytes: &[u8]) -> Outcome {
    let replay: Replay = match toml::from_slice(bytes) {
        Ok(replay) => replay,
        Err(error) => return Outcome::refused(error.message()),
    };
    let (blueprint, shape) = tiny();
    let router = replay.stimulus.settings.router.unwrap_or(replay.router);
    if let Some(violation) = replay.stimulus.violation(shape) {
        return Outcome::refused(&violation);
    }
    if router >= blueprint.wiring().routers() {
        return Outcome::refused("no such router");
    }
    let mut twin = ModelTwin::<8>::new(blueprint, shape, router).unwrap_or_else(|error| panic!("{error}"));
    twin.reset(&replay.stimulus.settings).unwrap_or_else(|failure| panic!("{failure}"));
    let mut driver = Driver::new(&replay.stimulus, shape);
    let (mut inputs, mut outputs) = (Frame::idle(shape.ports), Frame::idle(shape.ports));
    let mut flits = 0;
    for _ in 0..replay.stimulus.cycles.min(CYCLES) {
        driver.drive(&mut inputs);
        twin.step(&inputs, &mut outputs).unwrap_or_else(|failure| panic!("{failure}"));
        driver.sense(&outputs);
        flits += outputs.ports.iter().filter(|port| port.flit.is_some()).count();
    }
    Outcome::taken((
        flits / 8,
        replay.stimulus.flood.is_some(),
        replay.stimulus.settings.thresholds.is_some(),
    ))
}
