//! Results to standard output, everything else to standard error.

use super::failure::Failure;
use indicatif::ProgressBar;
use std::io::{ErrorKind, Write};
use std::time::Duration;

/// Prints a result, no line with spaces at its end. A reader that closed its end of the pipe, such as `head`, is no error.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    let lines: Vec<_> = text.trim_end().lines().map(str::trim_end).collect();
    printed(writeln!(out, "{}", lines.join("\n")).and_then(|()| out.flush()))
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

/// Prints to standard error what is not a result. An error of that write is ignored: there is no other place to report it.
pub(crate) fn tell(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

/// Redraws a bar from time to time. Where no thread can be started for it, it is drawn when something happens.
pub(crate) fn redraw(bar: &ProgressBar, every: Duration) {
    // The bar's own thread would panic.
    if std::thread::Builder::new().spawn(|| ()).is_ok() {
        bar.enable_steady_tick(every);
    }
}
