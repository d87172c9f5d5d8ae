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
    interval_of(batches, 0.0)
}

/// The interval of a mean from batches that correlate: `n` of them are worth `n / time` independent ones. `lasting`: the batches over which
/// correlations are known to last, however few of them these show; 0 where nothing is known.
pub(crate) fn interval_of(batches: &[f64], lasting: f64) -> Interval {
    let n = batches.len() as f64;
    let mean = batches.iter().sum::<f64>() / n;
    if batches.len() < 2 {
        return Interval { mean, half_width: f64::NAN, is_trusted: false };
    }
    let from_mean: Vec<_> = batches.iter().map(|x| x - mean).collect();
    // The mean is that of the batches, which are nearer to it than to the true one: correlations come out too low by `time / n`.
    let first = correlation_time(&from_mean, 1.0 / n);
    let time = correlation_time(&from_mean, first.min(n / 10.0) / n);
    let time = held_against(time, lasting, n).clamp(1.0, n);
    let squares = from_mean.iter().map(|x| x * x).sum::<f64>() / n;
    let variance = squares * (n / (n - time)).min(2.0);
    let independent = n / time;
    let half_width = student_t((independent - 1.0).max(2.0) as usize) * (variance / independent).sqrt();
    Interval { mean, half_width, is_trusted: independent >= INDEPENDENT }
}

/// Groups of batches that the spread of a flow is found from, and the distance over which their correlations count.
const GROUPS: usize = 20;
const DISTANCE: usize = 3;

/// The interval of the mean of what batches deliver. What is late in one comes in a later one, so that their correlations may be below 0, too. Of
/// each group of batches there is one mean. Correlations at a distance of `d` groups count by 1 − d / 4 (Newey and West, *A Simple, Positive
/// Semi-definite, Heteroskedasticity and Autocorrelation Consistent Covariance Matrix*, Econometrica 55(3), 1987).
pub(crate) fn interval_of_flow(batches: &[f64]) -> Interval {
    let by_time = interval(batches);
    let (n, m) = (batches.len(), batches.len().min(GROUPS));
    if m <= DISTANCE + 1 {
        return by_time;
    }
    let groups = (0..m).map(|i| &batches[n * i / m..n * (i + 1) / m]);
    let from_mean: Vec<_> =
        groups.map(|group| group.iter().sum::<f64>() / group.len() as f64 - by_time.mean).collect();
    let weighted = |distance: usize| {
        let pairs = from_mean.iter().zip(&from_mean[distance..]);
        let weight = 1.0 - distance as f64 / (DISTANCE + 1) as f64;
        pairs.map(|(x, y)| x * y).sum::<f64>() * weight * if distance == 0 { 1.0 } else { 2.0 }
    };
    let sum = (0..=DISTANCE).map(weighted).sum::<f64>().max(0.0);
    // The weights of all distances, both ways, are `DISTANCE + 1`: so many groups' worth is lost to the mean.
    let variance = sum / (m - DISTANCE - 1) as f64;
    Interval { half_width: student_t(m - 1) * (variance / m as f64).sqrt(), ..by_time }
}

/// Batches as of so many known times are a long run: it shows its correlations itself.
const LONG: f64 = 10.0;

/// The measured time of `n` batches, where correlations are known to last over `lasting` of them by the tail of the latencies. A short run shows
/// too little of them, and much by chance, so that its time is the known one. The longer the run, the less the known one counts: to the
/// power of its share.
fn held_against(time: f64, lasting: f64, n: f64) -> f64 {
    let share = (LONG * lasting / n).min(1.0);
    time * (lasting / time).powf(share)
}

/// Over how many batches correlations last: 1 and twice their sum at all distances. They are summed by pairs while these are above 0, none above
/// the one before: noise at long distances is left out (Geyer, *Practical Markov Chain Monte Carlo*, Statistical Science 7(4), 1992, section
/// 3.3, initial monotone sequence). Each is taken to be higher by `bias`.
fn correlation_time(from_mean: &[f64], bias: f64) -> f64 {
    let products =
        |distance: usize| -> f64 { from_mean.iter().zip(&from_mean[distance..]).map(|(x, y)| x * y).sum() };
    let squares = products(0);
    if squares <= 0.0 {
        return 1.0;
    }
    let correlation = |distance| if distance == 0 { 1.0 } else { products(distance) / squares + bias };
    let (mut time, mut before) = (-1.0_f64, f64::INFINITY);
    for distance in (0..(from_mean.len() / 2).clamp(1, FARTHEST)).step_by(2) {
        let pair = (correlation(distance) + correlation(distance + 1)).min(before);
        if pair <= 0.0 {
            break;
        }
        (time, before) = (time + 2.0 * pair, pair);
    }
    time.max(1.0)
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

    /// What the scatter of so many means asks for: 1.96 standard deviations.
    fn needed(means: &[f64]) -> f64 {
        1.96 * (means.iter().map(|x| x * x).sum::<f64>() / means.len() as f64).sqrt()
    }

    /// Of 400 series whose true mean is 0: how many intervals hold it, and how wide they are, as a multiple of what the scatter asks for.
    fn held_and_width(mut series: impl FnMut() -> Vec<f64>, of: fn(&[f64]) -> Interval) -> (usize, f64) {
        let intervals: Vec<_> = (0..400).map(|_| of(&series())).collect();
        let held = intervals.iter().filter(|one| one.mean.abs() <= one.half_width).count();
        let printed = intervals.iter().map(|one| one.half_width).sum::<f64>() / 400.0;
        (held, printed / needed(&intervals.iter().map(|one| one.mean).collect::<Vec<_>>()))
    }

    /// 100 or 200 batches that are worth 16 or more independent ones have intervals which are not much wider than the means' scatter.
    #[test]
    fn intervals_are_hardly_wider_than_needed() {
        for (tau, batches) in [(1.0, 100), (3.0, 100), (5.0, 200)] {
            let (mut random, keeps) = (normal(3), f64::exp(-1.0 / tau));
            let mut x = 0.0;
            let series = || {
                let mut next = |_| {
                    x = keeps * x + (1.0_f64 - keeps * keeps).sqrt() * random();
                    x
                };
                (0..batches).map(&mut next).collect()
            };
            let (held, width) = held_and_width(series, interval);
            assert!(held >= 365 && width <= 1.25, "tau {tau}: {held} of 400, {width:.2}");
        }
    }

    /// What comes is random, and what waits lasts over many batches: each delivers what came, less what more of it waits. The mean is known by
    /// what came, although single batches differ by far more. Where nothing waits, the interval is that of independent batches.
    #[test]
    fn what_is_late_in_one_batch_comes_in_another() {
        for (waits, batches) in [(0.0, 50), (0.0, 200), (2.0, 150), (2.0, 400)] {
            let (mut random, mut waiting, keeps) = (normal(4), 0.0, 0.8_f64);
            let series = || {
                let mut next = |_| {
                    let before = waiting;
                    waiting = keeps * waiting + waits * (1.0 - keeps * keeps).sqrt() * random();
                    random() + before - waiting
                };
                (0..batches).map(&mut next).collect()
            };
            let (held, width) = held_and_width(series, interval_of_flow);
            assert!(held >= 365 && width <= 1.25, "{waits} wait: {held} of 400, {width:.2}");
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
