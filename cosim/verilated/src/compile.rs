//! From Verilog to a shared library, in three steps: Verilator, the C++ compiler, the linker.

use std::{
    fs,
    io::Read as _,
    num::NonZero,
    path::{Path, PathBuf},
    process::Command,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use crate::{
    Coverage, Design, Run, Trace,
    cache::{Cache, Compiled, at},
    child, confine,
    design::{Stage, absolute},
    error::BuildError,
    paths, ports, probe,
    shim::{self, PREFIX, PinTable},
    store::{self, Digest},
    toolchain::{Toolchain, messages},
};

/// Generated files are compiled together up to this size, in bytes: beyond it, parallel compilers win.
const UNIT_SIZE: u64 = 1_000_000;

/// What all units include, besides the shim's own header.
const PRELUDE: &str = "#include \"verilated.h\"\n";

/// One translation unit and how hard to optimise it.
struct Unit {
    source: PathBuf,
    object: PathBuf,
    optimise: &'static str,
}

/// Compiles a design inside `work`.
pub(crate) fn run(
    design: &Design,
    toolchain: &Toolchain,
    cache: &Cache,
    work: &Path,
) -> Result<Compiled, BuildError> {
    design.paths().chain([work]).try_for_each(paths::check)?;
    design.enter(Stage::Verilating);
    let generated = work.join("generated");
    fs::create_dir(&generated).map_err(at(&generated))?;
    verilate(design, toolchain, &generated)?;
    let inputs = inputs(&generated, toolchain)?;
    if design.confined {
        confine::check(design, toolchain, &inputs)?;
    }

    let header = generated.join(format!("{PREFIX}.h"));
    let ports = ports::parse(&fs::read_to_string(&header).map_err(at(&header))?);
    let probes = probe::parse(&generated, PREFIX).map_err(at(&generated))?;
    let shim = generated.join("shim.cpp");
    fs::write(&shim, shim::generate(&ports, &probes, design.checkpoints)).map_err(at(&shim))?;

    design.enter(Stage::Compiling);
    let compiler = Compiler { design, toolchain };
    let classes = generated.join(format!("{PREFIX}_classes.mk"));
    let classes = Classes::parse(&fs::read_to_string(&classes).map_err(at(&classes))?);
    let runtime = compiler.runtime(cache, &classes.runtime)?;
    let units = units(&generated, &classes, design.run)?;
    compiler.compile(&generated, &units, |unit| compiler.prelude(cache, unit.optimise))?;
    let library = work.join("model.so");
    compiler.link(units.iter().map(|unit| unit.object.clone()).chain(runtime), &library)?;
    let pins = PinTable {
        ports: ports.into_iter().map(|port| port.info).collect(),
        probes: probes.into_iter().map(|probe| probe.info).collect(),
    };
    Ok(Compiled { library, pins, inputs })
}

fn verilate(design: &Design, toolchain: &Toolchain, generated: &Path) -> Result<(), BuildError> {
    let mut command = Command::new(&toolchain.verilator);
    command.args(design.options()).args(["--prefix", PREFIX, "--Mdir"]).arg(generated).args(&design.sources);
    let output = child::output(&mut command).map_err(|error| BuildError::VerilatorMissing {
        command: toolchain.verilator.clone(),
        reason: error.to_string(),
    })?;
    if output.status.success() {
        Ok(())
    } else {
        Err(BuildError::Verilator { top: design.top.clone(), messages: messages(&output) })
    }
}

/// Reads lines such as `S  1134 10027140 … "a.sv"` from Verilator's own record of what it read; newer versions put a
/// hash in quotes before the path. A name that was looked for and not found stands there, too, without a size and an inode: of a path with a
/// space its beginning.
fn inputs(generated: &Path, toolchain: &Toolchain) -> Result<Vec<PathBuf>, BuildError> {
    let record = generated.join(format!("{PREFIX}__verFiles.dat"));
    let record = fs::read_to_string(&record).map_err(at(&record))?;
    let own = toolchain.include.parent().unwrap_or(&toolchain.include);
    let mut inputs = Vec::new();
    let was_read = |line: &&str| {
        line.starts_with("S ") && line.split_whitespace().skip(1).take(2).any(|number| number != "0")
    };
    for line in record.lines().filter(was_read) {
        let Some(path) = line.rsplit('"').nth(1) else { continue };
        let path = absolute(Path::new(path))?;
        let is_named =
            path.file_name().is_some_and(|name| name == "verilator_bin" || name == "verilator_bin_dbg");
        let is_its_own = path.starts_with(own) || is_named && is_program(&path);
        if !is_its_own {
            inputs.push(path);
        }
    }
    Ok(inputs)
}

/// Whether a file begins as no source can: as a program of Linux or macOS.
fn is_program(path: &Path) -> bool {
    let mut first = [0];
    fs::File::open(path).is_ok_and(|mut file| file.read_exact(&mut first).is_ok())
        && matches!(first, [0x7f | 0xca | 0xce | 0xcf])
}

/// The C++ files Verilator generated, by what becomes of them.
#[derive(Debug, Default)]
struct Classes {
    fast: Vec<String>,
    slow: Vec<String>,
    runtime: Vec<String>,
}

impl Classes {
    /// Reads the make variables `VM_CLASSES_FAST += \ …` and their like.
    fn parse(makefile: &str) -> Self {
        let mut classes = Self::default();
        for statement in makefile.replace("\\\n", " ").lines() {
            let Some((variable, names)) = statement.split_once("+=") else { continue };
            let list = match variable.trim() {
                "VM_CLASSES_FAST" | "VM_SUPPORT_FAST" => &mut classes.fast,
                "VM_CLASSES_SLOW" | "VM_SUPPORT_SLOW" => &mut classes.slow,
                "VM_GLOBAL_FAST" | "VM_GLOBAL_SLOW" => &mut classes.runtime,
                _ => continue,
            };
            list.extend(names.split_whitespace().map(str::to_owned));
        }
        classes
    }
}

/// Gathers the generated files into a few translation units; the shim goes with the first.
///
/// Fast units come first: where both hold the same inline function, the linker keeps the optimised one.
fn units(generated: &Path, classes: &Classes, run: Run) -> Result<Vec<Unit>, BuildError> {
    let mut units = Vec::new();
    let mut gather = |files: &[String], optimise| -> Result<(), BuildError> {
        let (mut body, mut size) = (String::new(), 0);
        for (index, file) in files.iter().enumerate() {
            let path = generated.join(format!("{file}.cpp"));
            size += fs::metadata(&path).map_err(at(&path))?.len();
            body.push_str(&format!("#include \"{file}.cpp\"\n"));
            if size > UNIT_SIZE || index + 1 == files.len() {
                let source = generated.join(format!("unit{}.cpp", units.len()));
                fs::write(&source, &body).map_err(at(&source))?;
                units.push(Unit { object: source.with_extension("o"), source, optimise });
                (body, size) = (String::new(), 0);
            }
        }
        Ok(())
    };
    let fast: Vec<String> = std::iter::once("shim".to_owned()).chain(classes.fast.iter().cloned()).collect();
    if run == Run::Short {
        gather(&[&fast[..], &classes.slow].concat(), run.optimisation())?;
    } else {
        gather(&fast, run.optimisation())?;
        gather(&classes.slow, Run::Short.optimisation())?;
    }
    Ok(units)
}

struct Compiler<'a> {
    design: &'a Design,
    toolchain: &'a Toolchain,
}

