//! Bad input: one clear message with its place, status 2, nothing written.

use super::{Ended, Place, SMALL};

/// Status 2, nothing on standard output, one message that begins with `place` and holds `fragment`, nothing written.
#[track_caller]
fn refused(place: &Place, arguments: &[&str], start: &str, fragment: &str) {
    let before = files(place);
    let ended = place.desvio(arguments);
    let Ended { status, out, err } = &ended;
    assert_eq!((*status, out.as_str()), (Some(2), ""), "{arguments:?}: {ended:#?}");
    assert!(err.starts_with(start), "{arguments:?} should begin with {start}\n{err}");
    assert!(err.contains(fragment), "{arguments:?} should contain {fragment}\n{err}");
    // A message of ours stands above a quote, whose lines are indented.
    let messages: Vec<_> = err.lines().filter(|line| !line.starts_with(' ')).collect();
    assert_eq!(messages.len(), 1, "{err}");
    assert!(!err.contains("panicked"), "{err}");
    assert_eq!(files(place), before, "{arguments:?} wrote something");
}

fn files(place: &Place) -> Vec<String> {
    let entries = std::fs::read_dir(place.dir.path()).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

const DRAGONFLY: &str = "[topology]\nkind = \"dragonfly\"\np = 2\na = 4\nh = 2\n[traffic]\nloads = [0.1]\n";

#[test]
fn every_bad_scenario_is_told_where() {
    let place = Place::new();
    let graph = "[topology]\nkind = \"graph\"\nfile = \"nowhere.txt\"\n[traffic]\nloads = [0.1]\n";
    let few = "[topology]\nkind = \"graph\"\nfile = \"scenarios/tree.txt\"\n[router]\nvcs = 3\n[traffic]\nloads = [0.1]\n";
    let cases: &[(&str, String, &str, &str)] = &[
        ("unknown key", SMALL.replace("[run]", "[run]\nsede = 1"), ":10:1: ", "seed"),
        ("misspelt value", SMALL.replace("\"mesh\"", "\"mash\""), ":2:8: ", "\"mesh\""),
        ("a = 0", DRAGONFLY.replace("a = 4", "a = 0"), ":4:5: ", "from 1 to 64"),
        (
            "a packet longer than a buffer",
            SMALL.replace("= 4\n", "= 40\n"),
            ":6:16: ",
            "a packet of 40 flits",
        ),
        (
            "too few VCs",
            format!("{DRAGONFLY}[router]\nvcs = {{ local = 2 }}\n"),
            ":9:17: ",
            "olm routing needs",
        ),
        ("a load above 1", SMALL.replace("0.3", "2.1"), ":7:15: ", "at most 2"),
        ("a negative latency", format!("{SMALL}[links]\nlatency = -1\n"), ":13:11: ", "from 1 to 10000"),
        ("an empty file", String::new(), ":1:1: ", "empty"),
        ("no TOML", "loads = [0.1\n".to_owned(), ":", ""),
        ("no loads", SMALL.replace("0.1, 0.3", ""), ":7:9: ", ""),
        ("missing graph file", graph.to_owned(), ":3:8: ", "cannot read the graph"),
        ("too few VCs for a table", few.to_owned(), ":5:7: ", "longest route has 4 hops"),
    ];
    for (what, text, start, fragment) in cases {
        place.write("bad.toml", text);
        eprintln!("{what}");
        refused(&place, &["run", "bad.toml"], &format!("bad.toml{start}"), fragment);
        // A network is the same whatever its loads.
        if !["a load above 1", "no loads"].contains(what) {
            refused(&place, &["topology", "bad.toml"], &format!("bad.toml{start}"), fragment);
        }
        refused(&place, &["compare", "small.toml", "bad.toml"], &format!("bad.toml{start}"), fragment);
    }
}

#[test]
fn files_that_are_no_scenario() {
    let place = Place::new();
    place.write("junk.toml", [0x7f, b'E', b'L', b'F', 0, 0xff, 0xfe, b'\n', 0x80]);
    refused(&place, &["run", "junk.toml"], "junk.toml:1:6: ", "not a text file");
    refused(&place, &["run", "missing.toml"], "missing.toml: ", "cannot read the scenario");
    // The program has this one, wherever it is looked for.
    let example = "\n  = there is an example of that name: desvio example petersen > petersen.toml";
    refused(&place, &["run", "nowhere/petersen.toml"], "nowhere/petersen.toml: ", example);
    refused(&place, &["run", "scenarios"], "scenarios: ", "cannot read the scenario");
    refused(&place, &["run", "missing.toml", "--show"], "missing.toml: ", "cannot read the scenario");
}

#[test]
#[cfg(unix)]
fn files_without_an_end() {
    let place = Place::new();
    let graph = ["--set", "topology.file=/dev/zero"];
    let petersen = [&["run", "scenarios/petersen.toml"][..], &graph].concat();
    for (arguments, limit) in [
        (&["run", "/dev/zero"][..], 1 << 20),
        (&petersen, 32 << 20),
        (&["lockstep", "--replay", "/dev/zero"], 16 << 20),
        (&["cost", "--study", "/dev/zero"], 1 << 20),
        (&["conform", "--rtl", "small.toml", "--top", "t", "--map", "/dev/zero", "small.toml"], 1 << 20),
    ] {
        refused(&place, arguments, "", &format!("it is larger than {limit} bytes"));
    }
}

#[test]
fn graphs_that_are_no_network() {
    let place = Place::new();
    place.write("net.toml", "[topology]\nkind = \"graph\"\nfile = \"net.txt\"\n[traffic]\nloads = [0.1]\n");
    for (edges, fragment) in [
        ("0 1\n1 x\n", "net.txt:2: `x` is not the number of a router"),
        ("0 1\n2 3\n", "not connected"),
        ("0 1\n1 3\n3 0\n", "router 2 has no edge"),
        ("# nothing\n", "no edge in the file"),
    ] {
        place.write("net.txt", edges);
        refused(&place, &["run", "net.toml"], "net.toml:3:8: ", fragment);
    }
    let transpose = "traffic.pattern=transpose";
    let graph = ["run", "scenarios/petersen.toml", "--set", transpose];
    refused(
        &place,
        &graph,
        &format!("--set {transpose}: traffic: "),
        "needs a power of two of nodes, not 20",
    );
    place.write("net.txt", "0 1\n");
    let twice = ["--set", "topology.file=net.txt", "--set", "topology.file=no.txt"];
    let arguments = [&["run", "net.toml"][..], &twice].concat();
    refused(&place, &arguments, "--set topology.file=no.txt: ", "cannot read the graph");
}

#[test]
fn a_bad_set_is_told_as_it_was_written() {
    let place = Place::new();
    for (set, fragment) in [
        ("run.sede=1", "seed"),
        ("routing.algorithm=olm", "does not fit a mesh"),
        ("traffic.loads=[3]", "at most 2"),
        ("run.seed", "expected key=value"),
    ] {
        refused(&place, &["run", "small.toml", "--set", set], &format!("--set {set}: "), fragment);
    }
}

#[test]
fn a_folder_that_cannot_be_written_is_told_before_anything_runs() {
    let place = Place::new();
    place.write("file", "");
    let endless = ["--set", "run.measure_cycles=1000000000"];
    for command in [&["run", "small.toml"][..], &["compare", "small.toml", "--vary", "run.seed=1,2"]] {
        let arguments = [command, &["--out", "file/below"], &endless].concat();
        refused(&place, &arguments, "error: cannot write the results: file/below: ", "");
    }
}

#[test]
fn the_arguments_themselves() {
    let place = Place::new();
    for arguments in [
        &["run"][..],
        &["run", "small.toml", "--threads", "0"],
        &["run", "small.toml", "--threads", "many"],
        &["run", "small.toml", "--set"],
        &["run", "small.toml", "other.toml"],
        &["rnu", "small.toml"],
        &[],
    ] {
        let ended = place.desvio(arguments);
        assert_eq!((ended.status, ended.out.as_str()), (Some(2), ""), "{arguments:?}: {ended:#?}");
        assert!(
            ended.err.contains("Usage: desvio") || ended.err.contains("try '--help'"),
            "{arguments:?}: {}",
            ended.err
        );
        assert!(!place.exists("results"));
    }
}

/// What was wrong is the number of lanes, not the file that names them.
#[test]
fn lanes_that_are_too_many_are_told_where_the_vcs_are() {
    let place = Place::new();
    let ring = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/infiniband/ring.toml");
    let ring = ring.to_str().unwrap();
    let fragment = "get lane 1, but the output has 1 VC\n";
    refused(&place, &["run", ring, "--set", "router.vcs=1"], "--set router.vcs=1: router.vcs: ", fragment);
}
