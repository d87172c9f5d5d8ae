//! The separable allocator that begins with the inputs: each nominates one VC and one output, then each output picks one
//! input.

use super::contest::Contest;
use super::output_arbiter::Asking;
use super::vl_arbiter::VlArbitration;
use super::{Allocator, Grant, Grants, Method};
use crate::layout;
use crate::per_port::PerPort;
use crate::units::{Bits, PortId, PortSet, VcId};

/// Inputs first.
pub(super) struct InputFirst;

impl Method for InputFirst {
    const WORD: &'static str = "separable-input-first";
    const RTL: Option<u32> = Some(layout::ALLOCATOR_SEPARABLE_INPUT_FIRST);

    #[inline(always)]
    fn decide<const P: usize, const V: usize, B: Bits>(
        allocator: &Allocator<P, V, B>,
        contest: &Contest<P, V, B>,
        _: Option<&VlArbitration<P>>,
        grants: &mut Grants<P, B>,
    ) {
        allocator.input_first(contest, grants);
    }
}

impl<const P: usize, const V: usize, B: Bits> Allocator<P, V, B> {
    /// Each free input nominates one VC and one free output that it requests; each output picks among those that
    /// nominated it.
    #[inline(never)]
    pub(super) fn input_first(&self, contest: &Contest<P, V, B>, grants: &mut Grants<P, B>) {
        let (mut inputs, mut outputs) = (contest.inputs, contest.wanted);
        for iteration in 0..self.iterations {
            if inputs.is_empty() | outputs.is_empty() {
                break;
            }
            let mut nominators = PerPort::<PortSet<B>, P>::default();
            let mut nominated_vc = PerPort::<VcId, P>::default();
            let mut nominated = PortSet::EMPTY;
            for input in inputs {
                let row = contest.row(input);
                let vcs = if iteration == 0 { row.vcs } else { row.asking(outputs) };
                let Some(vc) = self.pick_vc(input, vcs) else {
                    inputs.remove(input);
                    continue;
                };
                let Some(output) = self.pick_output(input, row.of(vc).and(outputs)) else { continue };
                nominated_vc.set(input, vc);
                nominated.insert(output);
                if let Some(list) = nominators.get_mut(output) {
                    list.insert(input);
                }
            }
            if nominated.is_empty() {
                break;
            }
            for output in nominated {
                let out_vc_of = |input| contest.row(input).out_vc(nominated_vc.at(input));
                if let Some((out_vc, input)) = self.pick_nominator(output, nominators.at(output), out_vc_of) {
                    grants.push(Grant { input, vc: nominated_vc.at(input), out_vc, output });
                    grants.mark_later(input, iteration);
                    inputs.remove(input);
                }
            }
            outputs = outputs.minus(nominated);
        }
    }

    /// The out_vc and the input that an output picks among those that nominated it.
    #[inline(always)]
    fn pick_nominator(
        &self,
        output: PortId,
        nominators: PortSet<B>,
        out_vc_of: impl Fn(PortId) -> VcId,
    ) -> Option<(VcId, PortId)> {
        if nominators.is_single() {
            // Whatever the arbiters say.
            let only = nominators.first().map(|input| (out_vc_of(input), input));
            return only.filter(|(out_vc, _)| out_vc.index() < V);
        }
        if self.has_one_arbiter() {
            return self.pick_any(output, nominators, out_vc_of);
        }
        let mut asking = Asking::default();
        for input in nominators {
            asking.insert(out_vc_of(input), input);
        }
        self.pick_input(output, &asking, None)
    }

    /// The out_vc and the input that an output picks, where one arbiter of the output has the turns of all VCs behind it.
    #[inline(never)]
    fn pick_any(
        &self,
        output: PortId,
        nominators: PortSet<B>,
        out_vc_of: impl Fn(PortId) -> VcId,
    ) -> Option<(VcId, PortId)> {
        // VC 0 has the turns of all: who goes first is said before.
        let is_first = |input: &PortId| self.first.contains(out_vc_of(*input));
        let has_first = nominators.iter().any(|input| is_first(&input));
        let mut asking = Asking::default();
        for input in nominators {
            if out_vc_of(input).index() < V && (is_first(&input) || !has_first) {
                asking.insert(VcId::new(0), input);
            }
        }
        let (_, input) = self.pick_input(output, &asking, None)?;
        Some((out_vc_of(input), input))
    }
}
