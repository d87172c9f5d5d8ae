//! The wavefront allocator (Tamir and Chi, 1993): input and output arbitration in one sweep, along diagonals that take turns.
//!
//! The cells of the request matrix are visited diagonal by diagonal; cells of one diagonal share neither input nor
//! output, so they never conflict. What is left at the end cannot be matched any more: the match is maximal.

use super::contest::Contest;
use super::vl_arbiter::VlArbitration;
use super::{Allocator, Grant, Grants, Method};
use crate::layout;
use crate::units::{Bits, PortCount, PortId, PortSet, VcSet};

/// The whole matrix at once.
pub(super) struct Wavefront;

impl Method for Wavefront {
    const WORD: &'static str = "wavefront";
    const DIAGONALS: bool = true;
    const RTL: Option<u32> = Some(layout::ALLOCATOR_WAVEFRONT);

    #[inline(always)]
    fn decide<const P: usize, const V: usize, B: Bits>(
        allocator: &Allocator<P, V, B>,
        contest: &Contest<P, V, B>,
        _: Option<&VlArbitration<P>>,
        grants: &mut Grants<P, B>,
    ) {
        allocator.wavefront(contest, grants);
    }
}

impl<const P: usize, const V: usize, B: Bits> Allocator<P, V, B> {
    /// Grants every request whose input and output are still free: one sweep, or one for the VCs that go first, one for the inputs that
    /// do not yield, and one for those that yield to them.
    #[inline(never)]
    fn wavefront(&self, contest: &Contest<P, V, B>, grants: &mut Grants<P, B>) {
        let (mut inputs, mut outputs) = (contest.inputs, contest.wanted);
        if !self.first.is_empty() {
            (inputs, outputs) = self.sweep(contest, self.first, (inputs, outputs), grants);
        }
        let all = VcSet::from_bits(u8::MAX);
        let yielding = inputs.and(self.yielding.get());
        (_, outputs) = self.sweep(contest, all, (inputs.minus(yielding), outputs), grants);
        if !yielding.is_empty() {
            self.sweep(contest, all, (yielding, outputs), grants);
        }
    }

    /// One sweep from the favoured diagonal on, of the requests of some VCs: the inputs and outputs that are still free.
    #[inline(always)]
    fn sweep(
        &self,
        contest: &Contest<P, V, B>,
        vcs: VcSet,
        (mut inputs, mut outputs): (PortSet<B>, PortSet<B>),
        grants: &mut Grants<P, B>,
    ) -> (PortSet<B>, PortSet<B>) {
        for step in 0..self.ports {
            if inputs.is_empty() || outputs.is_empty() {
                break;
            }
            let diagonal = self.wrap(PortCount::from(self.turn).wrapping_add(step));
            for input in inputs {
                let output = self.cell(diagonal, input);
                let row = contest.row(input);
                if !outputs.contains(output) {
                    continue;
                }
                if let Some(vc) = self.pick_vc(input, row.asking(PortSet::only(output)).and(vcs)) {
                    if self.pick_vc(input, row.vcs) != Some(vc) {
                        grants.keeps_turn.insert(input);
                    }
                    grants.push(Grant { input, vc, out_vc: row.out_vc(vc), output });
                    inputs.remove(input);
                    outputs.remove(output);
                }
            }
        }
        (inputs, outputs)
    }

    /// The output where a diagonal crosses an input's row.
    // A cast that one of the two widths does not need.
    #[allow(clippy::unnecessary_cast)]
    #[inline(always)]
    fn cell(&self, diagonal: PortCount, input: PortId) -> PortId {
        let turned = diagonal.wrapping_add(self.ports).wrapping_sub(PortCount::from(input.number()));
        PortId::new(self.wrap(turned) as u8)
    }

    /// A number below twice the ports, brought below the ports.
    #[inline(always)]
    const fn wrap(&self, n: PortCount) -> PortCount {
        if n >= self.ports { n.wrapping_sub(self.ports) } else { n }
    }
}
