//! `desvio completions`: what a shell completes.

use super::failure::Failure;
use super::{Cli, output, schema};
use clap::builder::PossibleValuesParser;
use clap::{Args, Command, CommandFactory as _};
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
    // A command holds names that live as long as the program, which ends here.
    let keys: Vec<&'static str> = schema::keys().into_iter().map(|key| &*key.leak()).collect();
    let mut command = with_keys(Cli::command(), &keys);
    generate(arguments.shell, &mut command, "desvio", &mut script);
    output::print(&String::from_utf8_lossy(&script))
}

/// The command with the keys of scenarios as values of the options that set them.
fn with_keys(command: Command, keys: &[&'static str]) -> Command {
    command.mut_subcommands(|subcommand| with_keys(subcommand, keys)).mut_args(|option| {
        match option.get_long().is_some_and(|name| ["set", "vary", "sweep"].contains(&name)) {
            true => option.value_parser(PossibleValuesParser::new(keys.to_vec())),
            false => option,
        }
    })
}
