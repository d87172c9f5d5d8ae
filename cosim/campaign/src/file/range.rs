//! `{ from, to, step }`: numbers that are as far apart as their text says.

use super::choice::Choice;
use desvio_sim::document::{Data, Problem, Value, listed, unknown_key};

/// Numbers of a range at most: more is a mistake in the step.
const MOST: u64 = 1_000_000;

/// Decimals of a bound at most, so that the numbers are exact.
const DECIMALS: usize = 9;

const KEYS: [&str; 3] = ["from", "to", "step"];

/// Whether a table is meant as a range.
pub(super) fn is_range(value: &Value) -> bool {
    matches!(&value.data, Data::Table(_))
        && value.entries().iter().any(|entry| KEYS.contains(&entry.key.as_str()))
}

/// The numbers from `from` to `to`, both included where the steps end there.
pub(super) fn numbers(value: &Value, key: &str, file: &str) -> Result<Vec<Choice>, Problem> {
    if let Some(entry) = value.entries().iter().find(|entry| !KEYS.contains(&entry.key.as_str())) {
        return Err(unknown_key(entry, &KEYS, None, &format!("in the range of `{key}`")));
    }
    let bound = |name: &str| match value.entry(name) {
        Some(entry) => Decimal::read(&entry.value, &format!("{key}.{name}"), file).map(Some),
        None => Ok(None),
    };
    let missing = |name| {
        let message = format!("`{key}.{name}` is missing: a range has {}", listed(&KEYS, '`'));
        Problem::new(value.at, message)
    };
    let from = bound("from")?.ok_or_else(|| missing("from"))?;
    let to = bound("to")?.ok_or_else(|| missing("to"))?;
    let step = match bound("step")? {
        Some(step) => step,
        // Seeds and sizes count by one.
        None if from.decimals == 0 && to.decimals == 0 => Decimal { digits: 1, decimals: 0 },
        None => return Err(missing("step")),
    };
    let decimals = from.decimals.max(to.decimals).max(step.decimals);
    let [from, to, step] = [from, to, step].map(|bound| bound.at(decimals));
    if step <= 0 || to < from {
        let message =
            format!("the range of `{key}` is empty: `step` must be above 0 and `to` not below `from`");
        return Err(Problem::new(value.at, message));
    }
    let count = (to - from) / step + 1;
    if count > i128::from(MOST) {
        let message = format!("the range of `{key}` has {count} numbers, at most {MOST} are possible");
        return Err(Problem::new(value.at, message));
    }
    let shown = |n| Decimal { digits: from + n * step, decimals }.to_string();
    Ok((0..count).map(|n| Choice::number(&shown(n), value.at)).collect())
}

/// A number as it is written: `0.05` is 5 with two decimals.
#[derive(Debug, Clone, Copy)]
struct Decimal {
    digits: i128,
    decimals: usize,
}

impl Decimal {
    fn read(value: &Value, key: &str, file: &str) -> Result<Self, Problem> {
        let expected = || {
            let message = format!(
                "`{key}` must be a number of at most {DECIMALS} decimals such as 0.05, not {}",
                value.describe()
            );
            Problem::new(value.at, message)
        };
        let text = match &value.data {
            Data::Integer(Some(number)) => number.to_string(),
            Data::Float(_) => file.get(value.at.start..value.at.end).unwrap_or_default().replace('_', ""),
            _ => return Err(expected()),
        };
        let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
        let digits = format!("{whole}{fraction}").parse().ok().filter(|digits: &i128| digits.abs() < 1 << 80);
        let decimals = fraction.len();
        match digits {
            Some(digits) if decimals <= DECIMALS => Ok(Self { digits, decimals }),
            _ => Err(expected()),
        }
    }

    fn at(self, decimals: usize) -> i128 {
        self.digits * 10_i128.pow((decimals - self.decimals) as u32)
    }
}

impl std::fmt::Display for Decimal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { digits, decimals } = *self;
        if decimals == 0 {
            return write!(f, "{digits}");
        }
        let (sign, scale) = (if digits < 0 { "-" } else { "" }, 10_u128.pow(decimals as u32));
        let (whole, fraction) = (digits.unsigned_abs() / scale, digits.unsigned_abs() % scale);
        let fraction = format!("{fraction:0decimals$}");
        // A number that varies as a real one stays real: `1.0`, not `1`.
        let fraction = fraction.trim_end_matches('0');
        write!(f, "{sign}{whole}.{}", if fraction.is_empty() { "0" } else { fraction })
    }
}
