//! A Rust that builds for microcontrollers: rustup's targets where they are installed, else Debian's packages, whose
//! sources make the core library of each target once.

use super::board::{BOARDS, Board};
use super::folder;
use crate::step::Failure;
use crate::tools::{self, Tool};
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Debian's Rust with its sources.
const DEBIAN: [Tool; 3] = [
    Tool::file("/usr/bin/rustc", "rustc-web"),
    Tool::file("/usr/bin/cargo", "cargo-web"),
    Tool::file("/usr/share/doc/rust-web-src", "rust-web-src"),
];

/// The crate whose dependencies are the core library.
const SEED: &str = r#"[package]
name = "seed"
version = "0.0.0"
edition = "2024"

# As the firmware: `memcpy` and its kin take a kilobyte less.
[profile.release]
opt-level = "s"
codegen-units = 1
panic = "abort"
"#;

/// A cargo, and the rustc that it calls.
#[derive(Debug)]
pub(super) struct Toolchain {
    cargo: PathBuf,
    /// None: what rustup has in use.
    rustc: Option<PathBuf>,
}

impl Toolchain {
    /// Finds one that knows the targets of all boards, or makes one that knows those of these. What is measured with one compiler is not what
    /// another one gives: which is taken does not depend on the boards that are built for.
    pub(super) fn provide(boards: &[Board]) -> Result<Self, Failure> {
        if has_targets(&targets(&BOARDS)) { Ok(Self::in_use()) } else { Self::made(boards) }
    }

    /// One that knows the targets of these boards, where nothing is measured.
    pub(super) fn to_run(boards: &[Board]) -> Result<Self, Failure> {
        if has_targets(&targets(boards)) { Ok(Self::in_use()) } else { Self::made(boards) }
    }

    fn in_use() -> Self {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        Self { cargo: cargo.into(), rustc: None }
    }

    fn made(boards: &[Board]) -> Result<Self, Failure> {
        tools::provide(&DEBIAN).map_err(|failure| {
            Failure::new(format!("{failure} Elsewhere: rustup target add {}", targets(boards).join(" ")))
        })?;
        let made = Made::read()?;
        let place = cache().join("embedded");
        let is_there = boards.iter().all(|board| libraries(&place, board.target).is_dir());
        if !is_there || fs::read_to_string(place.join("stamp")).ok().as_deref() != Some(&made.stamp()) {
            eprintln!("\n── building the core library for {}, once", targets(boards).join(", "));
            let failed = |error: io::Error| Failure::new(format!("{}: {error}", place.display()));
            made.build(&place, boards).map_err(failed)?;
            // Cargo does not see that what it built before is for another core library.
            let built = folder().join("../target/firmware");
            if built.exists() {
                fs::remove_dir_all(built).map_err(failed)?;
            }
        }
        Ok(Self { cargo: place.join("bin/cargo"), rustc: Some(place.join("bin/rustc")) })
    }

    fn cargo(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.cargo);
        command.args(arguments).current_dir(folder());
        // What is run and weighed here needs none, and linking takes half as long.
        command.env("CARGO_PROFILE_RELEASE_DEBUG", "false");
        // Those of the workspace would replace the boards' own.
        command.env_remove("RUSTFLAGS");
        // What is run and weighed is looked for where `firmware/.cargo/config.toml` has it built.
        command.env_remove("CARGO_TARGET_DIR");
        if let Some(rustc) = &self.rustc {
            // Not what the outer cargo has set for itself.
            command.env_remove("RUSTUP_TOOLCHAIN").env("RUSTC", rustc);
        }
        command.stdin(Stdio::null());
        command
    }

    /// Builds some binaries.
    pub(super) fn build(&self, board: &Board, binaries: &[&str], features: Features) -> Result<(), Failure> {
        succeed(self.cargo(&build(board, binaries, features)))
    }

    /// The binary with the planted panic must not link.
    pub(super) fn must_not_link(&self, board: &Board) -> Result<(), Failure> {
        let mut command = self.cargo(&build(board, &["planted"], Features::More("planted")));
        let output = command.output().map_err(|error| not_started(&command, &error))?;
        let said = String::from_utf8_lossy(&output.stderr);
        match said.lines().find(|line| line.contains("panicking branch")) {
            Some(line) if !output.status.success() => {
                eprintln!("a planted panic is found: {}", line.trim());
                Ok(())
            }
            _ => Err(Failure::new(format!("the planted panic went unnoticed on {}:\n{said}", board.target))),
        }
    }
}

/// Features of the binaries of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Features {
    /// The core as small as it gets.
    Small,
    /// And another one.
    More(&'static str),
    /// The whole core.
    Whole,
}

fn build<'a>(board: &'a Board, binaries: &[&'a str], features: Features) -> Vec<&'a str> {
    let mut arguments = vec!["build", "--quiet", "--locked", "--release", "--package", "desvio-board"];
    arguments.extend(["--target", board.target]);
    arguments.extend(binaries.iter().flat_map(|binary| ["--bin", binary]));
    match features {
        Features::Small => {}
        Features::More(feature) => arguments.extend(["--features", feature]),
        Features::Whole => arguments.extend(["--no-default-features", "--features", "whole"]),
    }
    arguments
}

fn targets(boards: &[Board]) -> Vec<&'static str> {
    boards.iter().map(|board| board.target).collect()
}

/// Where a toolchain has what is compiled for a target.
fn libraries(toolchain: &Path, target: &str) -> PathBuf {
    toolchain.join("lib/rustlib").join(target).join("lib")
}

