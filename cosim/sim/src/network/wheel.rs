//! Everything that is on a wire, by the internal cycle in which its receiver writes it.

use super::pool::{List, Pool};
use super::signal::Signal;
use router_core::header::{Flit, Header, HeaderError, Packet, RawHeader, WORDS};
use router_core::units::{PortId, VcId};
use serde::{Deserialize, Serialize};

/// One end of a link: a port of a router, or a node. In a list of links also an exit to another shard, an end whose
/// traffic the routers in SystemVerilog receive, too (*tapped*), or a link that is down.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct End(u32);

impl End {
    const NODE: u32 = 1 << 27;
    const TAPPED: u32 = 1 << 28;
    const EXIT: u32 = 1 << 29;
    const DOWN: u32 = 1 << 30;

    /// Port `port` of router `router`, with `P` ports a router.
    pub(crate) fn port<const P: usize>(router: usize, port: usize) -> Self {
        Self((router * P + port) as u32)
    }
    pub(crate) fn node(node: usize) -> Self {
        Self(Self::NODE | node as u32)
    }
    #[inline(always)]
    pub(crate) fn as_node(self) -> Option<usize> {
        (self.0 & Self::NODE != 0).then_some(self.node_index())
    }
    /// The node; meaningless for a router.
    #[inline(always)]
    pub(crate) fn node_index(self) -> usize {
        (self.0 & !Self::NODE) as usize
    }
    /// The place of its list in a slot's pairs.
    #[inline(always)]
    fn list(self) -> usize {
        ((self.0 / Self::NODE) & 1) as usize
    }
    /// Router and port; meaningless for a node.
    #[inline(always)]
    pub(crate) fn as_port<const P: usize>(self) -> (usize, PortId) {
        (self.0 as usize / P, PortId::new((self.0 as usize % P) as u8))
    }
    /// Entry `number` of the exits.
    pub(crate) fn exit(number: usize) -> Self {
        Self(Self::EXIT | number as u32)
    }
    /// Entry `number` of the links that are down.
    pub(crate) fn down(number: usize) -> Self {
        Self(Self::DOWN | number as u32)
    }
    pub(crate) fn as_down(self) -> Option<usize> {
        (self.0 & Self::DOWN != 0).then_some((self.0 & !Self::DOWN) as usize)
    }
    pub(crate) fn as_exit(self) -> Option<usize> {
        (self.0 & Self::EXIT != 0).then_some((self.0 & !Self::EXIT) as usize)
    }
    /// The end, tapped: a signal for it also goes to the routers in SystemVerilog.
    pub(crate) fn tapped(self) -> Self {
        Self(self.0 | Self::TAPPED)
    }
    pub(crate) fn untapped(self) -> Self {
        Self(self.0 & !Self::TAPPED)
    }
    /// Whether it is neither an exit nor tapped nor down.
    #[inline(always)]
    pub(crate) fn is_local(self) -> bool {
        self.0 < Self::TAPPED
    }
}

/// A head flit on its way, packed.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
#[serde(into = "SentHead", try_from = "SentHead")]
pub(crate) struct HeadOnWire {
    pub(crate) to: End,
    pub(crate) vc: VcId,
    pub(crate) packet: Packet,
}

/// A head flit as one process sends it to another: where, by which VC, to which port of the destination, since wide routers have more of them
/// than a header tells apart, and the header. It gets its tag there.
#[derive(Serialize, Deserialize)]
struct SentHead(End, u8, u8, [u32; WORDS]);

impl From<HeadOnWire> for SentHead {
    fn from(HeadOnWire { to, vc, packet }: HeadOnWire) -> Self {
        Self(to, vc.number(), packet.header.to.port, packet.header.emit().0)
    }
}

impl TryFrom<SentHead> for HeadOnWire {
    type Error = HeaderError;

    fn try_from(SentHead(to, vc, port, words): SentHead) -> Result<Self, HeaderError> {
        let mut packet = Packet { header: Header::parse(RawHeader(words))?, ..Packet::default() };
        packet.header.to.port = port;
        Ok(Self { to, vc: VcId::new(vc), packet })
    }
}

/// A body flit or a credit on its way: end, VC, and whether it is a tail, in 32 bits.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub(crate) struct OnWire(u32);

