//! The rates behind static rate control: of each node's own link, and the least one on the way from router to router.

use crate::blueprint::Blueprint;
use router_core::congestion::TimeOut;
use router_core::rate::Rate;

/// The rates of links that sources know: of their own, and the least one on the way to each destination.
#[derive(Debug)]
pub(crate) struct StaticRates {
    /// Entry `node`: its router, and the rate of its link.
    nodes: Vec<(usize, Rate)>,
    /// Entry `from * routers + to`: the least rate on the best shortest route; no entries where all links between routers are full.
    between: Vec<Rate>,
    routers: usize,
}

impl StaticRates {
    pub(super) fn new(blueprint: &Blueprint) -> Self {
        let wiring = blueprint.wiring();
        let rate = |router, port| blueprint.rate(router, port);
        let nodes = (0..wiring.nodes()).map(|node| {
            let (router, port) = wiring.attachment(node);
            (router, rate(router, port))
        });
        let routers = wiring.routers();
        let is_slow = |router| wiring.onward(router).any(|(port, _)| !rate(router, port).is_full());
        let between = if (0..routers).any(is_slow) {
            (0..routers).flat_map(|router| wiring.rates_from(router, rate)).collect()
        } else {
            Vec::new()
        };
        Self { nodes: nodes.collect(), between, routers }
    }

    /// That of a node for another one, before its first packet.
    pub(super) fn time_out(&self, from: usize, to: usize) -> TimeOut {
        let ((here, own), (there, last)) = (self.nodes[from], self.nodes[to]);
        let between = self.between.get(here * self.routers + there).copied().unwrap_or_default();
        TimeOut::new(own, between.min(last))
    }
}
