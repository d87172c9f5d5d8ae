//! The template of a switch of one's own: made into a crate as `cargo generate` does, built, and emulated.

use crate::step::{Failure, root};
use std::fs;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

/// Where it is.
const TEMPLATE: &str = "firmware/template";
/// The name of the crate.
const NAME: &str = "my-switch";

/// Makes a crate of it and runs that, as its README says.
pub(super) fn run() -> Result<(), Failure> {
    let place = root().join("target/template");
    let made = place.join(NAME);
    let failed = |error: io::Error| Failure::new(format!("{}: {error}", made.display()));
    if made.exists() {
        fs::remove_dir_all(&made).map_err(failed)?;
    }
    fill(&root().join(TEMPLATE), &made).map_err(failed)?;
    // With the versions that the boards are built with.
    fs::copy(root().join("firmware/Cargo.lock"), made.join("Cargo.lock")).map_err(failed)?;
    eprintln!("── {TEMPLATE}");
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(["run", "--quiet", "--release"]).current_dir(&made).stdin(Stdio::null());
    command.env_remove("RUSTFLAGS").env("CARGO_TARGET_DIR", place.join("target"));
    let output = command.stderr(Stdio::inherit()).output().map_err(failed)?;
    let said = String::from_utf8_lossy(&output.stdout);
    print!("{said}");
    // A title and a row for each port.
    if output.status.success() && said.lines().count() == 6 {
        Ok(())
    } else {
        Err(Failure::new(format!("the switch of {TEMPLATE} failed ({})", output.status)))
    }
}

/// Copies a folder, its placeholders filled.
fn fill(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let copy = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            fill(&entry.path(), &copy)?;
        } else {
            let text = fs::read_to_string(entry.path())?;
            let text = text.replace("{{project-name}}", NAME);
            fs::write(copy, text.replace("{{desvio}}", &root().display().to_string()))?;
        }
    }
    Ok(())
}
