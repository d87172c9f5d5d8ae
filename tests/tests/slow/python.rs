//! The wheel of the command, and what `examples/` does with it from Python.

#![allow(clippy::unwrap_used)]

use desvio_tests::draw::third;
use std::path::Path;
use std::process::{Command, Stdio};

/// The wheel is built, installed into an empty environment and tested there. A notebook runs, and a cocotb bench finds a planted defect.
#[test]
fn the_wheel_and_the_examples_of_python_work() {
    if !third("the wheel and the examples of Python") {
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
    command.args(["--no-install", "wheel", "--quick", "--examples"]).current_dir(root).stdin(Stdio::null());
    let output = command.output().unwrap();
    let told = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{}{}", told(&output.stdout), told(&output.stderr));
}
