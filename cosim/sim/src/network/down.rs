//! Links that are down: what was on them and what is sent into them is lost, and counted.

use super::endpoint::Kind;
use super::link_credits::LinkCredits;
use super::packets::Packets;
use super::signal::Signal;
use super::wheel::End;
use super::{Network, Shard, Switch};
use crate::scenario::LinkDown;
use router_core::header::Flit;
use router_core::units::{Bits, Channel, PortId, VcSet};

/// One direction of a link that is down.
#[derive(Debug, Clone)]
pub(crate) struct DownLink {
    /// Where it led: a router of the network, and its port.
    pub(crate) to: (usize, PortId),
    /// Flits and credits lost, by the VC's name on the wire.
    pub(crate) flits: [u64; VcSet::CAPACITY],
    pub(crate) credits: [u64; VcSet::CAPACITY],
    /// Replies whose heads were lost.
    pub(crate) replies: u64,
    /// Whether the port before it gives the places back of what is sent into it.
    pub(crate) discards: bool,
}

impl DownLink {
    fn new(to: (usize, PortId), discards: bool) -> Self {
        Self { to, flits: [0; _], credits: [0; _], replies: 0, discards }
    }

    /// A signal is lost, and with a head its packet's record, which is in `packets`.
    pub(crate) fn lose(&mut self, signal: Signal, packets: &mut Packets) {
        match signal {
            Signal::Flit(vc, flit) => {
                self.flits[vc.index()] += 1;
                if let Flit::Head(packet) = flit {
                    self.replies += u64::from(packets.leave(packet.tag).kind != Kind::Request);
                }
            }
            Signal::Credit(vc) => self.credits[vc.index()] += 1,
        }
    }
}

/// The links that will go down, the last one first.
pub(super) fn failures(of: &[LinkDown]) -> Vec<LinkDown> {
    let mut failures = of.to_vec();
    failures.sort_by_key(|failure| std::cmp::Reverse(failure.at));
    failures
}

impl<const P: usize, const V: usize, R, B: Bits> Network<'_, P, V, R, B> {
    /// The next cycle in which a link goes down.
    pub(super) fn next_failure(&self) -> u64 {
        self.failures.last().map_or(u64::MAX, |failure| failure.at)
    }

    /// The links whose time has come go down, both ways.
    pub(super) fn fail_links(&mut self) {
        while let Some(failure) = self.failures.pop_if(|failure| failure.at <= self.cycle) {
            let near = (failure.router as usize, PortId::new(failure.port as u8));
            let Some(far) = self.behind(near.0, near.1) else { continue };
            if self.down_link(near).is_none() {
                self.cut(near, far, failure.discards);
                self.cut(far, near, failure.discards);
                if failure.discards {
                    [near, far].into_iter().for_each(|end| self.give_back(end));
                }
                self.patience = FOR_EVER;
            }
        }
    }

    /// One direction of a link goes down: what is on it, or in the output FIFO before it, is lost.
    fn cut(&mut self, from: (usize, PortId), to: (usize, PortId), discards: bool) {
        let mut down = DownLink::new(to, discards);
        let (shard, router) = self.place(to.0);
        let Shard { wheel, packets, .. } = &mut self.shards[shard];
        wheel.remove(End::port::<P>(router, to.1.index()), |signal| down.lose(signal, packets));
        let (shard, router) = self.place(from.0);
        let shard = &mut self.shards[shard];
        shard.routers[router].links[from.1.index()].to = End::down(shard.down.len());
        shard.down.push(down);
    }

    /// A port whose link has gone down is as after reset: nothing is on the way, and all places are free.
    fn give_back(&mut self, (router, port): (usize, PortId)) {
        let (shard, at) = self.place(router);
        let Switch { router, plan, .. } = &mut self.shards[shard].routers[at];
        for vc in plan.links.vcs(port) {
            for _ in 0..router.occupancy(plan, Channel::new(port, vc)) {
                // As many as there are places: none is one too many.
                let _ = router.handle_credit(plan, Channel::new(port, plan.links.relabel(port, vc)));
            }
        }
    }

    /// The link behind an output, if it is down.
    pub(super) fn down_link(&self, (router, out): (usize, PortId)) -> Option<&DownLink> {
        let (shard, at) = self.shard_of(router);
        let link = shard.routers[at].links[out.index()].to.as_down()?;
        shard.down.get(link)
    }

    /// Flits lost by links, those that are down or others.
    pub(crate) fn flits_lost_by_links(&self) -> u64 {
        let by_chance = self.link_credits().map_or(0, |links| links.flits);
        self.all_down().flat_map(|link| link.flits).sum::<u64>() + by_chance
    }

    /// What links lose by chance, and owe.
    pub(super) fn link_credits(&self) -> Option<&LinkCredits> {
        self.shards.first()?.credits.as_deref()
    }

    /// Every direction of every link that is down.
    pub(super) fn all_down(&self) -> impl Iterator<Item = &DownLink> {
        self.shards.iter().flat_map(|shard| &shard.down)
    }
}

/// Patience that does not end: packets wait for a link that is down, which is no deadlock.
const FOR_EVER: u64 = u64::MAX / 2;
