//! The candidates of a packet: a short array of sets, in the order in which the routing offers them.

use super::HopKind;
use crate::layout;
use crate::units::{PackedPorts, PortId, PortSet, VcId, VcSet};

/// Sets that a packet has room for.
pub const SETS: usize = layout::CANDIDATE_SETS as usize;

/// Candidates that differ in nothing but port and VC: any of `ports` on any of `vcs`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct CandidateSet {
    /// The output ports.
    pub ports: PortSet,
    /// The VCs at the next router.
    pub vcs: VcSet,
    /// What the hop is for.
    pub kind: HopKind,
    /// Hops to the destination by this set, this one included, 1…31; more are kept as 31. 0: not given.
    pub hops: u8,
}

impl CandidateSet {
    /// A set without a distance to the destination.
    #[inline(always)]
    pub const fn new(ports: PortSet, vcs: VcSet, kind: HopKind) -> Self {
        Self { ports, vcs, kind, hops: 0 }
    }

    /// Whether it is no candidate at all: it has no port, or no VC.
    #[inline(always)]
    pub const fn is_empty(&self) -> bool {
        self.ports.is_empty() | self.vcs.is_empty()
    }
}

/// One candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Candidate {
    /// The output port.
    pub port: PortId,
    /// The VC at the next router.
    pub vc: VcId,
    /// What the hop is for.
    pub kind: HopKind,
}

/// A routing offers more sets than there is room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Full;

impl core::fmt::Display for Full {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "the routing offers more sets of candidates than the {SETS} that fit")
    }
}

impl core::error::Error for Full {}

/// All candidates of one packet: up to [`SETS`] sets in offer order.
///
/// Sets may overlap, whatever their kind. At a port that several sets hold, a packet takes a VC of the first one, in offer
/// order, that has an open VC there. A set without a port or without a VC offers nothing and keeps its place.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Candidates {
    ports: [PackedPorts; SETS],
    vcs: [VcSet; SETS],
    notes: [Note; SETS],
}

/// The rest of a set, in a byte: kind in bits 0 and 1, hops in bits 2 to 6. Bit 7 of the first note: a detour is due.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Note(u8);

impl Note {
    /// The value of the two lowest bits at a place where no set has been offered.
    const VACANT: Self = Self(0b11);
    const KIND: u8 = 0b11;
    const HOPS_AT: u32 = 2;
    const MOST_HOPS: u8 = 31;
    const FORCED: u8 = 1 << 7;

    #[inline(always)]
    const fn new(kind: HopKind, hops: u8) -> Self {
        let hops = if hops > Self::MOST_HOPS { Self::MOST_HOPS } else { hops };
        Self(kind as u8 | hops.wrapping_shl(Self::HOPS_AT))
    }
    #[inline(always)]
    const fn is(self, kind: HopKind) -> bool {
        self.0 & Self::KIND == kind as u8
    }
    #[inline(always)]
    const fn is_vacant(self) -> bool {
        self.0 & Self::KIND == Self::VACANT.0
    }
    #[inline(always)]
    const fn kind(self) -> HopKind {
        match self.0 & Self::KIND {
            1 => HopKind::GlobalMisroute,
            2 => HopKind::LocalMisroute,
            _ => HopKind::Minimal,
        }
    }
    #[inline(always)]
    const fn hops(self) -> u8 {
        self.0.wrapping_shr(Self::HOPS_AT) & Self::MOST_HOPS
    }
}

impl Candidates {
    /// No candidate.
    pub const NONE: Self =
        Self { ports: [PackedPorts::EMPTY; SETS], vcs: [VcSet::EMPTY; SETS], notes: [Note::VACANT; SETS] };

    /// These minimal candidates only.
    #[must_use]
    #[inline]
    pub fn minimal(ports: PortSet, vcs: VcSet) -> Self {
        Self::of([CandidateSet::new(ports, vcs, HopKind::Minimal)])
    }

    /// These sets, in offer order. More than fit do not compile.
    #[must_use]
    #[inline(always)]
    pub fn of<const N: usize>(sets: [CandidateSet; N]) -> Self {
        const { assert!(N <= SETS, "the routing offers more sets than fit") }
        let mut all = Self::NONE;
        for (at, set) in sets.into_iter().enumerate() {
            all.put(at, set);
        }
        all
    }

