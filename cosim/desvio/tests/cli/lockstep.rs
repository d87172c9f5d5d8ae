//! `desvio lockstep` and `desvio run --rtl`: what they print, what they write, how they end.

mod slow;

use super::Place;
use desvio_lockstep::campaign::CONFIGURATIONS;
use std::fs;
use std::path::Path;

/// The smallest Dragonfly: it compiles in seconds.
const TINY: &str = r#"[topology]
kind = "dragonfly"
p = 1
a = 2
h = 1

[router]
buffer_flits = 8
output_flits = 4

[traffic]
packet_flits = 4
loads = [0.3]

[run]
warmup_cycles = 500
measure_cycles = 1500
"#;

/// A folder with [`TINY`] in `tiny.toml` and the RTL in `hdl`; `None` without Verilator, unless tools are required.
pub(super) fn place() -> Option<Place> {
    let verilator = std::env::var_os("VERILATOR").unwrap_or_else(|| "verilator".into());
    let insists = std::env::var_os("DESVIO_REQUIRE_TOOLS").is_some_and(|value| value == "1");
    if std::process::Command::new(verilator).arg("--version").output().is_err() && !insists {
        println!("skipped, nothing was tested: there is no Verilator here");
        return None;
    }
    let place = Place::new();
    place.write("tiny.toml", TINY);
    copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../hdl"), &place.path("hdl"));
    Some(place)
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// The FIFO of an output keeps its last flit until another one comes.
fn plant(place: &Place) {
    let path = place.path("hdl/rtl/router/dsv_output_port.sv");
    let text = fs::read_to_string(&path).unwrap();
    let planted = text.replace("opens && count != 0", "opens && count > 1");
    assert_ne!(text, planted);
    fs::write(path, planted).unwrap();
}

#[test]
fn no_difference_ends_with_status_0_and_tells_what_was_seen() {
    let Some(place) = place() else { return };
    let ended = place.desvio(&["lockstep", "tiny.toml", "--cycles", "60000", "--seed", "7"]);
    assert_eq!(ended.status, Some(0), "{ended:?}");
    assert!(ended.out.starts_with("no difference: "), "{}", ended.out);
    assert!(ended.out.contains("\nfunctional coverage: "), "{}", ended.out);
    // The lanes and their stimuli do not depend on the number of threads.
    let one = place.desvio(&[
        "lockstep",
        "tiny.toml",
        "--cycles",
        "60000",
        "--seed",
        "7",
        "--threads",
        "1",
        "--quiet",
    ]);
    assert_eq!(one.out, ended.out);
    assert_eq!(one.err, "");
}

/// What does not go together with packets that are discarded is refused by name.
#[test]
fn what_knows_no_discards_says_so() {
    let place = Place::new();
    for file in ["broken.toml", "broken.lfts", "torus.ibnetdiscover"] {
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/infiniband").join(file);
        fs::copy(from, place.path(file)).unwrap();
    }
    for (arguments, expected) in [
        (
            &["prove", "broken.toml"][..],
            "router.discards: routes that end before their destination are not judged",
        ),
        (
            &["topology", "broken.toml", "--tables", "t.csv"],
            "no forwarding tables are written where `router.discards` is set",
        ),
        (
            &["run", "broken.toml", "--set", "router.discards=false"],
            "port 7 of switch 0x200001 is not connected",
        ),
        (
            &[
                "run",
                "broken.toml",
                "--set",
                "router.flow_control=circuit",
                "--set",
                "traffic.packet_flits=8",
            ],
            "`router.discards` is not for \"circuit\"",
        ),
    ] {
        let ended = place.desvio(arguments);
        assert_eq!(ended.status, Some(2), "{ended:?}");
        assert!(ended.err.contains(expected), "{}", ended.err);
    }
}

/// Every router of the campaign is compiled: one of the long tests.
#[test]
fn a_campaign_tells_what_each_configuration_has_seen() {
    if std::env::var_os("DESVIO_LONG").is_none_or(|value| value != "1") {
        return;
    }
    let Some(place) = place() else { return };
    let ended = place.desvio(&["lockstep", "--campaign", "--cycles", "30000"]);
    assert_eq!(ended.status, Some(0), "{ended:?}");
    for name in CONFIGURATIONS.map(|configuration| configuration.name) {
        let row = |line: &str| line.split_whitespace().next() == Some(name) && line.contains(" of ");
        assert!(ended.out.lines().any(row), "{name}: {}", ended.out);
    }
    plant(&place);
    let ended = place.desvio(&["lockstep", "--campaign", "--hdl", "hdl", "--out", "found"]);
    assert_eq!(ended.status, Some(1), "{ended:?}");
    assert!(
        ended.err.starts_with(&format!("{} configurations", CONFIGURATIONS.len()))
            && ended.err.contains("configuration occupancy: mismatch in")
    );
    assert!(place.path("found/stimulus.toml").is_file(), "{}", ended.err);
}

/// What only the synthesis reads is wrong: the RTL has no difference, and its netlist has one. Long, because a router is
/// synthesised.
#[test]
fn a_mistake_that_only_the_synthesis_makes_is_found_in_the_netlist() {
    if std::env::var_os("DESVIO_LONG").is_none_or(|value| value != "1") {
        return;
    }
    let Some(place) = place() else { return };
    let path = place.path("hdl/rtl/router/dsv_output_port.sv");
    let text = fs::read_to_string(&path).unwrap();
    let right = "opens && count != 0";
    let planted = text.replace(right, "opens && count != 0\n`ifdef YOSYS\n&& count != 1\n`endif\n");
    assert_ne!(text, planted);
    fs::write(path, planted).unwrap();
    let run = |more: &[&str]| {
        let lockstep = ["lockstep", "tiny.toml", "--cycles", "20000", "--hdl", "hdl", "--out", "found"];
        place.desvio(&[&lockstep[..], more].concat())
    };
    let rtl = run(&[]);
    assert_eq!(rtl.status, Some(0), "{rtl:?}");
    let netlist = run(&["--netlist"]);
    assert_eq!(netlist.status, Some(1), "{netlist:?}");
    assert!(
        netlist.err.contains("mismatch in cycle ") && netlist.err.contains(": output"),
        "{}",
        netlist.err
    );
    assert!(netlist.err.contains("--replay found/stimulus.toml --hdl hdl --netlist"), "{}", netlist.err);
    let again =
        ["lockstep", "--replay", "found/stimulus.toml", "--hdl", "hdl", "--netlist", "--out", "again"];
    let again = place.desvio(&again);
    assert_eq!(again.status, Some(1), "{again:?}");
    let line = |text: &str| text.lines().find(|line| line.starts_with("mismatch in ")).unwrap().to_owned();
    assert_eq!(line(&again.err), line(&netlist.err));
}

/// Credit round-trip times.
const CRT: &str = "routing={ algorithm = \"ugal-dragonfly\", knowledge = \"credits\" }";

/// Piggybacking.
const PB: &str = "routing={ algorithm = \"ugal-dragonfly\", knowledge = \"group\" }";

/// What a router knows by itself.
const UGAL: &str = "routing={ algorithm = \"ugal-dragonfly\", knowledge = \"router\" }";

/// Reservation.
const RES: &str = "routing={ algorithm = \"ugal-dragonfly\", knowledge = \"reservation\" }";

#[test]
fn what_cannot_be_done_ends_with_status_2_and_a_reason() {
    let Some(place) = place() else { return };
    for (arguments, reason) in [
        (
            &["lockstep", "tiny.toml", "--set", CRT][..],
            "routing.knowledge = \"credits\" is not written in SystemVerilog",
        ),
        (
            &["lockstep", "tiny.toml", "--set", RES],
            "routing.knowledge = \"reservation\" is not written in SystemVerilog",
        ),
        (
            &["lockstep", "tiny.toml", "--set", "selection.trigger=ectn"],
            "must be 0 for SystemVerilog, where the counters of a group have wires of their own",
        ),
        (
            &["lockstep", "tiny.toml", "--set", UGAL, "--set", "selection.trigger=occupancy"],
            "\"always\", not with \"occupancy\", which would look for detours",
        ),
        (
            &["run", "tiny.toml", "--rtl", "all", "--set", UGAL, "--set", "selection.trigger=contention"],
            "\"always\", not with \"contention\", which would look for detours",
        ),
        (
            &["lockstep", "tiny.toml", "--set", "selection.ports=most-credits"],
            "selection.ports = \"most-credits\" is not written in SystemVerilog; random and lowest-dimension are",
        ),
        (
            &["run", "tiny.toml", "--rtl", "all", "--set", "selection.vcs=least-shared"],
            "selection.vcs = \"least-shared\" is not written in SystemVerilog; random and first are",
        ),
        (&["lockstep", "tiny.toml", "--router", "6"], "the network has routers 0 to 5"),
        (&["lockstep", "tiny.toml", "--hdl", "nowhere"], "nowhere: no "),
        (&["lockstep", "--replay", "none.toml"], "none.toml: "),
        (&["lockstep"], "FILE"),
        (&["lockstep", "tiny.toml", "--campaign"], "cannot be used with"),
        (&["lockstep", "tiny.toml", "--netlist", "--coverage"], "cannot be used with"),
        (&["lockstep", "tiny.toml", "--flit-width", "95"], "a flit has 96 to 4096 bits, not 95"),
        (
            &["lockstep", "tiny.toml", "--flit-width", "4000000000"],
            "a flit has 96 to 4096 bits, not 4000000000",
        ),
        (&["lockstep", "tiny.toml", "--cycles", "0"], "0 is not in 1.."),
        (&["run", "tiny.toml", "--rtl", "7"], "the network has 6 routers"),
        (&["run", "tiny.toml", "--rtl", "some"], "a number of routers"),
        (&["run", "tiny.toml", "--hdl", "hdl"], "--hdl says where the RTL of --rtl is"),
        (&["lockstep", "tiny.toml", "--trust"], "--hdl <DIR>"),
        (&["lockstep", "tiny.toml", "--out", "tiny.toml"], "cannot write the results: tiny.toml: "),
    ] {
        let ended = place.desvio(arguments);
        assert_eq!(ended.status, Some(2), "{arguments:?}: {ended:?}");
        assert!(ended.err.contains(reason), "{arguments:?}: {}", ended.err);
    }
    let router = place.read("hdl/rtl/router/dsv_router.sv");
    place.write(
        "hdl/rtl/router/dsv_router.sv",
        router.replace("\nendmodule", "\ninitial $system(\"touch reached\");\nendmodule"),
    );
    for arguments in
        [&["lockstep", "tiny.toml", "--hdl", "hdl"][..], &["run", "tiny.toml", "--rtl", "1", "--hdl", "hdl"]]
    {
        let ended = place.desvio(arguments);
        assert_eq!(ended.status, Some(2), "{ended:?}");
        assert!(
            ended.err.contains("dsv_router.sv:") && ended.err.contains(":9: `$system` runs a program"),
            "{}",
            ended.err
        );
    }
    assert!(!place.exists("reached"));
    place.write("broken.toml", "scenario = \"tiny.toml\"\nrouter = 0\nseed = \"one\"\n");
    let ended = place.desvio(&["lockstep", "--replay", "broken.toml"]);
    assert_eq!(ended.status, Some(2));
    assert!(ended.err.contains("line 3"), "{}", ended.err);
}

/// Before the RTL is compiled.
#[test]
fn a_network_of_routers_that_tell_each_other_something_is_refused_at_once() {
    let place = Place::new();
    place.write("tiny.toml", TINY);
    let mut command = place.command(super::DESVIO, &["run", "tiny.toml", "--rtl", "all", "--set", PB]);
    command.env("VERILATOR", place.path("none"));
    let ended = super::end(command);
    assert_eq!(ended.status, Some(2), "{ended:?}");
    assert!(
        ended.err.contains(
            ": selection.trigger = \"ectn\", routing.knowledge = \"group\" and \"group-each-cycle\": "
        ),
        "{ended:?}"
    );
    assert!(ended.err.ends_with("tell each other something, a network does not\n"), "{ended:?}");
}

/// The RTL, which takes long to compile, is not even asked for.
#[test]
fn a_program_for_a_microcontroller_that_is_not_there_is_told_at_once() {
    let place = Place::new();
    let mcu = ["lockstep", "scenarios/tiny.toml", "--mcu", "--firmware", "none"];
    let mut command = place.command(super::DESVIO, &mcu);
    command.env("VERILATOR", place.path("none"));
    let ended = super::end(command);
    let told =
        "release/lockstep: no such program: cargo xtask firmware builds it; --firmware says where it is\n";
    assert_eq!(ended.status, Some(2), "{ended:?}");
    assert!(ended.err.starts_with("error: --mcu: none/") && ended.err.ends_with(told), "{}", ended.err);
}
