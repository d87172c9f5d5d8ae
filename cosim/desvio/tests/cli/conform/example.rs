//! The example as it is, and switches written in other ways: streams, numbered credits, a mesh, this repository's own.

use super::{
    DESVIO, Ended, MAP, Place, SCRATCH, THREE_MAP, end, example, number, three, times, verilator_is_here,
};
use std::fs;
use std::path::Path;
use std::process::Command;

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

/// The same switch with a port of each side of its own, valid and ready: the inputs ready per VC, the outputs per port.
const STREAMS: &str = include_str!("streams.v");
const STREAMS_MAP: &str = include_str!("streams.toml");
/// The same switch with credits that carry a VC's number, and VC, head and tail beside the word.
const NUMBERED: &str = include_str!("numbered.v");
const NUMBERED_MAP: &str = include_str!("numbered.toml");

fn wrapped(top: &'static str, wrapper: &str, map: &str) -> Place {
    let mut place = Place::new().with_map(map);
    place.rtl.push(Place::verilog(wrapper));
    place.top = top;
    place
}

/// How many test cases of a report in JUnit's XML ended how, which is what stands in them.
fn cases(path: &Path) -> Vec<(&'static str, usize)> {
    let text = fs::read_to_string(path).unwrap();
    let document = roxmltree::Document::parse(&text).unwrap();
    let count = |end: &&str| {
        let cases = document.descendants().filter(|node| node.has_tag_name("testcase"));
        cases.filter(|case| case.children().any(|child| child.has_tag_name(*end))).count()
    };
    let ends = ["error", "failure", "skipped", "system-out"];
    ends.into_iter().map(|end| (end, count(&end))).filter(|&(_, count)| count > 0).collect()
}

/// What a map of AXI streams begins with: the signals are all found, and what is guessed is marked.
#[test]
fn a_skeleton_of_the_map_from_the_ports() {
    if !verilator_is_here() {
        return;
    }
    let place = wrapped("streams", STREAMS, STREAMS_MAP);
    let mut command = Command::new(DESVIO);
    command.arg("conform").arg("--rtl").args(&place.rtl).args(["--top", "streams", "--quiet", "--skeleton"]);
    command.arg(&place.scenario).current_dir(SCRATCH);
    let Ended { status, out, err } = end(command);
    assert_eq!((status, err.as_str()), (Some(0), ""));
    let (_, text) = out.split_once("\n\n").unwrap();
    assert_eq!(text, include_str!("skeleton.toml"));
}

/// The slow half of the tests.
mod slow {
    use super::*;

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
    fn valid_and_ready_with_a_signal_for_each_port() {
        if !verilator_is_here() {
            return;
        }
        let reported = tempfile::NamedTempFile::new().unwrap();
        let junit = ["--junit", reported.path().to_str().unwrap()];
        let out = wrapped("streams", STREAMS, STREAMS_MAP).with(&junit).passes();
        assert!(number(&out, "packets") > 10_000 && out.contains("OFFER-STABLE "), "{out}");
        assert_eq!(cases(reported.path()), [("skipped", 12), ("system-out", 15)]);
        let fickle = STREAMS
            .replace("assign valid[p] = used[p] != 0;", "assign valid[p] = used[p] != 0 && !(turn == 7);");
        assert_ne!(fickle, STREAMS);
        wrapped("streams", &fickle, STREAMS_MAP).with(&junit).breaks(&["OFFER-STABLE"]);
        let found = cases(reported.path());
        assert!(found.contains(&("failure", 1)) && !found.contains(&("error", 1)), "{found:?}");
        let allowing = format!("allow = [\"OFFER-STABLE\"]\n{STREAMS_MAP}");
        // The map and the command line allow together. Behind the first finding, the same fault starves a packet.
        let out = wrapped("streams", &fickle, &allowing)
            .with(&["--allow", "WAITING", "--allow", "FAIR-SHARE"])
            .passes();
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

    /// Its patience is far below the default 100,000 cycles: where only one input competes with another, the one that is
    /// preferred must leave no gap.
    #[test]
    fn a_fixed_priority_among_three_ports_is_found_by_default() {
        if !verilator_is_here() {
            return;
        }
        assert!(number(&three(THREE_MAP).passes(), "packets") > 10_000);
        let fixed = THREE_MAP.replace("fixed = 0", "fixed = 1");
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
            &map.replace("[0, 3, 1, 4, 2]", "[0, 3, 1, 2, 4]")
                .replace("{ from = \"next-port\", bits = 3 }", "0"),
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
        let mut place = Place::new().with(&["--router", "5", "--cycles", "12000", "--include", &include]);
        let design = desvio_hdl::FILES
            .iter()
            .filter(|file| file.path.starts_with("pkg/") || file.path.starts_with("rtl/"));
        place.rtl = design.map(|file| hdl.join(file.path)).collect();
        place.top = "dsv_router";
        (place.map, place.scenario) = (fixtures.join("desvio.toml"), fixtures.join("dragonfly.toml"));
        let out = place.passes();
        assert!(number(&out, "packets") > 1000, "{out}");
        assert!(out.contains("ways        29 of 29"), "{out}");
        assert!(
            out.contains("local to node     4 to 5 "),
            "four cycles, and one more until the link opens: {out}"
        );
    }
}
