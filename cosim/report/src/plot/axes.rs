//! Axes: from where to where, and which numbers stand beside them.

use std::ops::Range;

use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};

/// Larger numbers are not drawn: no load, time or share comes near.
const LARGEST: f64 = 1e9;

/// Can `value` have a place in a picture?
pub(super) fn drawable(value: f64) -> bool {
    value.abs() <= LARGEST
}

/// One axis.
#[derive(Debug, Clone)]
pub(super) struct Axis {
    pub(super) lo: f64,
    pub(super) hi: f64,
    pub(super) caption: &'static str,
    step: f64,
    /// What stands at 0, 1, 2, … instead of the numbers.
    names: Vec<String>,
}

impl Axis {
    /// From `lo` to `hi` with about `ticks` round numbers between; an empty or undrawable range becomes 0…1.
    pub(super) fn new(lo: f64, hi: f64, ticks: u32, caption: &'static str) -> Self {
        let usable = drawable(lo) && drawable(hi) && hi - lo > 1e-9;
        let (lo, hi) = if usable { (lo, hi) } else { (0.0, 1.0) };
        Self { lo, hi, caption, step: round_step((hi - lo) / f64::from(ticks.max(1))), names: Vec::new() }
    }

    /// One place for each name, which stands there instead of a number.
    pub(super) fn named(names: Vec<String>, caption: &'static str) -> Self {
        let places = names.len().max(1) as f64;
        Self { lo: -0.5, hi: places - 0.5, caption, step: 1.0, names }
    }

    /// From 0 to a little more than the largest drawable of `values`, at least to `least`.
    pub(super) fn from_zero(
        values: impl IntoIterator<Item = f64>,
        least: f64,
        ticks: u32,
        caption: &'static str,
    ) -> Self {
        let largest = values.into_iter().filter(|&v| drawable(v)).fold(0.0, f64::max);
        Self::new(0.0, (largest * 1.06).max(least), ticks, caption)
    }

    /// The axis with another caption.
    #[must_use]
    pub(super) fn captioned(self, caption: &'static str) -> Self {
        Self { caption, ..self }
    }

    /// Ticks at whole numbers only.
    #[must_use]
    pub(super) fn whole(mut self) -> Self {
        self.step = self.step.max(1.0);
        self
    }

    pub(super) fn ticks(&self) -> Vec<f64> {
        // A hair of slack, so that 0.3 is not lost to 0.30000000000000004.
        let first = (self.lo / self.step - 1e-6).ceil() as i64;
        let last = (self.hi / self.step + 1e-6).floor() as i64;
        (first..=last).map(|n| (n as f64 * self.step).clamp(self.lo, self.hi)).collect()
    }

    /// The number beside the tick at `value`, with as many decimals as the ticks need.
    pub(super) fn label(&self, value: f64) -> String {
        if !self.names.is_empty() {
            return self.names.get(value.round().max(0.0) as usize).cloned().unwrap_or_default();
        }
        let decimals = (-self.step.log10().floor()).clamp(0.0, 9.0) as usize;
        let text = if value.abs() >= 1e6 { format!("{value:.2e}") } else { format!("{value:.decimals$}") };
        if text.trim_start_matches('-').chars().all(|c| c == '0' || c == '.') {
            text.trim_start_matches('-').to_owned()
        } else {
            text.replace('-', "−")
        }
    }
}

impl Ranged for Axis {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (from, to): (i32, i32)) -> i32 {
        let share = (value - self.lo) / (self.hi - self.lo);
        from + (f64::from(to - from) * share).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        if hint.weight().allow_light_points() { Vec::new() } else { self.ticks() }
    }

    fn range(&self) -> Range<f64> {
        self.lo..self.hi
    }
}

impl ValueFormatter<f64> for Axis {
    fn format_ext(&self, value: &f64) -> String {
        self.label(*value)
    }
}

/// 1, 2 or 5 times a power of ten, at least `least`.
fn round_step(least: f64) -> f64 {
    let decade = 10f64.powf(least.log10().floor());
    [1.0, 2.0, 5.0]
        .into_iter()
        .map(|n| n * decade)
        .find(|&step| step >= least * 0.999)
        .unwrap_or(decade * 10.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_numbers_with_the_decimals_they_need() {
        let axis = Axis::new(0.0, 0.52, 6, "load");
        let labels: Vec<String> = axis.ticks().into_iter().map(|t| axis.label(t)).collect();
        assert_eq!(labels, ["0.0", "0.1", "0.2", "0.3", "0.4", "0.5"]);
    }

    #[test]
    fn a_negative_tick_has_a_minus_sign_and_zero_has_none() {
        let axis = Axis::new(-200.0, 400.0, 6, "cycles");
        let labels: Vec<String> = axis.ticks().into_iter().map(|t| axis.label(t)).collect();
        assert_eq!(labels, ["−200", "−100", "0", "100", "200", "300", "400"]);
    }

    #[test]
    fn a_range_that_is_none_becomes_one() {
        for (lo, hi) in [(0.0, 0.0), (f64::NAN, 1.0), (0.0, f64::INFINITY), (3.0, 2.0), (0.0, 1e300)] {
            let axis = Axis::new(lo, hi, 6, "");
            assert_eq!((axis.lo, axis.hi), (0.0, 1.0), "{lo}…{hi}");
        }
    }
}
