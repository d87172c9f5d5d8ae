//! After reset, nothing is left of what was before: from random registers, and from the middle of everything.

#![allow(clippy::unwrap_used)]

use desvio_lockstep::compare::{Mismatch, Moment, Observer};
use desvio_lockstep::frame::{Frame, WireFlit};
use desvio_lockstep::generator::StimulusGenerator;
use desvio_lockstep::rtl::{Shape, Sources, design};
use desvio_lockstep::session::Session;
use desvio_lockstep::stimulus::Stimulus;
use desvio_lockstep::twin::Twin;
use desvio_sim::blueprint::Blueprint;
use desvio_sim::scenario::Scenario;
use desvio_tests::rtl::{copy, insists, is_long, plant, run};
use proptest::strategy::ValueTree;
use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use verilated::{BuildError, Library};

const SCENARIO: &str = r#"
[topology]
kind = "dragonfly"
p = 1
a = 2
h = 1

[router]
buffer_flits = { node = 7, local = 6, global = 9 }
output_flits = 3

[links]
latency = 1

[routing]
algorithm = "olm"

[selection]
trigger = "hybrid"
contention_threshold = 2

[traffic]
loads = [0.5]
packet_flits = 2

[run]
seed = 1
"#;

/// Stimuli for each seed, and cycles of the longest.
const STIMULI: u64 = 6;
const LONGEST: u32 = 1_500;

/// A register that is not reset, to show that it would be found: its name, its module, and what is left of its line.
const DEFECT: (&str, &str, &str, &str) =
    ("phase", "router", "phase <= rst ? '0 : next_phase", "phase <= next_phase");

fn seeds() -> u64 {
    if is_long() { 400 } else { 8 }
}

/// A router of this scenario, and what is done to it.
struct Bench {
    blueprint: Blueprint,
    shape: Shape,
    stimuli: Vec<Stimulus>,
}

impl Bench {
    fn new() -> Self {
        let scenario = Scenario::parse(SCENARIO, "small", Path::new(""), &[]).unwrap();
        let blueprint = Blueprint::new(scenario).unwrap();
        let shape = Shape::of(&blueprint).unwrap();
        let generator = StimulusGenerator::new(&blueprint, &shape, 0, 7).unwrap();
        let stimuli = (0..STIMULI).map(|number| {
            let stimulus = generator.tree(number, LONGEST).unwrap().current();
            // A reset in mid-flight, in each of them; the next one begins in mid-flight, too.
            Stimulus { reset_at: Some(stimulus.cycles / 2), ..stimulus }
        });
        let stimuli = stimuli.collect();
        Self { stimuli, blueprint, shape }
    }

    /// `None` and a message without Verilator, unless `DESVIO_REQUIRE_TOOLS=1`.
    fn compiled(&self, sources: &Sources, cache: &Path) -> Option<Library> {
        match design(&self.shape, sources, true).run(run()).cache(cache).build() {
            Ok(library) => Some(library),
            Err(error) if matches!(error, BuildError::VerilatorMissing { .. }) && !insists() => {
                println!("skipped, no router was reset: {error}");
                None
            }
            Err(error) => panic!("{error}"),
        }
    }

    /// What a router did that began with the registers of `seed`, stimulus by stimulus, up to a difference from the model.
    fn traces(&self, library: &Library, seed: u64) -> (Vec<Trace>, Option<Mismatch>) {
        let mut session = Session::new(&self.blueprint, &self.shape, library, 0, seed).unwrap();
        run_wild(&mut session, self.shape.ports);
        let mut traces = Vec::new();
        for stimulus in &self.stimuli {
            let mut trace = Trace::default();
            match session.replay(stimulus, &mut trace) {
                Ok(_) => traces.push(trace),
                Err(mismatch) => return (traces, Some(*mismatch)),
            }
        }
        (traces, None)
    }
}

/// Some cycles of traffic before the first reset, in whatever state the registers are.
fn run_wild(session: &mut Session<'_>, ports: usize) {
    let mut frame = Frame::idle(ports);
    let mut outputs = Frame::idle(ports);
    for cycle in 0..30u8 {
        for (port, signals) in frame.ports.iter_mut().enumerate() {
            let is_head = cycle % 2 == 0;
            let tag = u32::from(cycle) << 8 | port as u32;
            signals.flit = Some(WireFlit { head: is_head, ..WireFlit::body(cycle % 3, tag, 1, !is_head) });
            signals.credit = Some(cycle % 3);
        }
        // Assertions may fail: nothing holds before a reset.
        let _ = session.rtl().step(&frame, &mut outputs);
    }
}

/// Everything that a router drove and remembered, in every cycle.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Trace {
    cycles: u64,
    flits: u64,
    hash: u64,
}

impl Observer for Trace {
    fn observe(&mut self, moment: Moment<'_>) {
        let mut hasher = DefaultHasher::new();
        (self.hash, moment.rtl_registers).hash(&mut hasher);
        for signals in &moment.rtl_outputs.ports {
            (signals.flit, signals.credit).hash(&mut hasher);
            self.flits += u64::from(signals.flit.is_some());
        }
        self.hash = hasher.finish();
        self.cycles += 1;
    }
}

#[test]
fn after_reset_all_routers_do_the_same() {
    let (bench, cache) = (Bench::new(), tempfile::tempdir().unwrap());
    let Some(library) = bench.compiled(&Sources::embedded().unwrap(), cache.path()) else { return };
    let mut all = BTreeSet::new();
    for seed in 1..=seeds() {
        let (traces, mismatch) = bench.traces(&library, seed);
        assert_eq!(mismatch, None, "registers of seed {seed}, stimulus {}", traces.len());
        all.insert(traces);
    }
    assert_eq!(all.len(), 1, "routers with other initial registers did something else");
    let cycles: u64 = all.iter().flatten().map(|trace| trace.cycles).sum();
    let flits: u64 = all.iter().flatten().map(|trace| trace.flits).sum();
    println!("{} seeds, each {cycles} cycles and {flits} flits out, after {} resets", seeds(), 2 * STIMULI);
    assert!(flits > 100, "next to nothing happened");

    let folder = without_reset(cache.path());
    if let Some(library) = bench.compiled(&Sources::folder(&folder).unwrap(), cache.path()) {
        bench.finds_the_defect(&library);
    }
}

impl Bench {
    /// Not vacuous: a register without a reset shows, and some seeds show it earlier than others.
    fn finds_the_defect(&self, library: &Library) {
        let found: Vec<_> = (1..=seeds())
            .filter_map(|seed| {
                let (traces, mismatch) = self.traces(library, seed);
                mismatch.map(|mismatch| (traces.len(), mismatch))
            })
            .collect();
        let first = found.iter().filter(|(stimuli, mismatch)| *stimuli == 0 && mismatch.cycle == 0).count();
        let (register, seeds) = (DEFECT.0, seeds());
        println!(
            "{register} without its reset: {} of {seeds} seeds differ, {first} in the first cycle",
            found.len()
        );
        if let Some((_, mismatch)) = found.first() {
            println!("  such as: {mismatch}");
        }
        assert!(!found.is_empty(), "nothing shows that {register} is not reset");
        assert!(first < seeds as usize, "one seed would do: no evidence that several are needed");
    }
}

/// A copy of `hdl/` with the defect.
fn without_reset(folder: &Path) -> PathBuf {
    let copied = folder.join("hdl");
    copy(&copied);
    let (_, noun, from, to) = DEFECT;
    plant(&copied, noun, from, to);
    copied
}