    /// Offers one set more, after those before it.
    ///
    /// # Errors
    /// When there is no room for it; nothing changes.
    #[inline]
    pub fn offer(&mut self, set: CandidateSet) -> Result<(), Full> {
        let free = self.notes.iter().position(|note| note.is_vacant()).ok_or(Full)?;
        self.put(free, set);
        Ok(())
    }

    #[inline(always)]
    fn put(&mut self, at: usize, set: CandidateSet) {
        let (Some(ports), Some(vcs), Some(note)) =
            (self.ports.get_mut(at), self.vcs.get_mut(at), self.notes.get_mut(at))
        else {
            return;
        };
        // What is no candidate is kept as nothing at all, so that equal candidates are equal.
        let is_empty = set.is_empty();
        *ports = if is_empty { PackedPorts::EMPTY } else { PackedPorts::new(set.ports) };
        *vcs = if is_empty { VcSet::EMPTY } else { set.vcs };
        note.0 = note.0 & Note::FORCED | Note::new(set.kind, if is_empty { 0 } else { set.hops }).0;
    }

    /// The same candidates, none of which is preferred: a detour is due, however full the queues are.
    #[must_use]
    pub const fn forced(mut self) -> Self {
        let [first, ..] = &mut self.notes;
        first.0 |= Note::FORCED;
        self
    }

    /// Whether a detour is due.
    #[inline(always)]
    pub const fn is_forced(&self) -> bool {
        let [first, ..] = &self.notes;
        first.0 & Note::FORCED != 0
    }

    /// All places, those of empty sets and those without a set included.
    #[inline(always)]
    fn places(&self) -> impl Iterator<Item = (PortSet, VcSet, Note)> + '_ {
        let ports = self.ports.iter().map(|ports| ports.get());
        ports.zip(&self.vcs).zip(&self.notes).map(|((ports, &vcs), &note)| (ports, vcs, note))
    }

    /// All sets in offer order, those that offer nothing included.
    #[inline(always)]
    pub(crate) fn every(&self) -> impl Iterator<Item = CandidateSet> + '_ {
        self.places().map(|(ports, vcs, note)| CandidateSet {
            ports,
            vcs,
            kind: note.kind(),
            hops: note.hops(),
        })
    }

    /// The sets that offer something, in offer order.
    #[inline(always)]
    pub fn sets(&self) -> impl Iterator<Item = CandidateSet> + '_ {
        self.every().filter(|set| !set.ports.is_empty())
    }

    /// The sets of one kind, in offer order.
    #[inline(always)]
    pub fn of_kind(&self, kind: HopKind) -> impl Iterator<Item = CandidateSet> + '_ {
        self.sets().filter(move |set| set.kind == kind)
    }

    /// The sets that hold a port, in offer order.
    #[inline(always)]
    pub fn holding(&self, port: PortId) -> impl Iterator<Item = CandidateSet> + '_ {
        self.every().filter(move |set| set.ports.contains(port))
    }

    /// The kind of hop by `port`, if a single set holds the port.
    #[inline(always)]
    pub fn only_kind(&self, port: PortId) -> Option<HopKind> {
        let mut only = None;
        for set in self.every() {
            if set.ports.contains(port) {
                if only.is_some() {
                    return None;
                }
                only = Some(set.kind);
            }
        }
        only
    }

    /// The set of a kind that stands for it at a port: the first that holds the port, or the first at all where none does.
    #[inline(always)]
    pub fn first_of(&self, kind: HopKind, port: PortId) -> Option<CandidateSet> {
        self.of_kind(kind).find(|set| set.ports.contains(port)).or_else(|| self.of_kind(kind).next())
    }

    /// The VCs of all sets.
    #[inline(always)]
    pub(crate) fn all_vcs(&self) -> VcSet {
        self.vcs.iter().fold(VcSet::EMPTY, |all, &vcs| all.union(vcs))
    }

    /// The ports of all sets of one kind.
    #[inline(always)]
    pub fn ports_of(&self, kind: HopKind) -> PortSet {
        self.places().fold(PortSet::EMPTY, |all, (ports, _, note)| {
            all.union(if note.is(kind) { ports } else { PortSet::EMPTY })
        })
    }

    /// All ports of all sets.
    #[inline(always)]
    pub fn ports(&self) -> PortSet {
        self.ports.iter().fold(PortSet::EMPTY, |all, ports| all.union(ports.get()))
    }

    /// The ports by which the packet would leave in an empty network: the minimal ones, or all where a detour
    /// is due and none of them is minimal.
    #[inline(always)]
    pub fn preferred(&self) -> PortSet {
        let minimal = self.ports_of(HopKind::Minimal);
        if minimal.is_empty() { self.ports() } else { minimal }
    }

    /// Whether there is none.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.ports().is_empty()
    }

    /// Whether there is anything but minimal candidates.
    #[inline(always)]
    pub fn has_detours(&self) -> bool {
        let detours = self.places().fold(PortSet::EMPTY, |all, (ports, _, note)| {
            all.union(if note.is(HopKind::Minimal) { PortSet::EMPTY } else { ports })
        });
        !detours.is_empty()
    }

    /// Every candidate, one by one, in offer order; one that two sets offer comes twice.
    pub fn iter(&self) -> impl Iterator<Item = Candidate> + '_ {
        self.sets().flat_map(|set| {
            set.ports
                .iter()
                .flat_map(move |port| set.vcs.iter().map(move |vc| Candidate { port, vc, kind: set.kind }))
        })
    }
}

