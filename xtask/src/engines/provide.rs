//! The engines: packages of Debian and of Python, where they can be had.

use super::Needs;
use crate::step::{Failure, root, run};
use crate::tools::{self, Tool};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Of Debian and Ubuntu.
const DEBIAN: [Tool<'static>; 5] = [
    Tool::program("slurmctld", "slurmctld"),
    Tool::program("slurmd", "slurmd"),
    Tool::program("sbatch", "slurm-client"),
    Tool::program("munged", "munge"),
    Tool::program("parallel", "parallel"),
];

/// Of Python's registry, as they were tried. The last three are for the picture and for Parquet.
const PYTHON: [&str; 5] =
    ["hyperqueue==0.27.0", "snakemake==9.27.1", "pandas==3.1.1", "matplotlib==3.11.2", "pyarrow==26.0.1"];

/// What is there.
pub(super) struct Provided {
    /// Where programs are found: those of the Python environment first.
    pub(super) path: OsString,
    /// Why the packages of Debian are not there.
    debian: Option<String>,
    /// Why those of Python are not.
    pub(super) python: Option<String>,
}

/// Installs what is missing; [`Provided::missing`] names what cannot be had.
pub(super) fn provide() -> Result<Provided, Failure> {
    let debian = tools::provide(&DEBIAN).err().map(|_| "Debian's packages could not be installed".to_owned());
    let environment = root().join("target/engines/python");
    let python = python(&environment).err().map(|failure| failure.to_string());
    let own = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(environment.join("bin")).chain(std::env::split_paths(&own));
    // Debian keeps servers where only the superuser looks.
    let folders = folders.chain(["/usr/sbin", "/usr/local/sbin"].map(PathBuf::from));
    let path = std::env::join_paths(folders).map_err(|error| Failure::new(error.to_string()))?;
    Ok(Provided { path, debian, python })
}

/// A virtual environment with the packages, made once for each list of them.
fn python(folder: &Path) -> Result<(), Failure> {
    let (stamp, wanted) = (folder.join("desvio.txt"), PYTHON.join("\n"));
    if std::fs::read_to_string(&stamp).is_ok_and(|found| found == wanted) {
        return Ok(());
    }
    if tools::is_installing_forbidden() {
        return Err(Failure::new(format!("--no-install, and {} is not made", folder.display())));
    }
    eprintln!("\n── installing {} into {}", PYTHON.join(", "), folder.display());
    let shown = folder.display().to_string();
    let make = || run("python3", &["-m", "venv", "--clear", &shown].map(str::to_owned));
    // Debian's Python comes without what makes environments.
    make().or_else(|failure| {
        tools::provide(&[Tool::file("/usr/share/doc/python3-venv", "python3-venv")]).map_err(|_| failure)?;
        make()
    })?;
    let pip = folder.join("bin/pip").display().to_string();
    let quiet = ["install", "--quiet", "--no-compile", "--disable-pip-version-check"];
    run(&pip, &quiet.into_iter().chain(PYTHON).map(str::to_owned).collect::<Vec<_>>())?;
    std::fs::write(&stamp, wanted).map_err(|error| Failure::new(format!("{}: {error}", stamp.display())))
}

impl Provided {
    /// Why an engine cannot be run; `None` where it can.
    pub(super) fn missing(&self, needs: Needs) -> Option<String> {
        match needs {
            Needs::Slurm if self.debian.is_some() => self.debian.clone(),
            Needs::Slurm if !self.has("sbatch") => Some("there is no program `sbatch`".to_owned()),
            Needs::Slurm if !is_superuser() => Some("only the superuser can start slurmd".to_owned()),
            Needs::Slurm => None,
            Needs::Module(_) => self.python.clone(),
            Needs::Program(program) if self.has(program) => None,
            Needs::Program("hq") => {
                Some("there is no program `hq`: Python's package does not bring it".to_owned())
            }
            Needs::Program("nextflow") => Some(
                "there is no program `nextflow`: no package of Debian or Python brings all of it".to_owned(),
            ),
            Needs::Program(program) => Some(format!("there is no program `{program}`")),
        }
    }

    fn has(&self, program: &str) -> bool {
        std::env::split_paths(&self.path).any(|folder| folder.join(program).is_file())
    }
}

pub(super) fn is_superuser() -> bool {
    let asked = Command::new("id").arg("-u").stderr(Stdio::null()).output();
    asked.is_ok_and(|answer| answer.stdout.trim_ascii() == b"0")
}
