//! The UGAL trigger: a detour where the minimal output's queue, times the hops behind it, is longer than the detour's, times its own.
//!
//! Source: Singh, 2005; Kim et al., ISCA 2008 (UGAL-L: by the queues of the packet's own router). A queue is what the credits of all VCs
//! of an output say is in use. The comparison is made in every cycle in which the packet waits. Routings that give no hops are
//! compared by their queues alone.

use super::{Detour, Outputs, Trigger, Waiting};
use crate::route::HopKind;
use crate::settings::{Settings, Visit};
use crate::units::PortId;

/// A detour by queues times hops.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct UgalTrigger {
    /// Flits times hops by which the minimal way must be worse. Range: 0…65535.
    pub bias: u16,
}

impl Settings for UgalTrigger {
    fn visit<V: Visit>(&mut self, visitor: &mut V) -> Result<(), V::Error> {
        visitor.whole("ugal_bias", 0..=u16::MAX, &mut self.bias)
    }
}

/// The flits that the credits of a port say are in use behind it.
#[inline]
fn queue<const P: usize, const V: usize>(port: PortId, outputs: &Outputs<'_, P, V>) -> u32 {
    let depth = outputs.plan.buffer(port);
    let Some(out) = outputs.ports.get(port) else { return 0 };
    let mut sum = 0u32;
    for vc in outputs.plan.vcs(port) {
        sum = sum.wrapping_add(out.credits.occupancy(vc, depth).into());
    }
    sum
}

/// Queue times hops of the way by a port, for a hop of a kind; 1 hop where the routing gives none.
#[inline]
fn cost<const P: usize, const V: usize>(
    packet: &Waiting<'_>,
    port: PortId,
    kind: HopKind,
    outputs: &Outputs<'_, P, V>,
) -> u32 {
    let mut sets = packet.candidates.of_kind(kind).filter(|set| set.ports.contains(port));
    let hops = sets.next().map_or(1, |set| set.hops.max(1));
    queue(port, outputs).saturating_mul(hops.into())
}

impl Trigger for UgalTrigger {
    const WORD: &'static str = "ugal";

    fn fires<const P: usize, const V: usize>(
        &self,
        packet: &Waiting<'_>,
        outputs: &Outputs<'_, P, V>,
    ) -> bool {
        cost(packet, packet.minimal, HopKind::Minimal, outputs) > self.bias.into()
    }

    fn allows<const P: usize, const V: usize>(
        &self,
        packet: &Waiting<'_>,
        detour: Detour,
        outputs: &Outputs<'_, P, V>,
    ) -> bool {
        let minimal = cost(packet, packet.minimal, HopKind::Minimal, outputs);
        minimal > cost(packet, detour.port, detour.kind, outputs).saturating_add(self.bias.into())
    }
}
