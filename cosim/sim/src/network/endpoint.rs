//! An end node: it queues what it has to send, sends it one flit a cycle, and answers what it receives.

mod asked;
mod balance;
mod circuit;
mod congestion;
mod control;
mod inject;
mod injection_vc;
mod lids;
mod pace;
mod pairs;
mod paths;
mod receive;
mod source;
mod static_rates;
mod window;

#[cfg(test)]
pub(crate) use balance::Balance;
pub(crate) use congestion::Adapters;
pub(crate) use paths::{Choice, Chooser};
pub(crate) use source::Kind;

use super::constants::Constants;
use super::shard::Shard;
use super::wheel::End;
use crate::blueprint::Blueprint;
use crate::traffic::Generated;
use control::InjectionControl;
use router_core::links::PortSizes;
use router_core::route::Route;
use router_core::units::{Bits, PortClass, VcId};
use source::SourceQueues;
use std::num::NonZeroU16;
use std::ops::Range;

/// What an end node puts on its wire.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Sending {
    /// Nothing, or waiting for room for its next packet.
    Between,
    /// In the middle of a packet.
    Packet {
        /// The VC it goes into.
        vc: VcId,
        /// Flits still to send.
        left: u16,
    },
    /// The head of a packet is looking for its way: the rest waits for an answer.
    Probing {
        /// The VC it goes into.
        vc: VcId,
        /// Flits still to send.
        left: u16,
        /// The packet.
        tag: u32,
    },
    /// A head has come back, and is sent again.
    Paused {
        /// The packet.
        tag: u32,
        /// In this cycle.
        until: u64,
    },
}

/// A packet that has come in part.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Receiving {
    pub(crate) tag: u32,
    /// Its flits that are here.
    pub(crate) flits: NonZeroU16,
    /// Its marks of congestion, forward and backward.
    pub(crate) marks: (bool, bool),
    /// The number of the path that it came by, where sources choose paths.
    path: u8,
}

/// One end node.
#[derive(Debug, Clone)]
pub(crate) struct Endpoint<const V: usize> {
    /// The router's port it is connected to.
    pub(crate) at: End,
    pub(crate) source: SourceQueues,
    pub(crate) control: InjectionControl,
    /// Its choice of paths, where it has one.
    pub(crate) choice: Option<Box<Choice>>,
    sending: Sending,
    /// Credits for each VC of the router's input port.
    pub(crate) credits: [u16; V],
    /// VCs of that port.
    vcs: u8,
    /// The packet that each VC is bringing.
    receiving: [Option<Receiving>; V],
}

impl<const V: usize> Endpoint<V> {
    /// An end node at port `at`, which has `vcs` VCs with buffers of `buffer` flits, before its first packet.
    pub(crate) fn new(
        at: End,
        source: SourceQueues,
        control: InjectionControl,
        (vcs, buffer): (u8, u16),
    ) -> Self {
        Self {
            at,
            source,
            control,
            choice: None,
            sending: Sending::Between,
            credits: [buffer; V],
            vcs,
            receiving: [None; V],
        }
    }

    /// Flits of ACKs and messages that it has sent since the last reset.
    pub(crate) fn ack_flits(&self) -> u32 {
        let acks = self.choice.as_ref().map_or(0, |choice| choice.ack_flits());
        acks + self.source.asked.as_ref().map_or(0, |asked| asked.flits)
    }

    /// Counts them from here.
    pub(crate) fn reset(&mut self) {
        self.choice.iter_mut().for_each(|choice| choice.reset());
        self.source.asked.iter_mut().for_each(|asked| asked.flits = 0);
    }

    /// The packet that it may send in cycle `now`, if there is room.
    #[inline]
    fn due(&self, adapters: &Adapters, now: u64) -> Option<(Kind, Generated)> {
        if let InjectionControl::Pairs(pairs) = &self.control
            && self.source.answers() == 0
        {
            return pairs.due(adapters, now).map(|request| (Kind::Request, request));
        }
        let due = self.source.due(now)?;
        (due.0 != Kind::Request || self.control.may_send(adapters, now)).then_some(due)
    }

    /// The cycle in which to look again at a request that is held back, if nothing else wakes the node for it.
    fn next_alarm(&mut self, adapters: &Adapters, now: u64) -> Option<u64> {
        // What waits for one of several destinations is not at the source any more.
        let waits = matches!(self.control, InjectionControl::Pairs(_)) || self.source.due(now).is_some();
        waits.then(|| self.control.next_alarm(adapters, now)).flatten()
    }

    /// Cycles that the packet which has waited longest has been waiting; `None` for a node with nothing to send any more.
    pub(crate) fn wait(&self, now: u64) -> Option<u64> {
        let at_source = self.source.wait(now);
        let InjectionControl::Pairs(pairs) = &self.control else { return at_source };
        let queued = pairs.oldest().map(|request| now.saturating_sub(request.at));
        at_source.max(queued)
    }
}

impl<const P: usize, const V: usize, B: Bits> Shard<P, V, B> {
    /// The nodes of the shard, before their first packets.
    pub(super) fn place_nodes<R: Route<B>>(
        &mut self,
        blueprint: &Blueprint,
        constants: &Constants<'_, P, R>,
        nodes: Range<usize>,
    ) {
        let control = InjectionControl::new(blueprint.scenario());
        for (local, node) in (0u32..).zip(nodes) {
            let (router, port) = blueprint.wiring().attachment(node);
            let at = End::port::<P>(router - self.first_router, port);
            let PortSizes { vcs, buffer } =
                self.routers[router - self.first_router].plan.links.sizes(PortClass::NODE);
            let source = SourceQueues::new(constants.traffic, node, self.reservations.is_some());
            if let Some(first) = source.request {
                self.timers.set(0, first.at, local);
            }
            let mut endpoint = Endpoint::new(at, source, control.clone(), (vcs, buffer));
            let router = constants.addresses[node].router;
            let nodes = constants.addresses.len();
            let chooser = constants.chooser.as_ref();
            endpoint.choice = chooser.map(|chooser| Box::new(chooser.node(node as u32, router, nodes)));
            self.nodes.push(endpoint);
        }
    }
}
