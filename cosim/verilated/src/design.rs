//! What to compile.

use std::{
    fmt, fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use crate::{Parameter, error::BuildError, store::Digest, toolchain::Toolchain};

/// Whether waveforms can be written, and in which format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Trace {
    /// No waveforms.
    #[default]
    None,
    /// Value change dump: text, read by every viewer.
    Vcd,
    /// GTKWave's compact format. Needs the headers of zlib (and of lz4, for Verilator 5.040 and later).
    Fst,
}

/// Which points are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Coverage {
    /// Nothing is counted.
    #[default]
    None,
    /// Lines and branches. About three times slower.
    Line,
    /// Bits that changed. About three times slower.
    Toggle,
    /// Lines, branches, bits and `cover` statements.
    All,
}

/// Statements of a C++ function that Verilator writes, about. With functions of ten thousand lines a compiler takes a third longer.
const STATEMENTS: u32 = 1_000;

/// A module whose statements, times its places, are more stays a class of its own. With 200, a router is half as much C++ as with the 2,000
/// that Verilator takes by itself, and is compiled in four fifths of the time.
const INLINED: u32 = 200;

/// How long a design runs, which tells how hard the C++ compiler tries: what runs for a shorter time should be compiled sooner.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Run {
    /// Some ten thousand cycles: not optimised.
    Short,
    /// Some hundred thousand cycles.
    Medium,
    /// Millions of cycles.
    #[default]
    Long,
}

impl Run {
    /// What suits so many cycles.
    #[must_use]
    pub const fn of_cycles(cycles: u64) -> Self {
        match cycles {
            0..50_000 => Self::Short,
            50_000..2_000_000 => Self::Medium,
            _ => Self::Long,
        }
    }

    /// What the C++ compiler does with a model. More than `-O1` takes half as long again, and a router is no faster for it. `-Og` takes
    /// three fifths of the time, and a router is a quarter slower. `-O0` takes a third, and a router is three or four times slower.
    pub(crate) const fn optimisation(self) -> &'static str {
        match self {
            Self::Short => "-O0",
            Self::Medium => "-Og",
            Self::Long => "-O1",
        }
    }
}

/// What a build is doing, as passed to the hook of [`Design::on_build`]. The hook is not called when the cache has the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// Another builder may be at work on the same library: waiting for it.
    Waiting,
    /// Verilator turns the sources into C++.
    Verilating,
    /// The C++ code is being compiled.
    Compiling,
}

type Hook = Arc<dyn Fn(Stage) + Send + Sync>;

/// A Verilog design and how to compile it; [`Design::build`] gives the compiled [`Library`](crate::Library).
#[derive(Clone)]
pub struct Design {
    pub(crate) top: String,
    pub(crate) sources: Vec<PathBuf>,
    includes: Vec<PathBuf>,
    parameters: Vec<(String, Parameter)>,
    pub(crate) probes: Vec<String>,
    flags: Vec<String>,
    assertions: bool,
    pub(crate) checkpoints: bool,
    pub(crate) confined: bool,
    pub(crate) trace: Trace,
    pub(crate) coverage: Coverage,
    lint_fatal: bool,
    lint_all: bool,
    pub(crate) run: Run,
    pub(crate) cache: Option<PathBuf>,
    hook: Option<Hook>,
}

impl fmt::Debug for Design {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Design")
            .field("top", &self.top)
            .field("options", &self.options())
            .finish_non_exhaustive()
    }
}

impl Design {
    /// A design whose top module is `top`; it has no sources yet.
    #[must_use]
    pub fn new(top: impl Into<String>) -> Self {
        Self {
            top: top.into(),
            sources: Vec::new(),
            includes: Vec::new(),
            parameters: Vec::new(),
            probes: Vec::new(),
            flags: Vec::new(),
            assertions: false,
            checkpoints: false,
            confined: false,
            trace: Trace::None,
            coverage: Coverage::None,
            lint_fatal: true,
            lint_all: false,
            run: Run::Long,
            cache: None,
            hook: None,
        }
    }

