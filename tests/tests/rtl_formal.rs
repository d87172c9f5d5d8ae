//! The named properties of `hdl/formal/`, proven without bound: k-induction by Yosys, yosys-smtbmc and z3.
//!
//! Each proof is shown not to be vacuous: its cover statements are reached, and it breaks on a planted defect.
#![allow(clippy::unwrap_used)]

use desvio_tests::rtl::{self, hdl};
use rayon::prelude::*;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// A module of `hdl/formal/` with what it needs.
struct Proof {
    top: &'static str,
    sources: &'static [&'static str],
    parameters: &'static [(&'static str, u32)],
    /// Registers of the instance `dut`, to be seen under the same name in the module itself.
    seen: &'static [&'static str],
    /// Steps of the induction.
    k: u32,
    /// Steps within which every cover statement is reached.
    cover: u32,
}

const ARBITER: &[&str] = &["arbiter_pick", "arbiter_state", "arbiter", "formal/arbiter_order"];

const ALLOCATOR: &[&str] = &[
    "arbiter_pick",
    "arbiter_state",
    "output_arbiter",
    "separable_input_first",
    "separable_output_first",
    "wavefront",
    "allocator",
    "formal/arbiter_order",
];

const REGISTERS: &[&str] = &["input_states", "out_vc_states", "input_of_out_vc_states", "choices", "turn"];

const fn arbiter(top: &'static str, parameters: &'static [(&'static str, u32)]) -> Proof {
    Proof { top, sources: ARBITER, parameters, seen: &[], k: 1, cover: 6 }
}

/// The longest wait takes as many steps as there are requesters.
const fn arbiter_of_many(top: &'static str, parameters: &'static [(&'static str, u32)]) -> Proof {
    let mut proof = arbiter(top, parameters);
    proof.cover = 8;
    proof
}

const fn allocator(parameters: &'static [(&'static str, u32)]) -> Proof {
    Proof { top: "allocator_contract", sources: ALLOCATOR, parameters, seen: REGISTERS, k: 1, cover: 3 }
}

const fn credit(parameters: &'static [(&'static str, u32)], cover: u32) -> Proof {
    Proof { top: "credit_contract", sources: &["credit"], parameters, seen: &[], k: 1, cover }
}

/// Everything that is proven. The numbers of arbiters and allocators are those of `dsv_pkg`.
const PROOFS: &[Proof] = &[
    arbiter("arbiter_contract", &[("ARBITER", 0), ("REQUESTERS", 4)]),
    arbiter("arbiter_contract", &[("ARBITER", 1), ("REQUESTERS", 4)]),
    arbiter_of_many("arbiter_contract", &[("ARBITER", 0), ("REQUESTERS", 6)]),
    arbiter("arbiter_harmless", &[("ARBITER", 0), ("REQUESTERS", 4)]),
    arbiter("arbiter_harmless", &[("ARBITER", 1), ("REQUESTERS", 4)]),
    allocator(&[("ALLOCATOR", 0), ("ARBITER", 0), ("ITERATIONS", 1)]),
    allocator(&[("ALLOCATOR", 0), ("ARBITER", 1), ("ITERATIONS", 1)]),
    allocator(&[("ALLOCATOR", 0), ("ARBITER", 0), ("ITERATIONS", 2)]),
    allocator(&[("ALLOCATOR", 0), ("ARBITER", 1), ("ITERATIONS", 2)]),
    allocator(&[("ALLOCATOR", 1), ("ARBITER", 0), ("ITERATIONS", 1)]),
    allocator(&[("ALLOCATOR", 1), ("ARBITER", 1), ("ITERATIONS", 1)]),
    allocator(&[("ALLOCATOR", 1), ("ARBITER", 0), ("ITERATIONS", 2)]),
    allocator(&[("ALLOCATOR", 1), ("ARBITER", 1), ("ITERATIONS", 2)]),
    allocator(&[("ALLOCATOR", 2), ("ARBITER", 0)]),
    allocator(&[("ALLOCATOR", 2), ("ARBITER", 1)]),
    // Every VC in debt needs a flit per place: a small buffer.
    credit(&[("VCS", 3), ("DEPTH", 2)], 9),
    credit(&[("VCS", 3), ("DEPTH", 5)], 18),
];

/// A defect, and the property that must break on it.
struct Defect {
    proof: Proof,
    file: &'static str,
    from: &'static str,
    to: &'static str,
    breaks: &'static str,
}

