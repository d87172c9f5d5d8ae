//! Two folders of results, point by point: what is different beyond noise.

use std::collections::HashMap;

use super::metric::{Better, Metric};
use super::results::Results;

/// What came of it.
#[derive(Debug, Default)]
pub(super) struct Comparison {
    /// Points that both have, and those that only one has.
    pub(super) matched: usize,
    pub(super) only_before: usize,
    pub(super) only_now: usize,
    /// Points that both have whose every number is equal.
    pub(super) same_points: usize,
    /// Pairs of numbers: equal to the last digit; different, but within noise; beyond it; those that cannot be judged.
    pub(super) equal: usize,
    pub(super) within: usize,
    pub(super) beyond: usize,
    pub(super) unjudged: usize,
    /// Beyond noise, what became worse first, by how much; then what became better, and what is neither.
    pub(super) changes: Vec<Change>,
    /// Points that both have: the rows before and now.
    pub(super) pairs: Vec<(usize, usize)>,
    /// Points whose state is another: the rows before and now.
    pub(super) states: Vec<(usize, usize)>,
}

/// A number that is different beyond noise.
#[derive(Debug)]
pub(super) struct Change {
    /// The row now.
    pub(super) row: usize,
    /// The number of the metric now.
    pub(super) metric: usize,
    pub(super) before: (f64, f64),
    pub(super) now: (f64, f64),
    /// The change as a share of what was before; above 0 where it became worse. NaN where neither is better.
    pub(super) worse: f64,
}

/// Of two numbers with intervals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Equal,
    Within,
    Beyond,
    Unjudged,
}

/// Holds the points of `now` against those of `before` that have the same values of the keys that both folders have, and the same load.
pub(super) fn compare(before: &Results, now: &Results) -> Comparison {
    let (old, new) = (by_name(before, now), by_name(now, before));
    let mut found = Comparison::default();
    let pairs = new.iter().filter_map(|(name, &new)| Some((name, old.get(name).copied()??, new?)));
    let mut pairs: Vec<(usize, usize)> = pairs.map(|(_, old, new)| (old, new)).collect();
    pairs.sort_unstable_by_key(|&(_, new)| new);
    found.matched = pairs.len();
    (found.only_before, found.only_now) = (before.rows.len() - pairs.len(), now.rows.len() - pairs.len());
    for &pair in &pairs {
        found.point(before, now, pair);
    }
    found.pairs = pairs;
    found.changes.sort_by(|a, b| order(a).total_cmp(&order(b)));
    found
}

fn order(change: &Change) -> f64 {
    if change.worse.is_nan() { f64::INFINITY } else { -change.worse }
}

/// The rows by the values of the keys that the other folder has, too, and their load; nothing where several have the same.
fn by_name(of: &Results, other: &Results) -> HashMap<(Vec<String>, u64), Option<usize>> {
    let mut shared: Vec<&String> = of.keys.iter().filter(|key| other.keys.contains(key)).collect();
    shared.sort();
    let columns: Vec<usize> =
        shared.iter().filter_map(|key| of.keys.iter().position(|k| k == *key)).collect();
    let mut rows = HashMap::new();
    for (n, row) in of.rows.iter().enumerate() {
        let values = columns.iter().map(|&column| of.curves[row.curve].values[column].clone()).collect();
        rows.entry((values, row.load.to_bits())).and_modify(|known| *known = None).or_insert(Some(n));
    }
    rows
}

impl Comparison {
    fn point(&mut self, before: &Results, now: &Results, (old, new): (usize, usize)) {
        let (old_row, new_row) = (&before.rows[old], &now.rows[new]);
        if old_row.state != new_row.state {
            self.states.push((old, new));
        }
        let mut is_same = old_row.state == new_row.state;
        for (n, metric) in now.metrics.iter().enumerate() {
            let Some(m) = before.metrics.iter().position(|known| known.column == metric.column) else {
                continue;
            };
            let (was, is) = (old_row.values[m], new_row.values[n]);
            let verdict = judge(was, is, !metric.is_steady_only || (old_row.is_steady && new_row.is_steady));
            is_same &= verdict == Some(Verdict::Equal) || verdict.is_none();
            match verdict {
                None => {}
                Some(Verdict::Equal) => self.equal += 1,
                Some(Verdict::Within) => self.within += 1,
                Some(Verdict::Unjudged) => self.unjudged += 1,
                Some(Verdict::Beyond) => {
                    self.beyond += 1;
                    self.changes.push(Change::new(metric, (new, n), was, is));
                }
            }
        }
        self.same_points += usize::from(is_same);
    }
}

impl Change {
    fn new(metric: &Metric, (row, number): (usize, usize), before: (f64, f64), now: (f64, f64)) -> Self {
        let share = (now.0 - before.0) / before.0.abs();
        let worse = match metric.better {
            Better::Lower => share,
            Better::Higher => -share,
            Better::Neither => f64::NAN,
        };
        Self { row, metric: number, before, now, worse }
    }
}

/// Whether two means differ by more than the 95 % interval of their difference, whose half-width is the root of the sum of the squares
/// of theirs. `None` where neither has a number.
fn judge(before: (f64, f64), now: (f64, f64), is_meant: bool) -> Option<Verdict> {
    if before.0.is_nan() && now.0.is_nan() {
        return None;
    }
    let noise = before.1.hypot(now.1);
    Some(if before.0 == now.0 {
        Verdict::Equal
    } else if !is_meant || noise.is_nan() || before.0.is_nan() || now.0.is_nan() {
        Verdict::Unjudged
    } else if (now.0 - before.0).abs() > noise {
        Verdict::Beyond
    } else {
        Verdict::Within
    })
}