    /// Adds a source file. Order matters: packages first.
    #[must_use]
    pub fn source(mut self, path: impl Into<PathBuf>) -> Self {
        self.sources.push(path.into());
        self
    }

    /// Adds several source files.
    #[must_use]
    pub fn sources<P: Into<PathBuf>>(mut self, paths: impl IntoIterator<Item = P>) -> Self {
        self.sources.extend(paths.into_iter().map(Into::into));
        self
    }

    /// Adds a folder in which included files and further modules are looked for.
    #[must_use]
    pub fn include(mut self, folder: impl Into<PathBuf>) -> Self {
        self.includes.push(folder.into());
        self
    }

    /// Sets a parameter of the top module.
    #[must_use]
    pub fn parameter(mut self, name: impl Into<String>, value: impl Into<Parameter>) -> Self {
        self.parameters.push((name.into(), value.into()));
        self
    }

    /// Checks assertions while running; a failed one is the error of [`Model::eval`](crate::Model::eval).
    #[must_use]
    pub fn assertions(mut self, checked: bool) -> Self {
        self.assertions = checked;
        self
    }

    /// Makes [`Model::open_trace`](crate::Model::open_trace) possible.
    #[must_use]
    pub fn trace(mut self, trace: Trace) -> Self {
        self.trace = trace;
        self
    }

    /// Makes [`Model::write_coverage`](crate::Model::write_coverage) possible. Not together with checkpoints.
    #[must_use]
    pub fn coverage(mut self, coverage: Coverage) -> Self {
        self.coverage = coverage;
        self
    }

    /// Makes [`Model::save`](crate::Model::save) and [`Model::restore`](crate::Model::restore) possible.
    #[must_use]
    pub fn checkpoints(mut self, possible: bool) -> Self {
        self.checkpoints = possible;
        self
    }

    /// Whether the design must stay inside of the simulation; by default it need not. Then Verilog is refused before anything of it runs if
    /// it runs programs (`$system`), is C++ (`$c`, `` `systemc_header ``), calls it (`import
    /// "DPI-C"`) or writes files (`$fopen`). All files must be among the sources or be included by them.
    ///
    /// This keeps honest mistakes and plain attacks out; it is no sandbox.
    #[must_use]
    pub fn confined(mut self, confined: bool) -> Self {
        self.confined = confined;
        self
    }

    /// Demands a public signal inside the design, by its hierarchical name, top module first.
    ///
    /// Every signal marked `/*verilator public_flat_rd*/` can be read with
    /// [`Model::probed`](crate::Model::probed); one that is demanded here and is missing fails the build.
    #[must_use]
    pub fn probe(mut self, name: impl Into<String>) -> Self {
        self.probes.push(name.into());
        self
    }

    /// Passes any further option to Verilator. What it names is not looked into for changes.
    #[must_use]
    pub fn flag(mut self, flag: impl Into<String>) -> Self {
        self.flags.push(flag.into());
        self
    }

    /// Whether Verilator's warnings fail the build, as they do by default.
    #[must_use]
    pub fn lint_fatal(mut self, fatal: bool) -> Self {
        self.lint_fatal = fatal;
        self
    }

    /// Whether Verilator looks for everything it can warn about (`-Wall`).
    #[must_use]
    pub fn lint_all(mut self, all: bool) -> Self {
        self.lint_all = all;
        self
    }

    /// Whether the design runs so shortly that compiling it takes longer: the C++ compiler does not optimise.
    #[must_use]
    pub fn short_run(mut self, short: bool) -> Self {
        self.run = if short { Run::Short } else { Run::Long };
        self
    }

    /// How long the design runs; [`Run::Long`] if nothing is said.
    #[must_use]
    pub fn run(mut self, run: Run) -> Self {
        self.run = run;
        self
    }

