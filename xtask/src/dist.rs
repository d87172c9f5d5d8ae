//! `cargo xtask dist`: the command as one static file, packed with its licences, and tried where nothing else is.

mod alone;
pub(crate) mod profile;

use crate::step::{Failure, cargo, root};
use crate::web::{self, provide_target, target};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The machine that it is for.
    #[arg(long, default_value_t = host())]
    target: String,
    /// The profile of Cargo that it is built by.
    #[arg(long, default_value = "dist")]
    profile: String,
    /// Build once, without a profile of runs: in half of the time.
    #[arg(long)]
    unguided: bool,
}

/// Static on this machine's processor.
fn host() -> String {
    format!("{}-unknown-linux-musl", std::env::consts::ARCH)
}

/// What is in the packed file beside the program and the licences of its dependencies.
const BESIDE: [&str; 5] =
    ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE", "cosim/desvio/THIRD-PARTY.md"];

/// Builds, packs and tries the program; the packed file is in `target/dist`, beside its checksum.
pub(crate) fn dist(arguments: &Arguments) -> Result<(), Failure> {
    let Arguments { target: machine, profile, unguided } = arguments;
    let page = web::web()?;
    provide_target(machine)?;
    let page = page.display().to_string();
    let build = [
        "build",
        "--package",
        "desvio",
        "--bin",
        "desvio",
        "--locked",
        "--profile",
        profile,
        "--target",
        machine,
    ];
    let environment = [("DESVIO_PAGE", page.as_str())];
    let folder = if profile == "dev" { "debug" } else { profile.as_str() };
    let program = target().join(machine).join(folder).join("desvio");
    // A program for another processor cannot be run here, and one that is not optimised learns nothing.
    if *unguided || *machine != host() || profile == "dev" {
        cargo(&build, &environment)?;
    } else {
        let counted = profile::profile(&build, &environment, &program)?;
        let flags = profile::flags(&format!("-Cprofile-use={}", counted.display()));
        cargo(&build, &[&environment[..], &[("RUSTFLAGS", &flags)]].concat())?;
    }
    let packed = pack(&program, machine)?;
    if *machine == host() { alone::try_out(&packed) } else { Ok(()) }
}

/// `desvio-VERSION-TARGET.tar.gz` and its checksum; where the first is.
fn pack(program: &Path, machine: &str) -> Result<PathBuf, Failure> {
    let name = format!("desvio-{}-{machine}", env!("CARGO_PKG_VERSION"));
    let (out, folder) = (target().join("dist"), target().join("dist").join(&name));
    let failed = |error: std::io::Error| Failure::new(format!("{}: {error}", folder.display()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).map_err(failed)?;
    fs::copy(program, folder.join("desvio")).map_err(failed)?;
    for file in BESIDE {
        fs::copy(root().join(file), folder.join(Path::new(file).file_name().unwrap_or_default()))
            .map_err(failed)?;
    }
    fs::write(folder.join("LICENSES-OF-DEPENDENCIES.txt"), licences(machine)?).map_err(failed)?;
    let file = format!("{name}.tar.gz");
    // Equal contents make equal files, whoever packs them and when.
    let tar = ["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--mtime=@0", "--mode=go=rX,u+rw"];
    say(&out, "tar", &[&tar[..], &["-czf", &file, &name]].concat())?;
    let sum = say(&out, "sha256sum", &[&file])?;
    fs::write(out.join(format!("{file}.sha256")), &sum).map_err(failed)?;
    let size = fs::metadata(out.join(&file)).map_err(failed)?.len();
    eprintln!(
        "{}: {size} bytes, sha256 {}",
        out.join(&file).display(),
        sum.split(' ').next().unwrap_or_default()
    );
    Ok(out.join(file))
}

/// Runs a program in a folder; what it prints.
fn say(folder: &Path, program: &str, arguments: &[&str]) -> Result<String, Failure> {
    let output = Command::new(program).args(arguments).current_dir(folder).stderr(Stdio::inherit()).output();
    match output {
        Ok(output) if output.status.success() => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        Ok(output) => {
            Err(Failure::new(format!("`{program} {}` failed ({})", arguments.join(" "), output.status)))
        }
        Err(error) => Err(Failure::new(format!("`{program}` could not be started: {error}"))),
    }
}

/// The licences of every package that is in the program, by what its authors have put beside their sources.
fn licences(machine: &str) -> Result<String, Failure> {
    let tree = [
        "tree",
        "--package",
        "desvio",
        "--edges",
        "normal",
        "--prefix",
        "none",
        "--format",
        "{p}",
        "--target",
        machine,
    ];
    let tree = say(&root(), "cargo", &tree)?;
    let metadata = say(
        &root(),
        "cargo",
        &["metadata", "--format-version", "1", "--locked", "--filter-platform", machine],
    )?;
    let metadata: Json =
        serde_json::from_str(&metadata).map_err(|error| Failure::new(format!("cargo metadata: {error}")))?;
    let mut packages = BTreeMap::new();
    for package in metadata["packages"].as_array().into_iter().flatten().filter(|of| !of["source"].is_null())
    {
        let text = |key: &str| package[key].as_str().unwrap_or_default();
        let name = format!("{} v{}", text("name"), text("version"));
        packages.insert(name, (text("license").to_owned(), PathBuf::from(text("manifest_path"))));
    }
    let mut all =
        "Desvio is licensed as LICENSE-MIT or LICENSE-APACHE say. The program holds these packages:\n"
            .to_owned();
    let mut names: Vec<_> =
        tree.lines().map(|line| line.trim_end_matches(" (*)").trim_end_matches(" (proc-macro)")).collect();
    names.sort_unstable();
    names.dedup();
    for (name, (licence, manifest)) in names.iter().filter_map(|name| packages.get_key_value(*name)) {
        let _ = write!(all, "\n{}\n{name}: {licence}\n", "=".repeat(80));
        for text in texts(manifest.parent().unwrap_or(Path::new(""))) {
            let _ = write!(all, "{}\n{}\n", "-".repeat(80), text.trim_end());
        }
    }
    Ok(all)
}

/// The files of licences and notices in a folder, by name.
fn texts(folder: &Path) -> Vec<String> {
    let is_licence = |name: &str| {
        ["LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE"].iter().any(|of| name.starts_with(of))
    };
    let mut files: Vec<_> =
        fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    files.retain(|file| {
        file.file_name().is_some_and(|name| is_licence(&name.to_string_lossy().to_uppercase()))
    });
    files.sort();
    files.iter().filter_map(|file| fs::read_to_string(file).ok()).collect()
}
