//! The candidates of a packet: a short array of sets, in the order in which the routing offers them.

mod escape;
mod hops;
mod kinds;
mod packing;
mod set;

use super::HopKind;
use crate::layout;
use crate::units::{Bits, PackedPorts, PortId, PortSet, VcId, VcSet};
use hops::Hops;
use kinds::Kinds;
pub use packing::Packing;
pub use set::{Candidate, CandidateSet, Full};

/// Sets that a packet has room for.
pub const SETS: usize = layout::CANDIDATE_SETS as usize;

/// All candidates of one packet: up to [`SETS`] sets in offer order.
///
/// Sets may overlap, whatever their kind. At a port that several sets hold, a packet takes a VC of the first one, in offer
/// order, that has an open VC there. A set without a port or without a VC offers nothing and keeps its place.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Candidates<B: Bits = usize> {
    ports: [PackedPorts<B>; SETS],
    vcs: [VcSet; SETS],
    kinds: Kinds,
    hops: Hops,
}

impl<B: Bits> Candidates<B> {
    /// No candidate.
    pub const NONE: Self = Self {
        ports: [PackedPorts::EMPTY; SETS],
        vcs: [VcSet::EMPTY; SETS],
        kinds: Kinds::NONE,
        hops: Hops::NONE,
    };

    /// These minimal candidates only.
    #[must_use]
    #[inline(always)]
    pub fn minimal(ports: PortSet<B>, vcs: VcSet) -> Self {
        Self::of([CandidateSet::new(ports, vcs, HopKind::Minimal)])
    }

    /// These sets, in offer order. More than fit do not compile.
    #[must_use]
    #[inline(always)]
    pub fn of<const N: usize>(sets: [CandidateSet<B>; N]) -> Self {
        const { assert!(N <= SETS, "the routing offers more sets than fit") }
        let mut all = Self::NONE;
        // Not a loop: each place is a constant, and so is what is kept there of a constant kind.
        if let Some(set) = sets.first() {
            all.put(0, set);
        }
        if let Some(set) = sets.get(1) {
            all.put(1, set);
        }
        if let Some(set) = sets.get(2) {
            all.put(2, set);
        }
        all
    }

    /// Offers one set more, after those before it.
    ///
    /// # Errors
    /// When there is no room for it; nothing changes.
    #[inline]
    pub fn offer(&mut self, set: CandidateSet<B>) -> Result<(), Full> {
        let is_free = |&at: &usize| self.ports.get(at).is_some_and(|ports| ports.get().is_empty());
        let free = self.kinds.first_vacant().filter(is_free).ok_or(Full)?;
        self.put(free, &set);
        Ok(())
    }

    #[inline(always)]
    fn put(&mut self, at: usize, set: &CandidateSet<B>) {
        let (Some(ports), Some(vcs)) = (self.ports.get_mut(at), self.vcs.get_mut(at)) else { return };
        // What is no candidate is kept as nothing at all, so that equal candidates are equal.
        let is_empty = set.is_empty();
        self.kinds.put(at, set.kind, is_empty);
        if !is_empty {
            (*ports, *vcs) = (PackedPorts::new(set.ports), set.vcs);
            self.hops.put(at, set.hops);
        }
    }

    /// Becomes a copy. Part by part: for a copy of all the compiler calls a function where it optimises for size.
    #[inline(always)]
    pub(crate) const fn copy_from(&mut self, other: &Self) {
        self.ports = other.ports;
        self.vcs = other.vcs;
        self.kinds = other.kinds;
        self.hops = other.hops;
    }

    /// These candidates but for those at a port.
    #[must_use]
    pub fn without(mut self, port: PortId) -> Self {
        let had_escape = self.has_escape();
        for (ports, vcs) in self.ports.iter_mut().zip(&mut self.vcs) {
            ports.remove(port);
            if ports.get().is_empty() {
                *vcs = VcSet::EMPTY;
            }
        }
        if had_escape && !self.has_escape() {
            self.kinds.generalise();
        }
        self
    }

    /// The candidates without those on a VC.
    #[must_use]
    pub fn without_vc(mut self, vc: VcId) -> Self {
        let had_escape = self.has_escape();
        for (ports, vcs) in self.ports.iter_mut().zip(&mut self.vcs) {
            *vcs = vcs.minus(VcSet::only(vc));
            if vcs.is_empty() {
                *ports = PackedPorts::EMPTY;
            }
        }
        if had_escape && !self.has_escape() {
            self.kinds.generalise();
        }
        self
    }

