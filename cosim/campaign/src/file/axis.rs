//! What varies: an axis of one key, or of several that go together.

use super::choice::Choice;
use super::range;
use desvio_sim::document::{Data, Entry, Place, Problem, Value};
use desvio_sim::traffic::MOST_LOAD;
use std::collections::HashSet;

/// The key of a point's load.
pub(crate) const LOAD: &str = "load";
/// The key of a point's seed.
pub(crate) const SEED: &str = "seed";

/// Keys that vary together, and their values.
#[derive(Debug, Clone)]
pub(crate) struct Axis {
    pub(crate) keys: Vec<String>,
    /// One value of each key, in the order of the keys.
    pub(crate) rows: Vec<Vec<Choice>>,
}

/// A key and its values.
pub(super) struct Column {
    pub(super) key: String,
    pub(super) key_at: Place,
    pub(super) values: Vec<Choice>,
}

/// The axes of `[axes]`, one for each key.
pub(super) fn crossed(entries: &[Entry], file: &str) -> Result<Vec<Axis>, Problem> {
    let columns = columns(entries, "", file)?;
    columns.iter().try_for_each(each_value_once)?;
    let axis = |Column { key, values, .. }: Column| Axis {
        keys: vec![key],
        rows: values.into_iter().map(|value| vec![value]).collect(),
    };
    Ok(columns.into_iter().map(axis).collect())
}

/// The axis of a `[[zip]]`: its keys go together.
pub(super) fn zipped(table: &Value, file: &str) -> Result<Axis, Problem> {
    let columns = columns(table.entries(), "", file)?;
    let Some((first, others)) = columns.split_first() else {
        return Err(Problem::new(table.at, "a [[zip]] without keys: expected lists of equally many values"));
    };
    let count = first.values.len();
    if let Some(other) = others.iter().find(|other| other.values.len() != count) {
        let message = format!(
            "keys of one [[zip]] have equally many values, but `{}` has {} and `{}` has {count}",
            other.key,
            other.values.len(),
            first.key
        );
        return Err(Problem::new(other.key_at, message));
    }
    let row = |n: usize| columns.iter().filter_map(|column| column.values.get(n).cloned()).collect();
    Ok(Axis {
        keys: columns.iter().map(|column| column.key.clone()).collect(),
        rows: (0..count).map(row).collect(),
    })
}

/// The keys below `path`, in the order of the text: `routing.algorithm = […]` and `"routing.algorithm" = […]` are the same.
fn columns(entries: &[Entry], path: &str, file: &str) -> Result<Vec<Column>, Problem> {
    let mut found = Vec::new();
    for entry in entries {
        let key = if path.is_empty() { entry.key.clone() } else { format!("{path}.{}", entry.key) };
        match &entry.value.data {
            Data::Table(below) if !range::is_range(&entry.value) && !below.is_empty() => {
                found.extend(columns(below, &key, file)?);
            }
            _ => found.push(column(key, entry, file)?),
        }
    }
    Ok(found)
}

fn column(key: String, entry: &Entry, file: &str) -> Result<Column, Problem> {
    check_key(&key, entry.key_at)?;
    let values = values(&entry.value, &key, file)?;
    if key == LOAD {
        values.iter().try_for_each(check_load)?;
    }
    Ok(Column { key, key_at: entry.key_at, values })
}

/// The values of a list, or the numbers of a range; at least one.
pub(super) fn values(value: &Value, key: &str, file: &str) -> Result<Vec<Choice>, Problem> {
    match &value.data {
        Data::List(values) if !values.is_empty() => {
            Ok(values.iter().map(|value| Choice::new(value, file)).collect())
        }
        Data::Table(_) if range::is_range(value) => range::numbers(value, key, file),
        _ => {
            let message = format!(
                "`{key}` must be a list of values or {{ from = …, to = …, step = … }}, not {}",
                value.describe()
            );
            Err(Problem::new(value.at, message))
        }
    }
}

/// Refuses what has a way of its own, and what cannot be a key of a scenario: the scenario's reader knows the rest.
fn check_key(key: &str, at: Place) -> Result<(), Problem> {
    match key {
        "traffic.loads" => {
            Err(Problem::new(at, "`traffic.loads` is a list of loads: the axis of loads is `load`"))
        }
        "run.seed" | SEED => Err(Problem::new(at, format!("`{key}` is no axis: seeds are replicates"))
            .note("write `seeds = [1, 2, 3]` or `seeds = { from = 1, to = 3 }` at the top of the file")),
        // A table as a whole: networks of several kinds have no keys in common.
        LOAD | "topology" | "routing" => Ok(()),
        key if key.contains('.') => Ok(()),
        key => Err(Problem::new(
            at,
            format!(
                "unknown key `{key}`, expected `load` or a key of the scenario with its table, such as `routing.algorithm`"
            ),
        )),
    }
}

/// As the scenario's reader takes it.
pub(super) fn check_load(load: &Choice) -> Result<(), Problem> {
    match load.real() {
        Some(number) if number > 0.0 && number <= MOST_LOAD => Ok(()),
        _ => Err(Problem::new(
            load.at,
            format!(
                "`load` must be above 0 and at most {MOST_LOAD}, in flits per node per cycle, not {}",
                load.shown
            ),
        )),
    }
}

fn each_value_once(Column { key, values, .. }: &Column) -> Result<(), Problem> {
    let mut seen = HashSet::new();
    match values.iter().find(|value| !seen.insert(format!("{:?}", value.same))) {
        Some(value) => Err(Problem::new(value.at, format!("`{key}` has the value {} twice", value.shown))),
        None => Ok(()),
    }
}
