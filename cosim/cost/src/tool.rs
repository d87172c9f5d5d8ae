//! The programs that synthesise, place and route.

use super::error::CostError;
use super::target::Target;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A program, what it is for, and the package of Debian and Ubuntu that has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tool {
    program: &'static str,
    package: &'static str,
    what: &'static str,
    version: &'static str,
}

impl Tool {
    /// Synthesis.
    pub const YOSYS: Self = Self { program: "yosys", package: "yosys", what: "synthesis", version: "-V" };
    /// Place and route for iCE40.
    pub const NEXTPNR_ICE40: Self = Self {
        program: "nextpnr-ice40",
        package: "nextpnr-ice40 fpga-icestorm",
        what: "the frequency of --target ice40",
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
}

impl Toolbox {
    /// Looks for what the targets need: in `folder`, else in the search path.
    ///
    /// # Errors
    /// The first program that is missing, with how to install it.
    pub fn open(targets: &[Target], folder: Option<&Path>) -> Result<Self, CostError> {
        let mut found = Self { folder: folder.map(Path::to_owned), versions: BTreeMap::new() };
        for tool in targets.iter().flat_map(Tool::of) {
            if !found.versions.contains_key(tool.program) {
                found.versions.insert(tool.program, found.ask_version(tool)?);
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
        let program = PathBuf::from(tool.program);
        let mut command =
            Command::new(self.folder.as_ref().map_or(program, |folder| folder.join(tool.program)));
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    fn ask_version(&self, tool: &Tool) -> Result<String, CostError> {
        let mut command = self.command(*tool);
        let answer = command.arg(tool.version).stdout(Stdio::piped()).stderr(Stdio::piped()).output();
        let Ok(answer) = answer else {
            return Err(CostError::MissingTool {
                program: tool.program.to_owned(),
                package: tool.package,
                what: tool.what,
            });
        };
        let text = [answer.stdout, answer.stderr].concat();
        Ok(String::from_utf8_lossy(&text).lines().next().unwrap_or_default().trim().to_owned())
    }
}
