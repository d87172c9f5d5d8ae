//! Batch means: confidence intervals and steadiness of a series of measurements.

/// Mean and half-width of the 95 % confidence interval of independent batches; NaN for fewer than two.
#[must_use]
pub fn mean_and_ci95(batches: &[f64]) -> (f64, f64) {
    let n = batches.len() as f64;
    let mean = batches.iter().sum::<f64>() / n;
    if batches.len() < 2 {
        return (mean, f64::NAN);
    }
    let variance = batches.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0);
    (mean, student_t(batches.len() - 1) * (variance / n).sqrt())
}

/// The 95 % confidence interval of a mean of correlated batches.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Interval {
    pub(crate) mean: f64,
    /// NaN for fewer than two batches.
    pub(crate) half_width: f64,
    /// Whether enough merged batches are left that no longer correlate.
    pub(crate) is_trusted: bool,
}

/// Fewest merged batches whose interval is trusted.
const MERGED: usize = 10;
/// Correlation of neighbouring batches that is none.
const CORRELATION: f64 = 0.1;

/// The interval of a mean, from batches that may correlate: neighbours are merged until they do not, or until too few are left (Law and
/// Carson, *A sequential procedure for determining the length of a steady-state simulation*, 1979). What correlation remains widens the
/// interval as that of an autoregressive series does.
pub(crate) fn interval(batches: &[f64]) -> Interval {
    let mut merged = batches.to_vec();
    while merged.len() >= 2 * MERGED && correlation(&merged) > CORRELATION {
        // An odd one is the oldest, which is likeliest to be of the warm-up.
        merged = merged[merged.len() % 2..].chunks(2).map(|pair| (pair[0] + pair[1]) / 2.0).collect();
    }
    let correlation = correlation(&merged);
    let (mean, half_width) = mean_and_ci95(&merged);
    let left = correlation.clamp(0.0, 0.8);
    Interval {
        mean,
        half_width: half_width * ((1.0 + left) / (1.0 - left)).sqrt(),
        is_trusted: merged.len() >= MERGED && correlation <= CORRELATION,
    }
}

/// The correlation of each batch with the next one, less the bias of so few; 0 where all are equal.
fn correlation(batches: &[f64]) -> f64 {
    let n = batches.len() as f64;
    let mean = batches.iter().sum::<f64>() / n;
    let squares: f64 = batches.iter().map(|x| (x - mean).powi(2)).sum();
    let products: f64 = batches.windows(2).map(|pair| (pair[0] - mean) * (pair[1] - mean)).sum();
    if squares > 0.0 { products / squares + 1.0 / n } else { 0.0 }
}

