//! Many loads of one scenario, on all threads of the pool, with the same results on one.

use crate::blueprint::Blueprint;
use crate::run::{Outcome, Progress, RunError, run_sharing};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Watches a campaign, from any thread.
pub trait Observer: Sync {
    /// A load has begun, or has got further.
    fn progress(&self, load: f64, progress: Progress);
    /// What a load came to before, which is then not run again, but finished at once.
    fn known(&self, _load: f64) -> Option<Outcome> {
        None
    }
    /// A load is finished.
    fn finished(&self, outcome: &Outcome);
    /// Where campaigns that share their threads count what waits for one.
    fn backlog(&self) -> Option<&Backlog> {
        None
    }
}

/// Loads that no thread has begun yet. While there are any, each load runs on one thread; after that, those that still
/// run share the threads that have nothing else to do.
#[derive(Debug, Default)]
pub struct Backlog(AtomicUsize);

impl Backlog {
    /// So many wait from now on.
    pub fn add(&self, waiting: usize) {
        self.0.fetch_add(waiting, Ordering::Relaxed);
    }

    /// One of them is begun.
    pub fn begin(&self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }

    /// Whether none waits.
    pub fn is_empty(&self) -> bool {
        self.0.load(Ordering::Relaxed) == 0
    }
}

/// Runs each of some loads; the outcomes are in the order of the loads.
///
/// # Errors
/// The first load that cannot be run.
pub fn run_loads(
    blueprint: &Blueprint,
    loads: &[f64],
    observer: &dyn Observer,
) -> Result<Vec<Outcome>, RunError> {
    let own = Backlog::default();
    let backlog = observer.backlog().unwrap_or(&own);
    backlog.add(loads.len());
    // Several processes are all in one load.
    let one_by_one = blueprint.processes().is_some();
    let one = |&load: &f64| {
        backlog.begin();
        let progress = |progress| observer.progress(load, progress);
        let outcome = match observer.known(load) {
            Some(known) => known,
            None => run_sharing(blueprint, load, &progress, &|| one_by_one || backlog.is_empty())?,
        };
        observer.finished(&outcome);
        Ok(outcome)
    };
    // Higher loads take longer: begun first, they do not come last.
    let mut order: Vec<usize> = (0..loads.len()).collect();
    order.sort_by(|&a, &b| loads[b].total_cmp(&loads[a]));
    let slots: Vec<Mutex<Option<Result<Outcome, RunError>>>> =
        loads.iter().map(|_| Mutex::new(None)).collect();
    let fill = |at: usize| *slots[at].lock().unwrap_or_else(PoisonError::into_inner) = Some(one(&loads[at]));
    if one_by_one {
        order.into_iter().for_each(fill);
    } else {
        rayon::scope_fifo(|scope| {
            let fill = &fill;
            order.into_iter().for_each(|at| scope.spawn_fifo(move |_| fill(at)));
        });
    }
    // Every slot has been filled: the scope ends when all of them are.
    slots.into_iter().filter_map(|slot| slot.into_inner().unwrap_or_else(PoisonError::into_inner)).collect()
}

/// Where a network saturates.
#[derive(Debug, Clone)]
pub struct Saturation {
    /// The highest load tried at which every node's source queue kept up; 0 when there was none.
    pub load: f64,
    /// The lowest load tried at which one did not; `None` when even load 1 is accepted.
    pub above: Option<f64>,
    /// What is accepted at offered load 1, where unfair networks may deliver more than `load`.
    pub at_full_load: f64,
    /// Every load tried, in ascending order.
    pub outcomes: Vec<Outcome>,
}

/// Loads tried at once; the interval shrinks to a quarter each time, whatever the number of threads.
const POINTS: u32 = 3;
/// The search ends when the interval is narrower than this share of its upper end.
const PRECISION: f64 = 0.015;
/// Or below this load, at which a run hardly sees a packet.
const LEAST: f64 = 1e-5;

/// Finds the saturation load by bisection, two steps at a time.
///
/// # Errors
/// The first load that cannot be run.
pub fn find_saturation(blueprint: &Blueprint, observer: &dyn Observer) -> Result<Saturation, RunError> {
    let mut outcomes = run_loads(blueprint, &[1.0], observer)?;
    let at_full_load = outcomes[0].summary.accepted;
    let failed = |outcomes: &[Outcome]| outcomes.iter().any(|outcome| outcome.violation.is_some());
    if outcomes[0].summary.state.keeps_up() || failed(&outcomes) {
        let above = failed(&outcomes).then_some(1.0);
        return Ok(Saturation {
            load: if above.is_none() { 1.0 } else { 0.0 },
            above,
            at_full_load,
            outcomes,
        });
    }
    // What is accepted at full load is no guide: throughput may collapse beyond saturation.
    let (mut low, mut high) = (0.0, 1.0);
    while high > LEAST && high - low > PRECISION * high && !failed(&outcomes) {
        let step = (high - low) / f64::from(POINTS + 1);
        let loads: Vec<_> = (1..=POINTS).map(|n| low + step * f64::from(n)).collect();
        for outcome in run_loads(blueprint, &loads, observer)? {
            let load = outcome.summary.load;
            if outcome.summary.state.keeps_up() && load < high {
                low = low.max(load);
            } else {
                high = high.min(load);
                low = low.min(high);
            }
            outcomes.push(outcome);
        }
    }
    outcomes.sort_by(|a, b| a.summary.load.total_cmp(&b.summary.load));
    Ok(Saturation { load: low, above: Some(high), at_full_load, outcomes })
}
