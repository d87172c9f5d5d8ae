//! Links, nodes and latencies of a load as JSON: counts alone, in the order of the network's wiring, which says what each belongs to.

use serde::{Deserialize, Serialize};

use desvio_sim::summary::{Details, LatencyBin, LinkUse, LinkWindow, NodeUse};
use desvio_sim::topology::Wiring;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DetailsView {
    /// Flits that each port of each router sent in the measured window, ports that lead nowhere left out.
    links: Vec<u64>,
    /// Cycles that a head waited for each of them, mean; `null` where none did. Earlier versions kept none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    waits: Vec<Option<f64>>,
    /// Flits that each node injected in it.
    injected: Vec<u64>,
    /// The longest wait in each node's source queue at its end.
    waiting: Vec<u64>,
    /// The first latency of each bin, and its packets.
    latencies: Vec<(u64, u64)>,
    /// The first cycle of each window of time, its cycles, and the flits of each port.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    over_time: Vec<(i64, u64, Vec<u32>)>,
}

impl DetailsView {
    pub(super) fn new(details: &Details, cycles: u64) -> Self {
        let flits = |share: f64| (share * cycles as f64).round() as u64;
        Self {
            links: details.links.iter().map(|link| flits(link.utilisation)).collect(),
            waits: details
                .links
                .iter()
                .map(|link| Some(link.wait_mean).filter(|wait| !wait.is_nan()))
                .collect(),
            injected: details.nodes.iter().map(|node| flits(node.injected)).collect(),
            waiting: details.nodes.iter().map(|node| node.waiting).collect(),
            latencies: details.latencies.iter().map(|bin| (bin.from, bin.packets)).collect(),
            over_time: details.over_time.iter().map(|of| (of.start, of.cycles, of.flits.clone())).collect(),
        }
    }

    /// With the names of what was counted.
    pub(super) fn read(&self, wiring: &Wiring, cycles: u64) -> Result<Details, String> {
        let ports =
            (0..wiring.routers()).flat_map(|router| (0..wiring.ports()).map(move |port| (router, port)));
        let wired = ports.filter_map(|(router, port)| Some((router, port, wiring.peer(router, port)?)));
        let share = |flits: u64| flits as f64 / cycles as f64;
        let waits = self.waits.iter().copied().chain(std::iter::repeat(None));
        let link = |(((router, port, to), &flits), wait): (((usize, usize, _), &u64), Option<f64>)| {
            let class =
                wiring.class_names().get(wiring.class(router, port).index()).copied().unwrap_or_default();
            LinkUse {
                router,
                port: port as u8,
                to,
                class,
                utilisation: share(flits),
                wait_mean: wait.unwrap_or(f64::NAN),
            }
        };
        let node = |(node, (&flits, &waiting)): (usize, (&u64, &u64))| {
            let (router, port) = wiring.attachment(node);
            NodeUse { router, port, injected: share(flits), waiting }
        };
        let fits = [wired.clone().count(), wiring.nodes(), wiring.nodes()]
            == [self.links.len(), self.injected.len(), self.waiting.len()];
        if !fits {
            return Err("its links and nodes are those of another network".to_owned());
        }
        let nodes = self.injected.iter().zip(&self.waiting).enumerate();
        let window = |(start, cycles, flits): &(i64, u64, Vec<u32>)| LinkWindow {
            start: *start,
            cycles: *cycles,
            flits: flits.clone(),
        };
        Ok(Details {
            links: wired.zip(&self.links).zip(waits).map(link).collect(),
            nodes: nodes.map(node).collect(),
            latencies: self.latencies.iter().map(|&(from, packets)| LatencyBin { from, packets }).collect(),
            over_time: self.over_time.iter().map(window).collect(),
            names: wiring.names().cloned(),
        })
    }
}
