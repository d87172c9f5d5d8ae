//! What a router would cost that is too large to be synthesised: fitted, unit by unit, to smaller ones.
//!
//! A unit's cost is taken as a sum of two powers of the number of ports, with coefficients that are not negative. Which two is known
//! from how the unit is built, so that few syntheses are enough.

use super::unit::Unit;
use serde::Serialize;

/// The powers of the number of ports that a unit's cost grows with, in balanced Dragonflies.
#[must_use]
pub const fn powers(unit: Unit) -> (i32, i32) {
    match unit {
        // One for each port or each VC, in which registers are as wide as there are ports.
        Unit::Buffers | Unit::Select | Unit::Admit | Unit::Ports => (1, 2),
        // Each port's flit may go to each port; each counter adds what all ports count.
        Unit::Crossbar | Unit::Contention => (1, 2),
        // Each head's destination is one of the group's global links, which are as many as ports times ports.
        Unit::Route => (1, 3),
        // An arbiter among all inputs for each VC of each output; a matrix arbiter remembers each pair.
        Unit::Allocator => (2, 3),
        Unit::Credits | Unit::Output => (1, 1),
        Unit::Errors => (0, 1),
    }
}

/// A quantity as a sum of two powers of the number of ports.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Fit {
    /// The two powers; the same twice where one is enough.
    pub powers: (i32, i32),
    /// Their coefficients.
    pub coefficients: (f64, f64),
}

impl Fit {
    /// The smallest relative errors, squared and summed, at these points of ports and quantity. Where a coefficient would be
    /// negative, the better of the two powers stands alone.
    #[must_use]
    pub fn with((i, j): (i32, i32), points: &[(f64, f64)]) -> Self {
        let fit = |powers| solve(powers, points).map(|coefficients| Self { powers, coefficients });
        let alone = || {
            let fits = [(i, i), (j, j)].into_iter().filter_map(fit);
            fits.min_by(|a, b| a.error(points).total_cmp(&b.error(points)))
        };
        let nothing = Self { powers: (0, 0), coefficients: (0.0, 0.0) };
        fit((i, j)).filter(|_| i != j).or_else(alone).unwrap_or(nothing)
    }

    /// The quantity for a number of ports.
    #[must_use]
    pub fn at(&self, ports: f64) -> f64 {
        self.coefficients.0 * ports.powi(self.powers.0) + self.coefficients.1 * ports.powi(self.powers.1)
    }

    fn error(&self, points: &[(f64, f64)]) -> f64 {
        points.iter().map(|&(ports, is)| (self.at(ports) / is.max(1e-9) - 1.0).powi(2)).sum()
    }
}

/// The coefficients; `None` where one would be negative.
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
    (a >= 0.0 && b >= 0.0).then_some((a, b))
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
        let points = [3.0, 7.0, 11.0].map(|p: f64| (p, 40.0 * p + 2.0 * p.powi(3)));
        let fit = Fit::with((1, 3), &points);
        assert!((fit.at(31.0) / (40.0 * 31.0 + 2.0 * 29791.0) - 1.0).abs() < 1e-9, "{fit:?}");
    }

    #[test]
    fn no_coefficient_is_negative() {
        let fit = Fit::with((1, 2), &[(4.0, 40.0), (8.0, 70.0), (16.0, 120.0)]);
        assert_eq!((fit.powers, fit.coefficients.1), ((1, 1), 0.0));
    }

    #[test]
    fn depth_grows_with_each_doubling() {
        let fit = DepthFit::of(&[(4.0, 50.0), (8.0, 60.0), (16.0, 70.0)]);
        assert!((fit.at(32.0) - 80.0).abs() < 1e-9);
    }
}
