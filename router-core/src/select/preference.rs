//! Which one a packet takes of several minimal outputs with room, and of several VCs with room behind an output.
//!
//! Sources: Duato, Yalamanchili and Ni, *Interconnection Networks* (2003), compare routings with the lowest useful dimension first, the
//! first free VC, and the least multiplexing. Vaidya, Sivasubramaniam and Das, *LAPSES* (1999), call the rules STATIC-XY, MAX-CREDIT and
//! MIN-MUX.

use super::{Outputs, Waiting};
use crate::draw::{any, one_of};
use crate::layout;
use crate::lfsr::Tap;
use crate::route::HopKind;
use crate::settings::{Settings, Visit};
use crate::units::{Bits, PortId, PortSet, VcId, VcSet};

/// Which minimal output a packet requests where several have room.
#[repr(u8)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum PortRule {
    /// Its own, which was drawn as it came. Where that has no room one of the others is drawn.
    #[default]
    Random,
    /// The lowest one. On a grid the ports of dimension 0 are the lowest ones.
    LowestDimension,
    /// Its own, which is the next one in turn behind that of the packet before it in its VC. Where that has no room, the next one that has.
    /// An oblivious choice while there is room.
    Cyclic,
    /// The one with most credits, those of all its VCs together. Of equal ones its own, else one is drawn.
    MostCredits,
}

crate::words!(PortRule {
    "random" => [Self::Random],
    "lowest-dimension" => [Self::LowestDimension],
    "cyclic" => [Self::Cyclic],
    "most-credits" => [Self::MostCredits],
});

impl PortRule {
    /// The number of the RTL's parameter `PORT_RULE`.
    pub const fn rtl(self) -> Option<u32> {
        match self {
            Self::Random => Some(layout::PORT_RULE_RANDOM),
            Self::LowestDimension => Some(layout::PORT_RULE_LOWEST_DIMENSION),
            Self::Cyclic | Self::MostCredits => None,
        }
    }
}

/// Which VC behind an output a packet takes where several have room.
#[repr(u8)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum VcRule {
    /// One is drawn.
    #[default]
    Random,
    /// The lowest one.
    First,
    /// The lowest one, behind an output where packets hold the fewest VCs. Of equal outputs one is taken as [`PortRule`] says.
    LeastShared,
}

crate::words!(VcRule {
    "random" => [Self::Random],
    "first" => [Self::First],
    "least-shared" => [Self::LeastShared],
});

impl VcRule {
    /// The number of the RTL's parameter `VC_RULE`.
    pub const fn rtl(self) -> Option<u32> {
        match self {
            Self::Random => Some(layout::VC_RULE_RANDOM),
            Self::First => Some(layout::VC_RULE_FIRST),
            Self::LeastShared => None,
        }
    }
}

/// What a packet prefers among minimal outputs and VCs that have room for it: keys of `[selection]`.
///
/// Where a rule other than the default decides on the output, the sets of candidates are looked at in offer order. So a packet takes
/// an adaptive VC behind any output before it takes an escape VC. The feature `small` has the defaults alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Preference {
    /// Among outputs.
    pub ports: PortRule,
    /// Among the VCs behind one.
    pub vcs: VcRule,
}

impl Settings for Preference {
    fn visit<V: Visit>(&mut self, visitor: &mut V) -> Result<(), V::Error> {
        visitor.word("ports", &mut self.ports)?;
        visitor.word("vcs", &mut self.vcs)
    }
}

impl Preference {
    /// Chance alone decides.
    pub const RANDOM: Self = Self { ports: PortRule::Random, vcs: VcRule::Random };

    /// Whether chance alone is to decide; with the feature `small`, too, where nothing else can.
    pub const fn is_random(self) -> bool {
        matches!((self.ports, self.vcs), (PortRule::Random, VcRule::Random))
    }

    /// Whether chance alone decides on the output.
    #[inline(always)]
    pub(crate) const fn draws_ports(self) -> bool {
        cfg!(feature = "small")
            || matches!(self.ports, PortRule::Random) & !matches!(self.vcs, VcRule::LeastShared)
    }

    /// The output that is a packet's own among these; `before` was that of the packet before it in its VC.
    #[inline(always)]
    pub(crate) fn own<B: Bits>(
        self,
        ports: PortSet<B>,
        before: PortId,
        tap: impl Fn() -> Tap,
    ) -> Option<PortId> {
        if !cfg!(feature = "small") && matches!(self.ports, PortRule::Cyclic) {
            return ports.first_from(PortId::new(before.number().wrapping_add(1)));
        }
        any(ports, tap)
    }

    /// Whether chance decides on the VC.
    #[inline(always)]
    const fn draws_vcs(self) -> bool {
        cfg!(feature = "small") || matches!(self.vcs, VcRule::Random)
    }
}

impl<const P: usize, const V: usize, B: Bits> Outputs<'_, P, V, B> {
    /// The minimal output that a packet prefers: of those by which it may leave now by the first set, in offer order, by which it may
    /// leave at all. Its own where there is none.
    #[inline(never)]
    pub(super) fn preferred(&self, packet: &Waiting<'_, B>) -> PortSet<B> {
        let mut open = PortSet::EMPTY;
        let mut sets = packet.candidates.of_kind(HopKind::Minimal);
        while let (true, Some(set)) = (open.is_empty(), sets.next()) {
            open = set.ports.minus(self.closed());
            for port in open {
                if !self.takes_minimally(port, set.vcs, packet.length) {
                    open.remove(port);
                }
            }
        }
        let chosen = self.prefer(open, packet.minimal, || packet.tap).unwrap_or(packet.minimal);
        PortSet::only(chosen)
    }

    /// The one that a packet prefers of outputs with room for it; `own` is its own.
    pub(crate) fn prefer(&self, open: PortSet<B>, own: PortId, tap: impl Fn() -> Tap) -> Option<PortId> {
        let open = match self.preference.vcs {
            VcRule::LeastShared => least(open, |port| self.owned.at(port).len() as u32),
            _ => open,
        };
        let open = match self.preference.ports {
            PortRule::Random => open,
            PortRule::LowestDimension => return open.first(),
            PortRule::Cyclic => return open.first_from(own),
            PortRule::MostCredits => least(open, |port| u32::MAX.wrapping_sub(self.credits(port))),
        };
        if open.contains(own) { Some(own) } else { any(open, tap) }
    }

    /// The credits for all VCs behind a port.
    fn credits(&self, port: PortId) -> u32 {
        let Some(out) = self.ports.get(port) else { return 0 };
        self.links.vcs(port).into_iter().fold(0, |sum, vc| sum.wrapping_add(out.credits.left(vc).into()))
    }

    /// The VC that a packet takes of those with room for it.
    #[inline(always)]
    pub(crate) fn vc_of(&self, open: VcSet, tap: impl Fn() -> Tap) -> Option<VcId> {
        if self.preference.draws_vcs() { one_of(open, tap) } else { open.first() }
    }
}

/// Those ports of which nothing else has less.
fn least<B: Bits>(ports: PortSet<B>, of: impl Fn(PortId) -> u32) -> PortSet<B> {
    let mut least = u32::MAX;
    let mut found = PortSet::EMPTY;
    for port in ports {
        let own = of(port);
        if own < least {
            (least, found) = (own, PortSet::EMPTY);
        }
        if own == least {
            found.insert(port);
        }
    }
    found
}
