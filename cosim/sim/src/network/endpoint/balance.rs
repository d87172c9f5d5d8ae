//! Distributed Routing Balancing at an end node: the path of each packet, and what ACKs say about it.
//!
//! The number of a packet's path is the spare byte of its header. The destination returns it there, and the packet's latency in the field
//! `via`, which a packet on the canonical path has no use for.

use super::Kind;
use super::pace::Pace;
use crate::blueprint::Blueprint;
use crate::network::packets::Record;
use crate::scenario::FlowControl;
use router_core::drb::{Alternatives, Balancing, Latency, Metapath, MultiStep, Network, Path};
use router_core::header::{Address, Carried, Header};
use router_core::lfsr::Lfsr;
use router_core::route::{RoutingScheme, drb};
use router_core::router::{body_cycles, router_cycles};
use router_core::units::{PortClass, PortId};
use std::collections::VecDeque;

/// What all end nodes of a network have in common.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Balancer<'b> {
    rules: Balancing,
    alternatives: Alternatives<'b>,
    /// Cycles of a packet's first flit in an empty network: from a node to one at the same router, and in a router.
    fixed: u32,
    router: u32,
    blueprint: &'b Blueprint,
    pace: Pace,
    seed: u64,
    /// Whether packets have ACKs that nothing else would answer them with: these are not part of the results.
    pub(crate) has_acks: bool,
    /// Whether replies have VCs of their own.
    has_ack_vcs: bool,
}

/// What an ACK says: a packet's path, and the cycles from its injection until its tail was there. Those that its later flits take in an empty
/// network are not counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct News {
    pub(crate) path: u8,
    pub(crate) latency: u32,
}

/// What the header of a new packet says about paths.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Note {
    /// The path that the packet takes, and its number.
    Path(u8, MultiStep),
    /// How another packet fared.
    /// How another packet fared; by VCs of its own, where replies have them.
    News(News, bool),
}

/// One end node's share of it.
#[derive(Debug, Clone)]
pub(crate) struct Balance {
    /// The node's router.
    router: u32,
    random: Lfsr,
    /// By destination; none before the first packet to it.
    metapaths: Vec<Option<Metapath<Vec<Path>>>>,
    /// What the replies that wait will say, in their order.
    news: VecDeque<News>,
    /// Flits of ACKs that the node has sent since the last reset.
    pub(crate) ack_flits: u32,
}

impl<'b> Balancer<'b> {
    /// That of a network whose routing balances.
    pub(crate) fn new(blueprint: &'b Blueprint) -> Option<Self> {
        let scenario = blueprint.scenario();
        let RoutingScheme::Drb(scheme) = scenario.routing.scheme else { return None };
        let network = Network::of(&blueprint.map().ok()?)?;
        let (pipeline, speedup) = (scenario.router.options.pipeline, scenario.router.options.speedup);
        let router = match scenario.router.options.flow_control {
            // A router waits for the tail.
            FlowControl::StoreAndForward => router_cycles(pipeline, speedup)
                .max(scenario.longest_packet() - 1 + body_cycles(pipeline, speedup)),
            _ => router_cycles(pipeline, speedup),
        };
        Some(Self {
            rules: scheme.balancing(),
            alternatives: Alternatives {
                network,
                source: scheme.source(),
                destination: scheme.destination(),
                own_links: scheme.own_links,
            },
            fixed: 2 * blueprint.latency(PortClass::NODE) + router,
            router,
            blueprint,
            pace: Pace::new(blueprint),
            seed: scenario.run.seed,
            has_acks: scenario.traffic.reply_flits == 0,
            has_ack_vcs: scenario.ack_vcs() > 0,
        })
    }

    /// A path, with its latency in an empty network.
    pub(crate) fn path(&self, from: u32, to: u32, via: MultiStep) -> Path {
        let hop = |(router, port): (u32, PortId)| self.link_latency(router, port) + self.router;
        let hops: u32 = self.alternatives.links(from, to, via).map(hop).sum();
        Path { via, latency: Latency::cycles(self.fixed + hops) }
    }