impl OnWire {
    #[inline(always)]
    pub(crate) fn new(to: End, vc: VcId, tail: bool) -> Self {
        Self(to.0 << 4 | u32::from(vc.number()) << 1 | u32::from(tail))
    }
    #[inline(always)]
    pub(crate) fn to(self) -> End {
        End(self.0 >> 4)
    }
    #[inline(always)]
    pub(crate) fn vc(self) -> VcId {
        VcId::new((self.0 >> 1 & 7) as u8)
    }
    #[inline(always)]
    pub(crate) fn tail(self) -> bool {
        self.0 & 1 != 0
    }
}

/// What arrives in one internal cycle: a pair of lists of each kind, `[to routers, to nodes]`, in the wheel's pools. The
/// loop over a list need not distinguish routers from nodes.
#[derive(Debug, Clone, Copy, Default)]
#[repr(align(64))] // a shift to find it, and a line of the cache for it
pub(crate) struct Slot {
    pub(crate) heads: [List; 2],
    pub(crate) bodies: [List; 2],
    pub(crate) credits: [List; 2],
}

/// Index of the routers' list in a slot's pairs of lists.
pub(crate) const ROUTERS: usize = 0;
#[cfg(test)]
pub(crate) const NODES: usize = 1;

impl Slot {
    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        [self.heads, self.bodies, self.credits].as_flattened().iter().all(List::is_empty)
    }
}

/// A calendar of the cycles ahead.
#[derive(Debug, Clone)]
pub(crate) struct Wheel {
    slots: Vec<Slot>,
    mask: u64,
    heads: Pool<HeadOnWire, 8>,
    bodies: Pool<OnWire, 32>,
    credits: Pool<OnWire, 32>,
}

impl Wheel {
    /// A calendar that reaches `horizon` internal cycles ahead.
    pub(crate) fn new(horizon: u64) -> Self {
        let slots = (horizon + 1).next_power_of_two();
        Self {
            slots: vec![Slot::default(); slots as usize],
            mask: slots - 1,
            heads: Pool::default(),
            bodies: Pool::default(),
            credits: Pool::default(),
        }
    }

    #[inline(always)]
    fn slot_mut(&mut self, when: u64) -> &mut Slot {
        let at = (when & self.mask) as usize;
        &mut self.slots[at]
    }

    /// What arrives in a cycle.
    #[inline(always)]
    pub(crate) fn slot(&self, when: u64) -> Slot {
        self.slots[(when & self.mask) as usize]
    }

    /// A signal for `to`, written there in internal cycle `when`.
    #[inline(always)]
    pub(crate) fn put(&mut self, when: u64, to: End, signal: Signal) {
        match signal {
            Signal::Flit(vc, Flit::Head(packet)) => self.head(when, HeadOnWire { to, vc, packet }),
            Signal::Flit(vc, Flit::Body { tail }) => self.body(when, OnWire::new(to, vc, tail)),
            Signal::Credit(vc) => self.credit(when, OnWire::new(to, vc, false)),
        }
    }

    /// What the lists of head flits are in.
    #[inline(always)]
    pub(crate) fn heads(&mut self) -> &mut Pool<HeadOnWire, 8> {
        &mut self.heads
    }

    /// What the lists of other flits are in.
    #[inline(always)]
    pub(crate) fn bodies(&mut self) -> &mut Pool<OnWire, 32> {
        &mut self.bodies
    }

    /// What the lists of credits are in.
    #[inline(always)]
    pub(crate) fn credits(&mut self) -> &mut Pool<OnWire, 32> {
        &mut self.credits
    }

    #[inline(always)]
    pub(crate) fn head(&mut self, when: u64, head: HeadOnWire) {
        let at = (when & self.mask) as usize;
        self.heads.push(&mut self.slots[at].heads[head.to.list()], head);
    }

    #[inline(always)]
    pub(crate) fn body(&mut self, when: u64, body: OnWire) {
        let at = (when & self.mask) as usize;
        self.bodies.push(&mut self.slots[at].bodies[body.to().list()], body);
    }

    #[inline(always)]
    pub(crate) fn credit(&mut self, when: u64, credit: OnWire) {
        let at = (when & self.mask) as usize;
        self.credits.push(&mut self.slots[at].credits[credit.to().list()], credit);
    }

