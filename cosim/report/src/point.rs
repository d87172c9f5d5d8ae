//! One load as JSON, there and back, with every digit. `null` stands for NaN.

use std::borrow::Cow;

use serde::de::{Deserializer, Error as _};
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};

use desvio_sim::summary::{Congestion, Discards, State, Summary, Utilisation, Window};
use desvio_sim::topology::Wiring;

use super::details::DetailsView;

/// What a load measured, on one line: the object that `summary.json` has for it, and its details. Equal results give equal bytes.
#[must_use]
pub fn point_json(point: &Summary) -> String {
    let cycles = point.measure_cycles;
    let details = point.details.as_ref().map(|details| DetailsView::new(details, cycles));
    // Writing to memory with keys that are strings cannot fail.
    serde_json::to_string(&PointView { details, ..PointView::new(point) }).unwrap_or_default()
}

/// What [`point_json`] wrote; `classes` are the names of the classes of links that there can be. Details are left out unless the
/// `wiring` of their network is given; where none were kept, there are none.
///
/// # Errors
/// What is not as it is written, in a sentence.
pub fn read_point(json: &str, classes: &[&'static str], wiring: Option<&Wiring>) -> Result<Summary, String> {
    let view: PointView<'_> = serde_json::from_str(json).map_err(|error| error.to_string())?;
    let state = State::ALL.into_iter().find(|state| state.word() == view.state);
    let state = state.ok_or_else(|| format!("unknown state {:?}", view.state))?;
    let class = |(name, of): (&Cow<'_, str>, &UtilisationView)| {
        let known = classes.iter().find(|class| *class == name);
        let known = known.ok_or_else(|| format!("unknown class of links {name:?}"))?;
        Ok((*known, Utilisation { mean: of.mean.0, max: of.max.0 }))
    };
    let link_utilisation =
        view.link_utilisation.0.iter().map(|(name, of)| class((name, of))).collect::<Result<_, String>>()?;
    let details = view.details.as_ref().zip(wiring);
    let details = details.map(|(details, wiring)| details.read(wiring, view.measure_cycles)).transpose()?;
    Ok(Summary {
        load: view.load.0,
        offered: view.offered.0,
        accepted: view.accepted.0,
        accepted_ci95: view.accepted_ci95.0,
        latency_mean: view.latency_mean.0,
        latency_ci95: view.latency_ci95.0,
        latency_p50: view.latency_p50,
        latency_p99: view.latency_p99,
        latency_max: view.latency_max,
        latency_sd: view.latency_sd.0,
        network_latency_mean: view.network_latency_mean.0,
        hops_mean: view.hops_mean.0,
        global_misroutes_mean: view.global_misroutes_mean.0,
        local_misroutes_mean: view.local_misroutes_mean.0,
        misrouted_share: view.misrouted_share.0,
        accepted_min_node: view.accepted_min_node.0,
        fairness_jain: view.fairness_jain.0,
        packets_measured: view.packets_measured,
        packets_lost: view.packets_lost,
        flits_lost_by_links: view.flits_lost_by_links,
        flits_killed: view.flits_killed,
        state,
        warmup_cycles: view.warmup_cycles,
        measure_cycles: view.measure_cycles,
        hop_histogram: view.hop_histogram.into_owned(),
        link_utilisation,
        series: view.series.into_iter().map(Window::from).collect(),
        discards: view.discards.map(Discards::from),
        congestion: view.congestion.map(Congestion::from),
        open_paths_mean: view.open_paths_mean.0,
        details: details.map(Box::new),
    })
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PointView<'a> {
    load: Number,
    offered: Number,
    accepted: Number,
    accepted_ci95: Number,
    latency_mean: Number,
    latency_ci95: Number,
    latency_p50: u64,
    latency_p99: u64,
    latency_max: u64,
    #[serde(default = "Number::none")]
    latency_sd: Number,
    network_latency_mean: Number,
    hops_mean: Number,
    global_misroutes_mean: Number,
    local_misroutes_mean: Number,
    misrouted_share: Number,
    accepted_min_node: Number,
    fairness_jain: Number,
    packets_measured: u64,
    packets_lost: u64,
    flits_lost_by_links: u64,
    state: Cow<'a, str>,
    warmup_cycles: u64,
    measure_cycles: u64,
    hop_histogram: Cow<'a, [u64]>,
    link_utilisation: Classes<'a>,
    series: Vec<WindowView>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    congestion: Option<CongestionView>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    discards: Option<DiscardsView>,
    #[serde(default, skip_serializing_if = "is_zero")]
    flits_killed: u64,
    #[serde(default = "Number::none", skip_serializing_if = "Number::is_none")]
    open_paths_mean: Number,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    details: Option<DetailsView>,
}

impl<'a> PointView<'a> {
    pub(super) fn new(point: &'a Summary) -> Self {
        Self {
            load: Number(point.load),
            offered: Number(point.offered),
            accepted: Number(point.accepted),
            accepted_ci95: Number(point.accepted_ci95),
            latency_mean: Number(point.latency_mean),
            latency_ci95: Number(point.latency_ci95),
            latency_p50: point.latency_p50,
            latency_p99: point.latency_p99,
            latency_max: point.latency_max,
            latency_sd: Number(point.latency_sd),
            network_latency_mean: Number(point.network_latency_mean),
            hops_mean: Number(point.hops_mean),
            global_misroutes_mean: Number(point.global_misroutes_mean),
            local_misroutes_mean: Number(point.local_misroutes_mean),
            misrouted_share: Number(point.misrouted_share),
            accepted_min_node: Number(point.accepted_min_node),
            fairness_jain: Number(point.fairness_jain),
            packets_measured: point.packets_measured,
            packets_lost: point.packets_lost,
            flits_lost_by_links: point.flits_lost_by_links,
            state: point.state.word().into(),
            warmup_cycles: point.warmup_cycles,
            measure_cycles: point.measure_cycles,
            hop_histogram: Cow::Borrowed(&point.hop_histogram),
            link_utilisation: Classes::new(&point.link_utilisation),
            series: point.series.iter().copied().map(WindowView::from).collect(),
            discards: point.discards.map(DiscardsView::from),
            congestion: point.congestion.map(CongestionView::from),
            flits_killed: point.flits_killed,
            open_paths_mean: Number(point.open_paths_mean),
            details: None,
        }
    }
}

/// What takes no line in a file.
#[allow(clippy::trivially_copy_pass_by_ref)] // as serde calls it
const fn is_zero(flits: &u64) -> bool {
    *flits == 0
}

/// A number, or `null` for what is none.
#[derive(Clone, Copy, Serialize)]
struct Number(f64);

impl Number {
    const fn none() -> Self {
        Self(f64::NAN)
    }

    const fn is_none(&self) -> bool {
        self.0.is_nan()
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self(Option::deserialize(deserializer)?.unwrap_or(f64::NAN)))
    }
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct UtilisationView {
    mean: Number,
    max: Number,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WindowView {
    start: i64,
    packets: u64,
    latency_mean: Number,
    misrouted_share: Number,
}

impl From<Window> for WindowView {
    fn from(Window { start, packets, latency_mean, misrouted_share }: Window) -> Self {
        Self { start, packets, latency_mean: Number(latency_mean), misrouted_share: Number(misrouted_share) }
    }
}

impl From<WindowView> for Window {
    fn from(WindowView { start, packets, latency_mean, misrouted_share }: WindowView) -> Self {
        Self { start, packets, latency_mean: latency_mean.0, misrouted_share: misrouted_share.0 }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CongestionView {
    marked_share: Number,
    notifications: u64,
    ccti_mean: Number,
    ccti_max: u16,
}

impl From<Congestion> for CongestionView {
    fn from(Congestion { marked_share, notifications, ccti_mean, ccti_max }: Congestion) -> Self {
        Self { marked_share: Number(marked_share), notifications, ccti_mean: Number(ccti_mean), ccti_max }
    }
}

impl From<CongestionView> for Congestion {
    fn from(CongestionView { marked_share, notifications, ccti_mean, ccti_max }: CongestionView) -> Self {
        Self { marked_share: marked_share.0, notifications, ccti_mean: ccti_mean.0, ccti_max }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct DiscardsView {
    not_in_table: u64,
    invalid_port: u64,
    input_port: u64,
    management_port: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lifetime: Option<u64>,
    flits: u64,
}

impl From<Discards> for DiscardsView {
    fn from(Discards { packets, has_lifetime, flits }: Discards) -> Self {
        let [not_in_table, invalid_port, input_port, management_port, late] = packets;
        let lifetime = has_lifetime.then_some(late);
        Self { not_in_table, invalid_port, input_port, management_port, lifetime, flits }
    }
}

impl From<DiscardsView> for Discards {
    fn from(view: DiscardsView) -> Self {
        let DiscardsView { not_in_table, invalid_port, input_port, management_port, lifetime, flits } = view;
        let late = lifetime.unwrap_or_default();
        let packets = [not_in_table, invalid_port, input_port, management_port, late];
        Self { packets, has_lifetime: lifetime.is_some(), flits }
    }
}

/// An object with a key for each class of link, in their order.
struct Classes<'a>(Vec<(Cow<'a, str>, UtilisationView)>);

impl Classes<'_> {
    fn new(classes: &[(&'static str, Utilisation)]) -> Self {
        let of = |&(name, Utilisation { mean, max }): &(&'static str, Utilisation)| {
            (Cow::Borrowed(name), UtilisationView { mean: Number(mean), max: Number(max) })
        };
        Self(classes.iter().map(of).collect())
    }
}

impl Serialize for Classes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, of)| (name, of)))
    }
}

impl<'de> Deserialize<'de> for Classes<'_> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;
        impl<'de> serde::de::Visitor<'de> for Object {
            type Value = Classes<'static>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object with a key for each class of links")
            }

            fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut classes: Vec<(Cow<'static, str>, _)> = Vec::new();
                while let Some((name, of)) = map.next_entry::<String, _>()? {
                    if classes.iter().any(|(known, _)| *known == name) {
                        return Err(A::Error::custom(format!("two classes {name:?}")));
                    }
                    classes.push((Cow::Owned(name), of));
                }
                Ok(Classes(classes))
            }
        }
        deserializer.deserialize_map(Object)
    }
}
