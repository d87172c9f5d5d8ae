//! One table of all finished points, with what is needed to compute it again.

use std::path::{Path, PathBuf};

use desvio_report::{Detail, DetailTable, Extra, Kind, PointTable, read_point, replace};
use desvio_sim::document::{Data, Value};
use desvio_sim::scenario::{Loads, Pattern, Scenario};
use desvio_sim::summary::Summary;
use desvio_sim::topology::Wiring;
use rayon::prelude::*;
use serde_json::{Map, Value as Json, json};

use crate::error::CampaignError;
use crate::plan::{Plan, Point};
use crate::record::Came;
use crate::store::Store;

/// Which keys are columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Columns {
    /// Those that vary.
    Varying,
    /// Every key of the scenarios, defaults as well.
    All,
}

/// Points that are read at a time.
const BATCH: usize = 4096;

/// A row for each finished point, in the order of the plan.
#[derive(Debug)]
pub struct Table {
    /// The bytes of `points.csv`.
    pub csv: Vec<u8>,
    /// What is in each column.
    pub kinds: Vec<Kind>,
    /// Rows.
    pub rows: usize,
}

/// The table of what is finished.
///
/// # Errors
/// When a result cannot be read.
pub fn table(plan: &Plan, store: &Store, columns: Columns) -> Result<Table, CampaignError> {
    let leading = Leading::new(plan, columns);
    let mut table = PointTable::new(&leading.columns(), extra(plan));
    let finished: Vec<&Point> = plan.points.iter().filter(|point| store.is_finished(point.id)).collect();
    for batch in finished.chunks(BATCH) {
        let rows = batch.par_iter().map(|point| Ok((leading.of(plan, point), summary(plan, store, point)?)));
        for (leading, summary) in rows.collect::<Result<Vec<_>, CampaignError>>()? {
            table.push(&leading, &summary);
        }
    }
    let (csv, kinds) = table.into_parts();
    Ok(Table { csv, kinds, rows: finished.len() })
}

impl Table {
    /// The bytes of `points.parquet`: the same cells, each column with its type.
    ///
    /// # Errors
    /// When a cell is not of its column's type, in a sentence.
    pub fn parquet(&self) -> Result<Vec<u8>, String> {
        desvio_report::parquet(&self.csv, &self.kinds)
    }
}

/// The bytes of `links.csv`, `nodes.csv`, `latency.csv` and `series.csv`, as far as finished points have something for them: the
/// point's name, then the columns that the files of a run have.
///
/// # Errors
/// When a result cannot be read, or a network cannot be wired.
pub fn details(plan: &Plan, store: &Store) -> Result<Vec<(&'static str, Vec<u8>)>, CampaignError> {
    let mut tables = Detail::ALL.map(|of| (of, DetailTable::new(of, &["point".to_owned()])));
    for points in plan.points.chunk_by(|a, b| a.combination == b.combination) {
        let Some(wiring) = wiring(plan, &points[0])? else { continue };
        let finished: Vec<&Point> = points.iter().filter(|point| store.is_finished(point.id)).collect();
        for batch in finished.chunks(DETAILED) {
            let read = batch.par_iter().map(|point| detailed(plan, store, point, wiring.as_ref()));
            for (point, summary) in batch.iter().zip(read.collect::<Result<Vec<_>, CampaignError>>()?) {
                let name = [point.id.to_string()];
                tables.iter_mut().for_each(|(_, table)| table.push(&name, &summary));
            }
        }
    }
    let bytes = |(of, table): (Detail, DetailTable)| Some((of.file(), table.into_bytes()?));
    Ok(tables.into_iter().filter_map(bytes).collect())
}

/// Points with details that are in memory at a time.
const DETAILED: usize = 16;

/// The network of a point with `run.details`; of one with a time series alone, nothing; and no answer where neither is kept.
fn wiring(plan: &Plan, point: &Point) -> Result<Option<Option<Wiring>>, CampaignError> {
    let scenario = &plan.combinations[point.combination as usize].scenario;
    if !scenario.run.details {
        let switches = matches!(scenario.traffic.pattern, Pattern::SwitchAt { .. });
        return Ok(switches.then_some(None));
    }
    match Wiring::build(&scenario.topology) {
        Ok(wiring) => Ok(Some(Some(wiring))),
        Err(error) => Err(CampaignError::Unbuildable {
            campaign: plan.campaign.path.clone(),
            point: plan.name(point),
            message: error.to_string(),
        }),
    }
}