    /// The latency of a link between routers, by the address of the router that it leaves.
    fn link_latency(&self, router: u32, port: PortId) -> u32 {
        match self.alternatives.network {
            // All links of a grid are alike.
            Network::Grid(_) => self.blueprint.latency(PortClass::LOCAL),
            Network::Table(_) => self.blueprint.link_latency(router as usize, port.index()),
        }
    }
}

impl Balance {
    /// That of node `node`, at router `router`, in a network of `nodes`.
    pub(crate) fn new(balancer: &Balancer<'_>, node: u32, router: u32, nodes: usize) -> Self {
        Self {
            router,
            random: Lfsr::new(balancer.seed, node),
            metapaths: vec![None; nodes],
            news: VecDeque::new(),
            ack_flits: 0,
        }
    }

    // None of these is inlined: what does without them pays nothing for them.

    /// The note of the node's next packet, of this kind and so many flits, to node `to` at router `router`; and how many paths to
    /// there are open.
    #[inline(never)]
    pub(super) fn note(
        &mut self,
        balancer: &Balancer<'_>,
        kind: Kind,
        flits: u16,
        (to, router): (u32, u32),
    ) -> (Note, u8) {
        if kind.is_reply() {
            self.ack_flits += if balancer.has_acks { u32::from(flits) } else { 0 };
            // Each reply that waits has its news.
            return (Note::News(self.news.pop_front().unwrap_or_default(), balancer.has_ack_vcs), 0);
        }
        let from = self.router;
        let metapath = self.metapaths[to as usize].get_or_insert_with(|| {
            let canonical = balancer.path(from, router, MultiStep::canonical(from, router));
            Metapath::new(vec![canonical; balancer.rules.max_paths.into()])
        });
        self.random.step();
        let (number, path) = metapath.select(self.random.word());
        (Note::Path(number, path.via), metapath.width())
    }

    /// Those to the nodes that it has sent to.
    #[cfg(test)]
    pub(crate) fn metapaths(&self) -> impl Iterator<Item = &Metapath<Vec<Path>>> {
        self.metapaths.iter().flatten()
    }

    /// The open paths beside the canonical ones, with their ends.
    #[cfg(test)]
    pub(crate) fn alternatives(&self) -> impl Iterator<Item = (u32, u32, &Path)> {
        self.metapaths().flat_map(move |metapath| {
            let mut open = metapath.open();
            let canonical = open.next().map(|path| path.via.second);
            open.filter_map(move |path| Some((self.router, canonical?, path)))
        })
    }

    /// The next reply will say how this packet fared, which took a path of this number, and whose tail has come in cycle `now`.
    #[inline(never)]
    pub(super) fn answer(&mut self, balancer: &Balancer<'_>, path: u8, came: &Record, now: u64) {
        let took = now - came.injected;
        let latency = took.saturating_sub(balancer.pace.behind(came.hops(), came.length));
        self.news.push_back(News { path, latency: u32::try_from(latency).unwrap_or(u32::MAX) });
    }

    /// The head of a reply has come from node `from` at router `router`.
    #[inline(never)]
    pub(super) fn learn(&mut self, balancer: &Balancer<'_>, (from, router): (u32, u32), header: &Header) {
        let Some(metapath) = &mut self.metapaths[from as usize] else { return };
        let (number, latency) = (header.carried.spare(), Latency::cycles(header.via));
        metapath.report(number, latency, &balancer.rules, |metapath| {
            let open = metapath.open().map(|path| path.via);
            let via = balancer.alternatives.next(self.router, router, open)?;
            Some(balancer.path(self.router, router, via))
        });
    }
}

impl Note {
    /// The header of a packet with this note.
    #[inline(never)]
    pub(crate) fn header(self, from: Address, to: Address, length: u16) -> Header {
        let (header, spare, level) = match self {
            Self::Path(number, path) => (drb::header(from.router, to, length, path), number, 0),
            Self::News(News { path, latency }, is_apart) => {
                let via = latency.min((1 << Latency::BITS) - 1);
                let canonical = MultiStep::canonical(from.router, to.router);
                let level = if is_apart { drb::ACK_LEVEL } else { 0 };
                (Header { via, ..drb::header(from.router, to, length, canonical) }, path, level)
            }
        };
        let carried = Carried::default().with_source(from).with_spare(spare).with_level(level);
        Header { carried, ..header }
    }
}