    /// What arrives at routers in a cycle, each signal with its end.
    pub(crate) fn to_routers(&self, when: u64) -> impl Iterator<Item = (End, Signal)> {
        let slot = self.slot(when);
        let heads = self.heads.iter(slot.heads[ROUTERS]);
        let heads = heads.map(|head| (head.to, Signal::Flit(head.vc, Flit::Head(head.packet))));
        let body = |body: &OnWire| (body.to(), Signal::Flit(body.vc(), Flit::Body { tail: body.tail() }));
        let bodies = self.bodies.iter(slot.bodies[ROUTERS]).map(body);
        let credits = self.credits.iter(slot.credits[ROUTERS]);
        heads.chain(bodies).chain(credits.map(|credit| (credit.to(), Signal::Credit(credit.vc()))))
    }

    /// Takes the lists of a cycle out of the calendar; the caller must drop them from the pools.
    #[inline]
    pub(crate) fn take(&mut self, when: u64) -> Slot {
        std::mem::take(self.slot_mut(when))
    }

    /// Takes every signal for a router's port off its wire.
    pub(crate) fn remove(&mut self, end: End, mut lost: impl FnMut(Signal)) {
        let Self { slots, heads, bodies, credits, .. } = self;
        let mut gone = |to: End, signal| {
            if to == end {
                lost(signal);
            }
            to == end
        };
        for slot in slots {
            heads.edit(&mut slot.heads[ROUTERS], |list| {
                list.retain(|head| !gone(head.to, Signal::Flit(head.vc, Flit::Head(head.packet))));
            });
            bodies.edit(&mut slot.bodies[ROUTERS], |list| {
                list.retain(|body| {
                    !gone(body.to(), Signal::Flit(body.vc(), Flit::Body { tail: body.tail() }))
                });
            });
            credits.edit(&mut slot.credits[ROUTERS], |list| {
                list.retain(|credit| !gone(credit.to(), Signal::Credit(credit.vc())));
            });
        }
    }

    /// The next cycle in which something arrives, `from` at the earliest. As long a search as it lets skip.
    pub(crate) fn next(&self, from: u64) -> Option<u64> {
        (from..=from + self.mask).find(|&when| !self.slot(when).is_empty())
    }

    /// Every head flit for a router, with the internal cycle in which it is written there, `from` at the earliest.
    pub(crate) fn heads_from(&self, from: u64) -> impl Iterator<Item = (u64, &HeadOnWire)> {
        let each = (from..=from + self.mask).map(|when| (when, self.slot(when).heads[ROUTERS]));
        each.flat_map(|(when, list)| self.heads.iter(list).map(move |head| (when, head)))
    }

    /// Every head flit on the wires, in no particular order.
    pub(crate) fn all_heads(&self) -> impl Iterator<Item = &HeadOnWire> {
        self.slots.iter().flat_map(|slot| slot.heads).flat_map(|list| self.heads.iter(list))
    }

    /// Every other flit.
    pub(crate) fn all_bodies(&self) -> impl Iterator<Item = &OnWire> {
        self.slots.iter().flat_map(|slot| slot.bodies).flat_map(|list| self.bodies.iter(list))
    }

    /// Every credit.
    pub(crate) fn all_credits(&self) -> impl Iterator<Item = &OnWire> {
        self.slots.iter().flat_map(|slot| slot.credits).flat_map(|list| self.credits.iter(list))
    }
}

#[cfg(test)]
impl Wheel {
    /// Changes what arrives in a cycle, of one kind, at routers or at nodes.
    pub(crate) fn edit_heads<R>(
        &mut self,
        when: u64,
        at: usize,
        change: impl FnOnce(&mut Vec<HeadOnWire>) -> R,
    ) -> R {
        let slot = (when & self.mask) as usize;
        self.heads.edit(&mut self.slots[slot].heads[at], change)
    }
    pub(crate) fn edit_bodies<R>(
        &mut self,
        when: u64,
        at: usize,
        change: impl FnOnce(&mut Vec<OnWire>) -> R,
    ) -> R {
        let slot = (when & self.mask) as usize;
        self.bodies.edit(&mut self.slots[slot].bodies[at], change)
    }
    pub(crate) fn edit_credits<R>(
        &mut self,
        when: u64,
        at: usize,
        change: impl FnOnce(&mut Vec<OnWire>) -> R,
    ) -> R {
        let slot = (when & self.mask) as usize;
        self.credits.edit(&mut self.slots[slot].credits[at], change)
    }
}
