//! `desvio schema` against the files of the repository, good and bad.

use super::Place;
use serde_json::{Value as Json, json};

fn schema(place: &Place, kind: &str) -> Json {
    serde_json::from_str(&place.succeed(&["schema", kind]).out).unwrap()
}

/// The keys of a table of the schema.
fn keys(table: &Json) -> Vec<&str> {
    table["properties"].as_object().unwrap().keys().map(String::as_str).collect()
}

/// Proves: no key that a reader takes is missing, and none takes anything whatever.
#[test]
fn every_key_has_a_schema() {
    let place = Place::new();
    let scenario = schema(&place, "scenario");
    for table in ["router", "links", "routing", "selection", "traffic", "injection", "congestion", "run"] {
        let refused = place.desvio(&["run", "small.toml", "--show", "--set", &format!("{table}.zzz=1")]);
        let (_, listed) = refused.err.split_once("expected one of ").unwrap();
        let line = listed.lines().next().unwrap();
        let mut expected: Vec<_> = line.split(", ").map(|key| key.trim_matches('`')).collect();
        expected.sort_unstable();
        let of_table = &scenario["properties"][table];
        assert_eq!(keys(of_table), expected, "[{table}]");
        for (key, shape) in of_table["properties"].as_object().unwrap() {
            let is_typed = ["type", "enum", "anyOf", "$ref"].iter().any(|word| !shape[word].is_null());
            assert!(is_typed, "{table}.{key}: {shape}");
        }
    }
    let kinds = scenario["properties"]["topology"]["oneOf"].as_array().unwrap();
    assert!(kinds.len() >= 23, "{}", kinds.len());
    for kind in kinds {
        let of_kind = kind["properties"].as_object().unwrap();
        let untyped: Vec<_> = of_kind.iter().filter(|(_, shape)| **shape == json!({})).collect();
        assert!(untyped.is_empty(), "{}: {untyped:?}", kind["properties"]["kind"]);
    }
}

/// Proves: ranges and words are those that the readers refuse by.
#[test]
fn ranges_and_words_are_those_of_the_readers() {
    let place = Place::new();
    let scenario = schema(&place, "scenario");
    let speedup = &scenario["properties"]["router"]["properties"]["speedup"];
    assert_eq!((&speedup["minimum"], &speedup["maximum"]), (&Json::from(1), &Json::from(8)));
    let algorithms = scenario["properties"]["routing"]["properties"]["algorithm"]["enum"].as_array().unwrap();
    assert!(
        ["olm", "odd-even", "table", "up-down"].iter().all(|word| algorithms.contains(&Json::from(*word)))
    );
    let pattern = scenario["properties"]["traffic"]["properties"]["pattern"].to_string();
    assert!(
        ["tornado", "hot-spot", "mixture", "switch-at"].iter().all(|word| pattern.contains(word)),
        "{pattern}"
    );
    let vcs = scenario["properties"]["router"]["properties"]["vcs"].to_string();
    assert!(["node", "local", "global", "level3"].iter().all(|class| vcs.contains(class)), "{vcs}");
}

mod slow {
    use super::{Place, schema};
    use serde_json::json;
    use std::io::Write;
    use std::path::{Path, PathBuf};
    use std::process::{Command, Stdio};

    /// Python's validator: files and texts in, one line for each that is refused.
    const VALIDATE: &str = "
import json, sys, tomllib
from jsonschema import Draft7Validator
schemas, cases = json.load(sys.stdin)
validators = {}
for kind, schema in schemas.items():
    Draft7Validator.check_schema(schema)
    validators[kind] = Draft7Validator(schema)
print(json.dumps([[error.message[:200] for error in validators[kind].iter_errors(tomllib.loads(text))] for kind, text in cases]))
";

    fn has_validator() -> bool {
        let mut command = Command::new("python3");
        command.args(["-c", "import tomllib, jsonschema"]).stderr(Stdio::null());
        let found = command.status().is_ok_and(|status| status.success());
        let required = std::env::var_os("DESVIO_REQUIRE_TOOLS").is_some_and(|value| value == "1");
        assert!(found || !required, "DESVIO_REQUIRE_TOOLS=1, but Python has no jsonschema");
        found
    }

    /// What is wrong with each case, of a kind and a text.
    fn validate(place: &Place, cases: &[(&str, String)]) -> Vec<Vec<String>> {
        let schemas = json!({ "scenario": schema(place, "scenario"), "campaign": schema(place, "campaign") });
        let mut command = Command::new("python3");
        let mut child =
            command.args(["-c", VALIDATE]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        input.write_all(json!([schemas, cases]).to_string().as_bytes()).unwrap();
        drop(input);
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success());
        serde_json::from_slice(&output.stdout).unwrap()
    }

