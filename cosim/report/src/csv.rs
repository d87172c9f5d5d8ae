//! Results as comma-separated values.
//!
//! Equal results give equal bytes. Numbers are rounded to six decimals and NaN is an empty field. The first line is the
//! header and no line is a comment, so that every reader of CSV takes the files as they are; the settings are in
//! `provenance.json` beside them.

mod detail;

use super::Curve;
use super::kind::Kind;
use desvio_sim::summary::{Congestion, Discards, Summary};
pub use detail::Detail;
pub(crate) use detail::has_names;

/// The columns that every `summary.csv` has, in order. Scripts rely on it. After them come those of the classes of links
/// between routers, which the topology names: `link_utilisation_local_mean`, `link_utilisation_local_max`, and so on; and last
/// `open_paths_mean`, where sources choose among several paths.
pub const COLUMNS: [&str; 22] = [
    "load",
    "offered",
    "accepted",
    "accepted_ci95",
    "latency_mean",
    "latency_ci95",
    "latency_p50",
    "latency_p99",
    "latency_max",
    "network_latency_mean",
    "hops_mean",
    "global_misroutes_mean",
    "local_misroutes_mean",
    "accepted_min_node",
    "fairness_jain",
    "packets_measured",
    "packets_lost",
    "state",
    "misrouted_share",
    "warmup_cycles",
    "measure_cycles",
    "latency_sd",
];

/// The columns behind them where routers mark packets, or sources listen to notifications of congestion.
pub(super) const CONGESTION_COLUMNS: [&str; 4] = ["marked_share", "notifications", "ccti_mean", "ccti_max"];

/// The columns behind those where routers discard packets. The last reason has one where packets may wait too long.
pub(super) const DISCARD_COLUMNS: [&str; 6] = [
    "discarded_not_in_table",
    "discarded_invalid_port",
    "discarded_input_port",
    "discarded_management_port",
    LIFETIME_COLUMN,
    "discarded_flits",
];

const LIFETIME_COLUMN: &str = "discarded_lifetime";

/// The last column with a routing whose sources choose among several paths.
pub(super) const OPEN_PATHS: &str = "open_paths_mean";

/// What is in a column of a table of loads.
pub(super) fn kind(column: &str) -> Kind {
    const WHOLE: [&str; 9] = [
        "latency_p50",
        "latency_p99",
        "latency_max",
        "packets_measured",
        "packets_lost",
        "warmup_cycles",
        "measure_cycles",
        "notifications",
        "ccti_max",
    ];
    match column {
        "state" => Kind::Text,
        _ if WHOLE.contains(&column) || DISCARD_COLUMNS.contains(&column) => Kind::Unsigned,
        _ => Kind::Number,
    }
}

/// One row per load.
pub(super) fn summary(curve: &Curve) -> String {
    let extra = Extra::of(std::slice::from_ref(curve));
    file(curve, &extra.columns(), |p| vec![extra.row(p)])
}

/// One row per load and number of hops, or `None` where no hops were counted.
pub(super) fn hops(curve: &Curve) -> Option<String> {
    let any = curve.points.iter().any(|p| !p.hop_histogram.is_empty());
    any.then(|| file(curve, &HOPS.map(str::to_owned), hop_rows))
}

/// One row per load and window of time, or `None` where there is no series.
pub(super) fn series(curve: &Curve) -> Option<String> {
    let any = curve.points.iter().any(|p| !p.series.is_empty());
    any.then(|| detail(Detail::Series, curve))
}

/// One row per load and direction of a link, or `None` without `run.details`.
pub(super) fn links(curve: &Curve) -> Option<String> {
    let any = curve.points.iter().any(|p| p.details.is_some());
    any.then(|| detail(Detail::Links, curve))
}

/// One row per load and node, or `None` without `run.details`.
pub(super) fn nodes(curve: &Curve) -> Option<String> {
    let any = curve.points.iter().any(|p| p.details.is_some());
    any.then(|| detail(Detail::Nodes, curve))
}

/// One row per load and bin of latencies, or `None` without `run.details`.
pub(super) fn latency(curve: &Curve) -> Option<String> {
    let any = curve.points.iter().any(|p| p.details.is_some());
    any.then(|| detail(Detail::Latency, curve))
}

/// One row per load, window of time and direction of a link, or `None` where there are none.
pub(super) fn link_series(curve: &Curve) -> Option<String> {
    let has_windows = |p: &Summary| p.details.as_ref().is_some_and(|details| !details.over_time.is_empty());
    curve.points.iter().any(has_windows).then(|| detail(Detail::LinkSeries, curve))
}

