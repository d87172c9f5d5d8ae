//! A mesh of nine emulated boards: nothing is lost without a name, and what is wrong on purpose is found.

#![allow(clippy::unwrap_used)]

use desvio_tests::draw::third;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Runs `cargo xtask mesh`: by the xtask that runs these tests, if one does. Nothing is installed.
fn mesh(arguments: &[&str]) -> Output {
    let mut command = match std::env::var_os("DESVIO_XTASK") {
        Some(xtask) => Command::new(xtask),
        None => {
            let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
            cargo.args(["run", "--quiet", "--package", "xtask", "--"]);
            cargo
        }
    };
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    command.args(["--no-install", "mesh"]).args(arguments).current_dir(root).stdin(Stdio::null());
    command.output().unwrap()
}

/// Whether the emulator is there; with `DESVIO_REQUIRE_TOOLS=1` its absence is a failure.
fn has_emulator() -> bool {
    let asked = Command::new("qemu-system-arm").arg("--version").stdout(Stdio::null()).status();
    let required = std::env::var_os("DESVIO_REQUIRE_TOOLS").is_some_and(|value| value == "1");
    assert!(asked.is_ok() || !required, "DESVIO_REQUIRE_TOOLS=1, but there is no qemu-system-arm");
    if asked.is_err() {
        eprintln!("skipped: there is no qemu-system-arm");
    }
    asked.is_ok()
}

/// 10,000 packets, 1 % of frames damaged, a cable cut and mended, two boards restarted; then packets of which one is changed.
#[test]
fn nine_boards_lose_no_packet_without_its_name() {
    if !third("nine emulated boards") || !has_emulator() {
        return;
    }
    let passed = mesh(&[]);
    let (said, complained) =
        (String::from_utf8_lossy(&passed.stdout), String::from_utf8_lossy(&passed.stderr));
    println!("{said}");
    assert!(passed.status.success(), "{said}{complained}");
    assert!(said.contains("10000 packets, asked for 10000"), "{said}");
    for event in ["is cut", "is mended", "loses its power", "has its power back"] {
        assert!(said.contains(event), "{said}");
    }
    let planted =
        mesh(&["--packets", "1500", "--restarts", "0", "--cuts", "0", "--plant", "flip", "--patience", "10"]);
    let said = String::from_utf8_lossy(&planted.stdout);
    assert_eq!(planted.status.code(), Some(1), "{said}");
    assert!(said.contains("with wrong bytes"), "{said}");
}
