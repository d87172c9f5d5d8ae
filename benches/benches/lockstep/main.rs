//! Lockstep beside the same Verilated router alone, driven from C++ with the same stimulus, turn and turn about in one run.
//!
//! `cargo bench -p desvio-benches --bench lockstep` measures all, `-- "radix 7"` or `-- network` a part. Needs Verilator.

#![allow(clippy::unwrap_used)]

mod bare;
mod cocotb;
mod stimulus;

use bare::{Bare, Files};
use desvio_lockstep::compare::Compared;
use desvio_lockstep::generator::StimulusGenerator;
use desvio_lockstep::rtl::{Rtl, Shape, Sources, design};
use desvio_lockstep::session::Session;
use desvio_lockstep::settings::Settings;
use desvio_lockstep::stimulus::Stimulus;
use desvio_sim::blueprint::Blueprint;
use desvio_sim::run::run;
use desvio_sim::scenario::Scenario;
use proptest::strategy::ValueTree;
use std::path::{Path, PathBuf};
use std::time::Instant;
use stimulus::Recording;

/// Rounds: the fastest of each counts, since other work can only slow them down.
const ROUNDS: usize = 7;
/// Stimuli, of every profile.
const STIMULI: u64 = 24;

const SUBJECTS: [(&str, &[&str]); 2] =
    [("radix 7", &[]), ("radix 15", &["topology.p=4", "topology.a=8", "topology.h=4"])];

fn main() {
    let asked = std::env::args().skip(1).find(|argument| !argument.starts_with("--"));
    for (name, sets) in SUBJECTS {
        if asked.as_ref().is_none_or(|asked| asked == name) {
            measure(name, sets, true);
            measure(name, sets, false);
        }
    }
    if asked.is_none_or(|asked| asked == "network") {
        network();
    }
}

/// The 36 routers of a Dragonfly in a network, each in SystemVerilog beside its model.
fn network() {
    let cycles = 2_000;
    let sets = ["run.warmup_cycles=0".to_owned(), format!("run.measure_cycles={cycles}")];
    let mut blueprint = blueprint(&sets.each_ref().map(String::as_str));
    let shape = Shape::of(&blueprint).unwrap();
    let sources = Sources::folder(root().join("hdl")).unwrap();
    let library = design(&shape, &sources, false).build().unwrap();
    let time = |blueprint: &Blueprint| {
        let once = || {
            let begin = Instant::now();
            let outcome = run(blueprint, 0.4, &|_| ()).unwrap();
            assert!(outcome.summary.accepted > 0.35, "it did not run");
            begin.elapsed().as_nanos() as f64 / cycles as f64
        };
        (0..3).map(|_| once()).fold(f64::INFINITY, f64::min)
    };
    let model = time(&blueprint);
    let routers = blueprint.wiring().routers();
    blueprint.attach(Rtl { designs: vec![(shape, library)], routers });
    let both = time(&blueprint);
    println!("network of {routers} routers, uniform load 0.4, with assertions, {cycles} link cycles");
    println!("  model alone  {model:8.0} ns per link cycle, {:7.0} cycles/s", 1e9 / model);
    println!("  with the RTL {both:8.0} ns per link cycle, {:7.0} cycles/s", 1e9 / both);
    let each = both / routers as f64 / 2.0;
    println!("  that is {each:.0} ns for each router and internal cycle");
}

fn measure(name: &str, sets: &[&str], assertions: bool) {
    let blueprint = blueprint(sets);
    let shape = Shape::of(&blueprint).unwrap();
    let sources = Sources::folder(root().join("hdl")).unwrap();
    let library = design(&shape, &sources, true).assertions(assertions).build().unwrap();
    let mut session = Session::new(&blueprint, &shape, &library, 0, 1).unwrap();
    let generator = StimulusGenerator::new(&blueprint, &shape, 0, 1).unwrap();
    // The bare model and cocotb are configured once.
    let plain = |stimulus| Stimulus { settings: Settings::default(), ..stimulus };
    let stimuli: Vec<_> = (0..STIMULI).map(|n| plain(generator.tree(n, 10_000).unwrap().current())).collect();
    let mut recording = Recording::new(&shape);
    for stimulus in &stimuli {
        session.replay(stimulus, &mut recording).unwrap();
    }
    let folder = root().join("target/lockstep").join(name.replace(' ', "-"));
    std::fs::create_dir_all(&folder).unwrap();
    recording.write(&folder).unwrap();
    let files = Files { sources: &sources, assertions };
    let bare = Bare::build(&folder, files, &blueprint, &shape, &recording);
    let (mut ours, mut alone) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..ROUNDS {
        ours = ours.min(lockstep(&mut session, &stimuli, recording.cycles));
        let run = bare.run();
        assert_eq!(run.sum, recording.sum, "the bare model did something else");
        alone = alone.min(run.nanoseconds as f64 / recording.cycles as f64);
    }
    let told =
        |name: &str, time: f64| println!("  {name:12} {time:8.0} ns per cycle, {:9.0} cycles/s", 1e9 / time);
    let with = if assertions { "with" } else { "without" };
    println!("{name}, {with} assertions: {} cycles, {} registers", recording.cycles, session.probes().len());
    told("bare model", alone);
    told("lockstep", ours);
    println!("  lockstep takes {:.2} times as long", ours / alone);
    if !assertions {
        match cocotb::run(&folder, files, &blueprint, &shape, &recording) {
            Ok(told) => println!("  cocotb       {told}"),
            Err(error) => println!("  cocotb did not run: {error}"),
        }
    }
}

/// Nanoseconds per cycle.
fn lockstep(session: &mut Session<'_>, stimuli: &[Stimulus], cycles: u64) -> f64 {
    let begin = Instant::now();
    let mut compared = Compared::default();
    for stimulus in stimuli {
        compared += session.replay(stimulus, &mut ()).unwrap();
    }
    assert_eq!(compared.cycles, cycles);
    begin.elapsed().as_nanos() as f64 / cycles as f64
}

fn blueprint(sets: &[&str]) -> Blueprint {
    let sets: Vec<_> = sets.iter().map(|&set| set.to_owned()).collect();
    let scenario = Scenario::load(&root().join("scenarios/dragonfly.toml"), &sets).unwrap();
    Blueprint::new(scenario).unwrap()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}
