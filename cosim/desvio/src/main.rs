//! The command `desvio`.

mod command;

use std::process::ExitCode;

fn main() -> ExitCode {
    command::main()
}
