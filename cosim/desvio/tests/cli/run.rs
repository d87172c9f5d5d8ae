//! `desvio run` and `desvio topology` when all is well.

use super::{DESVIO, Place};
use std::fs;
use std::process::Stdio;

#[test]
fn a_run_leaves_a_table_and_its_files() {
    let place = Place::new();
    let ended = place.succeed(&["run", "small.toml"]);
    let lines: Vec<_> = ended.out.lines().collect();
    assert_eq!(lines.len(), 4, "{}", ended.out);
    assert!(
        lines[0].trim_start().starts_with("load") && lines[2].contains("0.100") && lines[3].contains("0.300")
    );
    assert!(lines.iter().all(|line| line.trim_end() == *line), "{}", ended.out);
    for name in
        ["summary.csv", "summary.json", "hops.csv", "latency.svg", "latency.png", "accepted.png", "links.svg"]
    {
        assert!(place.exists(&format!("results/small/{name}")), "{name}");
    }
    assert_eq!(place.rows("results/small/summary.csv").len(), 2);
    assert!(ended.err.contains(" of 2: load 0.300: accepted "), "{}", ended.err);
    assert!(ended.err.contains("1,200 simulated cycles in "), "{}", ended.err);
}

#[test]
fn quiet_leaves_only_results() {
    let place = Place::new();
    let ended = place.succeed(&["run", "small.toml", "--quiet", "--out", "a/b"]);
    assert_eq!(ended.err, "");
    assert!(ended.out.contains("0.300") && place.exists("a/b/summary.csv") && !place.exists("results"));
}

#[test]
fn neither_threads_nor_a_second_run_change_a_byte_but_another_seed_does() {
    let place = Place::new();
    let run = |out: &str, more: &[&str]| {
        let scenario = ["run", "scenarios/dragonfly.toml", "--set", "run.warmup_cycles=500"];
        let cycles = ["--set", "run.measure_cycles=1000", "--quiet", "--out", out];
        let ended = place.succeed(&[&scenario[..], &cycles, more].concat());
        (ended.out, place.read(&format!("{out}/summary.csv")), place.read(&format!("{out}/summary.json")))
    };
    let one = run("one", &["--threads", "1"]);
    assert_eq!(one, run("two", &["--threads", "2"]));
    assert_eq!(one, run("four", &["--threads", "4"]));
    assert_eq!(one, run("again", &["--threads", "4"]));
    let other = run("other", &["--set", "run.seed=2"]);
    assert_ne!(one.1, other.1);
}

#[test]
fn descending_vcs_give_the_same_results() {
    let place = Place::new();
    let run = |order: &str| {
        let order = format!("routing.vc_order={order}");
        let cycles = ["--set", "run.warmup_cycles=500", "--set", "run.measure_cycles=1000"];
        let scenario =
            ["run", "scenarios/dragonfly-adversarial.toml", "--quiet", "--out", "r", "--set", &order];
        place.succeed(&[&scenario[..], &cycles].concat());
        (place.read("r/summary.csv"), place.read("r/scenario.toml"))
    };
    let (ascending, descending) = (run("ascending"), run("descending"));
    assert_eq!(ascending.0, descending.0);
    assert!(ascending.0.lines().count() > 3);
    let changed: Vec<_> = descending.1.lines().filter(|line| !ascending.1.contains(line)).collect();
    assert_eq!(changed, ["vc_order = \"descending\""]);
}

