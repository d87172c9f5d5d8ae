//! What routers cost: Yosys' numbers against exact ones, the cache, and what is told when something is missing.
//!
//! Each test synthesises a few small units, in less than a second each.

#![allow(clippy::unwrap_used)]

use cosim::blueprint::Blueprint;
use cosim::cost::model::{Fit, powers};
use cosim::cost::{
    CostError, Line, Measured, Part, Synthesis, Target, Toolbox, Tree, Unit, Whole, memory_bits,
};
use cosim::rtl::{Shape, Sources};
use cosim::scenario::Scenario;
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

/// A desk with an empty cache of its own.
struct Desk {
    synthesis: Synthesis,
    cache: TempDir,
}

impl Desk {
    fn new() -> Self {
        Self::with_tools(None)
    }

    /// With the programs of a folder instead of those of the search path.
    fn with_tools(folder: Option<&Path>) -> Self {
        let cache = tempfile::tempdir().unwrap();
        Self { synthesis: synthesis(folder, cache.path()), cache }
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

fn synthesis(folder: Option<&Path>, cache: &Path) -> Synthesis {
    let tools = Toolbox::open(&[Target::Cells], folder)
        .expect("these tests need Yosys: `cargo xtask test` installs it");
    Synthesis::new(tools, &Sources::embedded().unwrap(), Some(cache)).unwrap()
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
        "#!/bin/sh\necho \"$*\" >> {}\nif [ -f script.ys ] && grep -q 'top {refused}$' script.ys; then kill -9 $$; fi\n\
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
    for sets in [&[][..], &["router.buffer_flits.global=16", "selection.count_at=arrival"]] {
        let shape = tiny(sets);
        let parts = Part::all_of(&desk.tree(&shape));
        let ports = shape.ports as u64;

        let contention = desk.line(part(&parts, "contention"));
        assert_eq!(
            contention.each.flip_flops(),
            ports * value(&shape, "COUNTER_WIDTH"),
            "a counter for each port"
        );
        assert_eq!(contention.part.count, 1);

        let credits = parts.iter().filter(|part| part.module == "credit");
        let registers: u64 = credits.map(|part| part.count * desk.line(part).each.flip_flops()).sum();
        let counters = ["NODE", "LOCAL", "GLOBAL"].map(|kind| {
            let depth = value(&shape, &format!("{kind}_FLITS"));
            value(&shape, &format!("{kind}_VCS")) * u64::from(u64::BITS - depth.leading_zeros())
        });
        assert_eq!(
            registers,
            counters.iter().sum::<u64>(),
            "a counter for each VC behind each of the three ports"
        );

        let with_memory = parts.iter().filter(|part| ["vc", "output_port"].contains(&part.module.as_str()));
        let bits: u64 = with_memory.map(|part| desk.line(part).total().memory_bits()).sum();
        assert_eq!(bits, memory_bits(&shape), "{sets:?}");
    }
}

#[test]
fn every_unit_of_the_router_is_counted_as_often_as_it_is_there() {
    let desk = Desk::new();
    let shape = tiny(&[]);
    let parts = Part::all_of(&desk.tree(&shape));
    let count =
        |module: &str| parts.iter().filter(|part| part.module == module).map(|part| part.count).sum::<u64>();
    // Ports for a node, to the group and between groups, with 3, 3 and 2 VCs.
    assert_eq!((count("vc"), count("select"), count("admit")), (8, 8, 8));
    assert_eq!((count("routed_head"), count("onward")), (6, 3), "arriving and next head of each port");
    assert_eq!((count("input_port"), count("output_port"), count("credit")), (3, 3, 3));
    assert_eq!((count("router"), count("allocator"), count("contention"), count("lfsr")), (1, 1, 1, 1));
    assert_eq!(count("arbiter_pick"), 0, "what is inside a unit belongs to it");
}

#[test]
fn a_second_run_calls_no_tool_and_says_the_same() {
    let tools = noting_yosys("nothing");
    let desk = Desk::with_tools(Some(tools.path()));
    let shape = tiny(&[]);
    let parts = Part::all_of(&desk.tree(&shape));
    let first: Vec<Measured> = ["credit", "lfsr"].map(|name| desk.line(part(&parts, name)).each).to_vec();
    let before = calls(tools.path());
    assert_eq!(before, 4, "the modules, with their own parameters and by default, and two units");

    let again = synthesis(Some(tools.path()), desk.cache.path());
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
    let desk = Desk::with_tools(Some(tools.path()));
    let parts = Part::all_of(&desk.tree(&tiny(&[])));
    let lfsr = desk.line(part(&parts, "lfsr"));
    let finished = desk.entries();
    let error = desk.synthesis.line(part(&parts, "credit"), "credit", &Target::Cells, &()).unwrap_err();
    assert!(error.to_string().starts_with("yosys failed on credit"), "{error}");
    assert_eq!(desk.entries(), finished, "half of a synthesis is none");

    let healthy = Desk { synthesis: synthesis(None, desk.cache.path()), cache: desk.cache };
    assert_eq!(healthy.line(part(&parts, "lfsr")).folder, lfsr.folder);
    assert!(healthy.line(part(&parts, "credit")).each.cell_count() > 0);
}

#[test]
fn a_missing_tool_is_named_with_its_package() {
    let nothing = tempfile::tempdir().unwrap();
    let error = Toolbox::open(&[Target::Cells], Some(nothing.path())).unwrap_err();
    assert!(matches!(error, CostError::MissingTool { .. }));
    let sentence = "yosys is not installed: synthesis needs it. Debian and Ubuntu: apt-get install yosys";
    assert_eq!(error.to_string(), sentence);
    // With Yosys alone, the frequency is what cannot be found.
    let tools = noting_yosys("nothing");
    let error = Toolbox::open(&[Target::Ice40], Some(tools.path())).unwrap_err().to_string();
    assert!(error.contains("apt-get install nextpnr-ice40 fpga-icestorm"), "{error}");
}

/// The part that decides what may leave, for some ports and VCs.
fn admit(ports: u64, vcs: u64) -> Part {
    let parameters = [("PORTS", ports), ("VCS", vcs), ("CREDIT_W", 6)];
    Part::alone(Unit::Admit, "admit", &parameters, &["admit", "draw"])
}

#[test]
fn more_vcs_cost_more() {
    let desk = Desk::new();
    let sizes = [1, 2, 3, 4].map(|vcs| desk.line(&admit(5, vcs)).each);
    assert!(sizes.is_sorted_by(|a, b| a.transistors() < b.transistors()), "{sizes:?}");
    assert!(sizes.is_sorted_by(|a, b| a.cell_count() < b.cell_count()), "{sizes:?}");
}

#[test]
fn the_model_predicts_what_it_has_not_seen() {
    let desk = Desk::new();
    let transistors = |ports: u64| (ports as f64, desk.line(&admit(ports, 3)).each.transistors() as f64);
    let fit = Fit::with(powers(Unit::Admit), &[3, 5, 7, 9].map(transistors));
    let (ports, is) = transistors(15);
    let error = fit.at(ports) / is - 1.0;
    assert!(error.abs() < 0.08, "{:+.1} % at {ports} ports with {fit:?}", 100.0 * error);
}

#[test]
fn what_nobody_reads_is_not_counted() {
    let desk = Desk::new();
    let unused = |trigger: &str| {
        let shape = tiny(&["routing.algorithm=minimal", &format!("selection.trigger={trigger}")]);
        let cost = desk.synthesis.cost(&desk.tree(&shape), &Target::Cells, Whole::Together, &()).unwrap();
        let deepest = cost.lines.iter().filter(|line| line.part.unit == Unit::Allocator);
        assert!(cost.depth.unwrap() > deepest.map(|line| line.each.depth).max().unwrap(), "{:?}", cost.depth);
        let unused = cost.lines.iter().filter(|line| line.is_unused()).map(|line| line.part.module.clone());
        unused.collect::<Vec<_>>()
    };
    // Minimal routing leaves headers as they are: nothing but wires.
    assert_eq!(unused("never"), ["onward", "routing_table", "contention", "occupancy", "errors"]);
}

/// Kept in step with the tables: every number has its script and its log.
#[test]
fn every_number_leads_to_a_script_and_a_log() {
    let desk = Desk::new();
    let line = desk.line(&admit(3, 2));
    let text = |name: &str| fs::read_to_string(PathBuf::from(&line.folder).join(name)).unwrap();
    assert!(text("script.ys").contains("chparam -set CREDIT_W 6 -set PORTS 3 -set VCS 2 admit"));
    assert!(text("yosys.log").contains("Yosys"));
    assert!(text("admit.sv").contains("module admit"), "what was synthesised");
}
