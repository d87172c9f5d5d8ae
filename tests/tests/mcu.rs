//! The model against the same `router-core` on microcontrollers: every wire and every register, in every cycle.
//!
//! The emulated ones need `cargo xtask firmware`, which builds what runs on them and then runs these tests with
//! `DESVIO_REQUIRE_FIRMWARE=1`; without it they are skipped where that has not been done.

#![allow(clippy::unwrap_used)]

mod control;
mod line;
mod service;

use desvio_lockstep::compare::{Odd, Pair};
use desvio_lockstep::frame::Frame;
use desvio_lockstep::generator::StimulusGenerator;
use desvio_lockstep::mcu::{self, Emulated, McuError, McuTwin};
use desvio_lockstep::model::ModelTwin;
use desvio_lockstep::rtl::{Field, Probe, Probes, Shape};
use desvio_lockstep::session::Session;
use desvio_lockstep::settings::Settings;
use desvio_lockstep::twin::Twin;
use desvio_sim::blueprint::Blueprint;
use desvio_sim::scenario::Scenario;
use desvio_tests::rtl::{compiled, hdl};
use proptest::strategy::ValueTree;
use router_core::header::Flit;
use router_core::pins::{Bundle, FlitSignal, PortInputs};
use router_core::units::{PortId, VcId};
use router_core::vc::Descriptor;
use std::path::{Path, PathBuf};
use tether::machine::Machine;
use tether::setup::Setup;
use verilated::Failure;

/// The router `paper` with buffers and FIFOs that fit the smallest of the microcontrollers.
const PAPER: &str = r#"
[topology]
kind = "dragonfly"
p = 2
a = 4
h = 2

[router]
buffer_flits = { node = 32, local = 32, global = 32 }
output_flits = 4

[routing]
algorithm = "olm"

[selection]
trigger = "hybrid"
contention_threshold = 3

[traffic]
loads = [0.5]
packet_flits = 8
"#;

/// One stimulus, as long as this.
const CYCLES: u32 = 1_500;

/// VCs of global ports share three quarters of their places.
const SHARED: &[&str] = &["router.reserved_flits={ global = 8 }"];
/// An escape ring.
const RING: &[&str] = &["routing={ algorithm = \"ofar\" }", "router.vcs={ local = 4, global = 3 }"];
/// Hops are a register, and those of an escape are kept.
const HOPS: &[&str] = &[
    "topology={ kind = \"mesh\", dims = [3, 3] }",
    "routing={ algorithm = \"duato\" }",
    "router.vcs=3",
    "selection.trigger=ugal",
];
/// What is preferred among outputs and VCs.
const PREFERS: &[&str] = &[
    "topology={ kind = \"mesh\", dims = [3, 3] }",
    "routing={ algorithm = \"duato\" }",
    "router.vcs=3",
    "selection={ trigger = \"never\", ports = \"lowest-dimension\", vcs = \"first\" }",
];
/// More packets in a VC than a byte counts.
const LONG: &[&str] = &[
    "topology={ kind = \"mesh\", dims = [6] }",
    "routing={ algorithm = \"dimension-order\" }",
    "router.vcs=1",
    "router.buffer_flits={ node = 8, local = 260 }",
    "selection={ trigger = \"never\" }",
    "traffic.packet_flits=1",
];

fn paper_with(sets: &[&str]) -> Blueprint {
    let sets: Vec<_> = sets.iter().map(|&set| set.to_owned()).collect();
    Blueprint::new(Scenario::parse(PAPER, "mcu", Path::new(""), &sets).unwrap()).unwrap()
}

fn blueprint(text: &str) -> Blueprint {
    Blueprint::new(Scenario::parse(text, "mcu", Path::new(""), &[]).unwrap()).unwrap()
}

