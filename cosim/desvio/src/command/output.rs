//! Results to standard output, everything else to standard error.

use super::failure::Failure;
use desvio_sim::printable::{self, printable};
use indicatif::ProgressBar;
use std::collections::BTreeSet;
use std::io::{ErrorKind, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Prints a result, no line with spaces at its end, and nothing in it that a terminal would obey. A reader that closed its end of the pipe, such as `head`, is no error.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let lines: Vec<_> = text.trim_end().lines().map(str::trim_end).collect();
    write(&printable(&lines.join("\n")))
}

/// Prints a result that is JSON.
pub(crate) fn print_json(text: &str) -> Result<(), Failure> {
    write(&printable::json(text.trim_end()))
}

fn write(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    printed(writeln!(out, "{text}").and_then(|()| out.flush()))
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

/// Whether only results and errors are printed.
static IS_QUIET: AtomicBool = AtomicBool::new(false);

/// Leaves notes out, where a command is to be quiet.
pub(crate) fn hush(is_quiet: bool) {
    IS_QUIET.store(is_quiet, Ordering::Relaxed);
}

/// Tells once what a reader should know of an input that is no error.
pub(crate) fn note(text: &str) {
    static TOLD: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let is_new = TOLD.lock().unwrap_or_else(PoisonError::into_inner).insert(text.to_owned());
    if is_new && !IS_QUIET.load(Ordering::Relaxed) {
        tell(&format!("note: {text}"));
    }
}

/// Redraws a bar from time to time. Where no thread can be started for it, it is drawn when something happens.
pub(crate) fn redraw(bar: &ProgressBar, every: Duration) {
    // The bar's own thread would panic.
    if std::thread::Builder::new().spawn(|| ()).is_ok() {
        bar.enable_steady_tick(every);
    }
}