#[test]
fn the_scenario_beside_the_results_gives_the_same_results() {
    let place = Place::new();
    let sets = ["--set", "run.seed=7", "--set", "topology.dims=[4,4]", "--quiet", "--out"];
    place.succeed(&[&["run", "small.toml"], &sets[..], &["one"]].concat());
    place.succeed(&["run", "one/scenario.toml", "--quiet", "--out", "two"]);
    for name in ["summary.csv", "hops.csv", "scenario.toml"] {
        assert_eq!(place.read(&format!("one/{name}")), place.read(&format!("two/{name}")), "{name}");
    }
    let provenance: serde_json::Value = serde_json::from_str(&place.read("one/provenance.json")).unwrap();
    assert_eq!(provenance["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(provenance["curves"][0]["settings"]["run.seed"], 7);
    assert_eq!(provenance["curves"][0]["scenario"], place.read("one/scenario.toml"));
}

#[test]
fn no_line_of_a_table_is_a_comment() {
    let place = Place::new();
    place.succeed(&["run", "small.toml", "--quiet", "--out", "r"]);
    place.succeed(&["compare", "small.toml", "--vary", "run.seed=1,2", "--quiet", "--out", "c"]);
    for (name, rows) in [("r/summary.csv", 2), ("c/compare.csv", 4)] {
        let mut reader = csv::Reader::from_path(place.path(name)).unwrap();
        assert!(reader.headers().unwrap().iter().any(|column| column == "accepted"), "{name}");
        assert_eq!(reader.records().map(Result::unwrap).count(), rows, "{name}");
    }
}

#[test]
fn results_of_an_earlier_run_do_not_stay_behind() {
    let place = Place::new();
    let switching = "traffic.pattern={ switch-at = 300, from = \"uniform\", to = \"tornado\" }";
    place.succeed(&["run", "small.toml", "--out", "r", "--set", switching, "--set", "topology.dims=[4,4]"]);
    assert!(place.exists("r/series.csv") && place.exists("r/series.png"));
    place.write("r/notes.txt", "mine");
    place.succeed(&["run", "small.toml", "--out", "r"]);
    assert!(!place.exists("r/series.csv") && !place.exists("r/series.png") && place.exists("r/hops.csv"));
    assert_eq!(place.read("r/notes.txt"), "mine");
}

#[test]
fn the_saturation_load_is_searched_and_explained() {
    let place = Place::new();
    let ended =
        place.succeed(&["run", "small.toml", "--set", "traffic.loads=saturation", "--set", "router.vcs=1"]);
    let line = ended.out.lines().find(|line| line.contains("accepted at full load")).unwrap();
    assert!(line.starts_with("saturation load between 0.") || line.starts_with("not saturated"), "{line}");
    assert!(ended.out.contains("every node's source queue keeps up"), "{}", ended.out);
    let tried = place.rows("results/small/summary.csv").len();
    assert!(tried >= 1 && ended.err.contains(&format!("{tried}: load ")), "{ended:#?}");
}

#[test]
fn the_whole_scenario_is_shown_and_reads_as_the_same() {
    let place = Place::new();
    let shown = place.succeed(&["run", "scenarios/petersen.toml", "--show", "--set", "run.seed=77"]).out;
    assert!(shown.contains("seed = 77") && shown.contains("[selection]"), "{shown}");
    place.write("shown.toml", &shown);
    assert_eq!(place.succeed(&["run", "shown.toml", "--show"]).out, shown);
    assert!(!place.exists("results"));
}

#[test]
fn a_reader_that_leaves_is_no_failure() {
    let place = Place::new();
    for arguments in
        [&["run", "small.toml", "--quiet"][..], &["run", "small.toml", "--show"], &["help", "run"]]
    {
        let mut child =
            place.command(DESVIO, arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let ended = child.wait_with_output().unwrap();
        let err = String::from_utf8_lossy(&ended.stderr);
        assert!(ended.status.success() && err.is_empty(), "{arguments:?}: {:?}: {err}", ended.status);
    }
}

#[test]
fn results_without_a_receiver_are_told() {
    let place = Place::new();
    let Ok(full) = fs::OpenOptions::new().write(true).open("/dev/full") else { return };
    let ended = place.command(DESVIO, &["run", "small.toml", "--quiet"]).stdout(full).output().unwrap();
    assert_eq!(ended.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&ended.stderr).contains("cannot write to standard output"));
    assert_eq!(place.rows("results/small/summary.csv").len(), 2, "the files are written all the same");
    for arguments in [&["--help"][..], &["--version"], &["run", "--help"]] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let ended = place.command(DESVIO, arguments).stdout(full).output().unwrap();
        assert_eq!(ended.status.code(), Some(2), "{arguments:?}");
        assert!(String::from_utf8_lossy(&ended.stderr).contains("cannot write to standard output"));
    }
}

/// The files are read as the network that they were written for: links of three latencies, facts alike.
#[test]
fn a_network_is_written_and_read_back() {
    let place = Place::new();
    let exports = ["--dot", "net.dot", "--edges", "net.txt", "--graphml", "net.graphml"];
    let dragonfly = ["topology", "scenarios/dragonfly.toml", "--set", "topology.groups=5"];
    let facts = place.succeed(&[&dragonfly[..], &exports].concat()).out;
    let of = |facts: &str| {
        let rows = ["routers", "nodes", "links between routers", "degree", "diameter", "shortest routes"];
        let lines = facts.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
        lines.filter(|line| rows.iter().any(|row| line.starts_with(row))).collect::<Vec<_>>()
    };
    assert_eq!(of(&facts).len(), 6, "{facts}");
    for file in ["net.dot", "net.txt", "net.graphml"] {
        let text = place.read(file);
        let latency = if file == "net.graphml" { "<data key=\"latency\">" } else { "latency=" };
        let has = |cycles: &str| text.contains(&format!("{latency}{cycles}"));
        assert!(has("10") && has("100"), "{text}");
        let graph = format!(
            "[topology]\nkind = \"graph\"\nfile = \"{file}\"\nnodes_per_router = 2\n[traffic]\nloads = [0.1]\n"
        );
        place.write("again.toml", graph);
        let second = ["--dot", "second.dot", "--edges", "second.txt", "--graphml", "second.graphml"];
        let again = [&["topology", "again.toml"][..], &second].concat();
        assert_eq!(of(&place.succeed(&again).out), of(&facts), "{file}");
        let lines = |text: String| {
            let head = if file == "net.graphml" { 3 } else { 1 };
            let mut lines: Vec<_> = text.lines().skip(head).map(str::to_owned).collect();
            lines.sort_unstable();
            lines
        };
        assert_eq!(lines(place.read(&file.replace("net", "second"))), lines(text));
    }
    let nowhere = place.desvio(&[&dragonfly[..], &["--dot", "no/such/folder/net.dot"]].concat());
    assert_eq!(nowhere.status, Some(2));
    assert!(nowhere.err.contains("cannot write no/such/folder/net.dot"), "{}", nowhere.err);
}

#[test]
fn facts_about_a_topology() {
    let place = Place::new();
    let facts = place.succeed(&["topology", "scenarios/dragonfly.toml", "--set", "topology.groups=5"]).out;
    let value = |name: &str| {
        let line =
            facts.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("{name}: {facts}"));
        line.split_whitespace().filter_map(|word| word.parse().ok()).next_back().unwrap_or(f64::NAN)
    };
    assert_eq!((value("routers"), value("nodes"), value("diameter")), (20.0, 40.0, 3.0));
    // 50 between routers, and one to each node.
    assert_eq!((value("cables"), value("ports in use")), (2.25, 3.5));
    assert!(value("busiest channel") > 0.0 && value("throughput") <= 1.0);
    assert!(!place.exists("results"));
}
