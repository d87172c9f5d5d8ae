//! How long the missing points take.

use std::collections::{HashMap, HashSet};
use std::time::Instant;

use desvio_sim::blueprint::Blueprint;
use desvio_sim::run;

use crate::plan::Plan;
use crate::record::Record;
use crate::store::Store;

/// How long the missing points take on one thread, and how that is known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Estimate {
    /// From the points that are finished.
    Finished {
        /// On one thread.
        seconds: f64,
        /// How many there are.
        points: usize,
    },
    /// From short runs of some of the missing points, were each as long as it may be.
    AtMost {
        /// On one thread.
        seconds: f64,
        /// How many were tried.
        points: usize,
    },
}

/// Points that are tried at most.
const SAMPLES: usize = 8;
/// Cycles of a try: warm-up and measurement.
const CYCLES: (u64, u64) = (100, 400);
/// No further point is tried after this, in seconds.
const LONGEST: f64 = 3.0;

impl Estimate {
    /// Of these missing points; nothing where none can be tried, or none is missing.
    #[must_use]
    pub fn of(plan: &Plan, store: &Store, missing: &[usize]) -> Option<Self> {
        Self::from_finished(plan, store, missing).or_else(|| from_samples(plan, missing))
    }

    /// Of each combination the mean of its finished points; where it has none, that of all. Nothing where none is finished, or
    /// none missing.
    #[must_use]
    pub fn from_finished(plan: &Plan, store: &Store, missing: &[usize]) -> Option<Self> {
        if missing.is_empty() {
            return None;
        }
        let mut of: HashMap<u32, (f64, usize)> = HashMap::new();
        let (mut sum, mut points) = (0.0, 0);
        for point in &plan.points {
            if let Some(found) = store.get(point.id).filter(|_| store.is_finished(point.id)) {
                let (seconds, count) = of.entry(point.combination).or_default();
                (*seconds, *count) = (*seconds + found.seconds, *count + 1);
                (sum, points) = (sum + found.seconds, points + 1);
            }
        }
        let all = (points > 0).then(|| sum / points as f64)?;
        let mean = |n: &usize| {
            of.get(&plan.points[*n].combination).map_or(all, |(seconds, count)| seconds / *count as f64)
        };
        Some(Self::Finished { seconds: missing.iter().map(mean).sum(), points })
    }

    /// Seconds on so many threads.
    #[must_use]
    pub fn on(self, threads: usize) -> f64 {
        let (Self::Finished { seconds, .. } | Self::AtMost { seconds, .. }) = self;
        seconds / threads.max(1) as f64
    }
}

/// Some points, evenly spread, for a few cycles each.
fn from_samples(plan: &Plan, missing: &[usize]) -> Option<Estimate> {
    let begun = Instant::now();
    let count = missing.len().min(SAMPLES);
    let mut tried = Vec::new();
    for n in 0..count {
        let at = (2 * n + 1) * missing.len() / (2 * count);
        if begun.elapsed().as_secs_f64() > LONGEST {
            break;
        }
        tried.extend(attempt(plan, *missing.get(at)?));
    }
    let mean = |of: fn(&Tried) -> f64| tried.iter().map(of).sum::<f64>() / tried.len() as f64;
    let networks: HashSet<u32> =
        missing.iter().filter_map(|n| Some(plan.points.get(*n)?.combination)).collect();
    let seconds = mean(|tried| tried.wired) * networks.len() as f64
        + mean(|tried| tried.longest) * missing.len() as f64;
    (!tried.is_empty()).then_some(Estimate::AtMost { seconds, points: tried.len() })
}

/// What a point takes on one thread.
struct Tried {
    /// To wire its network, which other points with it need no more.
    wired: f64,
    /// The rest, were it to run to its limits: what each point costs whatever its cycles, and what they cost.
    longest: f64,
}

fn attempt(plan: &Plan, n: usize) -> Option<Tried> {
    let point = plan.points.get(n)?;
    let scenario = &plan.combinations.get(point.combination as usize)?.scenario;
    let timed = |(warmup, measure): (u64, u64)| {
        let mut scenario = scenario.clone();
        scenario.run = scenario.run.with_cycles(warmup, measure);
        let begun = Instant::now();
        let blueprint = Blueprint::new(scenario).ok()?.with_seed(point.seed);
        let wired = begun.elapsed().as_secs_f64();
        let outcome = run::run(&blueprint, point.load, &|_| ()).ok()?;
        std::hint::black_box(Record::new(point.id, wired, &Ok(outcome)).to_line());
        Some((wired, begun.elapsed().as_secs_f64() - wired, blueprint.wiring().nodes()))
    };
    let ((_, short, _), (wired, long, nodes)) = (timed((1, 1))?, timed(CYCLES)?);
    let cycles = scenario.run.longest_warmup() + scenario.run.longest_measurement(nodes);
    let each = (long - short).max(0.0) / (CYCLES.0 + CYCLES.1 - 2) as f64;
    Some(Tried { wired, longest: short + each * cycles as f64 })
}
