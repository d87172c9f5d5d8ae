//! Results to standard output, everything else to standard error.

use super::failure::Failure;
use desvio_sim::printable::printable;
use std::io::{ErrorKind, Write};

/// Prints a result, no line with spaces at its end, and nothing in it that a terminal would obey. A reader that closed its end of the pipe, such as `head`, is no error.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    let lines: Vec<_> = text.trim_end().lines().map(str::trim_end).collect();
    printed(writeln!(out, "{}", printable(&lines.join("\n"))).and_then(|()| out.flush()))
}

/// How a write to standard output ended. A reader that closed its end of the pipe is no failure.
pub(crate) fn printed(written: std::io::Result<()>) -> Result<(), Failure> {
    match written {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::Input(format!("error: cannot write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// Prints to standard error what is not a result. What a terminal would obey is written out: a message may quote the file of a stranger.
/// An error of that write is ignored: there is no other place to report it.
pub(crate) fn tell(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{}", printable(text));
}
