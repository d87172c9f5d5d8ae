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
    /// Whether the batches are worth enough independent ones.
    pub(crate) is_trusted: bool,
}

/// Fewest independent batches that an interval is trusted of.
const INDEPENDENT: f64 = 20.0;

/// The interval of a mean from batches that correlate for as long as they show.
pub(crate) fn interval(batches: &[f64]) -> Interval {
    interval_of(batches, 1.0)
}

/// The interval of a mean from batches that correlate: `n` of them are worth `n / time` independent ones. `lasting`: the batches over which
/// correlations are known to last, at least, however few of them these show.
pub(crate) fn interval_of(batches: &[f64], lasting: f64) -> Interval {
    let n = batches.len() as f64;
    let mean = batches.iter().sum::<f64>() / n;
    if batches.len() < 2 {
        return Interval { mean, half_width: f64::NAN, is_trusted: false };
    }
    let from_mean: Vec<_> = batches.iter().map(|x| x - mean).collect();
    // The mean is that of the batches, which are nearer to it than to the true one: correlations come out too low by `time / n`.
    let first = Correlation::of(&from_mean, 1.0 / n).time;
    let Correlation { time, reach } = Correlation::of(&from_mean, first.min(n / 10.0) / n);
    let time = held_against(time, lasting, n).min(n);
    let squares = from_mean.iter().map(|x| x * x).sum::<f64>() / n;
    let variance = squares * (n / (n - time)).min(2.0);
    let independent = n / time;
    // What is estimated from correlations at all distances up to `reach` is known as well as from `n / (2 · reach + 1)` independent values.
    let freedom = (n / (2 * reach + 1) as f64).min(independent - 1.0).max(2.0) as usize;
    let half_width = student_t(freedom) * (variance / independent).sqrt();
    Interval { mean, half_width, is_trusted: independent >= INDEPENDENT }
}

/// Batches as of so many known times are a long run: it shows its correlations itself.
const LONG: f64 = 5.0;

/// The measured time of `n` batches, where correlations are known to last over `lasting` of them by the tail of the latencies. That is the time of
/// the slowest queue, above what the mean of many queues shows. A short run shows too little, so its time is the known one at least. The
/// longer the run, the less the known one counts: to the power of its share.
fn held_against(time: f64, lasting: f64, n: f64) -> f64 {
    let share = (LONG * lasting / n).min(1.0);
    time * (lasting / time).max(1.0).powf(share)
}

/// Over how many batches a correlation lasts, and to which distance it was summed.
struct Correlation {
    /// 1 and twice the sum of the correlations at all distances.
    time: f64,
    /// The farthest distance of those.
    reach: usize,
}

impl Correlation {
    /// Correlations are summed by pairs while these are above 0, none above the one before: noise at long distances is left out (Geyer, *Practical
    /// Markov Chain Monte Carlo*, Statistical Science 7(4), 1992, section 3.3, initial monotone sequence). The variance that follows has the
    /// freedom of a spectral estimate at frequency 0 with a lag window cut off at `reach` (Priestley, *Spectral Analysis and Time Series*, 1981, section 6.2.4).
    fn of(from_mean: &[f64], bias: f64) -> Self {
        let products = |distance: usize| -> f64 {
            from_mean.iter().zip(&from_mean[distance..]).map(|(x, y)| x * y).sum()
        };
        let squares = products(0);
        if squares <= 0.0 {
            return Self { time: 1.0, reach: 0 };
        }
        let correlation = |distance| if distance == 0 { 1.0 } else { products(distance) / squares + bias };
        let (mut time, mut reach, mut before) = (-1.0, 0, f64::INFINITY);
        for distance in (0..(from_mean.len() / 2).clamp(1, FARTHEST)).step_by(2) {
            let pair = (correlation(distance) + correlation(distance + 1)).min(before);
            if pair <= 0.0 {
                break;
            }
            (time, reach, before) = (time + 2.0 * pair, distance + 1, pair);
        }
        Self { time: time.max(1.0), reach }
    }
}

/// The longest distance of batches at which a correlation is looked for.
const FARTHEST: usize = 1000;

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

    /// Of 400 autoregressive series of 200 batches each, whose correlation falls to 1/e in `tau` batches, the true mean lies in 19 of 20
    /// intervals where `tau` is short, and in most where there are hardly ten independent batches. Taken as independent, half or three
    /// quarters of them miss it.
    #[test]
    fn intervals_of_correlated_batches_hold_the_mean() {
        let mut random = normal(1);
        for (tau, at_least, naive) in [(0.0, 375, 400), (1.0, 375, 340), (3.0, 370, 250), (10.0, 355, 150)] {
            let keeps = if tau == 0.0 { 0.0 } else { f64::exp(-1.0 / tau) };
            let (mut held, mut held_naively) = (0, 0);
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
                held_naively += usize::from(mean.abs() <= half_width);
            }
            assert!(held >= at_least, "tau {tau}: {held} of 400");
            assert!(held_naively <= naive, "tau {tau}: {held_naively} of 400 as if they were independent");
        }
    }

    /// Of 400 autoregressive series of 20 batches, which are hardly worth two independent ones, fewer than three quarters of the intervals
    /// hold the mean; where it is known for how long batches correlate, nearly all.
    #[test]
    fn short_series_whose_correlations_are_known() {
        let (mut random, keeps, mut held, mut held_by_batches) = (normal(2), 0.8_f64, 0, 0);
        let lasting = (1.0 + keeps) / (1.0 - keeps);
        for _ in 0..400 {
            let mut x = random();
            let mut next = || {
                x = keeps * x + (1.0 - keeps * keeps).sqrt() * random();
                x
            };
            let series: Vec<f64> = (0..20).map(|_| next()).collect();
            let holds = |one: Interval| one.mean.abs() <= one.half_width;
            held += usize::from(holds(interval_of(&series, lasting)));
            held_by_batches += usize::from(holds(interval(&series)));
        }
        assert!(held >= 370 && held_by_batches < held - 20, "{held} and {held_by_batches} of 400");
        let constant = interval_of(&[3.0; 20], 1000.0);
        assert!(constant.half_width == 0.0 && !constant.is_trusted, "as of a single batch");
    }

    #[test]
    fn few_or_rising_batches_are_not_trusted() {
        let alternating = |n: usize| (0..n).map(|n| (n % 2) as f64).collect::<Vec<_>>();
        assert!(!interval(&alternating(19)).is_trusted && interval(&alternating(20)).is_trusted);
        let rising: Vec<f64> = (0..100).map(f64::from).collect();
        assert!(!interval(&rising).is_trusted, "neighbours are alike");
        assert!(interval(&[3.0; 20]).half_width == 0.0 && interval(&[1.0]).half_width.is_nan());
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
