//! `desvio completions`: what a shell completes.

use super::failure::Failure;
use super::{Cli, output};
use clap::{Args, CommandFactory as _};
use clap_complete::{Shell, generate};

/// Prints what a shell needs to complete commands and options
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The shell
    shell: Shell,
}

const EXAMPLES: &str = r"Examples:
  desvio completions bash > ~/.local/share/bash-completion/completions/desvio
  desvio completions zsh > ~/.zfunc/_desvio
  desvio completions fish > ~/.config/fish/completions/desvio.fish";

pub(crate) fn completions(arguments: &Arguments) -> Result<(), Failure> {
    let mut script = Vec::new();
    generate(arguments.shell, &mut Cli::command(), "desvio", &mut script);
    output::print(&String::from_utf8_lossy(&script))
}