impl Compiler<'_> {
    /// The options every translation unit needs.
    fn options(&self) -> Vec<String> {
        let (trace, coverage) = (self.design.trace, self.design.coverage);
        let define = |name: &str, on: bool| format!("-D{name}={}", u8::from(on));
        let mut options: Vec<String> = [
            "-std=gnu++17",
            "-fPIC",
            "-fvisibility=hidden",
            "-pthread",
            "-w",
            "-DVERILATOR=1",
            "-DVL_TIME_CONTEXT",
            "-DVL_USER_STOP",
            "-DVL_USER_FATAL",
            "-DVL_USER_FINISH",
            "-DVM_SC=0",
        ]
        .map(str::to_owned)
        .into();
        // Otherwise two models share the statics of inline functions, and crash when the process ends.
        options.extend((!self.toolchain.is_clang()).then(|| "-fno-gnu-unique".to_owned()));
        options.push(define("VM_TRACE", trace != Trace::None));
        options.push(define("VM_TRACE_VCD", trace == Trace::Vcd));
        options.push(define("VM_TRACE_FST", trace == Trace::Fst));
        options.push(define("VM_COVERAGE", coverage != Coverage::None));
        options
    }

    fn command(&self, folder: &Path) -> Command {
        let include = &self.toolchain.include;
        let mut command = Command::new(&self.toolchain.compiler);
        command.args(self.options()).current_dir(folder).args(["-I.", "-I"]).arg(include);
        command.arg("-I").arg(include.join("vltstd"));
        command
    }

    /// Identifies what no design changes: the tools, the options, and `more`.
    fn digest<'m>(&self, more: impl IntoIterator<Item = &'m str>) -> String {
        let mut digest = Digest::new();
        digest.add(&self.toolchain.version.text).add(self.toolchain.include.as_os_str().as_encoded_bytes());
        let [_, compiler] = &self.toolchain.files;
        digest.add(compiler).add(&self.toolchain.compiler_version).add(shim::HEADER);
        digest.add(store::FORMAT);
        self.options().iter().for_each(|option| {
            digest.add(option);
        });
        more.into_iter().for_each(|option| {
            digest.add(option);
        });
        digest.finish()
    }

    /// The header that every unit of a model begins with, from the cache if it has it. GCC finds the precompiled one beside
    /// it, which saves a second in each unit: more than a small model takes otherwise. It is good for one level of
    /// optimisation.
    fn prelude(&self, cache: &Cache, optimise: &str) -> Result<PathBuf, BuildError> {
        let folder = cache.once(&format!("prelude-{}", self.digest([PRELUDE, optimise])), |folder| {
            let header = folder.join("prelude.h");
            fs::write(&header, format!("{}{PRELUDE}", shim::HEADER)).map_err(at(&header))?;
            if self.toolchain.is_clang() {
                return Ok(());
            }
            let mut command = self.command(folder);
            command.args([optimise, "-x", "c++-header", "prelude.h", "-o", "prelude.h.gch"]);
            self.run(&mut command)
        })?;
        Ok(folder.join("prelude.h"))
    }

    /// Objects of Verilator's run-time library, from the cache if it has them. Each is kept by itself: designs differ in
    /// which of them they need.
    fn runtime(&self, cache: &Cache, files: &[String]) -> Result<Vec<PathBuf>, BuildError> {
        let object = |file: &String| {
            let folder = cache.once(&format!("runtime-{}", self.digest([file.as_str()])), |folder| {
                let header = folder.join("shim.h");
                fs::write(&header, shim::HEADER).map_err(at(&header))?;
                let source = self.toolchain.include.join(format!("{file}.cpp"));
                let unit = Unit { source, object: folder.join(format!("{file}.o")), optimise: "-O1" };
                self.compile(folder, &[unit], |_| Ok(header.clone()))
            })?;
            Ok(folder.join(format!("{file}.o")))
        };
        files.iter().map(object).collect()
    }

    /// Compiles all units, a few at a time, each after the header that it begins with.
    fn compile(
        &self,
        folder: &Path,
        units: &[Unit],
        begins_with: impl Fn(&Unit) -> Result<PathBuf, BuildError>,
    ) -> Result<(), BuildError> {
        let headers = units.iter().map(begins_with).collect::<Result<Vec<_>, _>>()?;
        let workers = thread::available_parallelism().map_or(1, NonZero::get).min(units.len());
        let next = AtomicUsize::new(0);
        let failed = Mutex::new(None);
        let work = || {
            let take = || next.fetch_add(1, Ordering::Relaxed);
            while let Some((unit, header)) = units.iter().zip(&headers).nth(take()) {
                let mut command = self.command(folder);
                command
                    .arg("-include")
                    .arg(header)
                    .arg(unit.optimise)
                    .arg("-c")
                    .arg(&unit.source)
                    .arg("-o")
                    .arg(&unit.object);
                if let Err(error) = self.run(&mut command) {
                    failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                    return;
                }
            }
        };
        thread::scope(|scope| {
            // This thread is one of them; where no other can be started, it does all the work.
            let others = (1..workers).map(|_| thread::Builder::new().spawn_scoped(scope, work));
            let _others: Vec<_> = others.take_while(Result::is_ok).collect();
            work();
        });
        failed.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
    }

    fn link(&self, objects: impl Iterator<Item = PathBuf>, library: &Path) -> Result<(), BuildError> {
        let mut command = Command::new(&self.toolchain.compiler);
        command.args(["-shared", "-pthread", "-o"]).arg(library).args(objects);
        if self.design.trace == Trace::Fst {
            command.args(self.compression());
        }
        self.run(&mut command)
    }

    /// The libraries FST needs, as Verilator's own makefile names them.
    fn compression(&self) -> &'static [&'static str] {
        let makefile = fs::read_to_string(self.toolchain.include.join("verilated.mk")).unwrap_or_default();
        if makefile.contains("-llz4") { &["-llz4", "-lz"] } else { &["-lz"] }
    }

    fn run(&self, command: &mut Command) -> Result<(), BuildError> {
        let output = child::output(command).map_err(|error| BuildError::CompilerMissing {
            command: self.toolchain.compiler.clone(),
            reason: error.to_string(),
        })?;
        if output.status.success() {
            Ok(())
        } else {
            Err(BuildError::Compiler { top: self.design.top.clone(), messages: messages(&output) })
        }
    }
}
