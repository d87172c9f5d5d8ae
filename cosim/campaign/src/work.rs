//! Runs what is missing, on all threads of the pool.

use std::collections::HashSet;
use std::hash::{BuildHasher as _, RandomState};
use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use desvio_sim::campaign::Backlog;

use crate::plan::{Plan, Point};
use crate::record::{Came, Record};
use crate::segment::Segment;
use crate::shard::Shard;
use crate::store::Store;
use crate::workshop::Workshop;

/// Watches a campaign, from any thread.
pub trait Observer: Sync {
    /// A point is finished, or failed.
    fn finished(&self, plan: &Plan, point: &Point, record: &Record);
    /// So many points of this process were finished by others.
    fn finished_elsewhere(&self, points: usize);
    /// Something is wrong, though the points go on.
    fn warn(&self, text: &str);
}

/// What a run did.
#[derive(Debug, Default)]
pub struct Tally {
    /// Points run to a result.
    pub finished: usize,
    /// Those of them that ended with a deadlock or another violation.
    pub violations: usize,
    /// Points that could not be run.
    pub failed: usize,
    /// Points that another process finished meanwhile.
    pub elsewhere: usize,
    /// Whether it ended early, because too many failed.
    pub is_cut: bool,
    /// Finished points that could not be written, and why.
    pub unwritten: Option<(usize, io::Error)>,
}

/// The points of a shard without a result, each once, in their order.
#[must_use]
pub fn missing(plan: &Plan, store: &Store, shard: Shard) -> Vec<usize> {
    let mut seen = HashSet::new();
    let points =
        plan.points.iter().enumerate().filter(|(n, point)| shard.has(*n) && !store.is_finished(point.id));
    points.filter(|(_, point)| seen.insert(point.id)).map(|(n, _)| n).collect()
}

/// Puts points into an order of this process alone: the combinations, and the points of each, at random. Several processes at the same
/// points hardly meet, and each has the networks of a few combinations in memory.
pub fn scatter(plan: &Plan, points: &mut [usize]) {
    let random = RandomState::new();
    points.sort_by_cached_key(|n| (random.hash_one(plan.points[*n].combination), random.hash_one(n)));
}

/// How often written lines are waited for until they are on the disk.
const SYNCED_EVERY: Duration = Duration::from_millis(if cfg!(test) { 5 } else { 1_000 });
/// The segments of others are looked at as often, unless looking takes more than a share of the time.
const LOOKING: u32 = 20;

/// Runs `points`, by their numbers, and writes each into `segment` as soon as it is finished. What other processes finish meanwhile in
/// the same store is passed over. After `most_failures` failed points no further one is begun.
pub fn run(
    plan: &Plan,
    store: Store,
    points: &[usize],
    segment: &Mutex<Segment>,
    observer: &dyn Observer,
    most_failures: Option<usize>,
) -> Tally {
    let desk = Desk {
        plan,
        points,
        workshop: Workshop::new(plan, points),
        segment,
        observer,
        most_failures: most_failures.unwrap_or(usize::MAX),
        elsewhere: points.iter().map(|_| AtomicBool::new(false)).collect(),
        backlog: Backlog::default(),
        counts: Counts::default(),
        is_warned: AtomicBool::new(false),
    };
    let (over, is_over) = channel();
    std::thread::scope(|threads| {
        let desk = &desk;
        // Where no thread can be started for it, points that another process finishes meanwhile are computed twice.
        let _ = std::thread::Builder::new().spawn_scoped(threads, move || desk.look_after(store, &is_over));
        desk.backlog.add(points.len());
        rayon::scope_fifo(|scope| {
            for n in 0..points.len() {
                scope.spawn_fifo(move |_| desk.one(n));
            }
        });
        drop(over);
    });
    desk.tally()
}

/// Where the threads meet.
struct Desk<'r> {
    plan: &'r Plan,
    points: &'r [usize],
    workshop: Workshop<'r>,
    segment: &'r Mutex<Segment>,
    observer: &'r dyn Observer,
    most_failures: usize,
    /// Of each of the points, whether another process has finished it.
    elsewhere: Vec<AtomicBool>,
    backlog: Backlog,
    counts: Counts,
    is_warned: AtomicBool,
}

#[derive(Default)]
struct Counts {
    finished: AtomicUsize,
    violations: AtomicUsize,
    failed: AtomicUsize,
    elsewhere: AtomicUsize,
    not_begun: AtomicUsize,
}

fn count(counter: &AtomicUsize) {
    counter.fetch_add(1, Ordering::Relaxed);
}

impl Desk<'_> {
    fn segment(&self) -> MutexGuard<'_, Segment> {
        self.segment.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The `n`th of the points.
    fn one(&self, n: usize) {
        let point = &self.plan.points[self.points[n]];
        self.backlog.begin();
        if self.elsewhere[n].load(Ordering::Relaxed) {
            count(&self.counts.elsewhere);
            self.observer.finished_elsewhere(1);
            return self.workshop.pass(point);
        }
        if self.counts.failed.load(Ordering::Relaxed) >= self.most_failures {
            count(&self.counts.not_begun);
            return self.workshop.pass(point);
        }
        let record = self.workshop.run(point, &|_| (), &|| self.backlog.is_empty());
        match &record.came {
            Came::Failed(_) => count(&self.counts.failed),
            Came::Finished(violation) => {
                count(&self.counts.finished);
                if violation.is_some() {
                    count(&self.counts.violations);
                }
            }
        }
        let written = self.segment().push(&record);
        match written {
            Ok(()) => self.is_warned.store(false, Ordering::Relaxed),
            Err(error) => self.warn_once(&error),
        }
        self.observer.finished(self.plan, point, &record);
    }

    fn warn_once(&self, error: &io::Error) {
        if !self.is_warned.swap(true, Ordering::Relaxed) {
            let text = format!("warning: cannot write the results: {error}; tried again after each point");
            self.observer.warn(&text);
        }
    }

    /// Sees to it that lines reach the disk, and looks at what others do, until all points are over.
    fn look_after(&self, mut store: Store, is_over: &Receiver<()>) {
        let mut next = Instant::now();
        while is_over.recv_timeout(SYNCED_EVERY) == Err(RecvTimeoutError::Timeout) {
            let unsynced = self.segment().unsynced();
            if let Some(Err(error)) = unsynced.map(|file| file.sync_data()) {
                self.warn_once(&error);
            }
            if Instant::now() >= next {
                let begun = Instant::now();
                // A store that cannot be read for a moment is looked at again.
                if store.update().is_ok() {
                    self.mark_elsewhere(&store);
                }
                next = Instant::now() + LOOKING * begun.elapsed();
            }
        }
    }

    fn mark_elsewhere(&self, store: &Store) {
        for (&n, elsewhere) in self.points.iter().zip(&self.elsewhere) {
            if store.is_finished(self.plan.points[n].id) {
                elsewhere.store(true, Ordering::Relaxed);
            }
        }
    }

    fn tally(&self) -> Tally {
        let mut segment = self.segment();
        let unwritten = segment.flush().err().map(|error| (segment.pending(), error));
        let of = |counter: &AtomicUsize| counter.load(Ordering::Relaxed);
        Tally {
            finished: of(&self.counts.finished),
            violations: of(&self.counts.violations),
            failed: of(&self.counts.failed),
            elsewhere: of(&self.counts.elsewhere),
            is_cut: of(&self.counts.not_begun) > 0,
            unwritten,
        }
    }
}
