//! How far the syntheses are: bars on a terminal, elsewhere a line for each that took its time.

use super::super::output;
use desvio_cost::Observer;
use indicatif::{MultiProgress, ProgressBar};
use std::collections::HashMap;
use std::io::IsTerminal;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Tells how far the syntheses are, from any thread.
pub(in super::super) struct Display(Kind);

enum Kind {
    Silent,
    Lines,
    Bars { all: MultiProgress, running: Mutex<HashMap<String, ProgressBar>> },
}

impl Display {
    pub(in super::super) fn new(quiet: bool) -> Self {
        Self(match (quiet, std::io::stderr().is_terminal()) {
            (true, _) => Kind::Silent,
            (false, false) => Kind::Lines,
            (false, true) => Kind::Bars { all: MultiProgress::new(), running: Mutex::new(HashMap::new()) },
        })
    }

    /// The terminal is for the results.
    pub(in super::super) fn end(&self) {
        if let Kind::Bars { all, .. } = &self.0 {
            // What cannot be cleared stays: only untidy.
            let _ = all.clear();
        }
    }
}

impl Observer for Display {
    fn begins(&self, name: &str) {
        if let Kind::Bars { all, running } = &self.0 {
            let bar = all.add(ProgressBar::new_spinner().with_message(name.to_owned()));
            output::redraw(&bar, Duration::from_millis(200));
            running.lock().unwrap_or_else(PoisonError::into_inner).insert(name.to_owned(), bar);
        }
    }

    fn ends(&self, name: &str, seconds: f64, was_cached: bool) {
        match &self.0 {
            Kind::Lines if !was_cached => output::tell(&format!("{name}: {seconds:.1} s")),
            Kind::Silent | Kind::Lines => {}
            Kind::Bars { running, .. } => {
                let bar = running.lock().unwrap_or_else(PoisonError::into_inner).remove(name);
                if let Some(bar) = bar {
                    bar.finish_and_clear();
                }
            }
        }
    }
}
