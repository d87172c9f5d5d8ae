//! Results as JSON, with every digit. `null` stands for NaN.

use serde::Serialize;
use serde::ser::Serializer;

use super::Curve;
use desvio_sim::summary::{Summary, Utilisation, Window};

/// `{"curves": […]}`, each with its name, its settings and its points by load. Equal results give equal bytes.
pub(super) fn json(curves: &[Curve]) -> String {
    let file = File { curves: curves.iter().map(CurveView::new).collect() };
    // Writing to memory with keys that are strings cannot fail.
    serde_json::to_string_pretty(&file).unwrap_or_default() + "\n"
}

#[derive(Serialize)]
struct File<'a> {
    curves: Vec<CurveView<'a>>,
}

#[derive(Serialize)]
struct CurveView<'a> {
    name: &'a str,
    #[serde(serialize_with = "in_order")]
    settings: &'a [(String, String)],
    points: Vec<PointView<'a>>,
}

#[derive(Serialize)]
struct PointView<'a> {
    load: f64,
    offered: f64,
    accepted: f64,
    accepted_ci95: f64,
    latency_mean: f64,
    latency_ci95: f64,
    latency_p50: u64,
    latency_p99: u64,
    latency_max: u64,
    network_latency_mean: f64,
    hops_mean: f64,
    global_misroutes_mean: f64,
    local_misroutes_mean: f64,
    misrouted_share: f64,
    accepted_min_node: f64,
    fairness_jain: f64,
    packets_measured: u64,
    packets_lost: u64,
    flits_lost_by_links: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    open_paths_mean: Option<f64>,
    state: &'static str,
    warmup_cycles: u64,
    measure_cycles: u64,
    hop_histogram: &'a [u64],
    #[serde(serialize_with = "by_class")]
    link_utilisation: &'a [(&'static str, Utilisation)],
    series: Vec<WindowView>,
}

#[derive(Serialize)]
struct UtilisationView {
    mean: f64,
    max: f64,
}

#[derive(Serialize)]
struct WindowView {
    start: i64,
    packets: u64,
    latency_mean: f64,
    misrouted_share: f64,
}

impl<'a> CurveView<'a> {
    fn new(curve: &'a Curve) -> Self {
        let points = curve.by_load().into_iter().map(PointView::new).collect();
        Self { name: &curve.name, settings: &curve.settings, points }
    }
}

impl<'a> PointView<'a> {
    fn new(point: &'a Summary) -> Self {
        Self {
            load: point.load,
            offered: point.offered,
            accepted: point.accepted,
            accepted_ci95: point.accepted_ci95,
            latency_mean: point.latency_mean,
            latency_ci95: point.latency_ci95,
            latency_p50: point.latency_p50,
            latency_p99: point.latency_p99,
            latency_max: point.latency_max,
            network_latency_mean: point.network_latency_mean,
            hops_mean: point.hops_mean,
            global_misroutes_mean: point.global_misroutes_mean,
            local_misroutes_mean: point.local_misroutes_mean,
            misrouted_share: point.misrouted_share,
            accepted_min_node: point.accepted_min_node,
            fairness_jain: point.fairness_jain,
            packets_measured: point.packets_measured,
            packets_lost: point.packets_lost,
            flits_lost_by_links: point.flits_lost_by_links,
            open_paths_mean: Some(point.open_paths_mean).filter(|mean| !mean.is_nan()),
            state: point.state.word(),
            warmup_cycles: point.warmup_cycles,
            measure_cycles: point.measure_cycles,
            hop_histogram: &point.hop_histogram,
            link_utilisation: &point.link_utilisation,
            series: point.series.iter().copied().map(WindowView::from).collect(),
        }
    }
}

impl From<Utilisation> for UtilisationView {
    fn from(Utilisation { mean, max }: Utilisation) -> Self {
        Self { mean, max }
    }
}

impl From<Window> for WindowView {
    fn from(Window { start, packets, latency_mean, misrouted_share }: Window) -> Self {
        Self { start, packets, latency_mean, misrouted_share }
    }
}

/// An object with a key for each class of link, in their order.
fn by_class<S: Serializer>(
    classes: &[(&'static str, Utilisation)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(classes.iter().map(|&(name, of)| (name, UtilisationView::from(of))))
}

/// An object whose keys stay in the order given.
pub(super) fn in_order<S: Serializer>(
    settings: &[(String, String)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(settings.iter().map(|(key, value)| (key, value)))
}
