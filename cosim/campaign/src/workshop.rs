//! The networks of the combinations that are being run, each wired once.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use desvio_sim::blueprint::Blueprint;
use desvio_sim::run::{Outcome, Progress, run_sharing};

use crate::plan::{Plan, Point};
use crate::record::Record;

/// Runs points one by one, from any thread.
pub(crate) struct Workshop<'p> {
    plan: &'p Plan,
    slots: Vec<Slot>,
}

/// A combination.
#[derive(Default)]
struct Slot {
    blueprint: Mutex<Option<Arc<Blueprint>>>,
    /// Points that still need it.
    needed: AtomicUsize,
}

impl<'p> Workshop<'p> {
    /// For these points, each of which is run or passed over once.
    pub(crate) fn new(plan: &'p Plan, points: &[usize]) -> Self {
        let slots: Vec<Slot> = plan.combinations.iter().map(|_| Slot::default()).collect();
        for &n in points {
            slots[plan.points[n].combination as usize].needed.fetch_add(1, Ordering::Relaxed);
        }
        Self { plan, slots }
    }

    /// Runs a point; what it came to, also where the simulator panics.
    pub(crate) fn run(
        &self,
        point: &Point,
        progress: &dyn Fn(Progress),
        spare: &(dyn Fn() -> bool + Sync),
    ) -> Record {
        let begun = Instant::now();
        let one = AssertUnwindSafe(|| self.outcome(point, progress, spare));
        let outcome = catch_unwind(one).unwrap_or_else(|panic| {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("without a word");
            Err(format!("the simulator panicked: {text}"))
        });
        self.pass(point);
        // Of the time, a thousandth of a second is enough for estimates.
        let seconds = (begun.elapsed().as_secs_f64() * 1e6).round() / 1e6;
        Record::new(point.id, seconds, &outcome)
    }

    fn outcome(
        &self,
        point: &Point,
        progress: &dyn Fn(Progress),
        spare: &(dyn Fn() -> bool + Sync),
    ) -> Result<Outcome, String> {
        let blueprint = self.blueprint(point)?.with_seed(point.seed);
        run_sharing(&blueprint, point.load, progress, spare).map_err(|error| error.to_string())
    }

    /// A network is wired outside the lock, since wiring it may use other threads, which may come here; two of them may do so at a
    /// time.
    fn blueprint(&self, point: &Point) -> Result<Arc<Blueprint>, String> {
        let slot = &self.slots[point.combination as usize];
        let kept = || slot.blueprint.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = &*kept() {
            return Ok(Arc::clone(known));
        }
        let scenario = self.plan.combinations[point.combination as usize].scenario.clone();
        let new = Arc::new(Blueprint::new(scenario).map_err(|error| error.to_string())?);
        *kept() = Some(Arc::clone(&new));
        Ok(new)
    }

    /// A point needs its network no more; the last one frees it.
    pub(crate) fn pass(&self, point: &Point) {
        let slot = &self.slots[point.combination as usize];
        if slot.needed.fetch_sub(1, Ordering::Relaxed) == 1 {
            *slot.blueprint.lock().unwrap_or_else(PoisonError::into_inner) = None;
        }
    }
}