    /// These candidates, none of which is preferred: a detour is due, however full the queues are.
    #[must_use]
    pub const fn forced(mut self) -> Self {
        self.kinds.specialise();
        self
    }

    /// Whether a detour is due.
    #[inline(always)]
    pub fn is_forced(&self) -> bool {
        self.is_special() && !self.has_escape()
    }

    /// The sets of all places, in offer order; where none has been offered, one without a port.
    pub(crate) fn every(&self) -> impl DoubleEndedIterator<Item = CandidateSet<B>> + '_ {
        (0..SETS).zip(self.ports.iter().zip(&self.vcs)).map(|(at, (ports, &vcs))| CandidateSet {
            ports: ports.get(),
            vcs,
            kind: self.kinds.at(at),
            hops: self.hops.at(at),
        })
    }

    /// The sets that offer something, in offer order.
    #[inline]
    pub fn sets(&self) -> impl Iterator<Item = CandidateSet<B>> + '_ {
        self.every().filter(|set| !set.ports.is_empty())
    }

    /// The sets of one kind, in offer order.
    #[inline]
    pub fn of_kind(&self, kind: HopKind) -> impl Iterator<Item = CandidateSet<B>> + '_ {
        self.sets().filter(move |set| set.kind == kind)
    }

    /// The sets that hold a port, in offer order.
    #[inline]
    pub fn holding(&self, port: PortId) -> impl Iterator<Item = CandidateSet<B>> + '_ {
        self.sets().filter(move |set| set.ports.contains(port))
    }

    /// The kind of hop by a candidate's `port`, if a single set holds the port, or if all hops are minimal.
    #[inline(always)]
    pub fn only_kind(&self, port: PortId) -> Option<HopKind> {
        if !self.has_detours() {
            return Some(HopKind::Minimal);
        }
        let [a, b, c] = self.ports;
        match (a.get().contains(port), b.get().contains(port), c.get().contains(port)) {
            (true, false, false) => Some(self.kinds.at(0)),
            (false, true, false) => Some(self.kinds.at(1)),
            (false, false, true) => Some(self.kinds.at(2)),
            _ => None,
        }
    }

    /// The first set, in offer order, that holds a port and has VCs that `open` lets through: the kind of hop, and those VCs.
    /// `open` is given the VCs, and the kind.
    #[inline(always)]
    pub fn first_at(&self, port: PortId, open: impl Fn(VcSet, HopKind) -> VcSet) -> (HopKind, VcSet) {
        let ([first, ..], [vcs, ..]) = (self.ports, self.vcs);
        // As most packets have it.
        if !cfg!(feature = "small") && self.kinds.is_sole_minimal() {
            let is_there = first.get().contains(port);
            return (HopKind::Minimal, if is_there { open(vcs, HopKind::Minimal) } else { VcSet::EMPTY });
        }
        // Not an iterator: of its methods the compiler makes calls where it optimises for size.
        let mut at = 0;
        while let (Some(ports), Some(&vcs)) = (self.ports.get(at), self.vcs.get(at)) {
            if ports.get().contains(port) {
                let open = open(vcs, self.kinds.at(at));
                if !open.is_empty() {
                    return (self.kinds.at(at), open);
                }
            }
            at = at.wrapping_add(1);
        }
        (HopKind::Minimal, VcSet::EMPTY)
    }

    /// The VCs of the set that stands for a kind at a port: the first that holds the port, or the first at all where none
    /// does.
    #[inline(always)]
    pub fn vcs_of(&self, kind: HopKind, port: PortId) -> VcSet {
        let ([a, b, c], [d, e, f]) = (self.ports, self.vcs);
        let is = |at| self.kinds.is(at, kind);
        match () {
            () if is(0) && a.get().contains(port) => d,
            () if is(1) && b.get().contains(port) => e,
            () if is(2) && c.get().contains(port) => f,
            () if is(0) && !d.is_empty() => d,
            () if is(1) && !e.is_empty() => e,
            () if is(2) => f,
            () => VcSet::EMPTY,
        }
    }

    /// The VCs of all sets that hold a port.
    #[inline(always)]
    pub fn vcs_at(&self, port: PortId) -> VcSet {
        self.vcs_where(|_, ports| ports.contains(port))
    }

    /// The VCs of all minimal sets that hold a port.
    #[inline(always)]
    pub fn minimal_vcs_at(&self, port: PortId) -> VcSet {
        self.vcs_where(|at, ports| ports.contains(port) & self.kinds.is(at, HopKind::Minimal))
    }

    /// The VCs of all sets that are wanted, by their place and their ports.
    #[inline(always)]
    fn vcs_where(&self, is_wanted: impl Fn(usize, PortSet<B>) -> bool) -> VcSet {
        let ([a, b, c], [d, e, f]) = (self.ports, self.vcs);
        let of = |at, ports: PackedPorts<B>, vcs| if is_wanted(at, ports.get()) { vcs } else { VcSet::EMPTY };
        of(0, a, d).union(of(1, b, e)).union(of(2, c, f))
    }

    /// The VCs of all sets.
    #[inline(always)]
    pub(crate) const fn all_vcs(&self) -> VcSet {
        let [a, b, c] = self.vcs;
        a.union(b).union(c)
    }

    /// The ports of all sets of one kind.
    #[inline(always)]
    pub fn ports_of(&self, kind: HopKind) -> PortSet<B> {
        let [a, b, c] = self.ports;
        let of =
            |at, ports: PackedPorts<B>| if self.kinds.is(at, kind) { ports.get() } else { PortSet::EMPTY };
        of(0, a).union(of(1, b)).union(of(2, c))
    }

    /// The ports of all global misroutes, and those of all local ones.
    #[inline(always)]
    pub fn misroutes(&self) -> [PortSet<B>; 2] {
        [self.ports_with(HopKind::GlobalMisroute as u8), self.ports_with(HopKind::LocalMisroute as u8)]
    }

    /// The ports of all sets whose kind has this bit: each kind of misroute is one. Vacant places have it, too, but no port.
    #[inline(always)]
    fn ports_with(&self, bit: u8) -> PortSet<B> {
        let [a, b, c] = self.ports;
        let a = if self.kinds.bits(0) & bit != 0 { a.get() } else { PortSet::EMPTY };
        let b = if self.kinds.bits(1) & bit != 0 { b.get() } else { PortSet::EMPTY };
        let c = if self.kinds.bits(2) & bit != 0 { c.get() } else { PortSet::EMPTY };
        a.union(b).union(c)
    }

    /// All ports of all sets.
    #[inline(always)]
    pub fn ports(&self) -> PortSet<B> {
        let [a, b, c] = self.ports;
        a.get().union(b.get()).union(c.get())
    }

    /// The ports of all minimal candidates.
    #[inline(always)]
    pub fn minimal_ports(&self) -> PortSet<B> {
        if self.has_detours() { self.ports_of(HopKind::Minimal) } else { self.ports() }
    }

    /// The ports by which the packet would leave in an empty network: the minimal ones, or all where a detour
    /// is due and none of them is minimal.
    #[inline(always)]
    pub fn preferred(&self) -> PortSet<B> {
        let minimal = self.minimal_ports();
        if minimal.is_empty() { self.ports() } else { minimal }
    }

    /// The port of all candidates, if it is one, by minimal hops alone: what any trigger selects.
    #[inline(always)]
    pub fn only_way(&self) -> Option<PortSet<B>> {
        if !self.has_detours() && self.ports().is_single() { Some(self.ports()) } else { None }
    }

    /// Whether there is none.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.ports().is_empty()
    }

    /// Whether there is anything but minimal candidates.
    #[inline(always)]
    pub const fn has_detours(&self) -> bool {
        self.kinds.has_detours()
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

impl<B: Bits> Default for Candidates<B> {
    fn default() -> Self {
        Self::NONE
    }
}

impl<B: Bits> core::fmt::Debug for Candidates<B> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_list().entries(self.sets()).finish()?;
        f.write_str(if self.is_forced() { " forced" } else { "" })
    }
}

#[cfg(feature = "defmt")]
impl<B: Bits> defmt::Format for Candidates<B> {
    fn format(&self, to: defmt::Formatter<'_>) {
        defmt::write!(to, "forced {}:", self.is_forced());
        for set in self.sets() {
            defmt::write!(to, " {}", set);
        }
    }
}

#[cfg(test)]
#[allow(clippy::arithmetic_side_effects)]
#[path = "candidates/tests.rs"]
mod tests;