const DEFECTS: &[Defect] = &[
    Defect {
        proof: arbiter("arbiter_contract", &[("ARBITER", 0), ("REQUESTERS", 4)]),
        file: "arbiter_pick",
        from: "state[n] ? state & LOWER : state | LOWER",
        to: "state | LOWER",
        breaks: "ARBITER_GRANT_ALWAYS",
    },
    Defect {
        proof: arbiter("arbiter_contract", &[("ARBITER", 0), ("REQUESTERS", 4)]),
        file: "arbiter_pick",
        from: "state[n] ? state & LOWER : state | LOWER",
        to: "LOWER",
        breaks: "ARBITER_FAIR",
    },
    Defect {
        proof: arbiter("arbiter_contract", &[("ARBITER", 0), ("REQUESTERS", 6)]),
        file: "arbiter_pick",
        from: "lowest(request) & {REQUESTERS{later == '0}}",
        to: "lowest(request)",
        breaks: "ARBITER_GRANT_ONE",
    },
    Defect {
        proof: arbiter("arbiter_contract", &[("ARBITER", 1), ("REQUESTERS", 4)]),
        file: "arbiter_state",
        from: " | served[REQUESTERS-1 -: WIDTH]",
        to: "",
        breaks: "ORDER",
    },
    Defect {
        proof: arbiter("arbiter_harmless", &[("ARBITER", 0), ("REQUESTERS", 4)]),
        file: "arbiter_state",
        from: "state <= from << 1",
        to: "state <= from",
        breaks: "ARBITER_HARMLESS_LAST",
    },
    Defect {
        proof: allocator(&[("ALLOCATOR", 0), ("ARBITER", 0), ("ITERATIONS", 2)]),
        file: "separable_input_first",
        from: "g_pass[k-1].outputs & ~g_pass[k-1].nominated",
        to: "g_pass[k-1].outputs",
        breaks: "ALLOCATE_MATCH_OUTPUT",
    },
    Defect {
        proof: allocator(&[("ALLOCATOR", 1), ("ARBITER", 0), ("ITERATIONS", 1)]),
        file: "separable_output_first",
        from: "want[(i*VCS + v)*PORTS +: PORTS] & offers & by_its_out_vc",
        to: "offers & by_its_out_vc",
        breaks: "ALLOCATE_MATCH_ANSWER",
    },
    Defect {
        proof: allocator(&[("ALLOCATOR", 2), ("ARBITER", 1)]),
        file: "wavefront",
        from: "rows[i*PORTS + c] & inputs[i] & columns[c]",
        to: "rows[i*PORTS + c] & columns[c]",
        breaks: "ALLOCATE_MATCH_INPUT",
    },
    Defect {
        proof: allocator(&[("ALLOCATOR", 2), ("ARBITER", 0)]),
        file: "allocator",
        from: "turn == PORT_W'(PORTS - 1) ? '0 : turn + 1'b1",
        to: "turn + 1'b1",
        breaks: "ORDER_CHOICES",
    },
    Defect {
        proof: credit(&[("VCS", 3), ("DEPTH", 2)], 9),
        file: "credit",
        from: "FREE_W'(give && !refused[v])",
        to: "FREE_W'(give)",
        breaks: "CREDIT_BOUND",
    },
];

/// Both programs and the solver, or, said aloud, nothing.
fn has_tools() -> bool {
    let missing =
        ["yosys", "yosys-smtbmc", "z3"].iter().find(|tool| Command::new(tool).arg("-h").output().is_err());
    match missing {
        None => true,
        Some(tool) if std::env::var_os("DESVIO_REQUIRE_TOOLS").is_some_and(|value| value == "1") => {
            panic!("{tool} is missing")
        }
        Some(tool) => {
            println!("skipped: no {tool}; nothing was proven");
            false
        }
    }
}

/// What a program wrote, and whether it was content. (yosys-smtbmc draws a wheel with backspaces.)
fn run(program: &str, arguments: &[&str]) -> (bool, String) {
    let output = Command::new(program).args(arguments).output().expect("the tools are there");
    let text =
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    (output.status.success(), text.replace('\u{8}', "\n"))
}

/// The file of a module of the design, or of `formal/`.
fn path_of(hdl: &Path, source: &str) -> PathBuf {
    if source.starts_with("formal/") { hdl.join(format!("{source}.sv")) } else { rtl::source(hdl, source) }
}

impl Proof {
    fn name(&self) -> String {
        let parameters: Vec<_> =
            self.parameters.iter().map(|(name, value)| format!("{name}={value}")).collect();
        format!("{} {}", self.top, parameters.join(" "))
    }

    /// Writes the problem for the solver, in gates, which z3 solves ten times as fast as words; `hdl` may hold a planted defect.
    fn prepare(&self, hdl: &Path, into: &Path) -> String {
        let read: String = std::iter::once(&"pkg")
            .chain(self.sources)
            .map(|source| format!("{} ", path_of(hdl, source).display()))
            .collect();
        let parameters: String =
            self.parameters.iter().map(|(name, value)| format!("-set {name} {value} ")).collect();
        // Wires first, and only then anything that would simplify what is not connected yet.
        let seen: String =
            self.seen.iter().map(|name| format!("connect -nounset -set {name} dut.{name}; ")).collect();
        let problem = into.join("problem.smt2").display().to_string();
        let script = format!(
            "read_verilog -sv -formal -I{hdl}/include {read} {hdl}/formal/{top}.sv; chparam {parameters} {top}; \
             hierarchy -check -top {top}; proc -noopt; flatten; {seen} check -assert; \
             prep -top {top}; techmap; opt; dffunmap; abc -g AND,XOR,MUX; opt_clean; write_smt2 -wires {problem}",
            hdl = hdl.display(),
            top = self.top,
        );
        let (ok, said) = run("yosys", &["-q", "-p", &script]);
        assert!(ok, "{}: yosys says\n{said}", self.name());
        problem
    }