/// What stands in the setup and what is read out of the registers is what lockstep has in mind.
#[test]
fn a_setup_makes_the_same_router() {
    let blueprint = blueprint(PAPER);
    let shape = Shape::of(&blueprint).unwrap();
    for router in [0, 17] {
        let setup = mcu::setup(&blueprint, router).unwrap();
        let groups = setup.groups();
        let mut model = ModelTwin::<8>::new(&blueprint, &shape, router).unwrap();
        let generator = StimulusGenerator::new(&blueprint, &shape, router, 1).unwrap();
        for number in 0..8 {
            let stimulus = generator.tree(number, CYCLES).unwrap().current();
            let mut driver = desvio_lockstep::driver::Driver::new(&stimulus, &shape);
            model.reset(&stimulus.settings).unwrap();
            let setup = Setup { seed: stimulus.settings.seed(setup.seed), ..setup };
            let mut store = [Descriptor::default(); 95];
            let mut machine =
                Machine::<_, 7, 3, 4>::new(&setup, setup.routing(&groups).unwrap(), &mut store).unwrap();
            let mut count = 0;
            machine.values().visit(&mut |_| count += 1);
            let mut list = Probes::of(&shape).list;
            list.retain(|probe| probe.register.is_some());
            assert_eq!(list.len(), count);
            let (mut inputs, mut outputs) = (Frame::idle(shape.ports), Frame::idle(shape.ports));
            for cycle in 0..stimulus.cycles {
                driver.drive(&mut inputs);
                model.step(&inputs, &mut outputs).unwrap();
                let words = model.registers();
                let expected: Vec<_> = list.iter().map(|probe| probe.field.of(words)).collect();
                let (driven, _) = machine.step(&wires(&inputs));
                let mut got = Vec::new();
                machine.values().visit(&mut |value| got.push(value));
                assert_eq!(got, expected, "stimulus {number}, cycle {cycle}");
                for (port, signals) in outputs.ports.iter().enumerate() {
                    let driven = driven.at(PortId::new(port as u8));
                    assert_eq!(driven.credit.map(VcId::number), signals.credit);
                    assert_eq!(
                        driven.flit.map(|signal| signal.vc.number()),
                        signals.flit.map(|flit| flit.vc)
                    );
                    let is_head = |signal: FlitSignal| matches!(signal.flit, Flit::Head(_));
                    assert_eq!(driven.flit.map(is_head), signals.flit.map(|flit| flit.head));
                }
                driver.sense(&outputs);
            }
        }
    }
}

fn wires(frame: &Frame) -> Bundle<7> {
    Bundle::from_fn(|port| {
        let signals = frame.ports[port];
        let flit = signals.flit.map(|signal| FlitSignal { vc: VcId::new(signal.vc), flit: signal.to_flit() });
        PortInputs { flit, credit: signals.credit.map(VcId::new) }
    })
}

/// A binary for an emulated microcontroller, if it has been built.
fn firmware(emulated: Emulated, name: &str) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/firmware");
    let binary = folder.join(emulated.target()).join("release").join(name);
    let insists = std::env::var("DESVIO_REQUIRE_FIRMWARE").is_ok_and(|yes| yes == "1");
    assert!(binary.exists() || !insists, "{} has not been built", binary.display());
    if !insists {
        eprintln!("skipped: `cargo xtask firmware` runs this");
    }
    Some(binary).filter(|_| insists)
}

/// The model, with nothing in the fields that a microcontroller sends no register for.
struct Registered<'b> {
    model: ModelTwin<'b, 8>,
    without: Vec<Field>,
    words: Vec<u64>,
}

impl Twin for Registered<'_> {
    fn reset(&mut self, settings: &Settings) -> Result<(), Failure> {
        self.model.reset(settings)
    }

    fn step(&mut self, inputs: &Frame, outputs: &mut Frame) -> Result<(), Failure> {
        self.model.step(inputs, outputs)
    }

    fn registers(&mut self) -> &[u64] {
        self.words = self.model.registers().to_vec();
        self.without.iter().for_each(|field| field.put(&mut self.words, 0));
        &self.words
    }
}

fn stays_in_lockstep(emulated: Emulated, blueprint: &Blueprint) {
    let router = 5;
    let setup = mcu::setup(blueprint, router).unwrap();
    let Some(binary) = firmware(emulated, emulated.program(&setup)) else { return };
    let shape = Shape::of(blueprint).unwrap();
    let (probes, others): (Vec<Probe>, Vec<Probe>) =
        Probes::of(&shape).list.into_iter().partition(|probe| probe.register.is_some());
    let mut model = Registered {
        model: ModelTwin::new(blueprint, &shape, router).unwrap(),
        without: others.iter().map(|probe| probe.field).collect(),
        words: Vec::new(),
    };
    let mut twin = McuTwin::start(emulated.command(&binary), &setup, &shape).unwrap();
    let generator = StimulusGenerator::new(blueprint, &shape, router, 3).unwrap();
    let (begin, mut compared) = (std::time::Instant::now(), 0);
    for number in 0..6 {
        let stimulus = generator.tree(number, CYCLES).unwrap().current();
        let found = Pair::new(&mut model, &mut twin, &probes, &shape).run(&stimulus, &shape, &mut ());
        compared += found.map_err(|mismatch| format!("stimulus {number}: {mismatch}")).unwrap().cycles;
    }
    let rate = compared as f64 / begin.elapsed().as_secs_f64();
    eprintln!("{}: {compared} cycles in lockstep, {rate:.0} a second", emulated.target());
}

