//! `desvio conform`: the example, its planted defects, other ways to write a switch, and maps that are wrong.

use super::{DESVIO, Ended, end};
use std::env;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

const MAP: &str = include_str!("../../../../examples/foreign-switch/map.toml");
const INPUT: &str = include_str!("../../../../examples/foreign-switch/input_side.v");
const OUTPUT: &str = include_str!("../../../../examples/foreign-switch/output_side.v");

/// Where Verilog is compiled: the cache knows designs by their folder.
const SCRATCH: &str = env!("CARGO_TARGET_TMPDIR");

fn example() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/foreign-switch").canonicalize().unwrap()
}

/// Whether Verilator can be run. Prints the skip; with `DESVIO_REQUIRE_TOOLS=1` its absence is a failure.
fn verilator_is_here() -> bool {
    let command = env::var("VERILATOR").unwrap_or_else(|_| "verilator".to_owned());
    let here = Command::new(&command).arg("--version").output().is_ok_and(|output| output.status.success());
    let required = env::var("DESVIO_REQUIRE_TOOLS").is_ok_and(|value| value == "1");
    assert!(here || !required, "DESVIO_REQUIRE_TOOLS=1, but `{command}` cannot be run");
    if !here {
        eprintln!("skipped: `{command}` cannot be run");
    }
    here
}

/// A folder for one test, and what is checked in it.
struct Place {
    dir: TempDir,
    rtl: Vec<PathBuf>,
    top: &'static str,
    map: PathBuf,
    scenario: PathBuf,
    more: Vec<String>,
}

impl Place {
    /// The example as it is.
    fn new() -> Self {
        let at = example();
        Self {
            dir: tempfile::tempdir().unwrap(),
            rtl: ["crosspoint.v", "input_side.v", "output_side.v"].map(|name| at.join(name)).into(),
            top: "crosspoint",
            map: at.join("map.toml"),
            scenario: at.join("petersen.toml"),
            more: Vec::new(),
        }
    }

    /// A file of Verilog. Its path follows from its text, so the next run of the tests finds it in the cache.
    fn verilog(text: &str) -> PathBuf {
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        let path = Path::new(SCRATCH).join(format!("conform-{:016x}.v", hasher.finish()));
        if fs::read_to_string(&path).ok().as_deref() != Some(text) {
            let draft = tempfile::NamedTempFile::new_in(SCRATCH).unwrap();
            fs::write(draft.path(), text).unwrap();
            draft.persist(&path).unwrap();
        }
        path
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.dir.path().join(name);
        fs::write(&path, text).unwrap();
        path
    }

    /// Another file in the place of one of the example's.
    fn replace(mut self, number: usize, path: PathBuf) -> Self {
        self.rtl[number] = path;
        self
    }

    fn with_map(mut self, map: &str) -> Self {
        self.map = self.write("map.toml", map);
        self
    }

    fn with(mut self, more: &[&str]) -> Self {
        self.more.extend(more.iter().map(|&argument| argument.to_owned()));
        self
    }

    fn run(&self) -> Ended {
        let mut command = Command::new(DESVIO);
        command.arg("conform").arg("--rtl").args(&self.rtl).args(["--top", self.top, "--quiet"]);
        command.arg("--map").arg(&self.map).arg(&self.scenario).args(&self.more).current_dir(SCRATCH);
        command.arg("--out").arg(self.dir.path().join("out"));
        end(command)
    }

    #[track_caller]
    fn passes(&self) -> String {
        let ended = self.run();
        assert_eq!((ended.status, ended.err.as_str()), (Some(0), ""), "{}", ended.err);
        ended.out
    }

    /// Status 1, and the rule that is broken; the place and a waveform are told.
    #[track_caller]
    fn breaks(&self, rules: &[&str]) -> String {
        let Ended { status, out, err } = self.run();
        assert_eq!(status, Some(1), "{out}{err}");
        assert!(
            rules.iter().any(|rule| err.contains(&format!(": {rule} broken"))),
            "{rules:?} expected\n{err}"
        );
        assert!(err.starts_with("mismatch: cycle ") && err.contains("the last events:"), "{err}");
        err
    }