/// The rows of [`summary`] of several curves, with the curve's name in a leading column `scenario`.
pub(super) fn compare(curves: &[Curve]) -> String {
    let extra = Extra::of(curves);
    files(curves, &extra.columns(), |p| vec![extra.row(p)])
}

/// The rows of [`hops`] of several curves, likewise.
pub(super) fn compare_hops(curves: &[Curve]) -> Option<String> {
    curves
        .iter()
        .any(|curve| hops(curve).is_some())
        .then(|| files(curves, &HOPS.map(str::to_owned), hop_rows))
}

/// The rows of [`series`] of several curves, likewise.
pub(super) fn compare_series(curves: &[Curve]) -> Option<String> {
    curves.iter().any(|curve| series(curve).is_some()).then(|| details(Detail::Series, curves))
}

/// The rows of [`link_series`] of several curves, likewise.
pub(super) fn compare_link_series(curves: &[Curve]) -> Option<String> {
    let any = curves.iter().any(|curve| link_series(curve).is_some());
    any.then(|| details(Detail::LinkSeries, curves))
}

/// The rows of [`links`] of several curves, likewise.
pub(super) fn compare_links(curves: &[Curve]) -> Option<String> {
    let any = curves.iter().any(|curve| links(curve).is_some());
    any.then(|| details(Detail::Links, curves))
}

/// The rows of [`nodes`] of several curves, likewise.
pub(super) fn compare_nodes(curves: &[Curve]) -> Option<String> {
    let any = curves.iter().any(|curve| nodes(curve).is_some());
    any.then(|| details(Detail::Nodes, curves))
}

/// The rows of [`latency`] of several curves, likewise.
pub(super) fn compare_latency(curves: &[Curve]) -> Option<String> {
    let any = curves.iter().any(|curve| latency(curve).is_some());
    any.then(|| details(Detail::Latency, curves))
}