/// Writes a table as `points.csv`, with `provenance.json` and `scenario.toml`, into a folder that exists, and the files of [`details`], of
/// which those are removed that nothing is found for. `points.parquet` is written where it is asked for, or there already: it never
/// differs from `points.csv`. The paths, that of `points.csv` first.
///
/// # Errors
/// When a file cannot be written.
pub fn collect(
    plan: &Plan,
    store: &Store,
    out: &Path,
    table: &Table,
    parquet: bool,
) -> Result<Vec<PathBuf>, CampaignError> {
    let mut files = vec![
        ("points.csv", table.csv.clone()),
        ("provenance.json", provenance(plan, store, table.rows).into_bytes()),
        ("scenario.toml", first_curve(plan).to_toml().into_bytes()),
    ];
    if parquet || out.join(PARQUET).exists() {
        let bytes = table.parquet().map_err(|message| plan.whole(&format!("{PARQUET}: {message}")))?;
        files.push((PARQUET, bytes));
    }
    let details = details(plan, store)?;
    for file in
        Detail::ALL.map(Detail::file).iter().filter(|file| !details.iter().any(|(name, _)| name == *file))
    {
        remove(&out.join(file))?;
    }
    let mut written = Vec::new();
    for (name, bytes) in files.into_iter().chain(details) {
        let path = out.join(name);
        replace(&path, &bytes)?;
        written.push(path);
    }
    Ok(written)
}

/// The table with types.
const PARQUET: &str = "points.parquet";

/// Removes what an earlier collection left.
fn remove(path: &Path) -> Result<(), CampaignError> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(CampaignError::store(path)(error)),
        _ => Ok(()),
    }
}

/// What a point measured, without details. There must be a result of it.
///
/// # Errors
/// When it cannot be read.
pub fn summary(plan: &Plan, store: &Store, point: &Point) -> Result<Summary, CampaignError> {
    detailed(plan, store, point, None)
}

/// What a point measured, with details where they were kept and the network is given.
fn detailed(
    plan: &Plan,
    store: &Store,
    point: &Point,
    wiring: Option<&Wiring>,
) -> Result<Summary, CampaignError> {
    let failed = |message| CampaignError::Result { path: store.folder().to_owned(), message };
    let record = store.read(point.id)?.ok_or_else(|| failed(format!("there is none of {}", point.id)))?;
    let classes = plan.combinations[point.combination as usize].scenario.topology.classes();
    read_point(&record.result, classes, wiring).map_err(failed)
}

/// The columns that some of the results have, whatever is finished.
fn extra(plan: &Plan) -> Extra {
    let congestion = plan.combinations.iter().any(|one| one.scenario.has_congestion_control());
    let discards = plan.combinations.iter().any(|one| one.scenario.router.options.discards);
    let lifetime = plan.combinations.iter().any(|one| one.scenario.router.has_lifetimes());
    let paths = plan.combinations.iter().any(|one| one.scenario.has_paths());
    Extra { classes: classes(plan), congestion, discards: discards || lifetime, lifetime, paths }
}

/// The classes of links between routers of all networks, each once.
fn classes(plan: &Plan) -> Vec<&'static str> {
    let mut found = Vec::new();
    for class in plan.combinations.iter().flat_map(|one| one.scenario.topology.classes().iter().skip(1)) {
        if !found.contains(class) {
            found.push(*class);
        }
    }
    found
}

/// The columns before those of the metrics.
enum Leading {
    /// The keys, and what their values are, whatever is finished.
    Varying(Vec<(String, Kind)>),
    All {
        keys: Vec<String>,
        /// Of each combination, a value of each key; empty where it has no such key.
        values: Vec<Vec<String>>,
    },
}

