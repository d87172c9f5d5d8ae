//! Which path a node's packet takes, where sources choose: multi-step paths by the latency of ACKs, or LIDs by notifications of congestion.

use super::balance::{Balance, Balancer};
use super::lids::{Adapter, LidPaths};
use super::{Kind, Receiving};
use crate::blueprint::Blueprint;
use crate::network::packets::Record;
use router_core::header::{Address, Header};

/// What all nodes of a network have in common.
#[derive(Debug, Clone)]
pub(crate) enum Chooser<'b> {
    MultiStep(Balancer<'b>),
    Lids(LidPaths),
}

/// One node's share of it.
#[derive(Debug, Clone)]
pub(crate) enum Choice {
    MultiStep(Balance),
    Lids(Adapter),
}

/// A packet that is about to leave.
#[derive(Debug, Clone, Copy)]
pub(super) struct Leaving {
    pub(super) kind: Kind,
    pub(super) from: Address,
    /// The node it is for, and its address.
    pub(super) to: (u32, Address),
    pub(super) flits: u16,
}

impl<'b> Chooser<'b> {
    /// That of a network whose sources choose.
    pub(crate) fn new(blueprint: &'b Blueprint) -> Option<Self> {
        let multi_step = Balancer::new(blueprint).map(Self::MultiStep);
        multi_step.or_else(|| LidPaths::new(blueprint).map(Self::Lids))
    }

    /// That of node `node`, at router `router`.
    pub(crate) fn node(&self, node: u32, router: u32, nodes: usize) -> Choice {
        match self {
            Self::MultiStep(balancer) => Choice::MultiStep(Balance::new(balancer, node, router, nodes)),
            Self::Lids(paths) => Choice::Lids(Adapter::new(paths, node, router, nodes)),
        }
    }
}

impl Choice {
    // None of these is inlined: what does without them pays nothing for them.

    /// The header of a packet that leaves in cycle `now`, and how many paths there were to choose from; of an answer, none.
    #[inline(never)]
    pub(super) fn header(&mut self, chooser: &Chooser<'_>, leaving: Leaving, now: u64) -> (Header, u8) {
        match (self, chooser) {
            (Self::MultiStep(balance), Chooser::MultiStep(balancer)) => {
                let Leaving { kind, from, to: (node, to), flits } = leaving;
                let (note, width) = balance.note(balancer, kind, flits, (node, to.router));
                (note.header(from, to, flits), width)
            }
            (Self::Lids(adapter), Chooser::Lids(paths)) => adapter.header(paths, leaving, now),
            _ => (Header::default(), 0),
        }
    }

    /// The head of an answer has come from node `from`, at router `router`.
    #[inline(never)]
    pub(super) fn learn(
        &mut self,
        chooser: &Chooser<'_>,
        (from, router): (u32, u32),
        header: &Header,
        now: u64,
    ) {
        match (self, chooser) {
            (Self::MultiStep(balance), Chooser::MultiStep(balancer)) => {
                balance.learn(balancer, (from, router), header);
            }
            (Self::Lids(adapter), Chooser::Lids(paths)) => adapter.learn(paths, from, header, now),
            _ => {}
        }
    }

    /// The number of the path that a packet with this header came by.
    pub(super) const fn came_by(&self, header: &Header) -> u8 {
        match self {
            Self::MultiStep(_) => header.carried.spare(),
            Self::Lids(_) => router_core::congestion::lid_of(header),
        }
    }

    /// The next answer says how this packet fared, whose tail has come in cycle `now`.
    pub(super) fn answer(&mut self, chooser: &Chooser<'_>, packet: &Receiving, came: &Record, now: u64) {
        match (self, chooser) {
            (Self::MultiStep(balance), Chooser::MultiStep(balancer)) => {
                balance.answer(balancer, packet.path, came, now);
            }
            (Self::Lids(adapter), _) => adapter.answer(packet.path),
            _ => {}
        }
    }

    /// Flits of ACKs that the node has sent since the last reset.
    pub(crate) const fn ack_flits(&self) -> u32 {
        match self {
            Self::MultiStep(balance) => balance.ack_flits,
            Self::Lids(_) => 0,
        }
    }

    /// Counts them from here.
    pub(crate) const fn reset(&mut self) {
        if let Self::MultiStep(balance) = self {
            balance.ack_flits = 0;
        }
    }

    /// The multi-step paths, where the node chooses among them.
    #[cfg(test)]
    pub(crate) const fn multi_step(&self) -> Option<&Balance> {
        if let Self::MultiStep(balance) = self { Some(balance) } else { None }
    }

    /// The paths by LIDs, where the node chooses among them.
    #[cfg(test)]
    pub(crate) const fn lids(&self) -> Option<&Adapter> {
        if let Self::Lids(adapter) = self { Some(adapter) } else { None }
    }
}
