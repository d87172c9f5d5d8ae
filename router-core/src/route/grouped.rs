//! Packets for groups of nodes, beside a routing that knows single nodes.
//!
//! At each router such a packet has the branches of its group's tree as candidates, and leaves by all of them, one after the other
//! ([`Plan::replicates`](crate::plan::Plan::replicates)). Where trees have a VC of their own, packets for single nodes keep off it.

use super::ways::{Exit, Ways};
use super::{Arrival, CandidateSet, Candidates, Draw, Full, Here, HopKind, Route};
use crate::header::{Address, Header};
use crate::map::trees::Trees;
use crate::units::{Bits, PortClass, PortId, PortSet, VcSet};

/// A routing, and the trees of groups, where there are any.
#[derive(Clone, Copy, Debug)]
pub struct Grouped<'t, R> {
    /// The routing of packets for single nodes.
    pub single: R,
    /// The trees of packets for groups.
    trees: Option<Trees<'t>>,
}

impl<'t, R> Grouped<'t, R> {
    /// A routing beside these trees.
    pub const fn new(single: R, trees: Option<Trees<'t>>) -> Self {
        Self { single, trees }
    }

    /// The trees.
    pub const fn trees(&self) -> Option<&Trees<'t>> {
        self.trees.as_ref()
    }

    /// The group that an address is of.
    #[inline(always)]
    fn group(&self, to: Address) -> Option<u32> {
        match &self.trees {
            Some(trees) => trees.group(to),
            None => None,
        }
    }

    #[inline(never)]
    fn offer_beside<B: Bits>(
        &self,
        trees: &Trees<'t>,
        here: &Here<B>,
        from: Arrival,
        header: &Header,
    ) -> Result<Candidates<B>, Full>
    where
        R: Route<B>,
    {
        let Some(group) = trees.group(header.to) else {
            let offered = self.single.offer(here, from, header)?;
            return Ok(trees.own_vc().map_or(offered, |vc| offered.without_vc(vc)));
        };
        let Some(row) = trees.row(group, here.router) else { return Ok(Candidates::NONE) };
        let (links, members) = trees.branches(row, from.port);
        let set = |ports: PortSet<B>, vcs| CandidateSet::new(ports.and(here.wired), vcs, HopKind::Minimal);
        // A node takes packets on any VC.
        Ok(Candidates::of([set(links, trees.vcs()), set(members, VcSet::from_bits(u8::MAX))]))
    }
}

impl<B: Bits, R: Route<B>> Route<B> for Grouped<'_, R> {
    #[inline]
    fn offer(&self, here: &Here<B>, from: Arrival, header: &Header) -> Result<Candidates<B>, Full> {
        match &self.trees {
            None => self.single.offer(here, from, header),
            Some(trees) => self.offer_beside(trees, here, from, header),
        }
    }
    fn passed_over(&self, here: &Here<B>, header: &Header) -> PortSet<B> {
        if self.group(header.to).is_some() { PortSet::EMPTY } else { self.single.passed_over(here, header) }
    }
    #[inline]
    fn onward(&self, here: &Here<B>, header: &Header, out_kind: PortClass, hop: HopKind) -> Header {
        if self.group(header.to).is_some() {
            *header
        } else {
            self.single.onward(here, header, out_kind, hop)
        }
    }
    fn launch(&self, here: &Here<B>, to: Address, length: u16, draw: &mut impl Draw) -> Header {
        if self.group(to).is_some() {
            return Header { to, length, ..Header::default() };
        }
        self.single.launch(here, to, length, draw)
    }
    fn level(&self, from: Address, to: Address) -> u8 {
        if self.group(to).is_some() { 0 } else { self.single.level(from, to) }
    }
    fn leaves_for(&self, here: &Here<B>, from: Arrival, header: &Header) -> Option<u32> {
        if self.group(header.to).is_some() { None } else { self.single.leaves_for(here, from, header) }
    }
    fn exit(&self, here: &Here<B>, group: u32) -> Option<Exit> {
        self.single.exit(here, group)
    }
    fn ways(&self, here: &Here<B>, from: Arrival, header: &Header) -> Option<Ways> {
        if self.group(header.to).is_some() { None } else { self.single.ways(here, from, header) }
    }
    fn straight(&self, from: Arrival) -> Option<PortId> {
        self.single.straight(from)
    }
    fn legs(&self, from: u32, to: u32) -> u16 {
        self.single.legs(from, to)
    }
    #[inline]
    fn keeps_order(&self, here: &Here<B>, from: Arrival, header: &Header) -> bool {
        self.group(header.to).is_some() || self.single.keeps_order(here, from, header)
    }
}
