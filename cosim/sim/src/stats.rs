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
