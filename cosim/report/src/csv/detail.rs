//! The tables beside that of the points: links, nodes, latencies and series, those of links too.

use desvio_sim::summary::{Details, LatencyBin, LinkUse, LinkWindow, NodeUse, Summary};
use desvio_sim::topology::Peer;

use super::number;

/// A table beside that of the points, with several rows for each point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Detail {
    /// `links.csv`: what each wire carried and how long heads waited for it, with `run.details`.
    Links,
    /// `nodes.csv`: what each node sent, with `run.details`.
    Nodes,
    /// `latency.csv`: packets by latency, with `run.details`.
    Latency,
    /// `series.csv`: latency and misrouting over time, for traffic that switches.
    Series,
    /// `link_series.csv`: what each wire carried over time, for traffic that switches, with `run.details`.
    LinkSeries,
}

impl Detail {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Links, Self::Nodes, Self::Latency, Self::Series, Self::LinkSeries];

    /// The name of its file.
    #[must_use]
    pub const fn file(self) -> &'static str {
        match self {
            Self::Links => "links.csv",
            Self::Nodes => "nodes.csv",
            Self::Latency => "latency.csv",
            Self::Series => "series.csv",
            Self::LinkSeries => "link_series.csv",
        }
    }

    pub(crate) const fn columns(self) -> &'static [&'static str] {
        match self {
            Self::Links => &LINKS,
            Self::Nodes => &NODES,
            Self::Latency => &LATENCY,
            Self::Series => &SERIES,
            Self::LinkSeries => &LINK_SERIES,
        }
    }

    /// The columns behind them where the file of the network has names.
    pub(crate) const fn name_columns(self) -> &'static [&'static str] {
        match self {
            Self::Links => &["name", "to_name"],
            Self::Nodes => &["name"],
            Self::Latency | Self::Series | Self::LinkSeries => &[],
        }
    }

    /// All columns, with names or without.
    pub(crate) fn all_columns(self, has_names: bool) -> Vec<String> {
        let names = if has_names { self.name_columns() } else { &[] };
        self.columns().iter().chain(names).map(|&column| column.to_owned()).collect()
    }

    /// The rows of a point, with names or without.
    pub(crate) fn rows(self, point: &Summary, has_names: bool) -> Vec<Vec<String>> {
        let mut rows = self.plain_rows(point);
        if has_names {
            let details = point.details.as_deref();
            rows.iter_mut().enumerate().for_each(|(n, row)| row.extend(self.names(details, n)));
        }
        rows
    }

    /// The names in row `n`, empty where there are none.
    fn names(self, details: Option<&Details>, n: usize) -> Vec<String> {
        let names = details.and_then(|details| details.names.as_deref());
        let named = names.zip(details).and_then(|(names, details)| match self {
            Self::Links => details.links.get(n).map(|link| {
                let to = match link.to {
                    Peer::Node(node) => names.node(node as usize).unwrap_or_default().to_owned(),
                    Peer::Router { router, port } => names.port_label(router as usize, port.into()),
                };
                vec![field(&names.port_label(link.router, link.port.into())), field(&to)]
            }),
            Self::Nodes => names.node(n).map(|name| vec![field(name)]),
            Self::Latency | Self::Series | Self::LinkSeries => None,
        });
        named.unwrap_or_else(|| vec![String::new(); self.name_columns().len()])
    }

    fn plain_rows(self, point: &Summary) -> Vec<Vec<String>> {
        match self {
            Self::Links => link_rows(point),
            Self::Nodes => node_rows(point),
            Self::Latency => latency_rows(point),
            Self::Series => series_rows(point),
            Self::LinkSeries => link_series_rows(point),
        }
    }
}

const LATENCY: [&str; 4] = ["load", "from", "below", "packets"];
const LINKS: [&str; 9] =
    ["load", "router", "port", "class", "to_router", "to_port", "to_node", "utilisation", "wait_mean"];
const NODES: [&str; 6] = ["load", "node", "router", "port", "injected", "waiting"];
const LINK_SERIES: [&str; 5] = ["load", "start", "router", "port", "utilisation"];
const SERIES: [&str; 5] = ["load", "start", "packets", "latency_mean", "misrouted_share"];

/// Whether the network of a point has names.
pub(crate) fn has_names(point: &Summary) -> bool {
    point.details.as_ref().is_some_and(|details| details.names.is_some())
}

/// A name that no spreadsheet takes for a formula.
fn field(name: &str) -> String {
    if name.starts_with(['=', '+', '-', '@']) { format!("'{name}") } else { name.to_owned() }
}

fn link_rows(p: &Summary) -> Vec<Vec<String>> {
    let row = |link: &LinkUse| {
        let (router, port, node) = match link.to {
            Peer::Node(node) => (String::new(), String::new(), node.to_string()),
            Peer::Router { router, port } => (router.to_string(), port.to_string(), String::new()),
        };
        let from = [number(p.load), link.router.to_string(), link.port.to_string(), link.class.to_owned()];
        from.into_iter()
            .chain([router, port, node, number(link.utilisation), number(link.wait_mean)])
            .collect()
    };
    p.details.iter().flat_map(|details| &details.links).map(row).collect()
}

fn node_rows(p: &Summary) -> Vec<Vec<String>> {
    let row = |(node, of): (usize, &NodeUse)| {
        let place = [node, of.router, of.port].map(|number| number.to_string());
        let first = std::iter::once(number(p.load)).chain(place);
        first.chain([number(of.injected), of.waiting.to_string()]).collect()
    };
    p.details.iter().flat_map(|details| details.nodes.iter().enumerate()).map(row).collect()
}

fn latency_rows(p: &Summary) -> Vec<Vec<String>> {
    let row = |bin: &LatencyBin| {
        let counts = [bin.from, bin.below(), bin.packets].map(|number| number.to_string());
        std::iter::once(number(p.load)).chain(counts).collect()
    };
    p.details.iter().flat_map(|details| &details.latencies).map(row).collect()
}

fn series_rows(p: &Summary) -> Vec<Vec<String>> {
    let row = |w: &desvio_sim::summary::Window| {
        vec![
            number(p.load),
            w.start.to_string(),
            w.packets.to_string(),
            number(w.latency_mean),
            number(w.misrouted_share),
        ]
    };
    p.series.iter().map(row).collect()
}

fn link_series_rows(p: &Summary) -> Vec<Vec<String>> {
    let of_window = |(details, window): (&Details, &LinkWindow)| -> Vec<Vec<String>> {
        let row = |(link, &flits): (&LinkUse, &u32)| {
            let place = [window.start.to_string(), link.router.to_string(), link.port.to_string()];
            let share = number(f64::from(flits) / window.cycles as f64);
            std::iter::once(number(p.load)).chain(place).chain([share]).collect()
        };
        details.links.iter().zip(&window.flits).map(row).collect()
    };
    let windows = |details: &Details| {
        details.over_time.iter().flat_map(|of| of_window((details, of))).collect::<Vec<_>>()
    };
    p.details.iter().flat_map(|details| windows(details)).collect()
}
