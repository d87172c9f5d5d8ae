//! The end by a signal: what is finished stays, and one line says where it is.

use super::output;
use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Says what is finished. It may leave locks behind: nothing else is written after it.
type LastWords = Box<dyn FnOnce() -> String + Send>;

/// Held while a signal ends the process.
static LAST_WORDS: Mutex<Option<LastWords>> = Mutex::new(None);

fn last_words() -> MutexGuard<'static, Option<LastWords>> {
    LAST_WORDS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What will be said where a signal ends the command.
pub(crate) fn on_signal(words: impl FnOnce() -> String + Send + 'static) {
    *last_words() = Some(Box::new(words));
}

/// From here on a signal ends the process without a word. Where one does so already, this waits for the end: what fails because
/// programs were ended is not reported.
pub(crate) fn over() {
    *last_words() = None;
}

/// Waits for signals on a thread of its own. Those that the process was started to ignore are left alone; a second one ends it at
/// once. A file that may not grow any more is an error of that write, not the end of the process.
///
/// # Errors
/// When no thread can be started.
#[cfg(unix)]
pub(crate) fn watch() -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGUSR1, SIGXFSZ};
    use signal_hook::flag;
    use std::sync::Arc;
    let ignored = ignored();
    let signals: Vec<i32> = [SIGHUP, SIGINT, SIGTERM, SIGUSR1]
        .into_iter()
        .filter(|signal| ignored >> (signal - 1) & 1 == 0)
        .collect();
    let again = Arc::default();
    for &signal in &signals {
        // Where a signal cannot be watched, it does what it always does.
        let _ = flag::register_conditional_default(signal, Arc::clone(&again));
        let _ = flag::register(signal, Arc::clone(&again));
    }
    // To be caught is enough: the write ends with an error instead.
    let _ = flag::register(SIGXFSZ, Arc::default());
    let Ok(mut signals) = signal_hook::iterator::Signals::new(signals) else { return Ok(()) };
    std::thread::Builder::new().spawn(move || signals.forever().next().map(end)).map(drop)
}

#[cfg(not(unix))]
pub(crate) fn watch() -> io::Result<()> {
    Ok(())
}

/// Ends the process as the signal would have done, so that the shell sees which it was.
#[cfg(unix)]
fn end(signal: i32) {
    let mut words = last_words();
    verilated::child::end_all();
    let name = signal_hook::low_level::signal_name(signal).unwrap_or("a signal");
    match words.take() {
        Some(words) => output::tell(&format!("ended by {name}: {}", words())),
        None => output::tell(&format!("ended by {name}")),
    }
    let _ = signal_hook::low_level::emulate_default_handler(signal);
}

/// The signals that this process was started to ignore, a bit for each, read from Linux's `/proc`; elsewhere none.
#[cfg(unix)]
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}