    fn files(folder: &Path) -> Vec<PathBuf> {
        let mut found = Vec::new();
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                found.extend(files(&path));
            } else if path.extension().is_some_and(|extension| extension == "toml") {
                found.push(path);
            }
        }
        found
    }

    /// Proves: every scenario and every campaign of the repository fits its schema.
    #[test]
    fn files_of_the_repository_fit() {
        if !has_validator() {
            return;
        }
        let files = files(&super::super::examples());
        let text = |file: &PathBuf| std::fs::read_to_string(file).unwrap();
        let is_of = |text: &str, table: &str| text.lines().any(|line| line.starts_with(table));
        let kind = |text: &str| match text {
            text if is_of(text, "[topology]") => Some("scenario"),
            text if is_of(text, "base ") => Some("campaign"),
            _ => None,
        };
        let known: Vec<_> = files.iter().filter_map(|file| Some((file, kind(&text(file))?))).collect();
        assert!(known.len() > 50, "{}", known.len());
        let cases: Vec<_> = known.iter().map(|(file, kind)| (*kind, text(file))).collect();
        for ((file, _), errors) in known.iter().zip(validate(&Place::new(), &cases)) {
            assert_eq!(errors, [""; 0], "{}", file.display());
        }
    }

    /// What the readers refuse for one key is refused by the schema, too.
    const BAD: [&str; 16] = [
        "router.speedupp = 2",
        "router.speedup = 0",
        "router.speedup = 2.5",
        "router.speedup = \"two\"",
        "router.vcs = { node = 3, locl = 3 }",
        "router.vcs = { node = 9 }",
        "router.allocator = \"wavefrnt\"",
        "router.discards = 1",
        "routing.algorithm = \"odd-even\"",
        "selection.global_restriction = { facto = 1 }",
        "selection.trigger = \"occupency\"",
        "links.latency = 0",
        "links.down = [{ router = 0, port = 2 }]",
        "run.warmup_cycles = \"automatic\"",
        "run.seed = -1",
        "congestion.threshold = 16",
    ];
    /// Tables of several forms, lists of several lengths, and numbers that others bound.
    const GOOD: [&str; 7] = [
        "{ kind = \"random-folded-clos\", sizes = [12, 12, 6], up = [3, 2], nodes_per_router = 3 }",
        "{ kind = \"random-folded-clos\", radix = 8, leaves = 10, levels = 3 }",
        "{ kind = \"tree\", children = [2, 2, 0, 3] }",
        "{ kind = \"tree\", children = 3 }",
        "{ kind = \"xgft\", children = [2, 2, 4], parents = [1, 2, 2] }",
        "{ kind = \"ring\", routers = 72, chords = [8, 36] }",
        "{ kind = \"random-regular\", routers = 18, degree = 5, wiring_seed = 3 }",
    ];
    const BASE: &str = "topology = { kind = \"dragonfly\", p = 2, a = 4, h = 2 }\ntraffic.loads = [0.1]\n";

    #[test]
    fn wrong_keys_and_values_do_not_fit() {
        if !has_validator() {
            return;
        }
        let place = Place::new();
        let others = [
            ("scenario", BASE.replace("p = 2", "pp = 2")),
            ("scenario", BASE.replace("dragonfly", "mesh")),
            ("scenario", "topology = { kind = \"random-folded-clos\", radix = 8, sizes = [4, 4] }\ntraffic.loads = [0.1]\n".to_owned()),
            ("scenario", BASE.replace("[0.1]", "\"saturated\"")),
            ("scenario", BASE.replace("traffic.loads", "traffic.load")),
            ("scenario", format!("{BASE}rooting.algorithm = \"olm\"\n")),
            ("scenario", format!("{BASE}traffic.pattern = \"unifrom\"\n")),
            ("campaign", "[axes]\nload = [0.1]\n".to_owned()),
            ("campaign", "base = \"a.toml\"\n[axes]\nload = [2.5]\n".to_owned()),
            ("campaign", "base = \"a.toml\"\n[axes]\n\"router.speedup\" = [1, 9]\n".to_owned()),
        ];
        let forms =
            GOOD.map(|topology| ("scenario", format!("topology = {topology}\ntraffic.loads = [0.1]\n")));
        let bad = BAD.map(|line| ("scenario", format!("{BASE}{line}\n")));
        let good: Vec<_> = [("scenario", BASE.to_owned())].into_iter().chain(forms).collect();
        let fit = good.len();
        let cases: Vec<_> = good.into_iter().chain(bad).chain(others).collect();
        let answers = validate(&place, &cases);
        for ((_, text), errors) in cases.iter().zip(&answers).take(fit) {
            assert_eq!(*errors, [""; 0], "{text}");
            place.write("good.toml", text);
            place.succeed(&["run", "good.toml", "--show"]);
        }
        for ((kind, text), errors) in cases.iter().zip(&answers).skip(fit) {
            assert!(!errors.is_empty(), "{kind}: this fits\n{text}");
        }
        for line in BAD {
            place.write("bad.toml", format!("{BASE}{line}\n"));
            assert_eq!(place.desvio(&["run", "bad.toml", "--show"]).status, Some(2), "{line}");
        }
    }
}