impl Default for Candidates {
    fn default() -> Self {
        Self::NONE
    }
}

impl core::fmt::Debug for Candidates {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_list().entries(self.sets()).finish()?;
        f.write_str(if self.is_forced() { " forced" } else { "" })
    }
}

#[cfg(feature = "defmt")]
impl defmt::Format for Candidates {
    fn format(&self, to: defmt::Formatter<'_>) {
        defmt::write!(to, "forced {}:", self.is_forced());
        for set in self.sets() {
            defmt::write!(to, " {}", set);
        }
    }
}

/// Candidates as one number: what the RTL's probes show, and what digests are made of.
///
/// Bit 0: a detour is due. Then each set in offer order, from the lowest bit up: its VCs, its ports. A set that offers
/// nothing is 0, so that room for more sets changes nothing. Kinds and hops are not in it: in the RTL they are constants of
/// the routing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packing {
    /// Ports of the router.
    pub ports: u32,
    /// VCs of the port that has most.
    pub vcs: u32,
}

impl Packing {
    /// Bits of the number for `sets` sets.
    pub const fn bits(self, sets: u32) -> u32 {
        self.at(sets)
    }

    /// The lowest bit of a set.
    const fn at(self, set: u32) -> u32 {
        self.ports.wrapping_add(self.vcs).wrapping_mul(set).wrapping_add(1)
    }

    /// Packs candidates; the VCs that no port has are left out, and what lies beyond 128 bits.
    pub fn pack(self, all: &Candidates) -> u128 {
        let known = u128::from(VcSet::first_n(self.vcs as usize).bits());
        let sets = (0u32..).zip(all.places()).fold(0, |packed, (set, (ports, vcs, _))| {
            let one = (ports.bits() as u128).wrapping_shl(self.vcs) | u128::from(vcs.bits()) & known;
            packed | one.checked_shl(self.at(set)).unwrap_or_default()
        });
        sets | u128::from(all.is_forced())
    }

    /// The ports of a set.
    pub fn ports_of(self, packed: u128, set: u32) -> u64 {
        let above = packed.checked_shr(self.at(set).wrapping_add(self.vcs)).unwrap_or_default();
        above as u64 & PortSet::first_n(self.ports as usize).bits() as u64
    }

    /// Whether a detour is due.
    pub const fn is_forced(self, packed: u128) -> bool {
        packed & 1 == 1
    }
}

#[cfg(test)]
#[allow(clippy::arithmetic_side_effects)]
#[path = "candidates/tests.rs"]
mod tests;