    #[track_caller]
    fn refused(&self, start: &str, fragment: &str) {
        let Ended { status, out, err } = self.run();
        assert_eq!((status, out.as_str()), (Some(2), ""), "{err}");
        assert!(err.contains(start), "{start} expected\n{err}");
        assert!(err.contains(fragment), "{fragment} expected\n{err}");
    }
}

/// The number that follows a word at the start of a line.
#[track_caller]
fn number(text: &str, word: &str) -> u64 {
    let lines = text.lines().filter_map(|line| line.trim_start().strip_prefix(word));
    let mut numbers =
        lines.filter_map(|rest| rest.split([' ', ',']).find(|part| !part.is_empty())?.parse().ok());
    numbers.next().unwrap_or_else(|| panic!("{word} in {text}"))
}

#[test]
fn the_example_conforms() {
    if !verilator_is_here() {
        return;
    }
    let out = Place::new().with(&["--cycles", "30000"]).passes();
    assert!(out.starts_with("conforms: in the place of router 0"), "{out}");
    assert!(number(&out, "packets") > 10_000, "{out}");
    assert!(number(&out, "checks") > 100_000, "{out}");
    assert!(out.contains("ways        34 of 34"), "{out}");
    assert!(out.contains("credits     80 of 80 "), "five ports, two VCs, eight flits: {out}");
    for rule in [
        "FLIT-LOST",
        "LEGAL-PORT",
        "LEGAL-VC",
        "PACKET-ORDER",
        "CREDIT-HOME",
        "CREDIT-KEPT",
        "CREDIT-NO-DEBT",
        "WAITING",
    ] {
        assert!(
            out.lines().any(|line| line.trim_start().starts_with(rule) && !line.ends_with(" 0")),
            "{rule}: {out}"
        );
    }
    for way in ["node to node", "node to local", "local to node", "local to local"] {
        assert_eq!(number(&out, way), 2, "one cycle in the queue, one in the output register: {out}");
    }
    assert_eq!(out, Place::new().with(&["--cycles", "30000"]).passes(), "the same seed, the same report");
}

#[test]
fn paths_are_taken_as_they_are_or_refused() {
    if !verilator_is_here() {
        return;
    }
    let place = Place::new();
    for (name, reason) in
        [("a\"b.v", "a quotation mark"), ("$(id).v", "a dollar sign"), ("a\nb.v", "a control")]
    {
        Place::new()
            .replace(1, place.write(name, INPUT))
            .refused("Verilator cannot take a path that has ", reason);
    }
    let comma = place.write("a,b.v", &ending_in("initial $system(\"id\");"));
    Place::new().replace(1, comma).refused("a,b.v:", "`$system` runs a program");
    let mut listed = Place::new();
    let two = format!("{},{}", listed.rtl[1].display(), listed.rtl[2].display());
    listed.rtl.splice(1.., [two.into()]);
    listed.with(&["--cycles", "6000"]).passes();
}

/// A file of the example with more before its end.
fn ending_in(more: &str) -> String {
    let (all, last) = INPUT.rsplit_once("endmodule").unwrap();
    format!("{all}{more}\nendmodule{last}")
}

#[test]
fn verilog_that_reaches_out_is_refused_where_it_does() {
    if !verilator_is_here() {
        return;
    }
    let place = Place::new();
    let marker = place.dir.path().join("reached");
    let touch = format!("(\"touch {}\");", marker.display());
    let lines = INPUT.lines().count();
    for (more, word, quote) in [
        (format!("initial $system{touch}"), "$system", "initial $system"),
        (format!("`define PASTE(a, b) a``b\ninitial `PASTE($sys,tem){touch}"), "$system", "initial $system"),
        ("initial $c(\"std::system(0)\");".to_owned(), "$c", "initial $c"),
        ("import \"DPI-C\" function int system(input string s);".to_owned(), "\"DPI", "import"),
        (format!("initial #1$system{touch}"), "$system", "initial #1$system"),
        ("integer f; initial f = $fopen(\"f\");".to_owned(), "$fopen", "integer f;"),
        ("`systemc_header\n#include <x>\n`verilog".to_owned(), "`systemc_header", "`systemc"),
    ] {
        let line =
            lines + more.lines().position(|line| line.contains(quote) || line.contains("PASTE($")).unwrap();
        let file = place.write("input_side.v", &ending_in(&more));
        let start = format!("{}:{line}:", file.display());
        let place = Place::new().replace(1, file);
        place.refused(&start, &format!(": `{word}` "));
        place.refused(&format!(" {line} | {quote}"), " = --trust runs it all the same");
    }
    let included = place.write("reach.vh", &format!("\ninitial $system{touch}\n"));
    let file = place.write("input_side.v", &ending_in(&format!("`include \"{}\"", included.display())));
    Place::new()
        .replace(1, file)
        .refused(&format!("{}:2:9: `$system` runs a program", included.display()), "^^^^^^^");
    assert!(!marker.exists());
    // A comment and a text run nothing; what is trusted may.
    let harmless = "// $system(\"id\")\ninitial if (0) $display(\"$system\");";
    let harmless = Place::verilog(&ending_in(&format!("{harmless}\ninitial if (0) $system(\"id\");")));
    Place::new().replace(1, harmless).with(&["--trust", "--cycles", "6000"]).passes();
}

