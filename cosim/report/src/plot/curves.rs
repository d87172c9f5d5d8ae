//! Panels of quantities against offered load.

use super::super::Curve;
use super::axes::{Axis, drawable};
use super::marks::Fill;
use super::palette::Look;
use super::panel::{Content, Dot, Guide, Line, Panel};
use desvio_sim::summary::{State, Summary};

pub(super) const OFFERED: &str = "Offered load (flits per node per cycle)";
const ACCEPTED: &str = "Accepted load (flits per node per cycle)";
const LATENCY: &str = "Mean latency (cycles)";
const MISROUTED: &str = "Misrouted packets (%)";

/// At most so many ticks to the right and upward.
const LOADS: u32 = 11;
const HEIGHTS: u32 = 7;
/// The latency axis ends at this many times the lowest latency: what lies above is saturation, and all of it the same.
const LATENCY_SPAN: f64 = 5.0;
/// … but at this many times the lowest latency of the slowest curve at least.
const LATENCY_ROOM: f64 = 1.8;

/// Latency against offered load. A run that never became stationary has no latency that means anything: each curve ends before
/// the first load of which that is true. That load has a marker at the upper edge, and no line to it: its slope would be invented.
pub(super) fn latency(title: &str, curves: &[Curve]) -> Panel {
    let mut lines = lines(curves, |p| (p.latency_mean, p.latency_ci95));
    let x = offered_axis(&lines, LOADS);
    for line in &mut lines {
        if let Some(first) = line.dots.iter().position(|dot| dot.fill != Fill::Solid) {
            line.dots.truncate(first + 1);
        }
    }
    let y = latency_axis(&lines);
    for dots in lines.iter_mut().map(|line| &mut line.dots) {
        if let Some(last) = dots.pop_if(|dot| dot.fill != Fill::Solid) {
            let gap = Dot { y: f64::NAN, ci95: f64::NAN, ..last };
            dots.extend([gap, Dot { y: y.hi, ..gap }]);
        }
    }
    panel(title, x, y, lines)
}

/// Accepted against offered load.
pub(super) fn accepted(title: &str, curves: &[Curve]) -> Panel {
    let lines = lines(curves, |p| (p.accepted, p.accepted_ci95));
    let x = offered_axis(&lines, LOADS);
    let y = Axis::from_zero(tops(&lines), 0.01, HEIGHTS, ACCEPTED);
    Panel { guide: Some(Guide::Diagonal), ..panel(title, x, y, lines) }
}

/// Share of misrouted packets against offered load.
pub(super) fn misrouted(title: &str, curves: &[Curve]) -> Panel {
    let lines = lines(curves, |p| (100.0 * p.misrouted_share, f64::NAN));
    let x = offered_axis(&lines, LOADS);
    let y = percent_axis(tops(&lines), MISROUTED);
    panel(title, x, y, lines)
}

/// 0 to 100 % where there is much to show, less where there is little.
pub(super) fn percent_axis(values: impl IntoIterator<Item = f64>, caption: &'static str) -> Axis {
    let axis = Axis::from_zero(values, 5.0, HEIGHTS, caption);
    if axis.hi > 80.0 { Axis::new(0.0, 102.0, HEIGHTS, caption) } else { axis }
}

/// Does the panel show a confidence interval?
pub(super) fn has_intervals(panel: &Panel) -> bool {
    match &panel.content {
        Content::Lines(lines) => {
            lines.iter().flat_map(|l| &l.dots).any(|d| d.is_drawable() && drawable(d.ci95))
        }
        Content::Bars(_) | Content::Stacks(_) => false,
    }
}

/// Does any curve have a point that ended as `fill` shows?
pub(super) fn ends_as(curves: &[Curve], fill: Fill) -> bool {
    curves.iter().flat_map(|curve| &curve.points).any(|point| fill_of(point.state) == fill)
}

/// The lines of one quantity and its confidence interval.
pub(super) fn lines(curves: &[Curve], quantity: impl Fn(&Summary) -> (f64, f64)) -> Vec<Line> {
    let line = |(n, curve): (usize, &Curve)| {
        let dot = |point: &Summary| {
            let (y, ci95) = quantity(point);
            Dot { x: point.load, y, ci95, fill: fill_of(point.state) }
        };
        let mut dots: Vec<Dot> = curve.points.iter().map(dot).filter(|dot| drawable(dot.x)).collect();
        dots.sort_by(|a, b| a.x.total_cmp(&b.x));
        Line { look: Look::nth(n), width: 2.0, marked: true, dots }
    };
    curves.iter().enumerate().map(line).collect()
}

/// The axis of the offered load, for `lines`.
pub(super) fn offered_axis(lines: &[Line], ticks: u32) -> Axis {
    let loads = lines.iter().flat_map(|line| &line.dots).map(|dot| dot.x);
    let largest = loads.filter(|&x| drawable(x)).fold(0.0, f64::max);
    Axis::new(0.0, largest * 1.03, ticks, OFFERED)
}

fn fill_of(state: State) -> Fill {
    match state {
        State::Fixed | State::Converged | State::Limit => Fill::Solid,
        State::Starved | State::Saturated => Fill::Hollow,
        State::Deadlock | State::Losses | State::Violation => Fill::Cross,
    }
}

fn panel(title: &str, x: Axis, y: Axis, lines: Vec<Line>) -> Panel {
    Panel { title: title.to_owned(), x, y, guide: None, content: Content::Lines(lines) }
}

/// The upper ends of the whiskers.
fn tops(lines: &[Line]) -> impl Iterator<Item = f64> + '_ {
    let dots = lines.iter().flat_map(|line| &line.dots);
    dots.map(|dot| dot.y + if drawable(dot.ci95) { dot.ci95 } else { 0.0 })
}

fn latency_axis(lines: &[Line]) -> Axis {
    let lowest_of = |line: &Line| {
        let seen = line.dots.iter().filter(|dot| dot.fill == Fill::Solid && dot.is_drawable());
        seen.map(|dot| dot.y).min_by(f64::total_cmp)
    };
    let lowest: Vec<f64> = lines.iter().filter_map(lowest_of).collect();
    let Some(floor) = lowest.iter().copied().min_by(f64::total_cmp) else {
        return Axis::from_zero(tops(lines), 1.0, HEIGHTS, LATENCY);
    };
    let slowest = lowest.iter().copied().fold(floor, f64::max);
    let most = (LATENCY_SPAN * floor).max(LATENCY_ROOM * slowest);
    let axis = Axis::from_zero(tops(lines), 1.0, HEIGHTS, LATENCY);
    if axis.hi > most { Axis::new(0.0, most, HEIGHTS, LATENCY) } else { axis }
}
