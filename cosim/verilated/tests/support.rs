//! What every test needs: Verilator or a printed skip, a file of Verilog, a cache that outlives the run.

use std::{
    env, fs,
    hash::{DefaultHasher, Hash, Hasher},
    path::{Path, PathBuf},
    process::Command,
};

use desvio_verilated::{Design, Run};
use tempfile::TempDir;

/// Whether Verilator can be run. Prints the skip; with `DESVIO_REQUIRE_TOOLS=1` its absence is a failure.
pub(crate) fn verilator_is_here() -> bool {
    let command = env::var("VERILATOR").unwrap_or_else(|_| "verilator".to_owned());
    let here = Command::new(&command).arg("--version").output().is_ok_and(|output| output.status.success());
    if !here {
        let required = env::var("DESVIO_REQUIRE_TOOLS").is_ok_and(|value| value == "1");
        assert!(!required, "DESVIO_REQUIRE_TOOLS=1, but `{command}` cannot be run");
        eprintln!("skipped: `{command}` cannot be run");
    }
    here
}

/// A folder of its own for one test, gone afterwards.
pub(crate) struct Bench {
    folder: TempDir,
}

impl Bench {
    pub(crate) fn new() -> Self {
        Self { folder: TempDir::new().unwrap() }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.folder.path().join(name);
        fs::write(&path, text).unwrap();
        path
    }
}

/// A cache of its own for a child process, with only what no design changes taken from the usual one.
#[cfg(unix)]
pub(crate) fn own_cache(bench: &Bench) -> PathBuf {
    design("counter", COUNTER).build().unwrap();
    let own = bench.path().join("cache");
    fs::create_dir(&own).unwrap();
    for entry in fs::read_dir(usual_cache()).unwrap().map(Result::unwrap) {
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.path().is_dir() && ["runtime-", "prelude-"].iter().any(|shared| name.starts_with(shared)) {
            std::os::unix::fs::symlink(entry.path(), own.join(entry.file_name())).unwrap();
        }
    }
    own
}

/// Where a design is kept that names no cache.
fn usual_cache() -> PathBuf {
    let set = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let users = || set("XDG_CACHE_HOME").or_else(|| Some(set("HOME")?.join(".cache")));
    set("VERILATED_CACHE").or_else(|| Some(users()?.join("verilated"))).unwrap()
}

/// A design of one file. Its path follows from its text, so the next run of the tests finds it in the cache.
pub(crate) fn design(top: &str, text: &str) -> Design {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    let folder = scratch().join(format!("{top}-{:016x}", hasher.finish()));
    let path = folder.join(format!("{top}.sv"));
    if fs::read_to_string(&path).ok().as_deref() != Some(text) {
        fs::create_dir_all(&folder).unwrap();
        let draft = tempfile::NamedTempFile::new_in(&folder).unwrap();
        fs::write(draft.path(), text).unwrap();
        draft.persist(&path).unwrap();
    }
    Design::new(top).source(path).cache(cache()).run(Run::Short)
}

fn scratch() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR"))
}

/// Of the designs of all tests.
pub(crate) fn cache() -> PathBuf {
    scratch().join("cache")
}

/// Returns from the test when there is no Verilator.
macro_rules! need_verilator {
    () => {
        if !crate::support::verilator_is_here() {
            return;
        }
    };
}
pub(crate) use need_verilator;

pub(crate) const COUNTER: &str = "
module counter #(parameter int WIDTH = 8, parameter int STEP = 1) (
    input  logic             clk,
    input  logic             reset,
    input  logic             enable,
    output logic [WIDTH-1:0] count
);
    always_ff @(posedge clk) begin
        if (reset) count <= '0;
        else if (enable) count <= count + WIDTH'(STEP);
    end
endmodule
";