    /// `mode` is empty for the first steps from reset, `-i` for the induction, `-c` for cover statements.
    fn solve(problem: &str, mode: &str, steps: u32) -> (bool, String) {
        let steps = steps.to_string();
        // From reset, z3 is faster when it is told of all steps at once.
        let at_once = if mode == "-i" { "" } else { "--noincr" };
        let arguments = ["-s", "z3", "--unroll", at_once, "-t", &steps, mode, problem];
        let arguments: Vec<&str> = arguments.into_iter().filter(|argument| !argument.is_empty()).collect();
        let (ok, said) = run("yosys-smtbmc", &arguments);
        assert!(said.contains("Status: "), "yosys-smtbmc says\n{said}");
        (ok && said.contains("Status: PASSED"), said)
    }

    /// The names of its properties, or of its cover statements.
    fn labels(&self, keyword: &str) -> Vec<String> {
        let text = fs::read_to_string(hdl().join(format!("formal/{}.sv", self.top))).unwrap();
        let keyword = format!(": {keyword} (");
        text.lines().filter_map(|line| Some(line.split_once(&keyword)?.0.trim().to_owned())).collect()
    }
}

impl Proof {
    /// How many properties are proven.
    fn prove(&self) -> usize {
        let folder = tempfile::tempdir().unwrap();
        let start = Instant::now();
        let problem = self.prepare(&hdl(), folder.path());
        // The induction starts from any k steps in which all is well; these here are the first.
        for (mode, steps) in [("", self.k + 1), ("-i", self.k), ("-c", self.cover)] {
            let (ok, said) = Self::solve(&problem, mode, steps);
            assert!(ok, "{} {mode}: yosys-smtbmc says\n{said}", self.name());
        }
        let seconds = start.elapsed().as_secs_f64();
        let labels = self.labels("assert");
        for label in &labels {
            let name = label.replace('_', "-");
            println!("{name} ({}): proven by induction k={}", self.name(), self.k);
        }
        let covers = self.labels("cover");
        println!("  {seconds:.1} s; reached: {}", covers.join(", "));
        assert!(!labels.is_empty() && !covers.is_empty(), "{}: nothing was proven", self.name());
        labels.len()
    }
}

#[test]
fn properties_hold_for_ever() {
    if !has_tools() {
        return;
    }
    let proven: usize = PROOFS.par_iter().map(Proof::prove).sum();
    println!("{proven} properties proven");
}

#[test]
fn planted_defects_break_the_proofs() {
    if !has_tools() {
        return;
    }
    DEFECTS.par_iter().for_each(|defect| {
        let folder = tempfile::tempdir().unwrap();
        let (copy, top) = (folder.path(), &defect.proof.top);
        fs::create_dir(copy.join("formal")).unwrap();
        rtl::copy(copy);
        let contract = format!("formal/{top}");
        for source in std::iter::once(&contract.as_str()).chain(defect.proof.sources) {
            fs::copy(path_of(&hdl(), source), path_of(copy, source)).unwrap();
        }
        if !defect.breaks.starts_with("ORDER") {
            // What only helps the induction would break first.
            let contract = copy.join(format!("formal/{top}.sv"));
            let text = fs::read_to_string(&contract).unwrap();
            let lines = text.lines().filter(|line| !line.trim().starts_with("ORDER"));
            fs::write(&contract, lines.map(|line| format!("{line}\n")).collect::<String>()).unwrap();
        }
        rtl::plant(copy, defect.file, defect.from, defect.to);

        let problem = defect.proof.prepare(copy, copy);
        let (ok, said) = Proof::solve(&problem, "", 8);
        assert!(!ok, "{}: `{}` goes unnoticed", defect.file, defect.to);
        let broken: Vec<_> = said
            .lines()
            .filter_map(|line| line.split_once("Assert failed in ")?.1.split_once(": "))
            .collect();
        let is_named = broken.iter().any(|(_, label)| label.split_whitespace().next() == Some(defect.breaks));
        assert!(
            is_named,
            "{}: {} should break; yosys-smtbmc says\n{said}",
            defect.proof.name(),
            defect.breaks
        );
        println!("{}: `{}` breaks {}", defect.file, defect.to, defect.breaks.replace('_', "-"));
    });
}

#[test]
fn every_file_is_part_of_a_proof() {
    for entry in fs::read_dir(hdl().join("formal")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let stem = name.strip_suffix(".sv").unwrap_or_else(|| panic!("{name} is not a module"));
        let is_used = PROOFS
            .iter()
            .any(|proof| proof.top == stem || proof.sources.contains(&format!("formal/{stem}").as_str()));
        assert!(is_used, "{name} is part of no proof");
    }
}
