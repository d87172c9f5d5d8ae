//! The grants of one cycle: which input VC sends to which output.

use crate::per_port::PerPort;
use crate::units::{Bits, PortId, PortSet, VcId};

/// One match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Grant {
    /// This input,
    pub input: PortId,
    /// by this VC,
    pub vc: VcId,
    /// into this VC (where several outputs were requested, the VC requested at the first of them),
    pub out_vc: VcId,
    /// sends a flit to this output.
    pub output: PortId,
}

/// What one input got.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Match {
    pub(crate) output: PortId,
    /// The VC, and the one behind the output.
    vcs: u8,
}

impl Match {
    /// VCs that are never granted.
    const NO_VCS: u8 = u8::MAX;
    /// Nothing; past its output comes port 0.
    pub(super) const NONE: Self = Self { output: PortId::new(u8::MAX), vcs: Self::NO_VCS };

    #[inline(always)]
    const fn new(output: PortId, vc: VcId, out_vc: VcId) -> Self {
        Self { output, vcs: vc.number().wrapping_shl(4) | out_vc.number() }
    }

    #[inline(always)]
    pub(super) const fn vc(self) -> VcId {
        VcId::new(self.vcs.wrapping_shr(4))
    }

    #[inline(always)]
    pub(super) const fn out_vc(self) -> VcId {
        VcId::new(self.vcs & 15)
    }

    /// Whether it is the same, in one comparison.
    #[inline(always)]
    pub(super) const fn is(self, other: Self) -> bool {
        u16::from_le_bytes([self.output.number(), self.vcs])
            == u16::from_le_bytes([other.output.number(), other.vcs])
    }

    /// Forgets all but the output.
    #[inline(always)]
    pub(super) const fn forget(&mut self) {
        self.vcs = Self::NO_VCS;
    }
}

/// The matches of one cycle.
#[derive(Clone, Debug, Default)]
pub struct Grants<const P: usize, B: Bits = usize> {
    inputs: PortSet<B>,
    /// Inputs granted after the first iteration: no pointers move for them.
    pub(super) moves_none: PortSet<B>,
    /// Inputs whose granted VC was not the first in line: the first in line was skipped (its output was busy), so the
    /// input's pointer does not advance past it.
    pub(super) keeps_turn: PortSet<B>,
    matches: PerPort<Match, P>,
}

impl<const P: usize, B: Bits> Grants<P, B> {
    #[inline(always)]
    pub(crate) fn push(&mut self, grant: Grant) {
        let Grant { input, vc, out_vc, output } = grant;
        self.inputs.insert(input);
        self.matches.set(input, Match::new(output, vc, out_vc));
    }

    /// What an input was granted becomes a request again.
    #[inline(always)]
    pub(super) fn withdraw(&mut self, input: PortId) {
        self.inputs.remove(input);
    }

    /// What an input got; meaningless for those that got nothing.
    #[inline(always)]
    pub(super) fn at(&self, input: PortId) -> Match {
        self.matches.at(input)
    }

    #[inline(always)]
    pub(super) fn mark_later(&mut self, input: PortId, iteration: u8) {
        if iteration > 0 {
            self.moves_none.insert(input);
        }
    }

    /// The inputs that were granted.
    #[inline(always)]
    pub(crate) const fn inputs(&self) -> PortSet<B> {
        self.inputs
    }

    /// What one of them got.
    #[inline(always)]
    pub(crate) fn of(&self, input: PortId) -> Option<&Match> {
        self.matches.get(input)
    }

    /// All of them, by input.
    pub fn iter(&self) -> impl Iterator<Item = Grant> + '_ {
        self.inputs.iter().map(|input| {
            let granted = self.matches.at(input);
            Grant { input, vc: granted.vc(), out_vc: granted.out_vc(), output: granted.output }
        })
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.inputs.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.inputs.is_empty()
    }

    /// The VC of an input that was granted.
    #[inline(always)]
    pub fn vc_of(&self, input: PortId) -> Option<VcId> {
        if self.inputs.contains(input) { Some(self.matches.at(input).vc()) } else { None }
    }
}