pub(super) const HOPS: [&str; 3] = ["load", "hops", "packets"];
/// `value` with at most six decimals and no trailing zeros; NaN is empty.
#[must_use]
pub fn number(value: f64) -> String {
    if value.is_nan() {
        return String::new();
    }
    let text = format!("{value:.6}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// Columns that not every file has.
#[derive(Debug, Clone)]
pub struct Extra {
    /// The classes of links between routers, each once, in the order in which they are found.
    pub classes: Vec<&'static str>,
    /// Whether routers mark packets, or sources listen to notifications of congestion.
    pub congestion: bool,
    /// Whether routers discard packets.
    pub discards: bool,
    /// Whether they do where one waits too long.
    pub lifetime: bool,
    /// Whether sources choose among several paths.
    pub paths: bool,
}

impl Extra {
    /// Those of some curves.
    fn of(curves: &[Curve]) -> Self {
        let points = || curves.iter().flat_map(|curve| &curve.points);
        let mut classes = Vec::new();
        for (class, _) in points().flat_map(|p| p.link_utilisation.iter().skip(1)) {
            if !classes.contains(class) {
                classes.push(*class);
            }
        }
        let congestion = points().any(|p| p.congestion.is_some());
        let discards = points().any(|p| p.discards.is_some());
        let lifetime = points().any(|p| p.discards.is_some_and(|discards| discards.has_lifetime));
        Self { classes, congestion, discards, lifetime, paths: points().any(|p| !p.open_paths_mean.is_nan()) }
    }

    pub(super) fn columns(&self) -> Vec<String> {
        let of = |class: &&str| ["mean", "max"].map(|of| format!("link_utilisation_{class}_{of}"));
        let classes = self.classes.iter().flat_map(of);
        let congestion = self.congestion.then_some(CONGESTION_COLUMNS).into_iter().flatten();
        let discards = self.discards.then_some(DISCARD_COLUMNS).into_iter().flatten();
        let discards = discards.filter(|column| self.lifetime || *column != LIFETIME_COLUMN);
        let names = congestion.chain(discards).chain(self.paths.then_some(OPEN_PATHS)).map(str::to_owned);
        COLUMNS.map(str::to_owned).into_iter().chain(classes).chain(names).collect()
    }

    pub(super) fn row(&self, p: &Summary) -> Vec<String> {
        let mut row = row(p);
        for class in &self.classes {
            let of = p.utilisation(class);
            row.extend([number(of.mean), number(of.max)]);
        }
        if self.congestion {
            row.extend(congestion(p.congestion));
        }
        if self.discards {
            let of = DISCARD_COLUMNS.into_iter().zip(discards(p.discards));
            row.extend(
                of.filter(|(column, _)| self.lifetime || *column != LIFETIME_COLUMN).map(|(_, of)| of),
            );
        }
        row.extend(self.paths.then(|| number(p.open_paths_mean)));
        row
    }
}

/// Empty fields where a curve of several has nothing to do with congestion.
fn congestion(of: Option<Congestion>) -> [String; 4] {
    of.map_or_else(Default::default, |of| {
        let index = if of.ccti_mean.is_nan() { String::new() } else { of.ccti_max.to_string() };
        [number(of.marked_share), of.notifications.to_string(), number(of.ccti_mean), index]
    })
}

/// Empty fields where a curve of several discards nothing.
fn discards(of: Option<Discards>) -> [String; 6] {
    of.map_or_else(Default::default, |Discards { packets: [a, b, c, d, late], has_lifetime, flits }| {
        let count = |count: u64| count.to_string();
        let late = if has_lifetime { count(late) } else { String::new() };
        [count(a), count(b), count(c), count(d), late, count(flits)]
    })
}

fn row(p: &Summary) -> Vec<String> {
    vec![
        number(p.load),
        number(p.offered),
        number(p.accepted),
        number(p.accepted_ci95),
        number(p.latency_mean),
        number(p.latency_ci95),
        p.latency_p50.to_string(),
        p.latency_p99.to_string(),
        p.latency_max.to_string(),
        number(p.network_latency_mean),
        number(p.hops_mean),
        number(p.global_misroutes_mean),
        number(p.local_misroutes_mean),
        number(p.accepted_min_node),
        number(p.fairness_jain),
        p.packets_measured.to_string(),
        p.packets_lost.to_string(),
        p.state.word().to_owned(),
        number(p.misrouted_share),
        p.warmup_cycles.to_string(),
        p.measure_cycles.to_string(),
        number(p.latency_sd),
    ]
}

fn hop_rows(p: &Summary) -> Vec<Vec<String>> {
    let row = |(hops, packets): (usize, &u64)| vec![number(p.load), hops.to_string(), packets.to_string()];
    p.hop_histogram.iter().enumerate().map(row).collect()
}

fn detail(of: Detail, curve: &Curve) -> String {
    let named = curve.points.iter().any(has_names);
    file(curve, &of.all_columns(named), |p| of.rows(p, named))
}

fn details(of: Detail, curves: &[Curve]) -> String {
    let named = curves.iter().flat_map(|curve| &curve.points).any(has_names);
    files(curves, &of.all_columns(named), |p| of.rows(p, named))
}

fn file(curve: &Curve, columns: &[String], rows: impl Fn(&Summary) -> Vec<Vec<String>>) -> String {
    records(columns, curve.by_load().into_iter().flat_map(rows))
}

fn files(curves: &[Curve], columns: &[String], rows: impl Fn(&Summary) -> Vec<Vec<String>>) -> String {
    let named = |curve: &Curve| {
        let rows = curve.by_load().into_iter().flat_map(&rows);
        rows.map(|row| std::iter::once(text_cell(&curve.name)).chain(row).collect()).collect::<Vec<_>>()
    };
    records(&[&["scenario".to_owned()], columns].concat(), curves.iter().flat_map(named))
}

/// A name as a cell: one that a spreadsheet would take for a formula gets an apostrophe before it. A number stays what it is.
#[must_use]
pub fn text_cell(text: &str) -> String {
    if is_formula(text) { format!("'{text}") } else { text.to_owned() }
}

/// The name of a cell that [`text_cell`] made.
pub(super) fn name_of(cell: &str) -> &str {
    cell.strip_prefix('\'').filter(|name| is_formula(name)).unwrap_or(cell)
}

fn is_formula(text: &str) -> bool {
    text.starts_with(['=', '+', '-', '@', '\t', '\r']) && text.parse::<f64>().is_err()
}

/// A header and its rows, with quotes where a field needs them.
fn records(header: &[String], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut writer = ::csv::WriterBuilder::new().flexible(true).from_writer(Vec::new());
    // Writing to memory cannot fail, nor can what began as text not be text.
    let _ = writer.write_record(header);
    for row in rows {
        let _ = writer.write_record(row);
    }
    String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
}