/// Whether the Rust in use has the core library of each of these targets.
pub(crate) fn has_targets(targets: &[&str]) -> bool {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let Ok(output) = Command::new(rustc).args(["--print", "sysroot"]).output() else { return false };
    let sysroot = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
    targets.iter().all(|target| libraries(&sysroot, target).is_dir())
}

/// Where things are kept that take minutes to make.
fn cache() -> PathBuf {
    let home = || std::env::var_os("HOME").map(|home| Path::new(&home).join(".cache"));
    std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from).or_else(home).unwrap_or_default().join("desvio")
}

/// What a toolchain is made from.
struct Made {
    version: String,
    host: String,
    llvm: String,
    /// `lib/rustlib` of Debian's Rust.
    library: PathBuf,
}

impl Made {
    fn read() -> Result<Self, Failure> {
        let ask = |arguments: &[&str]| {
            let output = Command::new("/usr/bin/rustc").args(arguments).output();
            let output = output.map_err(|error| Failure::new(format!("rustc: {error}")))?;
            Ok(String::from_utf8_lossy(&output.stdout).into_owned())
        };
        let version = ask(&["-vV"])?;
        let field = |name: &str| {
            let line = version.lines().find_map(|line| line.strip_prefix(name));
            line.map(str::to_owned).ok_or_else(|| Failure::new(format!("rustc -vV says no {name}")))
        };
        let (host, llvm) = (field("host: ")?, field("LLVM version: ")?);
        let llvm = llvm.split('.').next().unwrap_or_default().to_owned();
        let linker = format!("/usr/bin/lld-{llvm}");
        tools::provide(&[Tool::file(&linker, &format!("lld-{llvm}"))])?;
        let library = Path::new(ask(&["--print", "sysroot"])?.trim()).join("lib/rustlib");
        Ok(Self { version, host, llvm, library })
    }

    /// All that decides what is built.
    fn stamp(&self) -> String {
        format!("{}{SEED}", self.version)
    }

    /// A folder that rustup and cargo take for a toolchain.
    fn build(&self, place: &Path, boards: &[Board]) -> io::Result<()> {
        if place.exists() {
            fs::remove_dir_all(place)?;
        }
        let own = place.join("lib/rustlib").join(&self.host);
        fs::create_dir_all(own.join("bin"))?;
        fs::create_dir_all(place.join("bin"))?;
        symlink(self.library.join(&self.host).join("lib"), own.join("lib"))?;
        symlink(self.library.join("src"), place.join("lib/rustlib/src"))?;
        symlink(format!("/usr/bin/lld-{}", self.llvm), own.join("bin/rust-lld"))?;
        symlink("/usr/bin/cargo", place.join("bin/cargo"))?;
        for tool in ["rustc", "rustdoc"] {
            let script = format!("#!/bin/sh\nexec /usr/bin/{tool} --sysroot '{}' \"$@\"\n", place.display());
            let path = place.join("bin").join(tool);
            fs::write(&path, script)?;
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755))?;
        }
        self.core(place, boards)?;
        // Written last: without it, all this is made again.
        fs::write(place.join("stamp"), self.stamp())
    }

    /// The core library for the boards, from sources that are packaged with the compiler: no network is used.
    fn core(&self, place: &Path, boards: &[Board]) -> io::Result<()> {
        let work = place.join("work");
        fs::create_dir_all(work.join("src"))?;
        fs::write(work.join("src/lib.rs"), "#![no_std]\n")?;
        fs::write(work.join("Cargo.toml"), SEED)?;
        let vendor = self.library.join("src/rust/library/vendor");
        let source = format!("source.packaged.directory=\"{}\"", vendor.display());
        let mut command = Command::new("/usr/bin/cargo");
        command.args(["build", "--quiet", "--offline", "--release"]);
        // At once: the compiler spends most of its time in one thread for each.
        command.args(boards.iter().flat_map(|board| ["--target", board.target]));
        command.args(["-Zbuild-std=core", "--config", "source.crates-io.replace-with=\"packaged\""]);
        command.args(["--config", &source]).current_dir(&work).env_remove("RUSTUP_TOOLCHAIN");
        command
            .env("RUSTC", "/usr/bin/rustc")
            .env("RUSTC_BOOTSTRAP", "1")
            .env("CARGO_HOME", work.join("home"));
        command.env("CARGO_TARGET_DIR", work.join("target")).env("RUSTFLAGS", "-Cembed-bitcode=yes");
        if !command.status()?.success() {
            return Err(io::Error::other("the core library cannot be built"));
        }
        for board in boards {
            let to = libraries(place, board.target);
            fs::create_dir_all(&to)?;
            for entry in fs::read_dir(work.join("target").join(board.target).join("release/deps"))? {
                let path = entry?.path();
                let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
                if name.ends_with(".rlib") && !name.starts_with("libseed-") {
                    fs::copy(&path, to.join(name))?;
                }
            }
        }
        fs::remove_dir_all(work)
    }
}

fn not_started(command: &Command, error: &io::Error) -> Failure {
    Failure::new(format!("{} could not be started: {error}", command.get_program().display()))
}

/// Runs a command whose output is for people.
fn succeed(mut command: Command) -> Result<(), Failure> {
    let status = command.status().map_err(|error| not_started(&command, &error))?;
    if status.success() {
        return Ok(());
    }
    let arguments: Vec<_> = command.get_args().map(OsStr::to_string_lossy).collect();
    Err(Failure::new(format!("`cargo {}` failed ({status})", arguments.join(" "))))
}