#[test]
fn a_cortex_m4f_stays_in_lockstep() {
    stays_in_lockstep(Emulated::CortexM4F, &blueprint(PAPER));
}

/// What the feature `small` leaves out runs where the whole core fits.
fn the_whole_core_stays_in_lockstep(emulated: Emulated) {
    for sets in [SHARED, HOPS, PREFERS, LONG] {
        stays_in_lockstep(emulated, &paper_with(sets));
    }
}

#[test]
fn a_cortex_m4f_stays_in_lockstep_with_the_whole_core() {
    the_whole_core_stays_in_lockstep(Emulated::CortexM4F);
}

/// Many cycles to a frame: the digests are those of a router on the host.
#[test]
fn batches_have_the_digests_of_the_model() {
    let Some(binary) = firmware(Emulated::CortexM4F, "lockstep") else { return };
    let blueprint = blueprint(PAPER);
    let shape = Shape::of(&blueprint).unwrap();
    let setup = mcu::setup(&blueprint, 5).unwrap();
    let groups = setup.groups();
    let mut store = [Descriptor::default(); 95];
    let mut machine =
        Machine::<_, 7, 3, 4>::new(&setup, setup.routing(&groups).unwrap(), &mut store).unwrap();
    let generator = StimulusGenerator::new(&blueprint, &shape, 5, 4).unwrap();
    let stimulus = generator.tree(1, CYCLES).unwrap().current();
    let mut driver = desvio_lockstep::driver::Driver::new(&stimulus, &shape);
    let mut model = ModelTwin::<8>::new(&blueprint, &shape, 5).unwrap();
    let (mut frames, mut digests) = (Vec::new(), Vec::new());
    let (mut inputs, mut outputs) = (Frame::idle(shape.ports), Frame::idle(shape.ports));
    for _ in 0..stimulus.cycles {
        driver.drive(&mut inputs);
        model.step(&inputs, &mut outputs).unwrap();
        driver.sense(&outputs);
        let (driven, _) = machine.step(&wires(&inputs));
        digests.push(machine.digest(&driven).value());
        frames.push(inputs.clone());
    }
    let mut twin = McuTwin::start(Emulated::CortexM4F.command(&binary), &setup, &shape).unwrap();
    let batch = twin.batch();
    assert!(batch > 10);
    let begin = std::time::Instant::now();
    let made: Vec<_> = frames.chunks(batch).flat_map(|frames| twin.run(frames).unwrap()).collect();
    assert_eq!(made.iter().map(|made| made.digest).collect::<Vec<_>>(), digests);
    let rate = digests.len() as f64 / begin.elapsed().as_secs_f64();
    eprintln!("{} cycles in batches of {batch}, {rate:.0} a second", digests.len());
}

/// A setup has no place for these: firmware would do something else without a word.
#[test]
fn what_a_setup_cannot_say_is_refused() {
    let with = |sets: &[&str]| {
        let sets: Vec<_> = sets.iter().map(|&set| set.to_owned()).collect();
        let scenario = Scenario::parse(PAPER, "mcu", Path::new(""), &sets).unwrap();
        mcu::setup(&Blueprint::new(scenario).unwrap(), 0)
    };
    assert!(with(&[]).is_ok());
    let marks = with(&["congestion.threshold=15"]);
    assert!(matches!(marks, Err(McuError::Marks)), "{marks:?}");
    let lifetimes = with(&["router.head_lifetime={ global = 9 }"]);
    assert!(matches!(lifetimes, Err(McuError::Lifetimes)), "{lifetimes:?}");
    let lifetimes = with(&["router.packet_lifetime=8"]);
    assert!(matches!(lifetimes, Err(McuError::Lifetimes)), "{lifetimes:?}");
    let tables = with(&[
        "router.vl_arbitration={ low = [[0, 16]] }",
        "router.allocator=separable-output-first",
        "router.allocation_unit=packet",
    ]);
    assert!(matches!(tables, Err(McuError::VlTables)), "{tables:?}");
    let notices = with(&["selection.trigger=ectn"]);
    assert!(matches!(notices, Err(McuError::Notices)), "{notices:?}");
    let flags = with(&["routing={ algorithm = \"ugal-dragonfly\", knowledge = \"group\" }"]);
    assert!(matches!(flags, Err(McuError::Notices)), "{flags:?}");
    let places = with(&["routing={ algorithm = \"ugal-dragonfly\", knowledge = \"reservation\" }"]);
    assert!(matches!(places, Err(McuError::Places)), "{places:?}");
}

