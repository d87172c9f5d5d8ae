//! The profile that guides the compiler: which ways the program takes in runs as people have them.

use crate::step::{Failure, cargo, root};
use crate::web::target;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Runs of a few seconds each: the scenario, and what is set in it. Networks of all kinds, packets long and short, loads low and high.
const RUNS: [(&str, &[&str]); 6] = [
    ("dragonfly.toml", &["traffic.loads=[0.1, 0.5]"]),
    ("dragonfly-adversarial.toml", &["traffic.loads=[0.3]"]),
    (
        "peers/caminos-dragonfly.toml",
        &["traffic.loads=[0.5]", "run.warmup_cycles=200", "run.measure_cycles=400"],
    ),
    ("peers/caminos-torus.toml", &["traffic.loads=[0.1, 0.3]"]),
    ("peers/caminos-torus.toml", &["traffic.loads=[0.3]", "traffic.packet_flits=1", "router.vcs=4"]),
    ("fat-tree.toml", &["traffic.loads=[0.5]"]),
];

/// Cycles of a run of which the scenario above says nothing.
const CYCLES: [&str; 2] = ["run.warmup_cycles=500", "run.measure_cycles=2000"];

/// Builds the program with counters, runs it, and returns the file of what they have counted. `build` are Cargo's arguments, `program` is
/// where its program comes to lie.
pub(super) fn profile(
    build: &[&str],
    environment: &[(&str, &str)],
    program: &Path,
) -> Result<PathBuf, Failure> {
    let folder = target().join("dist/profile");
    let failed = |error: std::io::Error| Failure::new(format!("{}: {error}", folder.display()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).map_err(failed)?;
    let merge = tool()?;
    let flags = flags(&format!("-Cprofile-generate={}", folder.display()));
    cargo(build, &[environment, &[("RUSTFLAGS", &flags)]].concat())?;
    for (scenario, sets) in RUNS {
        eprintln!("── counting: {scenario}, {}", sets.join(", "));
        let mut command = Command::new(program);
        command.arg("run").arg(root().join("scenarios").join(scenario)).args(["--again", "--threads", "1"]);
        command.arg("--out").arg(folder.join("results"));
        for set in CYCLES.iter().chain(sets) {
            command.args(["--set", set]);
        }
        let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status().map_err(failed)?;
        if !status.success() {
            return Err(Failure::new(format!("the program with counters failed on {scenario} ({status})")));
        }
    }
    let counted = folder.join("counted.profdata");
    let files = fs::read_dir(&folder).map_err(failed)?.flatten().map(|entry| entry.path());
    let files = files.filter(|file| file.extension().is_some_and(|extension| extension == "profraw"));
    let merged =
        Command::new(&merge).arg("merge").arg("-o").arg(&counted).args(files).status().map_err(failed)?;
    if merged.success() {
        Ok(counted)
    } else {
        Err(Failure::new(format!("{} failed ({merged})", merge.display())))
    }
}

/// The compiler's flags of now, and one more.
pub(super) fn flags(more: &str) -> String {
    let now = std::env::var("RUSTFLAGS").unwrap_or_default();
    format!("{now} {more}").trim_start().to_owned()
}

/// The program that merges what several runs have counted: a component of the compiler's distribution.
fn tool() -> Result<PathBuf, Failure> {
    let find = || {
        let output = Command::new("rustc").args(["--print", "target-libdir"]).current_dir(root()).output();
        let library = String::from_utf8_lossy(&output.ok()?.stdout).trim().to_owned();
        let tool = Path::new(&library).parent()?.join("bin/llvm-profdata");
        tool.exists().then_some(tool)
    };
    let missing = || Failure::new("no llvm-profdata: `rustup component add llvm-tools` failed".to_owned());
    find().map_or_else(
        || {
            eprintln!("\n── rustup component add llvm-tools");
            let _ =
                Command::new("rustup").args(["component", "add", "llvm-tools"]).current_dir(root()).status();
            find().ok_or_else(missing)
        },
        Ok,
    )
}