#[test]
fn the_example_conforms_at_every_router() {
    if !verilator_is_here() {
        return;
    }
    for router in 1..10 {
        let out = Place::new().with(&["--cycles", "6000", "--router", &router.to_string()]).passes();
        assert!(number(&out, "packets") > 1000, "{out}");
    }
}

#[test]
fn each_planted_defect_is_found() {
    if !verilator_is_here() {
        return;
    }
    let cases = [
        (1, "lost_credit.v", "CREDIT-HOME", "8 of 8 credits did not come back"),
        (1, "swapped_vc.v", "LEGAL-VC", "legal: port "),
        (1, "wrong_port.v", "LEGAL-PORT", "it leaves by port "),
        (2, "fixed_priority.v", "WAITING", "always lets others pass"),
        (2, "leaked_credit.v", "CREDIT-KEPT", " are lost"),
    ];
    for (number, file, rule, message) in cases {
        for seed in ["1", "2", "3"] {
            let place = Place::new().with(&["--seed", seed]);
            let place = place.replace(number, example().join("defects").join(file));
            let err = place.breaks(&[rule]);
            assert!(err.contains(message), "{err}");
            assert!(err.contains("packet ") && err.contains("put port "), "{err}");
            assert!(err.contains("waveform: ") && err.contains("mismatch.vcd (cycle "), "{err}");
            let vcd = fs::read_to_string(place.dir.path().join("out/mismatch.vcd")).unwrap();
            assert!(vcd.contains("rx_strobe") && vcd.len() > 10_000, "{} bytes", vcd.len());
        }
    }
}

/// More ways to get it wrong: file, what is replaced by what, and the rules that may notice first.
const MUTANTS: &[(&str, usize, &str, &str, &[&str])] = &[
    (
        "drops a word",
        1,
        "wire        push = strobe",
        "wire        push = !(head == 3 && count == 5) && strobe",
        &["FLIT-LOST", "FLIT-ORDER", "WAITING"],
    ),
    (
        "sends a word twice",
        2,
        "pop[chosen] = may[chosen];",
        "pop[chosen] = may[chosen] && !(given == 3 && turn == 4);",
        // The last word of a packet that is sent twice stays in its queue for ever.
        &["FLIT-DUPLICATED", "FLIT-ORDER", "CREDIT-HOME"],
    ),
    (
        "sends without a word",
        2,
        "strobe <= |may;",
        "strobe <= |may || (given == 3 && turn == 2);",
        &["FLIT-INVENTED", "FLIT-DUPLICATED", "FLIT-ORDER", "ONE-WAY", "LEGAL-PORT", "LEGAL-VC"],
    ),
    (
        "changes a bit",
        2,
        "picked[32:0]};",
        "picked[32:1], picked[0] ^ (turn == 9 && given == 3)};",
        &[
            "FLIT-CHANGED",
            "FLIT-INVENTED",
            "FLIT-DUPLICATED",
            "FLIT-ORDER",
            "ONE-WAY",
            "LEGAL-PORT",
            "LEGAL-VC",
        ],
    ),
    (
        "changes payload",
        2,
        "picked[32:0]};",
        "picked[32:28], picked[27] ^ (turn == 9), picked[26:0]};",
        &["FLIT-CHANGED"],
    ),
    ("mixes packets in a lane", 2, "!busy[want_lane[q]] :", "1'b1 :", &["PACKET-MIXED"]),
    (
        "starts with too many credits",
        2,
        "credit[1] <= DEPTH;",
        "credit[1] <= DEPTH + 1;",
        &["CREDIT-NO-DEBT"],
    ),
    (
        "loses a credit it is given",
        2,
        "+ given[0] - (|may && !lane)",
        "+ (|may && !lane ? 8'hff : given[0])",
        &["CREDIT-KEPT"],
    ),
    (
        "returns a credit too many",
        1,
        "give_back[l] <= pop[l];",
        "give_back[l] <= pop[l] || (count == 0 && head == 5 && strobe);",
        &["CREDIT-BOUND"],
    ),
    (
        "lets a low queue always pass",
        2,
        "if (|may) begin\n            turn <= chosen == 9 ? 0 : chosen + 1;",
        "if (|may) begin",
        &["WAITING"],
    ),
];

