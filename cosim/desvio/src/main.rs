//! The command `desvio`.

use std::process::ExitCode;

fn main() -> ExitCode {
    desvio::main()
}
