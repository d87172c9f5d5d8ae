//! What happened after a traffic pattern switched to another.

use super::super::Curve;
use super::super::csv::number;
use super::axes::{Axis, drawable};
use super::curves::percent_axis;
use super::legend::{Entry, Sample};
use super::marks::Fill;
use super::palette::{FAINT, Look};
use super::panel::{Content, Dot, Guide, Line, Panel};
use desvio_sim::summary::{Summary, Window};

const CYCLES: &str = "Start of window, relative to the switch (cycles)";
const LATENCY: &str = "Mean latency (cycles)";
const MISROUTED: &str = "Misrouted packets (%)";

/// Latency above, misrouting below, and their legend; `None` where no run has a series.
pub(super) fn series(curves: &[Curve]) -> Option<(Vec<Vec<Panel>>, Vec<Entry>)> {
    let runs = runs(curves);
    if runs.is_empty() {
        return None;
    }
    let latency = lines(&runs, |window| window.latency_mean);
    let misrouted = lines(&runs, |window| 100.0 * window.misrouted_share);
    let y = Axis::from_zero(heights(&latency), 1.0, 6, LATENCY);
    let upper = panel(cycles(&latency).captioned(""), y, latency);
    let y = percent_axis(heights(&misrouted), MISROUTED);
    let lower = panel(cycles(&misrouted), y, misrouted);
    let curve = |(n, (name, _)): (usize, &(String, &Summary))| {
        let Look { colour, dash, .. } = Look::nth(n);
        Entry { sample: Sample::Line(colour, dash, 1.8), name: name.clone() }
    };
    let mut legend: Vec<Entry> = runs.iter().enumerate().map(curve).collect();
    legend.push(Entry { sample: Sample::Line(FAINT, "4 4", 1.2), name: "switch".to_owned() });
    Some((vec![vec![upper], vec![lower]], legend))
}

/// Every run with a series, named by its curve, its load or both: what distinguishes it from the others.
fn runs(curves: &[Curve]) -> Vec<(String, &Summary)> {
    let mut runs = Vec::new();
    for curve in curves {
        let with_series: Vec<&Summary> = curve.points.iter().filter(|p| !p.series.is_empty()).collect();
        for point in &with_series {
            let load = format!("offered load {}", number(point.load));
            let name = match (curves.len(), with_series.len()) {
                (1, _) => load,
                (_, 1) => curve.name.clone(),
                _ => format!("{}, {load}", curve.name),
            };
            runs.push((name, *point));
        }
    }
    runs
}

fn lines(runs: &[(String, &Summary)], quantity: impl Fn(&Window) -> f64) -> Vec<Line> {
    let line = |(n, (_, point)): (usize, &(String, &Summary))| {
        let dot = |window: &Window| Dot {
            x: window.start as f64,
            y: quantity(window),
            ci95: f64::NAN,
            fill: Fill::Solid,
        };
        let dots = point.series.iter().map(dot).collect();
        Line { look: Look::nth(n), width: 1.6, marked: false, dots }
    };
    runs.iter().enumerate().map(line).collect()
}

fn heights(lines: &[Line]) -> impl Iterator<Item = f64> + '_ {
    lines.iter().flat_map(|line| &line.dots).map(|dot| dot.y)
}

fn cycles(lines: &[Line]) -> Axis {
    let starts = || lines.iter().flat_map(|line| &line.dots).map(|dot| dot.x).filter(|&x| drawable(x));
    let (lo, hi) = (starts().fold(0.0, f64::min), starts().fold(0.0, f64::max));
    Axis::new(lo, hi, 10, CYCLES)
}

fn panel(x: Axis, y: Axis, lines: Vec<Line>) -> Panel {
    Panel { title: String::new(), x, y, guide: Some(Guide::At(0.0)), content: Content::Lines(lines) }
}
