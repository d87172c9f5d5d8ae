//! `[[skip]]`: combinations that are left out.

use super::axis::{Axis, SEED};
use super::choice::{Choice, Same};
use desvio_sim::document::{Data, Entry, Place, Problem, Value, listed};

/// Points for which all conditions hold are left out.
#[derive(Debug, Clone)]
pub(crate) struct Skip {
    pub(crate) conditions: Vec<Condition>,
    pub(crate) at: Place,
}

/// A key that varies has one of these values.
#[derive(Debug, Clone)]
pub(crate) struct Condition {
    pub(crate) key: String,
    any_of: Vec<Same>,
}

impl Condition {
    pub(crate) fn holds(&self, same: &Same) -> bool {
        self.any_of.contains(same)
    }
}

/// The values of each key that varies.
pub(super) type Known<'a> = Vec<(&'a str, Vec<&'a Choice>)>;

/// What conditions can be about; of a [[zip]], each key for itself.
pub(super) fn known<'a>(axes: &'a [Axis], seeds: &'a [Choice]) -> Known<'a> {
    let of = |axis: &'a Axis| {
        let column = |n: usize| axis.rows.iter().filter_map(move |row| row.get(n)).collect();
        axis.keys.iter().enumerate().map(move |(n, key)| (key.as_str(), column(n)))
    };
    axes.iter().flat_map(of).chain([(SEED, seeds.iter().collect())]).collect()
}

impl Skip {
    pub(super) fn read(table: &Value, known: &Known<'_>, file: &str) -> Result<Self, Problem> {
        let mut conditions = Vec::new();
        add(table.entries(), "", known, file, &mut conditions)?;
        if conditions.is_empty() {
            return Err(Problem::new(table.at, "a [[skip]] without conditions would leave out everything"));
        }
        Ok(Self { conditions, at: table.at })
    }
}

fn add(
    entries: &[Entry],
    path: &str,
    known: &Known<'_>,
    file: &str,
    conditions: &mut Vec<Condition>,
) -> Result<(), Problem> {
    for entry in entries {
        let key = if path.is_empty() { entry.key.clone() } else { format!("{path}.{}", entry.key) };
        match (known.iter().find(|(other, _)| *other == key), &entry.value.data) {
            (Some((_, values)), _) => conditions.push(condition(key, &entry.value, values, file)?),
            (None, Data::Table(below)) if !below.is_empty() => add(below, &key, known, file, conditions)?,
            (None, _) => {
                let keys: Vec<_> = known.iter().map(|(key, _)| *key).collect();
                let message = format!("`{key}` does not vary, expected one of {}", listed(&keys, '`'));
                return Err(Problem::new(entry.key_at, message));
            }
        }
    }
    Ok(())
}

/// One value, or a list of which any will do.
fn condition(key: String, value: &Value, values: &[&Choice], file: &str) -> Result<Condition, Problem> {
    let whole = Choice::new(value, file);
    let is_known = |choice: &Choice| values.iter().any(|value| value.same == choice.same);
    let any_of = match &value.data {
        Data::List(list) if !is_known(&whole) && !list.is_empty() => {
            list.iter().map(|value| Choice::new(value, file)).collect()
        }
        _ => vec![whole],
    };
    if let Some(unknown) = any_of.iter().find(|choice| !is_known(choice)) {
        let mut shown: Vec<_> = values.iter().map(|value| value.shown.as_str()).collect();
        shown.dedup();
        let message = format!("`{key}` is never {}, expected one of {}", unknown.shown, shown.join(", "));
        return Err(Problem::new(unknown.at, message));
    }
    Ok(Condition { key, any_of: any_of.into_iter().map(|choice| choice.same).collect() })
}