#[test]
fn other_defects_are_found_by_name() {
    if !verilator_is_here() {
        return;
    }
    for (what, file, from, to, rules) in MUTANTS {
        let original = if *file == 1 { INPUT } else { OUTPUT };
        assert_eq!(original.matches(from).count(), 1, "{what}");
        let place = Place::new();
        let path = Place::verilog(&original.replace(from, to));
        eprintln!("{what}");
        place.replace(*file, path).breaks(rules);
    }
}

/// One of the defects above, as a file.
fn mutant(what: &str) -> (usize, PathBuf) {
    let (_, file, from, to, _) = MUTANTS.iter().find(|mutant| mutant.0 == what).unwrap();
    let original = if *file == 1 { INPUT } else { OUTPUT };
    (*file, Place::verilog(&original.replace(from, to)))
}

/// The line of a rule in the list of what broke and is allowed: how often it broke.
#[track_caller]
fn times(text: &str, rule: &str) -> u64 {
    let line = text.lines().find_map(|line| line.strip_prefix("    ")?.strip_prefix(rule));
    let line = line.unwrap_or_else(|| panic!("{rule} in {text}")).trim_start();
    assert!(line.contains(", first in cycle "), "{line}");
    line.split(' ').next().map_or(0, |count| if count == "once" { 1 } else { count.parse().unwrap() })
}

#[test]
fn the_run_goes_on_behind_what_is_allowed() {
    if !verilator_is_here() {
        return;
    }
    let allowing = |what: &str, rules: &[&str]| {
        let (file, path) = mutant(what);
        let more: Vec<_> = rules.iter().flat_map(|rule| ["--allow", rule]).collect();
        Place::new().replace(file, path).with(&more)
    };
    let out = allowing("lets a low queue always pass", &["LINK-PACE", "WAITING"]).passes();
    assert!(out.starts_with("conforms but for what is allowed: in the place of router 0, WAITING broken"));
    assert!(times(&out, "WAITING") > 1 && out.contains("it has waited for "), "{out}");
    assert!(number(&out, "packets") > 50_000, "the whole run: {out}");
    let out = allowing("changes payload", &["FLIT-CHANGED"]).passes();
    assert!(times(&out, "FLIT-CHANGED") > 1000 && out.contains("payload bits differ"), "{out}");
    // What is not allowed still ends the run, and so does what leaves nothing that could go on.
    allowing("lets a low queue always pass", &["LINK-PACE"]).breaks(&["WAITING"]);
    allowing("drops a word", &["LINK-PACE", "OWN-CHECKS"]).breaks(&["FLIT-LOST", "FLIT-ORDER", "WAITING"]);
    let stuck = OUTPUT.replace("may[q] = some[q]", "may[q] = given != 3 && turn != 9 && some[q]");
    let stuck = Place::new().replace(2, Place::verilog(&stuck)).with(&["--allow", "WAITING"]);
    let err = stuck.breaks(&["WAITING"]);
    assert!(err.contains("WAITING is allowed to break, but behind this the run cannot go on"), "{err}");
}

#[test]
fn assertions_that_are_allowed_to_fail_are_counted() {
    if !verilator_is_here() {
        return;
    }
    let failing = ending_in("always @(posedge ck) if (!rst && &give_back) $error(\"both lanes\");");
    let place = Place::new().replace(1, Place::verilog(&failing)).with(&["--cycles", "6000"]);
    assert!(place.breaks(&["OWN-CHECKS"]).contains("both lanes"));
    let out = place.with(&["--allow", "OWN-CHECKS"]).passes();
    assert!(times(&out, "OWN-CHECKS") > 10 && out.contains("both lanes"), "{out}");
    assert!(number(&out, "packets") > 1000, "{out}");
}

