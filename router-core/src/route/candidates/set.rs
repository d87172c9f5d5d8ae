//! A set of candidates, one of them, and too many sets.

use super::SETS;
use crate::route::HopKind;
use crate::units::{Bits, PortId, PortSet, VcId, VcSet};

/// Candidates that differ in nothing but port and VC: any of `ports` on any of `vcs`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct CandidateSet<B: Bits = usize> {
    /// The output ports.
    pub ports: PortSet<B>,
    /// The VCs at the next router.
    pub vcs: VcSet,
    /// What the hop is for.
    pub kind: HopKind,
    /// Hops to the destination by this set, this one included, 1…31; more are kept as 31. 0: not given.
    pub hops: u8,
}

impl<B: Bits> CandidateSet<B> {
    /// A set without a distance to the destination.
    #[inline(always)]
    pub const fn new(ports: PortSet<B>, vcs: VcSet, kind: HopKind) -> Self {
        Self { ports, vcs, kind, hops: 0 }
    }

    /// Whether it is no candidate at all: it has no port, or no VC.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
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
