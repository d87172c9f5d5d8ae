//! `desvio man`: the manual pages.

use super::failure::Failure;
use super::{Cli, output};
use clap::{Args, CommandFactory as _};
use clap_mangen::{Man, generate_to};
use std::fs;
use std::path::PathBuf;

/// Prints the manual page, or writes that of every command into a folder
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Folder for a page of each command: desvio.1, desvio-run.1, ...
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
}

const EXAMPLES: &str = r"Examples:
  desvio man > desvio.1
  desvio man ~/.local/share/man/man1";

pub(crate) fn man(arguments: &Arguments) -> Result<(), Failure> {
    let Some(folder) = &arguments.folder else {
        let mut page = Vec::new();
        let rendered = Man::new(Cli::command()).render(&mut page);
        rendered.map_err(|error| Failure::Input(format!("error: cannot write the page: {error}")))?;
        return output::print(&String::from_utf8_lossy(&page));
    };
    let written = fs::create_dir_all(folder).and_then(|()| generate_to(Cli::command(), folder));
    written.map_err(|error| {
        Failure::Input(format!("error: cannot write the pages into {}: {error}", folder.display()))
    })
}