/// The 97.5 % quantile of Student's t distribution, by Cornish and Fisher's expansion; exact to 0.5 % from four
/// degrees of freedom on.
fn student_t(freedom: usize) -> f64 {
    match freedom {
        0 => f64::NAN,
        1 => 12.706,
        2 => 4.303,
        3 => 3.182,
        n => {
            let (z, v) = (1.959_964_f64, n as f64);
            let g1 = (z.powi(3) + z) / 4.0;
            let g2 = (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / 96.0;
            let g3 = (3.0 * z.powi(7) + 19.0 * z.powi(5) + 17.0 * z.powi(3) - 15.0 * z) / 384.0;
            z + g1 / v + g2 / v.powi(2) + g3 / v.powi(3)
        }
    }
}

/// Whether the later half of `recent` is within `tolerance` (a share) of the earlier half, or no further away than
/// chance would explain.
pub(crate) fn is_steady(recent: &[f64], tolerance: f64) -> bool {
    let (before, after) = recent.split_at(recent.len() / 2);
    let (a, a_ci) = mean_and_ci95(before);
    let (b, b_ci) = mean_and_ci95(after);
    let chance = (a_ci.powi(2) + b_ci.powi(2)).sqrt() / 2.0;
    (a - b).abs() <= (tolerance * a.abs().max(b.abs())).max(chance.min(4.0 * tolerance * a.abs()))
}

/// Jain's fairness index: 1 when all are equal, 1/n when one has everything; NaN when there is nothing.
pub(crate) fn jain(values: impl Iterator<Item = f64> + Clone) -> f64 {
    let n = values.clone().count() as f64;
    let sum: f64 = values.clone().sum();
    let squares: f64 = values.map(|x| x * x).sum();
    if squares == 0.0 { f64::NAN } else { sum * sum / (n * squares) }
}

/// Nearly normal numbers of variance 1: sums of twelve uniform ones, from a multiplicative sequence.
#[cfg(test)]
pub(crate) fn normal(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed;
    let mut uniform = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 53) as f64
    };
    move || (0..12).map(|_| uniform()).sum::<f64>() - 6.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_agree_with_the_printed_table() {
        for (freedom, table) in
            [(1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (9, 2.262), (19, 2.093), (120, 1.980)]
        {
            let t = student_t(freedom);
            assert!((t / table - 1.0).abs() < 0.005, "t({freedom}) = {t}, table {table}");
        }
    }

    #[test]
    fn a_textbook_interval() {
        // Mean 5, standard deviation 2 of nine values: half-width 2.306 · 2 / 3.
        let values = [2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 5.0, 7.0, 9.0];
        let (mean, ci) = mean_and_ci95(&values);
        assert!((mean - 5.0).abs() < 1e-12 && (ci - 2.306 * 2.0 / 3.0).abs() < 0.01, "{mean} ± {ci}");
    }

    /// Of 400 autoregressive series each, whose correlation falls to 1/e in `tau` batches, the true mean lies in 19 of 20 intervals of
    /// independent batches, and in most of those that have to be merged: without, it is one in three at `tau` 10.
    #[test]
    fn intervals_of_correlated_batches_hold_the_mean() {
        let mut random = normal(1);
        for (tau, at_least) in [(0.0, 370), (1.0, 360), (3.0, 350), (10.0, 320)] {
            let keeps = if tau == 0.0 { 0.0 } else { f64::exp(-1.0 / tau) };
            let (mut held, mut held_unmerged) = (0, 0);
            for _ in 0..400 {
                let mut x = 0.0;
                let series: Vec<f64> = (0..300)
                    .map(|_| {
                        x = keeps * x + (1.0_f64 - keeps * keeps).sqrt() * random();
                        x
                    })
                    .collect();
                let Interval { mean, half_width, .. } = interval(&series[100..]);
                held += usize::from(mean.abs() <= half_width);
                let (mean, half_width) = mean_and_ci95(&series[100..]);
                held_unmerged += usize::from(mean.abs() <= half_width);
            }
            assert!(held >= at_least, "tau {tau}: {held} of 400");
            assert!(tau < 10.0 || held_unmerged < 200, "tau {tau}: {held_unmerged} of 400 unmerged");
        }
    }

    #[test]
    fn an_interval_of_few_batches_is_not_trusted() {
        assert!(!interval(&[1.0, 2.0, 1.0, 2.0, 1.0, 2.0, 1.0, 2.0, 1.0]).is_trusted);
        assert!(interval(&[1.0, 2.0, 1.0, 2.0, 1.0, 2.0, 1.0, 2.0, 1.0, 2.0]).is_trusted);
        let rising: Vec<f64> = (0..19).map(f64::from).collect();
        assert!(!interval(&rising).is_trusted, "neighbours are alike");
        assert!(interval(&[1.0]).half_width.is_nan());
    }

    #[test]
    fn growth_is_not_steady() {
        let growing: Vec<f64> = (0..6).map(|n| 100.0 + 10.0 * f64::from(n)).collect();
        assert!(!is_steady(&growing, 0.02));
        assert!(is_steady(&[100.0, 101.0, 99.0, 100.0, 100.5, 99.5], 0.02));
    }

    #[test]
    fn fairness_of_one_who_has_it_all() {
        assert!((jain([4.0, 0.0, 0.0, 0.0].into_iter()) - 0.25).abs() < 1e-12);
        assert!((jain([3.0, 3.0].into_iter()) - 1.0).abs() < 1e-12);
    }
}
