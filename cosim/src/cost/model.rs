//! What a router would cost that is too large to be synthesised: fitted, unit by unit, to smaller ones.
//!
//! A unit's cost is taken as a sum of two powers of the number of ports, with coefficients that are not negative: multiplexers and
//! counters grow with the ports or their square, a matrix arbiter among all inputs at each VC of each output with their
//! cube. Which two is decided by leaving out each point in turn and predicting it from the others.

use serde::Serialize;

/// The powers that are tried, up to what any unit can grow with.
const POWERS: [(i32, i32); 9] = [(0, 1), (0, 2), (1, 2), (0, 3), (1, 3), (2, 3), (1, 1), (2, 2), (3, 3)];

/// A quantity as a sum of two powers of the number of ports.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Fit {
    /// The two powers; the same twice where there is one.
    pub powers: (i32, i32),
    /// Their coefficients.
    pub coefficients: (f64, f64),
    /// The largest relative error with which a point is predicted from the others.
    pub left_out: f64,
}

impl Fit {
    /// The fit with the smallest error on points left out. At least two points, by ports and quantity.
    #[must_use]
    pub fn of(points: &[(f64, f64)]) -> Self {
        let fits = POWERS.iter().filter_map(|&powers| {
            let coefficients = solve(powers, points)?;
            Some(Self { powers, coefficients, left_out: left_out(powers, points) })
        });
        let best = fits.min_by(|a, b| a.left_out.total_cmp(&b.left_out));
        best.unwrap_or(Self { powers: (0, 0), coefficients: (0.0, 0.0), left_out: f64::INFINITY })
    }

    /// The quantity for a number of ports.
    #[must_use]
    pub fn at(&self, ports: f64) -> f64 {
        value(self.powers, self.coefficients, ports)
    }
}

fn value((i, j): (i32, i32), (a, b): (f64, f64), ports: f64) -> f64 {
    a * ports.powi(i) + b * ports.powi(j)
}

/// The largest relative error of a point predicted from the others.
fn left_out(powers: (i32, i32), points: &[(f64, f64)]) -> f64 {
    let error = |n: usize| {
        let others: Vec<_> = points.iter().enumerate().filter(|&(m, _)| m != n).map(|(_, p)| *p).collect();
        let (ports, is) = points.get(n).copied().unwrap_or_default();
        let said = solve(powers, &others).map_or(f64::INFINITY, |c| value(powers, c, ports));
        if is == 0.0 { said.abs() } else { (said / is - 1.0).abs() }
    };
    (0..points.len()).map(error).fold(0.0, f64::max)
}

/// The coefficients with the smallest relative errors, squared and summed; `None` where one would be negative.
fn solve((i, j): (i32, i32), points: &[(f64, f64)]) -> Option<(f64, f64)> {
    let (mut aa, mut ab, mut bb, mut ay, mut by) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for &(ports, is) in points {
        let weight = is.abs().max(1e-9);
        let (a, b) = (ports.powi(i) / weight, ports.powi(j) / weight);
        (aa, ab, bb) = (aa + a * a, ab + a * b, bb + b * b);
        (ay, by) = (ay + a * is / weight, by + b * is / weight);
    }
    if i == j {
        return (aa > 0.0).then(|| (ay / aa, 0.0));
    }
    let determinant = aa * bb - ab * ab;
    let (a, b) = ((ay * bb - by * ab) / determinant, (by * aa - ay * ab) / determinant);
    (a >= 0.0 && b >= 0.0 && determinant > 0.0).then_some((a, b))
}

/// A logic depth, which grows with the logarithm of the ports.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct DepthFit {
    /// Cells at one port.
    pub base: f64,
    /// Cells that each doubling of the ports adds.
    pub doubling: f64,
}

impl DepthFit {
    /// By least squares, of ports and depths.
    #[must_use]
    pub fn of(points: &[(f64, f64)]) -> Self {
        let n = points.len().max(1) as f64;
        let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / n;
        let (x, y) = (mean(|p| p.0.log2()), mean(|p| p.1));
        let spread: f64 = points.iter().map(|p| (p.0.log2() - x).powi(2)).sum();
        let both: f64 = points.iter().map(|p| (p.0.log2() - x) * (p.1 - y)).sum();
        let doubling = if spread > 0.0 { both / spread } else { 0.0 };
        Self { base: y - doubling * x, doubling }
    }

    /// The depth for a number of ports.
    #[must_use]
    pub fn at(&self, ports: f64) -> f64 {
        self.base + self.doubling * ports.log2()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_of_two_powers_is_found_again() {
        let points = [3.0, 7.0, 11.0, 15.0].map(|p: f64| (p, 40.0 * p + 2.0 * p.powi(3)));
        let fit = Fit::of(&points);
        assert_eq!(fit.powers, (1, 3));
        assert!(fit.left_out < 1e-9, "{fit:?}");
        assert!((fit.at(31.0) / (40.0 * 31.0 + 2.0 * 29791.0) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn depth_grows_with_each_doubling() {
        let fit = DepthFit::of(&[(4.0, 50.0), (8.0, 60.0), (16.0, 70.0)]);
        assert!((fit.at(32.0) - 80.0).abs() < 1e-9);
    }
}
