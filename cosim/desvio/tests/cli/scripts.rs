//! What scripts and shells use: standard input, JSON, examples, completions, manual pages.

use super::{DESVIO, Ended, Place, end, examples};
use serde_json::Value;
use std::fs;

/// A shell's pipe into the command, which is `$0`.
fn pipe(place: &Place, script: &str) -> Ended {
    end(place.command("sh", &["-c", script, DESVIO]))
}

#[test]
fn a_scenario_comes_from_standard_input() {
    let place = Place::new();
    let piped = pipe(&place, "\"$0\" run - --quiet < small.toml");
    let named = place.succeed(&["run", "small.toml", "--quiet"]);
    assert_eq!((piped.status, &piped.out), (Some(0), &named.out), "{}", piped.err);
    assert_eq!(place.read("results/stdin/summary.csv"), place.read("results/small/summary.csv"));
    let varied = pipe(&place, "\"$0\" compare - --vary run.seed=1,2 --quiet < small.toml");
    assert_eq!(varied.status, Some(0), "{}", varied.err);
    assert_eq!(place.rows("results/compare/compare.csv").len(), 4);
}

#[test]
fn what_is_wrong_in_standard_input_is_shown_in_its_line() {
    let place = Place::new();
    let ended = pipe(&place, "sed 's/mesh/mush/' small.toml | \"$0\" run -");
    assert_eq!(ended.status, Some(2));
    assert!(ended.err.starts_with("stdin:2:8: "), "{}", ended.err);
    let ended =
        pipe(&place, "{ cat small.toml; echo '[routing]'; echo 'algorithm = \"olm\"'; } | \"$0\" run -");
    assert_eq!(ended.status, Some(2));
    assert!(ended.err.starts_with("stdin:13:13: "), "{}", ended.err);
    assert_eq!(pipe(&place, "head -c 2000000 /dev/zero | \"$0\" run -").status, Some(2));
}

#[test]
fn json_is_what_is_in_the_folder() {
    let place = Place::new();
    let run = place.succeed(&["run", "small.toml", "--json", "--quiet"]);
    assert_eq!(run.out, place.read("results/small/summary.json"));
    let topology = place.succeed(&["topology", "scenarios/mesh.toml", "--json"]);
    let facts: Value = serde_json::from_str(&topology.out).unwrap();
    // An 8 x 8 mesh: 2 · 7 · 8 links, 8 of them across the middle.
    assert_eq!((&facts["routers"], &facts["bisection_links"]), (&Value::from(64), &Value::from(8)));
    assert_eq!(facts["links"].as_object().unwrap().values().filter_map(Value::as_u64).max(), Some(112));
    assert_eq!(facts["minimal_hops"], Value::Null);
}

/// Saturation is told beside the JSON, which stays JSON.
#[test]
fn json_of_a_search_is_json() {
    let place = Place::new();
    let search = ["--set", "traffic.loads=saturation", "--json", "--quiet"];
    let ended = place.succeed(&[&["run", "small.toml"][..], &search].concat());
    assert!(serde_json::from_str::<Value>(&ended.out).is_ok(), "{}", ended.out);
    assert!(ended.err.contains("saturat"), "{}", ended.err);
}

#[test]
fn every_scenario_is_an_example_and_every_example_a_scenario() {
    let place = Place::new();
    let list = place.succeed(&["example"]).out;
    let named: Vec<_> = list.lines().filter_map(|line| line.split_whitespace().next()).collect();
    let files = fs::read_dir(examples()).unwrap().map(|entry| entry.unwrap().file_name());
    let files: Vec<_> =
        files.map(|name| name.into_string().unwrap()).filter(|name| name.contains('.')).collect();
    assert_eq!(named.len(), files.len(), "{list}");
    for file in files {
        let name = file.strip_suffix(".toml").unwrap_or(&file);
        assert!(named.contains(&name), "{name}: {list}");
        let shown = place.succeed(&["example", name]).out;
        assert_eq!(shown.trim_end(), place.read(&format!("scenarios/{file}")).trim_end());
    }
    assert!(list.lines().all(|line| line.split_whitespace().count() > 4), "each says what it is: {list}");
    let unknown = place.desvio(&["example", "dragonfyl"]);
    assert_eq!(unknown.status, Some(2));
    assert!(unknown.err.contains("a similar value exists: 'dragonfly'"), "{}", unknown.err);
}

#[test]
fn shells_complete_and_pages_name_every_command() {
    let place = Place::new();
    let list = place.succeed(&["--help"]).out;
    let (_, commands) = list.split_once("Commands:\n").unwrap();
    let commands: Vec<_> = commands
        .lines()
        .take_while(|line| !line.is_empty())
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|&command| command != "help")
        .collect();
    assert!(commands.len() > 10, "{commands:?}");
    let script = place.succeed(&["completions", "bash"]).out;
    for key in ["traffic.loads", "topology.dims", "router.vcs", "links.down"] {
        for option in ["set", "vary", "sweep"] {
            let behind: Vec<&str> = script.split(&format!("--{option})")).skip(1).collect();
            assert!(!behind.is_empty(), "{option}");
            for list in behind {
                let list = list.lines().nth(1).unwrap_or_default();
                assert!(
                    list.contains("compgen -W") && list.contains(&format!(" {key} ")),
                    "{option} {key}: {list}"
                );
            }
        }
    }
    place.succeed(&["man", "pages"]);
    for command in commands {
        assert!(script.contains(&format!("desvio,{command})")), "{command}");
        let page = place.read(&format!("pages/desvio-{command}.1"));
        assert!(page.contains(".SH NAME") && page.contains(".SH EXTRA"), "{command}: {page}");
    }
    assert!(place.succeed(&["man"]).out.contains(".TH desvio 1"));
}
