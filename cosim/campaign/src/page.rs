//! One page of HTML with everything in it: curves of means over seeds, a table, where it comes from.

use desvio_report::number;
use desvio_sim::stats::mean_and_ci95;
use desvio_sim::summary::Summary;
use serde_json::{Value as Json, json};

use crate::collect::summary;
use crate::error::CampaignError;
use crate::identity::ENGINE;
use crate::plan::{Plan, Point};
use crate::store::Store;

/// A metric of the page: its column of the table, its unit, what it is of a point.
type Metric = (&'static str, &'static str, fn(&Summary) -> f64);

/// The first one is drawn at the beginning.
const METRICS: [Metric; 8] = [
    ("accepted", "flits/node/cycle", |point| point.accepted),
    ("latency_mean", "cycles", |point| point.latency_mean),
    ("latency_p99", "cycles", |point| point.latency_p99 as f64),
    ("network_latency_mean", "cycles", |point| point.network_latency_mean),
    ("hops_mean", "hops", |point| point.hops_mean),
    ("misrouted_share", "share of packets", |point| point.misrouted_share),
    ("accepted_min_node", "flits/node/cycle", |point| point.accepted_min_node),
    ("fairness_jain", "index", |point| point.fairness_jain),
];

const TEMPLATE: &str = include_str!("page.html");
/// Where the data go.
const DATA: &str = "/*DATA*/null";

/// The page: every combination of keys and load with the means of its finished seeds and 95 % confidence intervals. It needs no
/// network, and has the bytes of any other page of equal stores.
///
/// # Errors
/// When a result cannot be read.
pub fn page(plan: &Plan, store: &Store) -> Result<String, CampaignError> {
    let (mut rows, mut finished) = (Vec::new(), 0);
    for seeds in plan.points.chunk_by(|a, b| plan.is_replicate(a, b)) {
        let seeds: Vec<&Point> = seeds.iter().filter(|point| store.is_finished(point.id)).collect();
        let found = seeds.iter().map(|point| summary(plan, store, point)).collect::<Result<Vec<_>, _>>()?;
        finished += found.len();
        rows.extend(seeds.first().map(|point| row(plan, point, &found)));
    }
    let data = json!({
        "name": plan.campaign.path.file_stem().unwrap_or_default().to_string_lossy(),
        "engine": ENGINE,
        "points": plan.points.len(),
        "finished": finished,
        "seeds": plan.seeds(),
        "keys": plan.keys(),
        "metrics": METRICS.map(|(name, unit, _)| json!({ "name": name, "unit": unit })),
        "rows": rows,
        "campaign": plan.campaign.text,
        "base": plan.campaign.base_text,
    });
    // No text of a campaign can end the script.
    Ok(TEMPLATE.replacen(DATA, &data.to_string().replace('<', "\\u003c"), 1))
}

/// Keys, load, seeds, the worst state, then of each metric mean and half-width; `null` where there is none.
fn row(plan: &Plan, point: &Point, seeds: &[Summary]) -> Json {
    let unsteady = seeds.iter().find(|seed| !seed.state.keeps_up()).or(seeds.first());
    let shown = |value: f64| number(value).parse::<f64>().map_or(Json::Null, Json::from);
    let of = |(_, _, metric): Metric| {
        let values: Vec<f64> = seeds.iter().map(metric).filter(|value| value.is_finite()).collect();
        let (mean, half) = mean_and_ci95(&values);
        json!([shown(mean), shown(half)])
    };
    json!({
        "keys": plan.values(point),
        "load": point.load,
        "seeds": seeds.len(),
        "state": unsteady.map_or("", |seed| seed.state.word()),
        "steady": seeds.iter().all(|seed| seed.state.keeps_up()),
        "values": METRICS.map(of),
    })
}
