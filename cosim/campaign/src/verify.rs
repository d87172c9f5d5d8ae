//! Computes some finished points again and compares every byte.

use rand_core::{Rng as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;
use serde_json::{Map, Value as Json};

use crate::error::CampaignError;
use crate::plan::{Plan, Point};
use crate::store::Store;
use crate::workshop::Workshop;

/// A point that is not what it was.
#[derive(Debug)]
pub struct Difference {
    /// Its number in the plan.
    pub point: usize,
    /// What differs, with what is stored and what was computed.
    pub metrics: Vec<Metric>,
}

/// A metric that differs.
#[derive(Debug, PartialEq, Eq)]
pub struct Metric {
    /// Its name, as in `summary.json`.
    pub name: String,
    /// What is stored.
    pub stored: String,
    /// What was computed.
    pub computed: String,
}

/// A share of the finished points, drawn by `seed`, in their order; one at least, where one is finished.
#[must_use]
pub fn sample(plan: &Plan, store: &Store, share: f64, seed: u64) -> Vec<usize> {
    let mut finished: Vec<usize> =
        (0..plan.points.len()).filter(|&n| store.is_finished(plan.points[n].id)).collect();
    let wanted = (share * finished.len() as f64).ceil().max(1.0) as usize;
    let count = wanted.min(finished.len());
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    for n in 0..count {
        let left = (finished.len() - n) as u64;
        finished.swap(n, n + (random.next_u64() % left) as usize);
    }
    finished.truncate(count);
    finished.sort_unstable();
    finished
}

/// Computes points again; those that differ, in their order. `done` is called after each.
///
/// # Errors
/// When a result cannot be read.
pub fn verify(
    plan: &Plan,
    store: &Store,
    points: &[usize],
    done: &(dyn Fn() + Sync),
) -> Result<Vec<Difference>, CampaignError> {
    let workshop = Workshop::new(plan, points);
    let one = |&n: &usize| {
        let difference = compare(store, &plan.points[n], &workshop);
        done();
        difference.map(|metrics| (!metrics.is_empty()).then_some(Difference { point: n, metrics }))
    };
    let found = points.par_iter().with_max_len(1).map(one).collect::<Result<Vec<_>, CampaignError>>()?;
    Ok(found.into_iter().flatten().collect())
}

fn compare(store: &Store, point: &Point, workshop: &Workshop<'_>) -> Result<Vec<Metric>, CampaignError> {
    let Some(stored) = store.read(point.id)? else { return Ok(Vec::new()) };
    let computed = workshop.run(point, &|_| (), &|| false);
    let mut metrics = if stored.result == computed.result {
        Vec::new()
    } else {
        differing(&stored.result, &computed.result)
    };
    if stored.came != computed.came {
        let [stored, computed] = [&stored.came, &computed.came].map(|came| format!("{came:?}"));
        metrics.push(Metric { name: "violation".to_owned(), stored, computed });
    }
    Ok(metrics)
}

/// The metrics that two results do not have alike; the whole, where they are no objects.
fn differing(stored: &str, computed: &str) -> Vec<Metric> {
    let object = |text: &str| serde_json::from_str::<Map<String, Json>>(text).unwrap_or_default();
    let (old, new) = (object(stored), object(computed));
    let text =
        |of: &Map<String, Json>, name: &str| of.get(name).map_or("nothing".to_owned(), Json::to_string);
    let names = new.keys().chain(old.keys().filter(|name| !new.contains_key(*name)));
    let metrics = names.filter(|name| old.get(*name) != new.get(*name));
    let mut metrics: Vec<Metric> = metrics
        .map(|name| Metric { name: name.clone(), stored: text(&old, name), computed: text(&new, name) })
        .collect();
    if metrics.is_empty() {
        let (stored, computed) = (stored.to_owned(), computed.to_owned());
        metrics.push(Metric { name: "result".to_owned(), stored, computed });
    }
    metrics
}
