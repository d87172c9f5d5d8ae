//! What the page shows of a point: columns of the table, with names, units, and which way is better.

/// Whether more of it is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Better {
    Higher,
    Lower,
    /// It depends.
    Neither,
}

/// A column of numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Metric {
    /// Its name in the table's header.
    pub(super) column: String,
    pub(super) name: String,
    pub(super) unit: &'static str,
    pub(super) better: Better,
    /// The column of its 95 % confidence interval within one run.
    pub(super) interval: Option<&'static str>,
    /// Whether it means nothing where source queues grow: it is the longer the longer the run is.
    pub(super) is_steady_only: bool,
}

type Known = (&'static str, &'static str, &'static str, Better, Option<&'static str>);

const LOAD: &str = "flits/node/cycle";
const CYCLES: &str = "cycles";

/// The first one is drawn at the beginning.
const KNOWN: [Known; 10] = [
    ("latency_mean", "mean latency", CYCLES, Better::Lower, Some("latency_ci95")),
    ("accepted", "accepted load", LOAD, Better::Higher, Some("accepted_ci95")),
    ("latency_p50", "median latency", CYCLES, Better::Lower, None),
    ("latency_p99", "99th percentile of latency", CYCLES, Better::Lower, None),
    ("latency_sd", "standard deviation of latency", CYCLES, Better::Lower, None),
    ("network_latency_mean", "mean latency from injection", CYCLES, Better::Lower, None),
    ("hops_mean", "hops per packet", "hops", Better::Neither, None),
    ("misrouted_share", "misrouted share of packets", "", Better::Neither, None),
    ("accepted_min_node", "accepted load of the worst node", LOAD, Better::Higher, None),
    ("fairness_jain", "fairness (Jain's index)", "", Better::Higher, None),
];

/// Columns of utilisation begin with this; then come the class of links, and `mean` or `max`.
const UTILISATION: &str = "link_utilisation_";

/// The metrics that a table with this header has.
pub(super) fn metrics(header: &[String]) -> Vec<Metric> {
    let known = KNOWN.iter().filter(|(column, ..)| header.iter().any(|name| name == column));
    let known = known.map(|&(column, name, unit, better, interval)| Metric {
        column: column.to_owned(),
        name: name.to_owned(),
        unit,
        better,
        interval,
        is_steady_only: unit == CYCLES,
    });
    known.chain(header.iter().filter_map(|column| extra(column))).collect()
}

/// Columns that not every table has.
fn extra(column: &str) -> Option<Metric> {
    let of = |name: String, unit| Metric {
        column: column.to_owned(),
        name,
        unit,
        better: Better::Neither,
        interval: None,
        is_steady_only: false,
    };
    let class = column.strip_prefix(UTILISATION).and_then(|rest| rest.rsplit_once('_'));
    match (class, column) {
        (Some((class, "max")), _) => Some(of(format!("busiest {class} link"), "flits/cycle")),
        (Some((class, _)), _) => Some(of(format!("mean {class} link"), "flits/cycle")),
        (None, "marked_share") => Some(of("marked share of packets".to_owned(), "")),
        (None, "open_paths_mean") => Some(of("open paths".to_owned(), "paths")),
        _ => None,
    }
}
