//! Messages for groups of nodes: each member gets one copy of each message of the others.

use super::constants::Constants;
use super::packets::Record;
use super::violation::Violation;
use super::{Network, Shard};
use router_core::units::Bits;
use std::collections::HashMap;

/// What a shard counts of such messages, since the start.
#[derive(Debug, Clone, Default)]
pub(crate) struct Copies {
    /// Messages that a node has sent, by node.
    sent: HashMap<u32, u64>,
    /// Copies that have come to a node from another one.
    came: HashMap<(u32, u32), u64>,
}

impl Copies {
    /// A node has sent a message.
    pub(crate) fn send(&mut self, from: u32) {
        *self.sent.entry(from).or_default() += 1;
    }

    /// A copy has come to a node.
    pub(crate) fn take(&mut self, node: u32, from: u32) {
        *self.came.entry((node, from)).or_default() += 1;
    }
}

impl<const P: usize, R> Constants<'_, P, R> {
    /// Whether a node is to have a copy of a packet for a group.
    #[cold]
    pub(crate) fn is_for_member(&self, node: usize, packet: &Record) -> bool {
        let group = (packet.to as usize).checked_sub(self.nodes);
        let members =
            group.zip(self.blueprint.groups()).and_then(|(group, groups)| groups.members().get(group));
        let is_member = members.is_some_and(|members| members.binary_search(&(node as u32)).is_ok());
        is_member && packet.from as usize != node
    }
}

impl<const P: usize, const V: usize, R, B: Bits> Network<'_, P, V, R, B> {
    /// No node has more copies from another one than that has sent messages; when nothing is inside, each member has as many.
    pub(super) fn audit_copies(&self) -> Option<Violation> {
        let groups = self.constants.blueprint.groups()?;
        let own = || self.shards.iter().filter_map(|shard| shard.copies.as_ref());
        let sent = own().flat_map(|copies| copies.sent.iter().map(|(&from, &sent)| (from, sent)));
        let sent: HashMap<u32, u64> = self.gather_all(sent.collect()).into_iter().collect();
        let came = own().flat_map(|copies| copies.came.iter().map(|(&pair, &came)| (pair, came)));
        let came: HashMap<(u32, u32), u64> = self.gather_all(came.collect()).into_iter().collect();
        let is_empty = self.live_everywhere() == 0;
        let pairs = groups.members().iter().flat_map(|members| {
            members.iter().flat_map(move |&to| members.iter().map(move |&from| (to, from)))
        });
        pairs.filter(|(to, from)| to != from).find_map(|(to, from)| {
            let sent = sent.get(&from).copied().unwrap_or(0);
            let found = came.get(&(to, from)).copied().unwrap_or(0);
            let is_wrong = found > sent || is_empty && found < sent;
            is_wrong.then_some(Violation::Copies { cycle: self.cycle, from, to, sent, found })
        })
    }

    /// Packets inside, those of other processes included.
    fn live_everywhere(&self) -> u64 {
        let [live] = self.totals([self.shards.iter().map(|shard| shard.packets.live() as u64).sum()]);
        live
    }

    /// Flits that copies have added since the start.
    pub(super) fn flits_copied(&self) -> u64 {
        let [copied] = self.totals([self.shards.iter().map(|shard| shard.packets.kept).sum()]);
        copied
    }
}

impl<const P: usize, const V: usize, B: Bits> Shard<P, V, B> {
    /// A node has sent a packet to a node or a group.
    #[inline]
    pub(super) fn note_sent<R>(&mut self, constants: &Constants<'_, P, R>, at: usize, to: u32) {
        if to as usize >= constants.nodes
            && let Some(copies) = &mut self.copies
        {
            copies.send((self.first_node + at) as u32);
        }
    }
}
