//! Loads that an earlier run into the same folder has finished: they are taken from there.

use super::cases::Case;
use super::failure::Failure;
use super::output;
use desvio_campaign::{Shelf, Subject};
use desvio_report::Folder;
use desvio_sim::run::Outcome;
use std::collections::HashMap;
use std::io;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// The loads of some curves.
pub(crate) struct Kept {
    shelf: Mutex<Shelf>,
    /// Of each curve; `None` where every load is run: something else than the results is wanted of it.
    subjects: Vec<Option<Subject>>,
    /// Whether nothing is taken.
    is_anew: bool,
    /// When loads were begun, by curve and bits of the load.
    begun: Mutex<HashMap<(usize, u64), Instant>>,
    taken: AtomicUsize,
    cycles: AtomicU64,
}

impl Kept {
    /// Looks into the folder of results; damaged entries are reported.
    pub(crate) fn open(cases: &[Case], out: &Folder, is_anew: bool) -> Result<Self, Failure> {
        let refused = |error| Failure::Input(format!("error: {error}"));
        let (shelf, damage) = Shelf::open(out.path()).map_err(refused)?;
        for damage in damage {
            let (path, entries) = (damage.path.display(), damaged_entries(damage.lines));
            output::tell(&format!("{path}: {entries} removed"));
        }
        let subject = |case: &Case| {
            let scenario = case.blueprint.scenario();
            // RTL is there to be compared with.
            case.blueprint.shadowing().is_none().then(|| Subject::new(scenario)).transpose()
        };
        let subjects = cases.iter().map(subject).collect::<Result<_, _>>().map_err(refused)?;
        Ok(Self {
            shelf: Mutex::new(shelf),
            subjects,
            is_anew,
            begun: Mutex::default(),
            taken: AtomicUsize::new(0),
            cycles: AtomicU64::new(0),
        })
    }

    fn shelf(&self) -> MutexGuard<'_, Shelf> {
        self.shelf.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn begun(&self) -> MutexGuard<'_, HashMap<(usize, u64), Instant>> {
        self.begun.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What a load of `case`, the `n`th curve, came to before; where it has to be run, it begins.
    pub(crate) fn take(&self, n: usize, case: &Case, load: f64) -> Option<Outcome> {
        let details = case.blueprint.scenario().run.details.then(|| case.blueprint.wiring());
        let known =
            self.subjects[n].filter(|_| !self.is_anew).and_then(|of| self.shelf().get(&of, load, details));
        match known {
            Some(summary) => {
                self.taken.fetch_add(1, Ordering::Relaxed);
                Some(Outcome { summary, violation: None })
            }
            None => {
                self.begun().insert((n, load.to_bits()), Instant::now());
                None
            }
        }
    }

    /// Keeps what a load came to that was run.
    pub(crate) fn put(&self, n: usize, outcome: &Outcome) -> io::Result<()> {
        let summary = &outcome.summary;
        let Some(begun) = self.begun().remove(&(n, summary.load.to_bits())) else { return Ok(()) };
        self.cycles.fetch_add(summary.warmup_cycles + summary.measure_cycles, Ordering::Relaxed);
        match &self.subjects[n] {
            Some(subject) => self.shelf().put(subject, begun.elapsed().as_secs_f64(), outcome),
            None => Ok(()),
        }
    }

    /// Waits until all is on the disk.
    pub(crate) fn flush(&self) -> io::Result<()> {
        self.shelf().flush()
    }

    /// Loads that were not run.
    pub(crate) fn taken(&self) -> usize {
        self.taken.load(Ordering::Relaxed)
    }

    /// Cycles of those that were.
    pub(crate) fn cycles(&self) -> u64 {
        self.cycles.load(Ordering::Relaxed)
    }
}

/// As in `1 damaged entry`.
pub(crate) fn damaged_entries(count: usize) -> String {
    if count == 1 { "1 damaged entry".to_owned() } else { format!("{count} damaged entries") }
}
