//! The occupancy trigger: detours by how full the next buffers are, as seen from the credits.
//!
//! Source: the trigger of García et al. (`docs/olm.md`). Occupancies of buffers of different depth are compared as shares
//! of their depth.

use super::{Detour, Outputs, Thresholds, Trigger, Waiting};
use crate::fixed::{U1F15, U8F8};
use crate::layout;
use crate::route::HopKind;
use crate::settings::{Settings, Visit};
use crate::units::{Bits, Channel, PortId, VcId};

/// A minimal output of the class that the plan restricts, a global one in a Dragonfly, is avoided only when it is fuller
/// than the router's other outputs of the class.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct GlobalRestriction {
    /// It must exceed this many times their mean, itself included. Range: 0…16.
    pub factor: U8F8,
    /// Plus this many packets.
    pub packets: u16,
}

/// When the buffer behind the minimal output makes a detour worth considering, and which detour.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct OccupancyTrigger {
    /// Share of the minimal output VC's buffer that is in use at least. Range: 0…1.
    pub minimal_occupancy: U1F15,
    /// A detour's occupancy is at most this share of the minimal one's. Range: 0…4.
    pub relative_threshold: U8F8,
    /// A further condition where the minimal output is of the class that the plan restricts.
    pub global_restriction: Option<GlobalRestriction>,
}

impl Default for GlobalRestriction {
    fn default() -> Self {
        Self { factor: U8F8::ratio(3, 2), packets: 5 }
    }
}

impl Settings for GlobalRestriction {
    fn visit<V: Visit>(&mut self, visitor: &mut V) -> Result<(), V::Error> {
        visitor.number("factor", U8F8::ZERO..=U8F8::ratio(16, 1), &mut self.factor)?;
        visitor.whole("packets", 0..=255, &mut self.packets)
    }
}

impl Default for OccupancyTrigger {
    fn default() -> Self {
        Self {
            minimal_occupancy: U1F15::ZERO,
            relative_threshold: U8F8::ratio(7, 10),
            global_restriction: Some(GlobalRestriction::default()),
        }
    }
}

impl Settings for OccupancyTrigger {
    fn visit<V: Visit>(&mut self, visitor: &mut V) -> Result<(), V::Error> {
        visitor.number("minimal_occupancy", U1F15::ZERO..=U1F15::ONE, &mut self.minimal_occupancy)?;
        visitor.number("relative_threshold", U8F8::ZERO..=U8F8::ratio(4, 1), &mut self.relative_threshold)?;
        visitor.group("global_restriction", &mut self.global_restriction)
    }
}

/// The VC whose occupancy stands for the hops of a kind by a port: the first of their set.
#[inline(always)]
fn vc_of<const P: usize, const V: usize, B: Bits>(
    packet: &Waiting<'_, B>,
    hop: Detour,
    outputs: &Outputs<'_, P, V, B>,
) -> VcId {
    let vcs = packet.candidates.vcs_of(hop.kind, hop.port);
    vcs.and(outputs.links.vcs(hop.port)).first().unwrap_or_default()
}

/// The minimal hop of a packet.
#[inline(always)]
fn minimal_of<B: Bits>(packet: &Waiting<'_, B>) -> Detour {
    Detour { port: packet.minimal, kind: HopKind::Minimal }
}

/// Occupancy and depth of a VC behind a port, in flits.
#[inline(always)]
fn buffer<const P: usize, const V: usize, B: Bits>(
    port: PortId,
    vc: VcId,
    outputs: &Outputs<'_, P, V, B>,
) -> (u32, u32) {
    let depth = outputs.links.depth(Channel::new(port, vc));
    (outputs.occupancy(port, vc).into(), depth.into())
}

/// Occupancy and depth of the VC that stands for a hop, in flits.
#[inline(never)]
fn buffer_of<const P: usize, const V: usize, B: Bits>(
    packet: &Waiting<'_, B>,
    hop: Detour,
    outputs: &Outputs<'_, P, V, B>,
) -> (u32, u32) {
    buffer(hop.port, vc_of(packet, hop, outputs), outputs)
}

impl Trigger for OccupancyTrigger {
    const WORD: &'static str = "occupancy";
    const RTL: Option<u32> = Some(layout::TRIGGER_OCCUPANCY);

    /// The minimal output cannot take the packet now, its buffer is full enough, and, if global, fuller than its siblings.
    #[inline(always)]
    fn fires<const P: usize, const V: usize, B: Bits>(
        &self,
        packet: &Waiting<'_, B>,
        outputs: &Outputs<'_, P, V, B>,
    ) -> bool {
        let vc = vc_of(packet, minimal_of(packet), outputs);
        outputs.is_blocked(packet.minimal, vc, packet.length) && self.is_full_enough(packet, vc, outputs)
    }

    /// The detour's buffer is empty enough.
    #[inline]
    fn allows<const P: usize, const V: usize, B: Bits>(
        &self,
        packet: &Waiting<'_, B>,
        detour: Detour,
        outputs: &Outputs<'_, P, V, B>,
    ) -> bool {
        let (used, depth) = buffer_of(packet, minimal_of(packet), outputs);
        let (other_used, other_depth) = buffer_of(packet, detour, outputs);
        let threshold = u64::from(self.relative_threshold.to_bits());
        let limit = threshold.wrapping_mul(u64::from(used.wrapping_mul(other_depth)));
        u64::from(other_used.wrapping_mul(depth)).wrapping_shl(8) <= limit
    }

    fn thresholds(&self) -> Thresholds {
        Thresholds { occupancy: Some(*self), ..Thresholds::NONE }
    }
}

impl OccupancyTrigger {
    /// Whether enough of the buffer behind the minimal output is in use, and, where it is global, more than of its siblings.
    #[inline(never)]
    fn is_full_enough<const P: usize, const V: usize, B: Bits>(
        &self,
        packet: &Waiting<'_, B>,
        vc: VcId,
        outputs: &Outputs<'_, P, V, B>,
    ) -> bool {
        let (used, depth) = buffer(packet.minimal, vc, outputs);
        let floor = u32::from(self.minimal_occupancy.to_bits()).wrapping_mul(depth).wrapping_shr(15);
        used >= floor
            && (outputs.links.restricted != Some(outputs.links.class(packet.minimal))
                || self.global_restriction.is_none_or(|r| r.lifts(used, vc, packet.length, outputs)))
    }
}

impl GlobalRestriction {
    /// Whether `used` flits in a global VC are enough more than in the same VC of all global outputs.
    #[inline]
    fn lifts<const P: usize, const V: usize, B: Bits>(
        &self,
        used: u32,
        vc: VcId,
        length: u16,
        outputs: &Outputs<'_, P, V, B>,
    ) -> bool {
        let (mut ports, mut sum) = (0u32, 0u32);
        for port in outputs.wired {
            if outputs.links.restricted == Some(outputs.links.class(port)) {
                ports = ports.wrapping_add(1);
                sum = sum.wrapping_add(buffer(port, vc, outputs).0);
            }
        }
        // used > factor · sum / ports + packets · length, without a division.
        let slack = u64::from(self.packets).wrapping_mul(u64::from(length)).wrapping_mul(u64::from(ports));
        let mean = u64::from(self.factor.to_bits()).wrapping_mul(u64::from(sum));
        u64::from(used.wrapping_mul(ports)).wrapping_shl(8) > mean.wrapping_add(slack.wrapping_shl(8))
    }
}