impl Leading {
    fn new(plan: &Plan, columns: Columns) -> Self {
        if columns == Columns::Varying {
            return Self::Varying(plan.key_kinds());
        }
        let settings: Vec<_> = plan.combinations.iter().map(|one| settings(&one.scenario)).collect();
        let mut keys: Vec<String> = Vec::new();
        for (key, _) in settings.iter().flatten() {
            if !keys.contains(key) {
                keys.push(key.clone());
            }
        }
        let value = |of: &[(String, String)], key: &String| {
            of.iter().find(|(other, _)| other == key).map(|(_, value)| value.clone()).unwrap_or_default()
        };
        let values = settings.iter().map(|of| keys.iter().map(|key| value(of, key)).collect()).collect();
        Self::All { keys, values }
    }

    fn columns(&self) -> Vec<(String, Kind)> {
        let keys = match self {
            Self::Varying(keys) => keys.clone(),
            Self::All { keys, values } => {
                let column = |n: usize| values.iter().map(move |of| of[n].as_str());
                let kind = |n: usize| Kind::of(column(n).filter(|value| !value.is_empty()));
                keys.iter().enumerate().map(|(n, key)| (key.clone(), kind(n))).collect()
            }
        };
        let named = |name: &str, kind: Kind| [(name.to_owned(), kind)];
        let behind = named("seed", Kind::Unsigned).into_iter().chain(named("label", Kind::Text));
        named("point", Kind::Text).into_iter().chain(keys).chain(behind).collect()
    }

    fn of(&self, plan: &Plan, point: &Point) -> Vec<String> {
        let values = match self {
            Self::Varying(_) => plan.values(point),
            Self::All { values, .. } => values[point.combination as usize].clone(),
        };
        let behind = [point.seed.to_string(), plan.label(point)];
        [point.id.to_string()].into_iter().chain(values).chain(behind).collect()
    }
}

/// Every key and its value, words without their quotes; load and seed have columns of their own.
fn settings(scenario: &Scenario) -> Vec<(String, String)> {
    let plain = |text: String| match Value::argument(&text, 0, 0).map(|value| value.data) {
        Ok(Data::Text(word)) => word,
        _ => text,
    };
    let own = scenario.named().settings().into_iter();
    let own = own.filter(|(key, _)| !["traffic.loads", "run.seed"].contains(&key.as_str()));
    own.map(|(key, value)| (key, plain(value))).collect()
}

/// The first combination with all of its loads and its first seed: one scenario of the campaign, complete.
fn first_curve(plan: &Plan) -> Scenario {
    let mut scenario = plan.combinations[0].scenario.clone();
    let mut loads: Vec<f64> = Vec::new();
    for point in plan.points.iter().filter(|point| point.combination == 0) {
        if !loads.contains(&point.load) {
            loads.push(point.load);
        }
    }
    scenario.traffic.loads = Loads::List(loads);
    scenario.run.seed = plan.points[0].seed;
    scenario
}

/// What is needed to compute the table again. Neither the time nor a host is in it: equal stores give equal bytes.
fn provenance(plan: &Plan, store: &Store, rows: usize) -> String {
    let named = |point: &Point| json!({ "point": point.id.to_string(), "name": plan.name(point) });
    let with = |point: &Point, message: &str| match named(point) {
        Json::Object(mut object) => {
            object.insert("message".to_owned(), message.into());
            Json::Object(object)
        }
        other => other,
    };
    let (mut failed, mut violations) = (Vec::new(), Vec::new());
    for point in &plan.points {
        match store.get(point.id).map(|found| &found.came) {
            Some(Came::Failed(message)) => failed.push(with(point, message)),
            Some(Came::Finished(Some(violation))) => violations.push(with(point, violation)),
            _ => {}
        }
    }
    let files: Map<String, Json> =
        plan.files.list().into_iter().map(|(name, digest)| (name, digest.into())).collect();
    let file = json!({
        "program": "desvio",
        "version": env!("CARGO_PKG_VERSION"),
        "engine": desvio_sim::engine::name(),
        "points": plan.points.len(),
        "finished": rows,
        "failed": failed,
        "violations": violations,
        "campaign": plan.campaign.text,
        "base": plan.campaign.base_text,
        "files": files,
    });
    // Writing to memory with keys that are strings cannot fail.
    serde_json::to_string_pretty(&file).unwrap_or_default() + "\n"
}
