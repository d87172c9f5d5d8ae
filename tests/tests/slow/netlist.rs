//! The netlist whose cells `desvio cost` counts: in lockstep with the model, and slips in its gates are found.

#![allow(clippy::unwrap_used)]

use desvio_cost::{Cost, Gates, Measured, Synthesis, Target, Toolbox, Whole};
use desvio_lockstep::compare::Compared;
use desvio_lockstep::rtl::{Shape, Sources, netlist};
use desvio_lockstep::session::{Failed, Session};
use desvio_sim::blueprint::Blueprint;
use desvio_tests::draw::third;
use desvio_tests::mutation::choose;
use desvio_tests::rtl::{blueprint, insists};
use std::fs;
use std::path::Path;
use verilated::{BuildError, Library, Run};

/// A router of 6,681 cells. It is synthesised and compiled in ten seconds.
const SMALL: [&str; 7] = [
    "routing.algorithm=minimal",
    "selection.trigger=never",
    "router.vcs={ node = 1, local = 2, global = 1 }",
    "router.buffer_flits=4",
    "router.output_flits=2",
    "router.iterations=1",
    "router.arbiter=round-robin",
];

fn small() -> (Blueprint, Shape) {
    let blueprint = blueprint("tiny.toml", &SMALL);
    let shape = Shape::of(&blueprint).unwrap().with_flit_width(96).unwrap();
    (blueprint, shape)
}

/// The netlist, and what its parts cost.
fn synthesised(shape: &Shape) -> (Gates, Cost) {
    let tools =
        Toolbox::open(&[Target::Cells], None).expect("this test needs Yosys: `cargo xtask test` installs it");
    let synthesis = Synthesis::new(tools, &Sources::embedded().unwrap(), None).unwrap();
    let tree = synthesis.elaborate(shape, &()).unwrap();
    let gates = synthesis.gates(&tree, &()).unwrap();
    (gates, synthesis.cost(&tree, &Target::Cells, Whole::Together, &()).unwrap())
}

/// One gate of so many can be turned over: that whose number the pin `mutant` has. None has the number 0.
const EVERY: usize = 128;

/// The netlist with that pin, and the wires of the gates that it can choose.
fn with_slips(verilog: &str) -> (String, Vec<&str>) {
    let (mut text, mut gates, mut slips) = (String::new(), 0, Vec::new());
    for line in verilog.lines() {
        let gate = line.strip_prefix("  assign ").and_then(|gate| gate.split_once(" = "));
        match gate
            .filter(|(_, value)| [" & ", " | ", " ^ ", " ? "].iter().any(|operator| value.contains(operator)))
        {
            Some((wire, value)) if gates % EVERY == 0 => {
                slips.push(wire);
                let value = value.trim_end_matches(';');
                text.push_str(&format!("  assign {wire} = ({value}) ^ (mutant == 16'd{});\n", slips.len()));
            }
            _ => text.extend([line, "\n"]),
        }
        gates += usize::from(gate.is_some());
    }
    let text = text.replacen("module dsv_router(", "module dsv_router(mutant, ", 1);
    (text.replacen(");\n", ");\n  input [15:0] mutant;\n", 1), slips)
}

/// Nothing, said aloud, where there is no Verilator.
fn compiled(path: &Path) -> Option<Library> {
    match netlist(path).run(Run::Short).build() {
        Ok(library) => Some(library),
        Err(error @ BuildError::VerilatorMissing { .. }) if !insists() => {
            println!("skipped, nothing was compared: {error}");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

/// Runs stimuli until so many cycles have been compared.
fn run(session: &mut Session<'_>, cycles: u64) -> Result<Compared, Box<Failed>> {
    let mut compared = Compared::default();
    for number in 0.. {
        if compared.cycles >= cycles {
            break;
        }
        compared += session.run(number, cycles - compared.cycles, &mut ())?;
    }
    Ok(compared)
}

#[test]
fn the_gates_that_are_counted_do_what_the_model_does_and_a_slip_in_one_is_found() {
    if !third("the netlist of a router") {
        return;
    }
    let (blueprint, shape) = small();
    let (gates, cost) = synthesised(&shape);
    // Each port of this router is the only one of its kind: none stands for another.
    assert_eq!(gates.measured.cell_count(), cost.sum(Measured::cell_count));
    assert_eq!(gates.measured.flip_flops(), cost.sum(Measured::flip_flops));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("router.v");
    let verilog = fs::read_to_string(&gates.verilog).unwrap();
    let (text, slips) = with_slips(&verilog);
    fs::write(&path, text).unwrap();
    let Some(library) = compiled(&path) else { return };
    let mut session = Session::new(&blueprint, &shape, &library, 0, 1).unwrap().at_the_pins();
    let Compared { cycles, values, flits, .. } = run(&mut session, 20_000).unwrap();
    assert_eq!(values, cycles * 2 * shape.ports as u64, "flit and credit of each port");
    assert!(flits > cycles / 100, "hardly anything was compared: {flits} flits");
    let survives = |number: u16| {
        choose(session.rtl().model(), number);
        run(&mut session, 4_000).is_ok()
    };
    let survived: Vec<_> = (1..).map(survives).zip(&slips).filter(|(survives, _)| *survives).collect();
    let found = slips.len() - survived.len();
    println!(
        "{cycles} cycles, {values} values; {found} of {} slips found; the others: {survived:?}",
        slips.len()
    );
    assert!(slips.len() >= 40 && found * 10 >= slips.len() * 8, "{found} of {}", slips.len());
}
