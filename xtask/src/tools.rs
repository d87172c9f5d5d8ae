//! The programs beside Rust: found, or installed where that is possible, or named.

use crate::step::Failure;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// A program, and the package of Debian and Ubuntu that has it.
#[derive(Clone, Copy)]
pub(crate) struct Tool<'n> {
    program: &'n str,
    package: &'n str,
    /// It need not run: it is there when this path is.
    is_file: bool,
}

/// What compiles the RTL.
pub(crate) const SIMULATION: [Tool<'static>; 3] =
    [Tool::program("verilator", "verilator"), Tool::program("g++", "g++"), Tool::program("make", "make")];

/// What proves its properties.
pub(crate) const PROOFS: [Tool<'static>; 2] = [Tool::program("yosys", "yosys"), Tool::program("z3", "z3")];

/// What opens pages: any Chromium that is here; if none is, the one without a window, which is the smallest.
pub(crate) fn browser() -> [Tool<'static>; 1] {
    let known = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"];
    let tools = known.map(|program| Tool::program(program, "chromium-headless-shell"));
    [tools.into_iter().find(|tool| tool.is_here()).unwrap_or(tools[0])]
}

/// Standard cells of 180 nm, of the Oklahoma State University.
pub(crate) const CELLS: &str = "/usr/share/qflow/tech/osu018/osu018_stdcells.lib";

/// What synthesises it.
pub(crate) const SYNTHESIS: [Tool<'static>; 2] =
    [Tool::program("yosys", "yosys"), Tool::file(CELLS, "qflow-tech-osu018")];

/// What counts instructions.
pub(crate) const COUNTING: [Tool<'static>; 1] = [Tool::program("valgrind", "valgrind")];

/// What programs a fabric: the subnet manager, and ibsim's client library that leads it there.
pub(crate) const MANAGER: [Tool<'static>; 2] =
    [Tool::program("opensm", "opensm"), Tool::file("/usr/bin/ibsim-run", "ibsim-utils")];

/// What validates files by a JSON Schema.
pub(crate) const SCHEMAS: [Tool<'static>; 1] =
    [Tool::file("/usr/lib/python3/dist-packages/jsonschema", "python3-jsonschema")];

/// What emulates microcontrollers.
pub(crate) const EMULATORS: [Tool<'static>; 2] = [
    Tool::program("qemu-system-arm", "qemu-system-arm"),
    Tool::program("qemu-system-riscv32", "qemu-system-misc"),
];

/// What runs and installs an emulator that is a package of npm.
pub(crate) const SCRIPTS: [Tool<'static>; 2] = [Tool::program("node", "nodejs"), Tool::program("npm", "npm")];

impl<'n> Tool<'n> {
    /// A program in the search path.
    pub(crate) const fn program(program: &'n str, package: &'n str) -> Self {
        Self { program, package, is_file: false }
    }

    /// A file or folder at this path.
    pub(crate) const fn file(path: &'n str, package: &'n str) -> Self {
        Self { program: path, package, is_file: true }
    }

    /// Whether it need not be installed.
    pub(crate) fn is_here(self) -> bool {
        if self.is_file {
            return std::path::Path::new(self.program).exists();
        }
        let mut command = Command::new(self.program);
        let asked = command.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        asked.status().is_ok()
    }
}

/// The package manager serves one at a time, and refuses a second.
static INSTALLING: Mutex<()> = Mutex::new(());

static IS_FORBIDDEN: AtomicBool = AtomicBool::new(false);

/// Whether the package manager knows which packages there are.
static IS_UP_TO_DATE: AtomicBool = AtomicBool::new(false);

/// From now on what is missing is named, and not installed.
pub(crate) fn forbid_installing() {
    IS_FORBIDDEN.store(true, Ordering::Relaxed);
}

/// Whether that was said.
pub(crate) fn is_installing_forbidden() -> bool {
    IS_FORBIDDEN.load(Ordering::Relaxed)
}

/// Whether there is a package manager that may be used.
pub(crate) fn can_install() -> bool {
    !is_installing_forbidden() && Tool::program("apt-get", "apt").is_here()
}

/// Installs what is missing, with the system's package manager if it is Debian's; says what, before it does.
pub(crate) fn provide(tools: &[Tool<'_>]) -> Result<(), Failure> {
    let _one_at_a_time = INSTALLING.lock().unwrap_or_else(PoisonError::into_inner);
    let missing: Vec<_> = tools.iter().copied().filter(|tool| !tool.is_here()).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let packages: Vec<_> = missing.iter().map(|tool| tool.package).collect();
    let reason = if IS_FORBIDDEN.load(Ordering::Relaxed) {
        "nothing is installed with --no-install"
    } else {
        eprintln!("\n── installing {}, by apt-get; --no-install forbids it", packages.join(", "));
        let install = [&["install", "--yes", "--no-install-recommends"], &packages[..]].concat();
        if (IS_UP_TO_DATE.swap(true, Ordering::Relaxed) || apt(&["update"])) && apt(&install) {
            "the package is there, the program is not"
        } else {
            "that did not work"
        }
    };
    match missing.iter().find(|tool| !tool.is_here()) {
        None => Ok(()),
        Some(tool) => Err(Failure::new(format!(
            "no {}: {reason}. Please install {} (Debian and Ubuntu: apt-get install {}; elsewhere: Verilator 5.006 \
                 or newer, a C++ compiler, make; Yosys and Z3 for the proofs; Chromium for the page of results). `cargo test --workspace` runs \
                 everything that needs none of them.",
            tool.program,
            packages.join(", "),
            packages.join(" "),
        ))),
    }
}

/// Runs `apt-get`, by `sudo` where that asks for no password and is needed.
fn apt(arguments: &[&str]) -> bool {
    let direct = || Command::new("apt-get").args(arguments).env("DEBIAN_FRONTEND", "noninteractive").status();
    let by_sudo = || Command::new("sudo").args(["-n", "apt-get"]).args(arguments).status();
    direct().is_ok_and(|status| status.success()) || by_sudo().is_ok_and(|status| status.success())
}