#[test]
fn what_cannot_be_allowed_is_refused_with_the_reason() {
    let all = "only FLIT-INVENTED, FLIT-DUPLICATED";
    Place::new().with(&["--allow", "WAITNG"]).refused("there is no rule \"WAITNG\"", all);
    let why = "behind it, which flits are in the switch is not known any more";
    Place::new().with(&["--allow", "FLIT-LOST"]).refused("FLIT-LOST cannot be allowed", why);
    let allow = |rules: &str| MAP.replace("ports = 5", &format!("ports = 5\nallow = [{rules}]"));
    let place = Place::new().with_map(&allow("\"WAITING\", \"LEGAL-VC\""));
    place.refused(":6:21: LEGAL-VC cannot be allowed: behind it, ", "^^^^^^^^^^");
    let place = Place::new().with_map(&allow("\"WAITNG\""));
    place.refused(":6:10: `allow[0]` must be one of \"FLIT-INVENTED\"", "did you mean \"WAITING\"?");
    Place::new().with_map(&allow("")).refused(":6:9: `allow` must be a list of rules", "not an empty list");
}

/// The same switch with a port of each side of its own, valid and ready: the inputs ready per VC, the outputs per port.
const STREAMS: &str = include_str!("conform/streams.v");
const STREAMS_MAP: &str = include_str!("conform/streams.toml");
/// The same switch with credits that carry a VC's number, and VC, head and tail beside the word.
const NUMBERED: &str = include_str!("conform/numbered.v");
const NUMBERED_MAP: &str = include_str!("conform/numbered.toml");

fn wrapped(top: &'static str, wrapper: &str, map: &str) -> Place {
    let mut place = Place::new().with_map(map);
    place.rtl.push(Place::verilog(wrapper));
    place.top = top;
    place
}

#[test]
fn valid_and_ready_with_a_signal_for_each_port() {
    if !verilator_is_here() {
        return;
    }
    let out = wrapped("streams", STREAMS, STREAMS_MAP).passes();
    assert!(number(&out, "packets") > 10_000 && out.contains("OFFER-STABLE "), "{out}");
    let fickle =
        STREAMS.replace("assign valid[p] = used[p] != 0;", "assign valid[p] = used[p] != 0 && !(turn == 7);");
    assert_ne!(fickle, STREAMS);
    wrapped("streams", &fickle, STREAMS_MAP).breaks(&["OFFER-STABLE"]);
    let allowing = format!("allow = [\"OFFER-STABLE\"]\n{STREAMS_MAP}");
    // The map and the command line allow together. Behind the first finding, the same fault starves a packet.
    let out = wrapped("streams", &fickle, &allowing).with(&["--allow", "WAITING"]).passes();
    assert!(times(&out, "OFFER-STABLE") > 10 && number(&out, "packets") > 10_000, "{out}");
}

#[test]
fn numbered_credits_and_flags_beside_the_flit() {
    if !verilator_is_here() {
        return;
    }
    let out = wrapped("numbered", NUMBERED, NUMBERED_MAP).passes();
    assert!(number(&out, "packets") > 10_000, "{out}");
    let flagless = NUMBERED.replace("assign tx_last[p] = kind[1];", "assign tx_last[p] = kind == 2'd2;");
    assert_ne!(flagless, NUMBERED);
    wrapped("numbered", &flagless, NUMBERED_MAP).breaks(&["FLIT-CHANGED"]);
}

/// A switch of three ports with one VC, valid and ready, in the middle of a row.
fn three(map: &str) -> Place {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/conform");
    let mut place = Place::new().with_map(map).with(&["--router", "1"]);
    (place.rtl, place.top) = (vec![fixtures.join("three.v")], "three");
    place.scenario = fixtures.join("line.toml");
    place
}

const THREE_MAP: &str = include_str!("conform/three.toml");

