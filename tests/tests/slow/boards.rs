//! Boards that can be bought: each is built and within its budget, and those that are emulated talk.

#![allow(clippy::unwrap_used)]

use desvio_tests::draw::third;
use std::path::Path;
use std::process::{Command, Stdio};

/// Whether a program is there; with `DESVIO_REQUIRE_TOOLS=1` its absence is a failure.
fn has(program: &str) -> bool {
    let asked = Command::new(program).arg("--version").stdout(Stdio::null()).status();
    let required = std::env::var_os("DESVIO_REQUIRE_TOOLS").is_some_and(|value| value == "1");
    assert!(asked.is_ok() || !required, "DESVIO_REQUIRE_TOOLS=1, but there is no {program}");
    if asked.is_err() {
        eprintln!("skipped: there is no {program}");
    }
    asked.is_ok()
}

/// Runs `cargo xtask boards`: by the xtask that runs these tests, if one does.
#[test]
fn boards_are_built_and_two_of_a_kind_talk() {
    if !third("boards that can be bought") {
        return;
    }
    if !["qemu-system-arm", "node", "npm"].iter().all(|program| has(program)) {
        return;
    }
    let mut command = match std::env::var_os("DESVIO_XTASK") {
        Some(xtask) => Command::new(xtask),
        None => {
            let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
            cargo.args(["run", "--quiet", "--package", "xtask", "--"]);
            cargo
        }
    };
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let output = command.arg("boards").current_dir(root).stdin(Stdio::null()).output().unwrap();
    let (said, complained) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    println!("{said}");
    assert!(output.status.success(), "{said}{complained}");
    for board in ["stm32f405", "nrf52840", "rp2040", "esp32c3"] {
        assert!(
            said.lines().any(|line| line.starts_with(board) && line.contains("-none-")),
            "{board}: {said}"
        );
    }
    assert_eq!(said.matches("each came whole, once and in order").count(), 2, "{said}");
}
