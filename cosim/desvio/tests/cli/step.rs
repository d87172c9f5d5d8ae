//! `desvio step`: a router for another program, a line of JSON for each request.

use super::help::help;
use super::{DESVIO, Place};
use serde_json::{Value, json};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The answers to requests, the greeting first, and the status.
fn ask(arguments: &[&str], requests: &[Value]) -> (Vec<Value>, Option<i32>) {
    let mut command = Command::new(DESVIO);
    command.arg("step").args(arguments).current_dir(root()).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::null()).spawn().unwrap();
    let text: String = requests.iter().map(|request| format!("{request}\n")).collect();
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let lines = String::from_utf8(output.stdout).unwrap();
    (lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect(), output.status.code())
}

const PETERSEN: [&str; 3] =
    ["examples/foreign-switch/petersen.toml", "--map", "examples/foreign-switch/map.toml"];

/// Each example greets, and ends with its input.
#[test]
fn the_examples_of_step_run() {
    let help = help(&Place::new(), "step");
    let (_, after) = help.split_once("Examples:\n").unwrap();
    let joined = after.replace("\\\n", " ");
    let examples: Vec<_> = joined.lines().take_while(|line| line.starts_with("  ")).collect();
    assert_eq!(examples.len(), 3, "{help}");
    for example in examples {
        let words: Vec<_> = example.split_whitespace().collect();
        assert_eq!(words[..2], ["desvio", "step"]);
        let (answers, status) = ask(&words[2..], &[]);
        assert!(status == Some(0) && answers.len() == 1, "{example}: {answers:?}");
    }
}

#[test]
fn a_request_that_cannot_be_met_is_answered() {
    let (answers, status) = ask(
        &["scenarios/mesh.toml"],
        &[
            json!({ "step": { "99": {} } }),
            json!(7),
            json!({ "packet": { "from": 0 } }),
            json!({ "step": {} }),
        ],
    );
    assert_eq!(status, Some(0));
    let errors: Vec<_> = answers.iter().filter_map(|answer| answer["error"].as_str()).collect();
    assert_eq!(errors.len(), 3, "{answers:?}");
    assert!(errors[0].starts_with("there is no port 99, only 0 to "), "{errors:?}");
    assert_eq!(answers[4], json!({ "ports": {} }), "the model goes on");
}

#[test]
fn a_router_that_is_not_there_is_refused() {
    let place = Place::new();
    for (arguments, message) in [
        (
            &["step", "scenarios/mesh.toml", "--router", "64"][..],
            "error: there is no router 64, only 0 to 63",
        ),
        (&["step", "-"], "error: standard input has the requests: expected a file"),
    ] {
        let ended = place.desvio(arguments);
        assert!(ended.status == Some(2) && ended.err.starts_with(message), "{ended:?}");
    }
}

/// A word comes out that never went in.
#[test]
fn a_broken_rule_is_named_and_ends_with_status_1() {
    let widths = json!({ "widths": [1, 5, 180, 10, 5, 180, 10] });
    let idle = json!({ "see": ["0x0", "0x0", "0x0", "0x0", "0x0", "0x0", "0x0"] });
    let word = json!({ "see": ["0x0", "0x0", "0x0", "0x0", "0x1", "0xc00000000", "0x0"] });
    let (answers, status) = ask(&PETERSEN, &[widths.clone(), idle.clone(), word, idle.clone()]);
    assert_eq!(answers[2], json!({ "is_even": true, "still": 1 }));
    assert_eq!(answers[3]["broken"]["rule"], "FLIT-INVENTED");
    assert_eq!(answers[4]["error"], "the check has ended: FLIT-INVENTED broken");
    assert_eq!(status, Some(1));
    let wide = json!({ "widths": [1, 5, 181, 10, 5, 180, 10] });
    let (answers, status) = ask(&PETERSEN, &[wide, idle]);
    assert_eq!((answers.len(), status), (1, Some(2)), "181 bits do not divide among five ports");
}