/// Its patience is far below the default 100,000 cycles: where only one input competes with another, the one that is
/// preferred must leave no gap.
#[test]
fn a_fixed_priority_among_three_ports_is_found_by_default() {
    if !verilator_is_here() {
        return;
    }
    assert!(number(&three(THREE_MAP).passes(), "packets") > 10_000);
    let fixed = THREE_MAP.replace("FIXED = 0", "FIXED = 1");
    for seed in ["1", "2", "3"] {
        let err = three(&fixed).with(&["--seed", seed]).breaks(&["WAITING"]);
        assert!(err.contains("input port 2 (local)") && err.contains("legal: port 0 (node)"), "{err}");
    }
}

#[test]
fn a_mesh_whose_ports_are_counted_in_another_order() {
    if !verilator_is_here() {
        return;
    }
    let map = MAP
        .replace("ports = 5\n", "ports = 5\norder = [0, 3, 1, 4, 2]\n")
        .replace("DEPTH = 8\n", "DEPTH = 8\nIDS = 16\n")
        .replace("to_router = \"32:29\"", "to_router = [\"30:29\", \"32:31\"]");
    let mut place = Place::new().with_map(&map).with(&["--router", "5"]);
    place.scenario = place.write(
        "mesh.toml",
        "[topology]\nkind = \"mesh\"\ndims = [4, 4]\n[router]\nflow_control = \"wormhole\"\nvcs = 2\nbuffer_flits = 8\n\
         speedup = 1\n[traffic]\npacket_flits = 5\nloads = [0.1]\n",
    );
    let out = place.passes();
    assert!(number(&out, "packets") > 10_000, "{out}");
    // At a corner, two ports lead nowhere.
    place.more = ["--router", "0"].map(str::to_owned).into();
    assert!(number(&place.passes(), "packets") > 5000);
    // Ports that are mixed up lead packets astray.
    place.map = place.write(
        "mixed.toml",
        &map.replace("[0, 3, 1, 4, 2]", "[0, 3, 1, 2, 4]").replace("{ from = \"next-port\", bits = 3 }", "0"),
    );
    place.breaks(&["LEGAL-PORT"]);
}

/// Global and local misroutes, the VC ladder, progress bits that a hop changes, links slower than the clock.
#[test]
fn the_switch_of_this_repository_conforms() {
    if !verilator_is_here() {
        return;
    }
    let hdl = example().join("../../hdl").canonicalize().unwrap();
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/conform");
    let include = hdl.join(desvio_hdl::INCLUDE).display().to_string();
    let mut place = Place::new().with(&["--router", "17", "--cycles", "30000", "--include", &include]);
    let design = desvio_hdl::FILES
        .iter()
        .filter(|file| file.path.starts_with("pkg/") || file.path.starts_with("rtl/"));
    place.rtl = design.map(|file| hdl.join(file.path)).collect();
    place.top = "dsv_router";
    (place.map, place.scenario) = (fixtures.join("desvio.toml"), fixtures.join("dragonfly.toml"));
    let out = place.passes();
    assert!(number(&out, "packets") > 1000, "{out}");
    assert!(out.contains("ways        100 of 100"), "{out}");
    assert!(
        out.contains("local to global   4 to 5 "),
        "four cycles, and one more until the link opens: {out}"
    );
}