    /// Keeps compiled libraries in `folder` instead of the usual place.
    #[must_use]
    pub fn cache(mut self, folder: impl Into<PathBuf>) -> Self {
        self.cache = Some(folder.into());
        self
    }

    /// Calls `hook` at each stage of a build that the cache cannot answer.
    #[must_use]
    pub fn on_build(mut self, hook: impl Fn(Stage) + Send + Sync + 'static) -> Self {
        self.hook = Some(Arc::new(hook));
        self
    }

    pub(crate) fn enter(&self, stage: Stage) {
        if let Some(hook) = &self.hook {
            hook(stage);
        }
    }

    /// Every file and folder that is named to Verilator.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &Path> {
        self.sources.iter().chain(&self.includes).map(PathBuf::as_path)
    }

    /// Everything said to Verilator except where to write and the sources.
    pub(crate) fn options(&self) -> Vec<String> {
        let on = |condition: bool, flag: &str| condition.then(|| flag.to_owned());
        let mut options: Vec<String> =
            ["--cc", "-O3", "--x-assign", "unique", "--x-initial", "unique", "--no-timing"]
                .map(str::to_owned)
                .into();
        options.extend(["--top-module".to_owned(), self.top.clone()]);
        options.extend(["--output-split-cfuncs".to_owned(), STATEMENTS.to_string()]);
        // A design that runs for long is a sixth faster where all is inlined.
        if self.run != Run::Long {
            options.extend(["--inline-mult".to_owned(), INLINED.to_string()]);
        }
        // Said either way: what Verilator does by itself changed between versions.
        options.push(if self.assertions { "--assert" } else { "--no-assert" }.to_owned());
        options.extend(on(self.checkpoints, "--savable"));
        options.extend(on(!self.lint_fatal, "-Wno-fatal"));
        options.extend(on(self.lint_all, "-Wall"));
        options.extend(match self.trace {
            Trace::None => None,
            Trace::Vcd => Some("--trace".to_owned()),
            Trace::Fst => Some("--trace-fst".to_owned()),
        });
        options.extend(match self.coverage {
            Coverage::None => None,
            Coverage::Line => Some("--coverage-line".to_owned()),
            Coverage::Toggle => Some("--coverage-toggle".to_owned()),
            Coverage::All => Some("--coverage".to_owned()),
        });
        options.extend(self.includes.iter().map(|folder| format!("-I{}", folder.display())));
        options.extend(self.parameters.iter().map(|(name, value)| format!("-G{name}={value}")));
        options.extend(self.flags.iter().cloned());
        options
    }

    /// Identifies all that is known before Verilator runs.
    pub(crate) fn digest(&self, toolchain: &Toolchain) -> Result<String, BuildError> {
        let mut digest = Digest::new();
        let [verilator, compiler] = &toolchain.files;
        digest.add(&toolchain.version.text).add(verilator).add(path_bytes(&toolchain.include));
        digest.add(compiler).add(&toolchain.compiler_version);
        digest.add(crate::shim::HEADER).add(crate::shim::SOURCE).add(crate::store::FORMAT);
        digest.add(self.run.optimisation()).add(if self.confined { "confined" } else { "" });
        for option in self.options() {
            digest.add(option);
        }
        let folder = absolute(Path::new("."))?;
        digest.add(path_bytes(&folder));
        for source in &self.sources {
            let bytes =
                fs::read(source).map_err(|error| BuildError::Io { path: source.clone(), source: error })?;
            digest.add(path_bytes(source)).add(bytes);
        }
        Ok(digest.finish())
    }
}

/// An absolute path, without asking whether it exists.
pub(crate) fn absolute(path: &Path) -> Result<PathBuf, BuildError> {
    std::path::absolute(path).map_err(|source| BuildError::Io { path: path.to_owned(), source })
}

fn path_bytes(path: &Path) -> &[u8] {
    path.as_os_str().as_encoded_bytes()
}
