//! One proof: a harness of `hdl/formal/` around a part of the design, with the checks that are bound to that part.

use super::bound::attach;
use desvio_tests::rtl;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// How far a proof reaches.
#[derive(Clone, Copy)]
pub(crate) enum Reach {
    /// Without bound: from reset, and from any so many steps in which all is well.
    Induction(u32),
}

/// A module of `hdl/formal/` with what it needs.
#[derive(Clone, Copy)]
pub(crate) struct Proof {
    pub(crate) top: &'static str,
    pub(crate) sources: &'static [&'static str],
    pub(crate) parameters: &'static [(&'static str, u32)],
    /// Modules whose checks a proof of their own has.
    pub(crate) proven_apart: &'static [&'static str],
    /// Properties that follow from what the harness assumes of the neighbours: they hold here, and are not proven by it.
    pub(crate) assumed: &'static [&'static str],
    /// Registers of the design, each to be seen under a name of the harness.
    pub(crate) seen: fn() -> Vec<(String, String)>,
    pub(crate) reach: Reach,
    /// Steps within which every cover statement is reached.
    pub(crate) cover: u32,
}

/// What was proven.
pub(crate) struct Proven {
    pub(crate) module: &'static str,
    pub(crate) parameters: &'static [(&'static str, u32)],
    pub(crate) reach: Reach,
    pub(crate) properties: Vec<String>,
    /// What follows from what is assumed.
    pub(crate) assumed: Vec<String>,
    /// What only helps the induction, and holds as well.
    pub(crate) invariants: Vec<String>,
    pub(crate) covers: Vec<String>,
}

/// The problem for the solver, and what it asks.
struct Problem {
    path: String,
    asserts: Vec<String>,
    covers: Vec<String>,
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

/// The names behind a keyword in a problem: without the path of the instance, each once, in order.
fn names(problem: &str, keyword: &str) -> Vec<String> {
    let keyword = format!("; yosys-smt2-{keyword} ");
    let lines = problem.lines().filter_map(|line| line.strip_prefix(&keyword));
    let label = |line: &str| {
        let path = line.split_whitespace().nth(1)?;
        Some(path.strip_suffix(".HOLDS").unwrap_or(path).rsplit('.').next()?.replace('_', "-"))
    };
    let mut found: Vec<_> = lines.filter_map(label).collect();
    found.sort();
    found.dedup();
    found
}

impl Proof {
    pub(crate) fn name(&self) -> String {
        let parameters: Vec<_> =
            self.parameters.iter().map(|(name, value)| format!("{name}={value}")).collect();
        format!("{} {}", self.top, parameters.join(" "))
    }

    /// Writes the problem for the solver, in gates, which z3 solves ten times as fast as words; `hdl` may hold a planted defect.
    /// With `only`, one property is left.
    fn prepare(&self, hdl: &Path, only: Option<&str>) -> (tempfile::TempDir, Problem) {
        let folder = tempfile::tempdir().unwrap();
        let harness = format!("formal/{}", self.top);
        let sources: Vec<_> = ["pkg", "formal/dsv_property"]
            .iter()
            .chain(self.sources)
            .chain([&harness.as_str()])
            .map(|source| path_of(hdl, source))
            .collect();
        let read: String = attach(hdl, &sources, self.proven_apart, folder.path())
            .iter()
            .map(|path| format!("{} ", path.display()))
            .collect();
        let parameters: String =
            self.parameters.iter().map(|(name, value)| format!("-set {name} {value} ")).collect();
        // Wires first, and only then anything that would simplify what is not connected yet.
        let seen: String = (self.seen)()
            .iter()
            .map(|(name, register)| format!("connect -nounset -set {name} {register}; "))
            .collect();
        let only = only.map_or_else(String::new, |name| {
            format!("select -set others t:$assert c:*.{name}.HOLDS c:{name} %u %d; delete @others; ")
        });
        let path = folder.path().join("problem.smt2").display().to_string();
        let script = format!(
            "read_verilog -sv -formal -mem2reg -I{hdl}/include {read}; chparam {parameters} {top}; \
             hierarchy -check -top {top}; proc -noopt; flatten; rename -top {top}; {seen} check -assert; {only} \
             prep -top {top}; techmap; opt; dffunmap; abc -g AND,XOR,MUX; opt_clean -purge; write_smt2 {path}",
            hdl = hdl.display(),
            top = self.top,
        );
        let (ok, said) = run("yosys", &["-q", "-p", &script]);
        assert!(ok, "{}: yosys says\n{said}", self.name());
        let text = fs::read_to_string(&path).unwrap();
        let problem = Problem { path, asserts: names(&text, "assert"), covers: names(&text, "cover") };
        (folder, problem)
    }