#[test]
fn a_wrong_map_is_told_where() {
    let cases: &[(&str, String, &str, &str)] = &[
        (
            "unknown key",
            MAP.replace("valid = \"rx_strobe\"", "vaild = \"rx_strobe\""),
            ":16:1: unknown key `vaild` in [input]",
            "did you mean `valid`?",
        ),
        (
            "unknown table",
            MAP.replace("[parameters]", "[parametres]"),
            ":7:2: unknown key `parametres`",
            "did you mean `parameters`?",
        ),
        (
            "wrong type",
            MAP.replace("ports = 5", "ports = \"5\""),
            ":5:9: `ports` must be a whole number from 1 to 64, not \"5\"",
            "^^^",
        ),
        ("out of range", MAP.replace("ports = 5", "ports = 0"), ":5:9: ", "from 1 to 64, not 0"),
        ("wrong word", MAP.replace("\"high\"", "\"hihg\""), ":4:34: ", "did you mean \"high\"?"),
        ("missing", MAP.replace("number = \"15:0\"", ""), ": `flit.number` is missing", "expected bits"),
        (
            "no flow control",
            MAP.replace("credit = \"rx_return\"", ""),
            ": `input.credit` or `input.ready` is missing",
            "[input]",
        ),
        (
            "both",
            MAP.replace("credit = \"tx_return\"", "credit = \"tx_return\"\nready = \"tx_ready\""),
            "both `credit` and `ready`",
            "ready",
        ),
        (
            "bits upside down",
            MAP.replace("\"15:0\"", "\"0:15\""),
            ": `flit.number` must be bits",
            "7 or \"11:8\"",
        ),
        (
            "shared bits",
            MAP.replace("\"18:16\"", "\"18:15\""),
            ": `flit.index` and `flit.number` share bit 15",
            "index",
        ),
        (
            "few numbers",
            MAP.replace("\"15:0\"", "\"5:0\""),
            ": `flit.number` must have at least 8 bits",
            "not 6",
        ),
        (
            "bits for nothing",
            MAP.replace("\"address\" }", "\"address\", bits = 4 }"),
            ":11:36: `bits` belongs to",
            "next-port",
        ),
        (
            "no such source",
            MAP.replace("\"next-port\"", "\"next-prot\""),
            "must be one of",
            "did you mean \"next-port\"?",
        ),
        ("no TOML", MAP.replace("clock = \"ck\"", "clock = \"ck"), ":3:", "not valid TOML"),
        ("empty", String::new(), ":1:1: ", "is missing"),
        ("too few ports", MAP.replace("ports = 5", "ports = 4"), ": the switch has 4 ports", "has 5"),
        (
            "order too short",
            MAP.replace("ports = 5", "ports = 5\norder = [0, 1]"),
            ":6:9: `order` has 2 ports",
            "has 5",
        ),
        (
            "order twice",
            MAP.replace("ports = 5", "ports = 5\norder = [0, 1, 1]"),
            ":6:16: port 1 of the switch is in `order` twice",
            "^",
        ),
    ];
    for (what, map, start, fragment) in cases {
        eprintln!("{what}");
        Place::new().with_map(map).refused(start, fragment);
    }
    let mut place = Place::new();
    place.map = place.dir.path().join("nowhere.toml");
    place.refused("nowhere.toml: cannot read the map", "");
}

#[test]
fn a_map_that_does_not_fit_the_verilog_is_told_where() {
    if !verilator_is_here() {
        return;
    }
    let cases: &[(&str, String, &str, &str)] = &[
        (
            "no such input",
            MAP.replace("rx_strobe", "rx_strob"),
            ":16:9: module `crosspoint` has no input `rx_strob`",
            "did you mean `rx_strobe`?",
        ),
        (
            "an output",
            MAP.replace("\"rx_strobe\"", "\"tx_strobe\""),
            ":16:9: `tx_strobe` of module `crosspoint` is an output",
            "expected an input",
        ),
        (
            "wrong width",
            MAP.replace("\"rx_strobe\"", "\"rx_word\"").replace("flit = \"rx_word\"", "flit = \"rx_strobe\""),
            ":16:9: `rx_word` has 36 bits for each port",
            "expected 1, or 2",
        ),
        (
            "left out",
            MAP.replace("my_id = { from = \"address\" }", ""),
            "inputs that the map does not name: `my_id`",
            "[constants]",
        ),
        (
            "too large",
            MAP.replace("{ from = \"address\" }", "99"),
            ":11:9: the value of `my_id` does not fit into its 4 bits",
            "",
        ),
        (
            "beyond the flit",
            MAP.replace("\"35:34\"", "\"36:35\""),
            ": `flit.kind.bits` reaches up to bit 36",
            "36 bits",
        ),
        (
            "a field too small",
            MAP.replace("\"32:29\"", "\"31:29\""),
            ": `flit.to_router` has 3 bits",
            "needs 4",
        ),
        ("no VC", MAP.replace("vc = 33", ""), "nothing tells the VC", "flit.vc"),
    ];
    for (what, map, start, fragment) in cases {
        eprintln!("{what}");
        Place::new().with_map(map).refused(start, fragment);
    }
    Place::new().with(&["--router", "10"]).refused("there is no router 10", "0 to 9");
    let mut place = Place::new();
    place.rtl.pop();
    place.refused("Verilator refuses `crosspoint`", "output_side");
    place.rtl.push(place.dir.path().join("nowhere.v"));
    place.refused("nowhere.v", "");
}
