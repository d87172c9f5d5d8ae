//! One finished point as a line of a segment: JSON that begins with a checksum of all that follows it.

use std::hash::{DefaultHasher, Hasher as _};

use desvio_report::point_json;
use desvio_sim::run::Outcome;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::identity::{PointId, short_digest};

/// What came of a point.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Came {
    /// It ran to its end, or to a deadlock or another violation, with the sentence that says so.
    Finished(Option<String>),
    /// It could not be run: it is tried again by the next run.
    Failed(String),
}

/// A line, apart from its checksum.
#[derive(Serialize, Deserialize)]
struct Line<'a> {
    point: String,
    /// Processor's wall clock, for estimates: no part of the result.
    seconds: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    violation: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    failed: Option<String>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    result: Option<&'a RawValue>,
}

/// A finished point.
#[derive(Debug, Clone)]
pub struct Record {
    /// Which one.
    pub id: PointId,
    /// How long it took, in seconds.
    pub seconds: f64,
    /// What came of it.
    pub came: Came,
    /// What it measured, as JSON; empty where it failed.
    pub result: String,
}

const CHECK: &str = "{\"check\":\"";
const AFTER: &str = "\",";
const DIGITS: usize = 16;

impl Record {
    /// What a run came to.
    pub(crate) fn new(id: PointId, seconds: f64, outcome: &Result<Outcome, String>) -> Self {
        let (came, result) = match outcome {
            Ok(outcome) => (Came::Finished(violation(outcome)), point_json(&outcome.summary)),
            Err(message) => (Came::Failed(message.clone()), String::new()),
        };
        Self { id, seconds, came, result }
    }

    /// The line, with its end.
    pub(crate) fn to_line(&self) -> String {
        let (violation, failed) = match &self.came {
            Came::Finished(violation) => (violation.clone(), None),
            Came::Failed(message) => (None, Some(message.clone())),
        };
        let result = serde_json::from_str(&self.result).ok();
        let line = Line { point: self.id.to_string(), seconds: self.seconds, violation, failed, result };
        // Writing to memory with keys that are strings cannot fail.
        let json = serde_json::to_string(&line).unwrap_or_default();
        let rest = json.strip_prefix('{').unwrap_or_default();
        format!("{CHECK}{}{AFTER}{rest}\n", short_digest(rest.as_bytes()))
    }

    /// Reads a line without its end; `None` where it is not as it was written.
    pub(crate) fn read(line: &[u8]) -> Option<Self> {
        let line = std::str::from_utf8(line).ok()?;
        let (check, rest) = line.strip_prefix(CHECK)?.split_at_checked(DIGITS)?;
        let rest = rest.strip_prefix(AFTER)?;
        if short_digest(rest.as_bytes()) != check {
            return None;
        }
        let object = format!("{{{rest}");
        let Line { point, seconds, violation, failed, result } = serde_json::from_str(&object).ok()?;
        let came = match (failed, result) {
            (Some(message), None) => Came::Failed(message),
            (None, Some(_)) => Came::Finished(violation),
            _ => return None,
        };
        let result = result.map(|result| result.get().to_owned()).unwrap_or_default();
        Some(Self { id: point.parse().ok()?, seconds, came, result })
    }

    /// Whether a line was an entry once, damaged or not; any other is somebody else's.
    pub(crate) fn was_entry(line: &[u8]) -> bool {
        let has = |part: &[u8]| line.windows(part.len()).any(|window| window == part);
        line.starts_with(CHECK.as_bytes()) || has(b"\"check\":\"") && has(b"\"point\":\"")
    }

    /// Two results of a point that differ have different ones, but for one time in 2⁶⁴.
    pub(crate) fn fingerprint(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        hasher.write(self.result.as_bytes());
        hasher.finish()
    }
}

fn violation(outcome: &Outcome) -> Option<String> {
    match (&outcome.violation, outcome.summary.packets_lost) {
        (Some(violation), _) => Some(violation.to_string()),
        (None, 0) => None,
        (None, lost) => Some(format!("{lost} packets were lost")),
    }
}
