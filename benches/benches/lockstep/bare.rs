//! The Verilated router alone, driven from `lockstep/bare.cpp`.

use super::stimulus::{Recording, Sum, WORDS};
use desvio_lockstep::rtl::{Configuration, Shape, Sources};
use desvio_lockstep::settings::Settings;
use desvio_sim::blueprint::Blueprint;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The compiled program, and the stimulus it is run with.
#[derive(Debug)]
pub(crate) struct Bare {
    program: PathBuf,
    stimulus: PathBuf,
}

/// What it is compiled from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Files<'a> {
    /// The RTL.
    pub(crate) sources: &'a Sources,
    /// Whether its assertions are tapped.
    pub(crate) assertions: bool,
}

/// One run of it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BareRun {
    /// The time of all cycles, reading the file not included.
    pub(crate) nanoseconds: u64,
    /// What it drove.
    pub(crate) sum: Sum,
}

impl Bare {
    /// Verilates and compiles the router of a shape as a program in `folder`, where the recording has been written, with
    /// the files and options of `flags`.
    ///
    /// # Panics
    /// When something does not work: this is a benchmark.
    pub(crate) fn build(
        folder: &Path,
        files: Files<'_>,
        blueprint: &Blueprint,
        shape: &Shape,
        recording: &Recording,
    ) -> Self {
        let configuration = Configuration::of(blueprint, shape, 0).expect("the router was built before");
        let settings = Settings::default();
        let mut text = String::new();
        for (name, _, value) in
            configuration.inputs(&settings).iter().chain(&configuration.thresholds(&settings, 0))
        {
            let _ = writeln!(text, "  top.{name} = {value}ull;");
        }
        for (row, ports) in configuration.rows(&settings).iter().enumerate() {
            let _ = writeln!(
                text,
                "  top.table_write = 1; top.table_row = {row}; top.table_ports = {ports}ull; clock(top);"
            );
        }
        text.push_str("  top.table_write = 0;\n");
        fs::write(folder.join("configuration.h"), text).expect("the folder can be written");
        let binary = folder.join(if files.assertions { "bare-assertions" } else { "bare" });
        let is_check = |file: &PathBuf| file.parent().is_some_and(|folder| folder.ends_with("check"));
        let sources = files.sources.files(false).filter(|file| files.assertions || !is_check(file));
        let parameters = shape.parameters.iter().map(|(name, value)| format!("-G{name}={value}"));
        let main = Path::new(env!("CARGO_MANIFEST_DIR")).join("lockstep/bare.cpp");
        let built = Command::new("verilator")
            .args(["--cc", "--exe", "--build", "-O3", "--top-module", "dsv_router", "-Mdir"])
            .arg(&binary)
            .args(files.assertions.then_some("--assert"))
            .args([
                "-CFLAGS",
                &format!(
                    "-O2 -DWORDS={} -DFLIT_WORDS={} -DVC_BITS={} -I{}",
                    recording.words(),
                    WORDS,
                    shape.vc_bits(),
                    folder.display()
                ),
            ])
            .args(["-MAKEFLAGS", "OPT_FAST=-O2"])
            .args(parameters)
            .arg(format!("-I{}", files.sources.include().display()))
            .args(sources)
            .arg(main)
            .output()
            .expect("verilator runs");
        assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
        Self { program: binary.join("Vdsv_router"), stimulus: folder.join("stimulus.bin") }
    }

    /// Runs the stimulus once.
    ///
    /// # Panics
    /// When it prints something else than four numbers.
    pub(crate) fn run(&self) -> BareRun {
        let output = Command::new(&self.program).arg(&self.stimulus).output().expect("the program runs");
        let text = String::from_utf8_lossy(&output.stdout);
        let numbers: Vec<u64> = text.split_whitespace().filter_map(|number| number.parse().ok()).collect();
        let [nanoseconds, _cycles, flits, checksum] = numbers[..] else {
            panic!("the bare model says {text:?}")
        };
        BareRun { nanoseconds, sum: Sum { flits, checksum } }
    }
}