    /// How many properties are proven.
    pub(crate) fn prove(&self) -> Proven {
        let start = Instant::now();
        let (_folder, problem) = self.prepare(&rtl::hdl(), None);
        let solve = |mode: &str, steps: u32| {
            let (ok, said) = problem.solve(mode, steps);
            assert!(ok, "{} {mode}: yosys-smtbmc says\n{said}", self.name());
        };
        match self.reach {
            // The induction starts from any k steps in which all is well; these here are the first.
            Reach::Induction(k) => {
                solve("", k + 1);
                solve("-i", k);
            }
        }
        solve("-c", self.cover);
        let covers = problem.covers.clone();
        assert!(!covers.is_empty(), "{}: nothing is to be reached", self.name());
        let (invariants, properties): (Vec<_>, Vec<_>) =
            problem.asserts.into_iter().partition(|name| name.starts_with("INVARIANT-"));
        let (assumed, properties): (Vec<_>, Vec<_>) =
            properties.into_iter().partition(|name| self.assumed.contains(&name.as_str()));
        assert_eq!(assumed, self.assumed, "{}: assumed, and no property of it", self.name());
        assert!(!properties.is_empty(), "{}: nothing was proven", self.name());
        println!("{} ({:.1} s): {}", self.name(), start.elapsed().as_secs_f64(), properties.join(", "));
        println!("  {}; reached: {}", self.reach, covers.join(", "));
        Proven {
            module: self.top,
            parameters: self.parameters,
            reach: self.reach,
            properties,
            assumed,
            invariants,
            covers,
        }
    }

    /// Whether a property fails within so many steps from reset.
    pub(crate) fn fails(&self, hdl: &Path, property: &str, steps: u32) -> bool {
        let (_folder, problem) = self.prepare(hdl, Some(property));
        assert_eq!(problem.asserts, [property.replace('_', "-")], "{}", self.name());
        let (ok, said) = problem.solve("", steps);
        assert!(ok || said.contains("Assert failed in "), "yosys-smtbmc says\n{said}");
        !ok
    }

    /// Whether the step of the induction fails at a property: where a failure from reset on is too many steps away.
    pub(crate) fn loses_induction(&self, hdl: &Path, property: &str) -> bool {
        let (_folder, problem) = self.prepare(hdl, None);
        let Reach::Induction(k) = self.reach;
        let (ok, said) = problem.solve("-i", k);
        let broken =
            said.lines().filter_map(|line| line.split_once("Assert failed in ")).map(|(_, place)| place);
        !ok && broken.into_iter().any(|place| place.ends_with(&format!("{property}.HOLDS")))
    }
}

impl Problem {
    /// `mode` is empty for the first steps from reset, `-i` for the induction, `-c` for cover statements.
    fn solve(&self, mode: &str, steps: u32) -> (bool, String) {
        let steps = steps.to_string();
        // From reset, z3 is faster when it is told of all steps at once.
        let at_once = if mode == "-i" { "" } else { "--noincr" };
        let arguments = ["-s", "z3", "--unroll", at_once, "-t", &steps, mode, &self.path];
        let arguments: Vec<&str> = arguments.into_iter().filter(|argument| !argument.is_empty()).collect();
        let (ok, said) = run("yosys-smtbmc", &arguments);
        assert!(said.contains("Status: "), "yosys-smtbmc says\n{said}");
        (ok && said.contains("Status: PASSED"), said)
    }
}

impl std::fmt::Display for Reach {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Induction(k) => write!(f, "induction k={k}"),
        }
    }
}
