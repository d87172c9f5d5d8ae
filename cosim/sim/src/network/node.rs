//! A node: generates packets, injects them one flit a cycle, and checks what it is sent.

use super::wheel::End;
use crate::traffic::{Generated, Generator, Traffic};
use router_core::plan::Plan;
use router_core::units::{PortClass, VcId};
use std::num::NonZeroU16;

/// What a node is doing.
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
}

/// A packet that has come in part.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Receiving {
    pub(crate) tag: u32,
    /// Its flits that are here.
    pub(crate) flits: NonZeroU16,
}

/// One node.
#[derive(Debug, Clone)]
pub(crate) struct Node<const V: usize> {
    /// The router's port it is connected to.
    pub(crate) at: End,
    /// Its packets, in the order of their generation.
    pub(crate) generator: Generator,
    /// The next one; its time may be past or to come.
    pub(crate) next: Option<Generated>,
    pub(crate) sending: Sending,
    /// Credits for each VC of the router's input port.
    pub(crate) credits: [u16; V],
    /// VCs of that port.
    pub(crate) vcs: u8,
    /// The packet that each VC is bringing.
    pub(crate) receiving: [Option<Receiving>; V],
}

impl<const V: usize> Node<V> {
    /// Node `node` of the network, at port `at`, before its first packet.
    pub(crate) fn new<const P: usize>(at: End, traffic: &Traffic, node: usize, plan: &Plan<P>) -> Self {
        let sizes = plan.sizes(PortClass::NODE);
        let mut generator = traffic.generator(node as u32);
        Self {
            at,
            next: generator.next(traffic),
            generator,
            sending: Sending::Between,
            credits: [sizes.buffer; V],
            vcs: sizes.vcs,
            receiving: [None; V],
        }
    }

    /// The VC with the most credits, if it has `room`; the lowest of several.
    #[inline]
    pub(crate) fn vc_with_most_credits(&self, room: u16) -> Option<VcId> {
        let mut best = None;
        let mut most = room.saturating_sub(1);
        for vc in 0..self.vcs {
            let credits = self.credits[usize::from(vc)];
            if credits > most {
                most = credits;
                best = Some(VcId::new(vc));
            }
        }
        best
    }

    /// Cycles that the packet at the front of the source queue has been waiting.
    pub(crate) fn waiting_since(&self, now: u64) -> u64 {
        self.next.map_or(0, |packet| now.saturating_sub(packet.at))
    }
}
