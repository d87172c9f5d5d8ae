//! The pictures: each function returns one SVG file as text.
//!
//! A filled marker is a stationary run, a hollow one a saturated run, a cross a deadlock.

mod axes;
mod canvas;
mod clip;
mod cost;
mod curves;
mod figure;
mod hops;
mod legend;
mod links;
mod marks;
mod palette;
mod panel;
mod png;
mod series;
mod subtitle;
mod svg;

use super::Curve;
pub use cost::{Gain, Growth, Point, Stack};
use curves::{ends_as, has_intervals};
use figure::Figure;
use legend::{Entry, Sample, everything_accepted, interval};
use marks::Fill;
use palette::Look;
use panel::Panel;
use subtitle::subtitle;

/// Width and height of a picture, in pixels of the SVG.
const SIZE: (u32, u32) = (960, 600);

/// What a hollow marker says, and what it says in a picture of latencies.
const SATURATED: &str = "saturated";
const OFF_SCALE: &str = "saturated: its latency is off the scale";

/// Why a picture could not be drawn.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("cannot draw: {0}")]
pub struct DrawError(String);

/// Mean latency against offered load, with 95 % confidence intervals.
///
/// The axis ends at a few times the lowest latency. A curve ends at its last stationary load; a marker at the upper edge, which no line
/// leads to, shows the next load.
pub(super) fn latency(curves: &[Curve]) -> Result<String, DrawError> {
    single("Latency against offered load", curves, curves::latency("", curves), Vec::new(), OFF_SCALE)
}

/// Accepted against offered load, with 95 % confidence intervals and the line of everything accepted.
pub(super) fn accepted(curves: &[Curve]) -> Result<String, DrawError> {
    let extra = vec![everything_accepted()];
    single("Accepted against offered load", curves, curves::accepted("", curves), extra, SATURATED)
}

/// Share of misrouted packets against offered load.
pub(super) fn misrouted(curves: &[Curve]) -> Result<String, DrawError> {
    single(
        "Misrouted packets against offered load",
        curves,
        curves::misrouted("", curves),
        Vec::new(),
        SATURATED,
    )
}

/// Hops of the packets: of one curve at several loads, of several curves at one. `None` where none were counted.
pub(super) fn hops(curves: &[Curve]) -> Option<Result<String, DrawError>> {
    let (panel, legend, load) = hops::hops(curves)?;
    let title = format!("Hops of packets {load}").trim_end().to_owned();
    Some(draw(Figure { title, subtitle: subtitle(curves), legend, rows: vec![vec![panel]], size: SIZE }))
}

/// Utilisation of the links against offered load, by kind. `None` where none was measured.
pub(super) fn links(curves: &[Curve]) -> Option<Result<String, DrawError>> {
    let panels = links::links(curves);
    if panels.is_empty() {
        return None;
    }
    let solid = |n| Look { dash: "", ..Look::nth(n) };
    let mut legend = names(curves, solid);
    legend.extend(links::meaning());
    legend.extend(states(curves, SATURATED));
    let title = "Link utilisation against offered load".to_owned();
    Some(draw(Figure { title, subtitle: subtitle(curves), legend, rows: vec![panels], size: SIZE }))
}

/// Latency and misrouting over time, around the switch of a pattern. `None` where no run has a series.
pub(super) fn series(curves: &[Curve]) -> Option<Result<String, DrawError>> {
    let (rows, legend) = series::series(curves)?;
    let title = "Latency and misrouting around the switch".to_owned();
    Some(draw(Figure { title, subtitle: subtitle(curves), legend, rows, size: (SIZE.0, 760) }))
}

/// Several pictures in one: a column per entry, latency above, accepted load below, one legend.
///
/// The `n`th curve looks the same in every column, so each column should hold the same curves in the same order.
pub(super) fn panels(title: &str, columns: &[(String, Vec<Curve>)]) -> Result<String, DrawError> {
    let all: Vec<Curve> = columns.iter().flat_map(|(_, curves)| curves.iter().cloned()).collect();
    let most = columns.iter().map(|(_, curves)| curves).max_by_key(|curves| curves.len());
    let mut legend = most.map(|curves| names(curves, Look::nth)).unwrap_or_default();
    legend.push(everything_accepted());
    let row = |panel: fn(&str, &[Curve]) -> Panel, headed: bool, captioned: bool| {
        let column = |(n, (name, curves)): (usize, &(String, Vec<Curve>))| {
            let mut panel = panel(if headed { name } else { "" }, curves);
            if n > 0 {
                panel.y.caption = "";
            }
            if !captioned {
                panel.x.caption = "";
            }
            panel
        };
        columns.iter().enumerate().map(column).collect::<Vec<Panel>>()
    };
    let rows = vec![row(curves::latency, true, false), row(curves::accepted, false, true)];
    legend.extend(rows.iter().flatten().any(has_intervals).then(interval));
    legend.extend(states(&all, OFF_SCALE));
    let width = SIZE.0.max(480 * u32::try_from(columns.len()).unwrap_or(1).min(8));
    draw(Figure { title: title.to_owned(), subtitle: subtitle(&all), legend, rows, size: (width, 800) })
}

/// The bytes of a PNG file of twice the size of `svg`; its fonts are inside the program.
pub(super) fn png(svg: &str) -> Result<Vec<u8>, DrawError> {
    png::rasterise(svg).map_err(DrawError)
}

fn single(
    title: &str,
    curves: &[Curve],
    panel: Panel,
    extra: Vec<Entry>,
    saturated: &str,
) -> Result<String, DrawError> {
    let mut legend = names(curves, Look::nth);
    legend.extend(extra);
    legend.extend(has_intervals(&panel).then(interval));
    legend.extend(states(curves, saturated));
    let title = title.to_owned();
    draw(Figure { title, subtitle: subtitle(curves), legend, rows: vec![vec![panel]], size: SIZE })
}

fn draw(figure: Figure) -> Result<String, DrawError> {
    figure.svg().map_err(DrawError)
}

/// The names of the curves. A single curve is named in the subtitle.
fn names(curves: &[Curve], look: impl Fn(usize) -> Look) -> Vec<Entry> {
    let entry =
        |(n, curve): (usize, &Curve)| Entry { sample: Sample::Curve(look(n)), name: curve.name.clone() };
    if curves.len() < 2 { Vec::new() } else { curves.iter().enumerate().map(entry).collect() }
}

/// The markers of runs that did not become stationary, where there are any.
fn states(curves: &[Curve], saturated: &str) -> Vec<Entry> {
    [(Fill::Hollow, saturated), (Fill::Cross, "deadlock")]
        .into_iter()
        .filter(|&(fill, _)| ends_as(curves, fill))
        .map(|(fill, name)| Entry { sample: Sample::State(fill), name: name.to_owned() })
        .collect()
}