/// The slow half of the tests.
mod slow {
    use super::*;

    #[test]
    fn a_cortex_m0_stays_in_lockstep() {
        stays_in_lockstep(Emulated::CortexM0, &blueprint(PAPER));
    }

    #[test]
    fn a_risc_v_stays_in_lockstep() {
        stays_in_lockstep(Emulated::Rv32Imac, &blueprint(PAPER));
    }

    #[test]
    fn a_risc_v_stays_in_lockstep_with_the_whole_core() {
        the_whole_core_stays_in_lockstep(Emulated::Rv32Imac);
    }

    /// A router that is told to a program without what it needs would do something else without a word.
    #[test]
    fn what_a_program_leaves_out_is_refused() {
        let shape = Shape::of(&blueprint(PAPER)).unwrap();
        for emulated in [Emulated::CortexM4F, Emulated::CortexM0] {
            let Some(binary) = firmware(emulated, "lockstep") else { return };
            for sets in [SHARED, RING, HOPS, PREFERS, LONG] {
                let setup = mcu::setup(&paper_with(sets), 5).unwrap();
                let refused = McuTwin::start(emulated.command(&binary), &setup, &shape);
                assert!(matches!(refused, Err(McuError::LeftOut)), "{sets:?}: {refused:?}");
            }
        }
    }

    /// Of model, RTL and microcontroller one has another contention threshold than the others: it is named.
    #[test]
    fn the_odd_one_out_is_named() {
        let Some(binary) = firmware(Emulated::CortexM4F, "lockstep") else { return };
        // A small router compiles soon.
        let small = PAPER.replace("p = 2\na = 4\nh = 2", "p = 1\na = 3\nh = 1");
        let right = blueprint(&small);
        let wrong = blueprint(&small.replace("contention_threshold = 3", "contention_threshold = 1"));
        let (shape, other_shape) = (Shape::of(&right).unwrap(), Shape::of(&wrong).unwrap());
        let Some(library) = compiled(&shape, &hdl()) else { return };
        let mcu = |of: &Blueprint| {
            let setup = mcu::setup(of, 0).unwrap();
            McuTwin::start(Emulated::CortexM4F.command(&binary), &setup, &shape).unwrap()
        };
        let session = |of, shape| Session::new(of, shape, &library, 0, 1).unwrap();
        let cases = [
            (session(&right, &shape).with(mcu(&right)), None),
            (session(&right, &shape).with(mcu(&wrong)), Some(Odd::Mcu)),
            (session(&right, &shape).with_model_of(&wrong, 0).unwrap().with(mcu(&right)), Some(Odd::Model)),
            // RTL and model of the other network, then the model and the microcontroller of this one.
            (
                session(&wrong, &other_shape).with_model_of(&right, 0).unwrap().with(mcu(&right)),
                Some(Odd::Rtl),
            ),
        ];
        let generator = StimulusGenerator::new(&right, &shape, 0, 5).unwrap();
        let stimuli: Vec<_> =
            (0..12).map(|number| generator.tree(number, CYCLES).unwrap().current()).collect();
        for (mut session, expected) in cases {
            let found = stimuli.iter().find_map(|stimulus| session.replay(stimulus, &mut ()).err());
            eprintln!("{}", found.as_ref().map_or("no difference".to_owned(), ToString::to_string));
            assert_eq!(found.map(|mismatch| mismatch.odd), expected);
        }
    }

    #[test]
    fn a_router_that_is_too_large_is_refused() {
        let Some(binary) = firmware(Emulated::CortexM0, "lockstep") else { return };
        let blueprint = blueprint(&PAPER.replace("global = 32", "global = 256"));
        let (setup, shape) = (mcu::setup(&blueprint, 5).unwrap(), Shape::of(&blueprint).unwrap());
        let refused = McuTwin::start(Emulated::CortexM0.command(&binary), &setup, &shape);
        assert!(matches!(refused, Err(McuError::Refused(_))), "{refused:?}");
    }
}
