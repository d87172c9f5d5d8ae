//! The UGAL trigger: a detour where the minimal output's queue, times the hops behind it, is longer than the detour's, times its own.
//!
//! Source: Singh, 2005; Kim et al., ISCA 2008 (UGAL-L: by the queues of the packet's own router). A queue is the places in use by the
//! credits of all VCs of an output, or of the packet's VC alone (UGAL-L with VC discrimination). It can also be the packets at this router
//! that have the output as their minimal one. The comparison is made in every cycle in which the packet waits. Routings that give no hops
//! are compared by their queues alone.
//!
//! Where the routers of a group tell each other which of their global links are congested (Jiang et al., ISCA 2009: PB), a detour is taken
//! for that, too, whatever the queues are ([`crate::notice`]).

use super::{Detour, Outputs, Thresholds, Trigger, Waiting};
use crate::layout;
use crate::route::HopKind;
use crate::route::ways::Way;
use crate::settings::{Settings, Visit};
use crate::units::{Bits, PortId, VcId, VcSet};

/// What a queue is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum Queue {
    /// Flits in all VCs behind the output, by its credits.
    #[default]
    Port = layout::UGAL_QUEUE_PORT as u8,
    /// Flits in the VC behind the output that the packet would take, by its credits: the first of several.
    Vc = layout::UGAL_QUEUE_VC as u8,
    /// Packets at this router with this minimal output: its contention counter.
    Packets = layout::UGAL_QUEUE_PACKETS as u8,
}

crate::words!(Queue {
    "port" => [Self::Port],
    "vc" => [Self::Vc],
    "packets" => [Self::Packets],
});

/// A detour by queues times hops.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct UgalTrigger {
    /// Flits, or packets, times hops by which the minimal way must be worse. Range: 0…65535.
    pub bias: u16,
    /// What is compared.
    pub queue: Queue,
}

impl Settings for UgalTrigger {
    fn visit<V: Visit>(&mut self, visitor: &mut V) -> Result<(), V::Error> {
        visitor.whole("ugal_bias", 0..=u16::MAX, &mut self.bias)?;
        visitor.word("ugal_queue", &mut self.queue)
    }
}

/// The flits that the credits of some VCs of a port say are in use behind it.
#[inline]
fn flits<const P: usize, const V: usize, B: Bits>(
    port: PortId,
    vcs: VcSet,
    outputs: &Outputs<'_, P, V, B>,
) -> u32 {
    let mut sum = 0u32;
    for vc in vcs.and(outputs.links.vcs(port)) {
        sum = sum.wrapping_add(outputs.occupancy(port, vc).into());
    }
    sum
}

impl UgalTrigger {
    /// Queue times hops of the way by a port, for a hop of a kind; 1 hop where the routing gives none.
    #[inline]
    fn cost<const P: usize, const V: usize, B: Bits>(
        &self,
        packet: &Waiting<'_, B>,
        port: PortId,
        kind: HopKind,
        outputs: &Outputs<'_, P, V, B>,
    ) -> u32 {
        let mut sets = packet.candidates.of_kind(kind).filter(|set| set.ports.contains(port));
        let (hops, vcs) = sets.next().map_or((1, VcSet::EMPTY), |set| (set.hops.max(1), set.vcs));
        // The packet itself is no obstacle to itself.
        let own = self.queue == Queue::Packets && kind == HopKind::Minimal;
        let queue = self.waiting(port, vcs.first(), outputs).saturating_sub(own.into());
        queue.saturating_mul(hops.into())
    }

    /// The queue of an output, for a packet that takes a VC behind it.
    #[inline]
    fn waiting<const P: usize, const V: usize, B: Bits>(
        &self,
        port: PortId,
        vc: Option<VcId>,
        outputs: &Outputs<'_, P, V, B>,
    ) -> u32 {
        match self.queue {
            Queue::Port => flits(port, VcSet::from_bits(u8::MAX), outputs),
            Queue::Vc => flits(port, vc.map_or(VcSet::EMPTY, VcSet::only), outputs),
            Queue::Packets => outputs.contention.at(port).into(),
        }
    }

    /// Whether one way has less waiting before it than another, for a packet that is not counted yet.
    pub(crate) fn is_shorter<const P: usize, const V: usize, B: Bits>(
        &self,
        way: Way,
        than: Way,
        outputs: &Outputs<'_, P, V, B>,
    ) -> bool {
        let cost = |Way { port, vc, hops }| self.waiting(port, Some(vc), outputs).saturating_mul(hops);
        cost(than) > cost(way).saturating_add(self.bias.into())
    }
}

impl Trigger for UgalTrigger {
    const WORD: &'static str = "ugal";
    const RTL: Option<u32> = Some(layout::TRIGGER_UGAL);

    fn fires<const P: usize, const V: usize, B: Bits>(
        &self,
        packet: &Waiting<'_, B>,
        outputs: &Outputs<'_, P, V, B>,
    ) -> bool {
        self.cost(packet, packet.minimal, HopKind::Minimal, outputs) > self.bias.into()
            || outputs.contention.notices.has_told(packet.at)
    }

    fn allows<const P: usize, const V: usize, B: Bits>(
        &self,
        packet: &Waiting<'_, B>,
        detour: Detour,
        outputs: &Outputs<'_, P, V, B>,
    ) -> bool {
        let minimal = self.cost(packet, packet.minimal, HopKind::Minimal, outputs);
        minimal > self.cost(packet, detour.port, detour.kind, outputs).saturating_add(self.bias.into())
            || outputs.contention.notices.has_told(packet.at)
    }

    fn thresholds(&self) -> Thresholds {
        Thresholds { bias: Some(self.bias), ..Thresholds::NONE }
    }
}
