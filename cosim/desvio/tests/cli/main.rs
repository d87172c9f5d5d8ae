//! The command line as people and scripts meet it: the real binary, its files, its status.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod bad_input;
mod browser;
mod campaign;
mod clusters;
mod compare;
mod conform;
mod cost;
#[cfg(target_os = "linux")]
mod fabric;
mod foreign;
mod held;
mod help;
mod killed;
#[cfg(target_os = "linux")]
mod lifetimes;
mod link_credits;
mod lockstep;
mod named;
#[cfg(target_os = "linux")]
mod own;
mod page;
mod prepared;
mod processes;
mod prove;
mod report;
mod resumed;
mod run;
mod scenarios;
mod schema;
mod scripts;
mod step;
mod survey;
mod words;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

const DESVIO: &str = env!("CARGO_BIN_EXE_desvio");

/// The example scenarios of the repository.
fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios")
}

/// A network of four routers and two loads: a run takes milliseconds.
const SMALL: &str = r#"[topology]
kind = "mesh"
dims = [2, 2]

[traffic]
packet_flits = 4
loads = [0.1, 0.3]

[run]
warmup_cycles = 200
measure_cycles = 400
"#;

/// A folder to run the command in, with the examples in `scenarios` and [`SMALL`] in `small.toml`.
struct Place {
    dir: TempDir,
}

/// What a command printed, and how it ended.
#[derive(Debug)]
struct Ended {
    status: Option<i32>,
    out: String,
    err: String,
}

impl Place {
    fn new() -> Self {
        let place = Self { dir: tempfile::tempdir().unwrap() };
        fs::create_dir(place.path("scenarios")).unwrap();
        let files = fs::read_dir(examples()).unwrap().map(Result::unwrap);
        for file in files.filter(|file| file.path().is_file()) {
            fs::copy(file.path(), place.path("scenarios").join(file.file_name())).unwrap();
        }
        let campaign = Path::new("scenarios/campaign/grid.toml");
        fs::create_dir(place.path("scenarios/campaign")).unwrap();
        fs::copy(examples().join("campaign/grid.toml"), place.dir.path().join(campaign)).unwrap();
        place.write("small.toml", SMALL);
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.path(name), bytes).unwrap();
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    fn exists(&self, name: &str) -> bool {
        self.path(name).exists()
    }

    /// The rows of a CSV file without its header.
    fn rows(&self, name: &str) -> Vec<String> {
        self.read(name).lines().skip(1).map(str::to_owned).collect()
    }

    fn command(&self, program: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(self.dir.path()).stdin(Stdio::null());
        command
    }

    fn desvio(&self, arguments: &[&str]) -> Ended {
        end(self.command(DESVIO, arguments))
    }

    /// Runs what must succeed.
    #[track_caller]
    fn succeed(&self, arguments: &[&str]) -> Ended {
        let ended = self.desvio(arguments);
        assert_eq!(ended.status, Some(0), "{arguments:?}: {ended:#?}");
        ended
    }
}

fn end(mut command: Command) -> Ended {
    let output = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Ended { status: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}
