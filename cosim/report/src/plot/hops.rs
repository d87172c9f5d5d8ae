//! How many hops packets took: grouped bars.

use plotters::style::RGBColor;

use super::super::Curve;
use super::super::csv::number as load_name;
use super::axes::Axis;
use super::curves::percent_axis;
use super::legend::{Entry, Sample};
use super::palette::{bar, shade};
use super::panel::{Content, Panel};
use desvio_sim::summary::{State, Summary};

const HOPS: &str = "Hops (router-to-router links crossed)";
const SHARE: &str = "Packets (%)";
/// Loads of a single curve that are shown at most; where there are more, the title says so.
const LOADS: usize = 8;

/// The panel, its legend, and which load it shows, or `None` where nothing was counted.
pub(super) fn hops(curves: &[Curve]) -> Option<(Panel, Vec<Entry>, String)> {
    let (bars, load) = match curves {
        [curve] => (by_load(curve), left_out(counted(curve).len())),
        curves => by_curve(curves),
    };
    let shares: Vec<(RGBColor, Vec<f64>)> =
        bars.iter().map(|bar| (bar.colour, shares(&bar.point.hop_histogram))).collect();
    let longest = shares.iter().map(|(_, shares)| shares.len()).max().filter(|&length| length > 0)?;
    let y = percent_axis(shares.iter().flat_map(|(_, shares)| shares.iter().copied()), SHARE);
    let x = Axis::new(-0.5, longest as f64 - 0.5, 20, HOPS).whole();
    let panel = Panel { title: String::new(), x, y, guide: None, content: Content::Bars(shares) };
    let entry = |bar: &Bar<'_>| Entry { sample: Sample::Bar(bar.colour), name: bar.name.clone() };
    Some((panel, bars.iter().map(entry).collect(), load))
}

/// How many of the loads are shown, where not all are.
fn left_out(loads: usize) -> String {
    if loads > LOADS { format!("at {LOADS} of {loads} loads") } else { String::new() }
}

struct Bar<'a> {
    name: String,
    colour: RGBColor,
    point: &'a Summary,
}

fn counted(curve: &Curve) -> Vec<&Summary> {
    let mut points: Vec<&Summary> =
        curve.points.iter().filter(|point| !shares(&point.hop_histogram).is_empty()).collect();
    points.sort_by(|a, b| a.load.total_cmp(&b.load));
    points
}

/// One curve: a few of its loads, from the lowest to the highest.
fn by_load(curve: &Curve) -> Vec<Bar<'_>> {
    let points = counted(curve);
    let shown = points.len().min(LOADS);
    let spread = |n: usize| n * points.len().saturating_sub(1) / shown.saturating_sub(1).max(1);
    (0..shown)
        .filter_map(|n| Some((n, *points.get(spread(n))?)))
        .map(|(n, point)| Bar {
            name: format!("offered load {}", load_name(point.load)),
            colour: shade(n, shown),
            point,
        })
        .collect()
}

/// Several curves: each at the highest load that all of them have, stationary if possible; otherwise each at its last.
fn by_curve(curves: &[Curve]) -> (Vec<Bar<'_>>, String) {
    let all: Vec<Vec<&Summary>> = curves.iter().map(counted).collect();
    let shared = |stationary: bool| {
        let fits = |p: &Summary| !(stationary && (p.state == State::Saturated || p.state.is_broken()));
        let has = |points: &Vec<&Summary>, load: f64| points.iter().any(|p| p.load == load && fits(p));
        let counting = || all.iter().filter(|points| !points.is_empty());
        let loads = counting().next()?.iter().rev().map(|p| p.load);
        loads.into_iter().find(|&load| counting().all(|points| has(points, load)))
    };
    let load = shared(true).or_else(|| shared(false));
    let pick = |points: &[&Summary]| {
        let last = points.len().saturating_sub(1);
        points.iter().position(|p| Some(p.load) == load).unwrap_or(last)
    };
    let mut bars = Vec::new();
    for (n, (curve, points)) in curves.iter().zip(&all).enumerate() {
        if let Some(&point) = points.get(pick(points)) {
            bars.push(Bar { name: curve.name.clone(), colour: bar(n), point });
        }
    }
    let caption = match load {
        Some(load) => format!("at offered load {}", load_name(load)),
        None => "each at its highest load".to_owned(),
    };
    (bars, caption)
}

/// Percent of the packets by hops; empty where there is no packet.
fn shares(histogram: &[u64]) -> Vec<f64> {
    let total: f64 = histogram.iter().map(|&n| n as f64).sum();
    let used = histogram.iter().rposition(|&n| n > 0).map_or(0, |last| last + 1);
    histogram.iter().take(used).map(|&n| 100.0 * n as f64 / total).collect()
}
