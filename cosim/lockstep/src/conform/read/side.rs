//! The tables `input` and `output`: the signals of one direction, and its flow control.

use super::super::document::{Problem, Table};
use super::super::map::{Flow, Side};
use super::{name, names, optional};

/// One of the two tables.
pub(super) fn side(table: &Table<'_>, key: &'static str) -> Result<Side, Problem> {
    let range = 1..=65_535;
    Ok(Side {
        key,
        valid: name(&table.need("valid", "the signal that says a flit is there")?)?,
        flit: names(&table.need("flit", "the signal that carries the flit")?)?,
        vc: optional(table, "vc")?,
        head: optional(table, "head")?,
        tail: optional(table, "tail")?,
        flow: flow(table, key)?,
        buffer_flits: table.get("buffer_flits").map(|item| item.whole(range)).transpose()?.map(|n| n as u32),
    })
}

/// By `credit`, `ready` or `on`; what belongs to one of them is not there with another.
fn flow(table: &Table<'_>, key: &str) -> Result<Flow, Problem> {
    let words = ["credit", "ready", "on"];
    let named = words.map(|word| optional(table, word).map(|named| Some((word, named?)))).into_iter();
    let found: Vec<_> = named.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect();
    let (word, named) = match found.as_slice() {
        [(word, named)] => (*word, named.clone()),
        [] => {
            let message =
                format!("`{key}.credit`, `{key}.ready` or `{key}.on` is missing, expected one of them");
            return Err(Problem::new(table.at(), message));
        }
        [(first, _), (second, named), ..] => {
            let message = format!("`{key}` has both `{first}` and `{second}`, expected one of them");
            return Err(Problem::new(named.at.clone(), message));
        }
    };
    for (part, of) in [("credit_vc", "credit"), ("hold", "ready"), ("vc_free", "on"), ("slack", "on")] {
        if let Some(item) = table.get(part).filter(|_| of != word) {
            return Err(Problem::new(item.at(), format!("`{key}.{part}` belongs to `{key}.{of}`")));
        }
    }
    Ok(match word {
        "credit" => Flow::Credit { credit: named, vc: optional(table, "credit_vc")? },
        "ready" => {
            let hold = table.get("hold").map_or(Ok(true), |item| item.truth())?;
            Flow::ValidReady { ready: named, hold }
        }
        _ => {
            let slack = table.get("slack").map_or(Ok(0), |item| item.whole(0..=MOST_SLACK))?;
            Flow::OnOff { on: named, freed: optional(table, "vc_free")?, slack }
        }
    })
}

/// The keys of `input` and of `output`.
pub(super) const SIDE: &[&str] = &[
    "valid",
    "flit",
    "vc",
    "head",
    "tail",
    "ready",
    "hold",
    "credit",
    "credit_vc",
    "on",
    "vc_free",
    "slack",
    "buffer_flits",
];

/// Most cycles of slack: longer than any link between chips.
const MOST_SLACK: u64 = 1000;
