//! The separable allocator that begins with the outputs: each picks one input, then each input accepts one output.

use super::contest::Contest;
use super::output_arbiter::Asking;
use super::vl_arbiter::VlArbitration;
use super::{Allocator, Grant, Grants, Method};
use crate::layout;
use crate::per_port::PerPort;
use crate::units::{Bits, PortSet, VcId};

/// Outputs first.
pub(super) struct OutputFirst;

impl Method for OutputFirst {
    const WORD: &'static str = "separable-output-first";
    const RTL: Option<u32> = Some(layout::ALLOCATOR_SEPARABLE_OUTPUT_FIRST);

    #[inline(always)]
    fn decide<const P: usize, const V: usize, B: Bits>(
        allocator: &Allocator<P, V, B>,
        contest: &Contest<P, V, B>,
        lanes: Option<&VlArbitration<P>>,
        grants: &mut Grants<P, B>,
    ) {
        allocator.output_first(contest, lanes, grants);
    }
}

impl<const P: usize, const V: usize, B: Bits> Allocator<P, V, B> {
    /// Each free output picks one of the free inputs that request it; each input accepts one of the outputs that
    /// picked it, by way of the VC whose turn it is.
    #[inline(never)]
    fn output_first(
        &self,
        contest: &Contest<P, V, B>,
        lanes: Option<&VlArbitration<P>>,
        grants: &mut Grants<P, B>,
    ) {
        let mut inputs = contest.inputs;
        let (asking, mut outputs) = contest.by_output();
        for iteration in 0..self.iterations {
            if inputs.is_empty() {
                break;
            }
            let mut offers = PerPort::<PortSet<B>, P>::default();
            let mut offered_vc = PerPort::<VcId, P>::default();
            let mut offered = PortSet::<B>::EMPTY;
            for output in outputs {
                let asking = asking.get(output).copied().unwrap_or_default().among(inputs);
                let Some((out_vc, input)) = self.pick_input(output, &asking, lanes) else {
                    outputs.remove(output);
                    continue;
                };
                offered_vc.set(output, out_vc);
                offered.insert(input);
                if let Some(list) = offers.get_mut(input) {
                    list.insert(output);
                }
            }
            if offered.is_empty() {
                break;
            }
            for input in offered {
                let row = contest.row(input);
                let offers = offers.at(input);
                let vcs = row.asking_via(offers, |output| offered_vc.at(output));
                let Some(vc) = self.pick_vc(input, vcs) else { continue };
                let out_vc = row.out_vc(vc);
                let offers = row.of(vc).and(offers).iter().filter(|&o| offered_vc.at(o) == out_vc);
                let offers = offers.fold(PortSet::EMPTY, |all, o| all.union(PortSet::only(o)));
                if let Some(output) = self.pick_output(input, offers) {
                    if self.pick_vc(input, row.vcs) != Some(vc) {
                        grants.keeps_turn.insert(input);
                    }
                    grants.push(Grant { input, vc, out_vc, output });
                    grants.mark_later(input, iteration);
                    inputs.remove(input);
                    outputs.remove(output);
                }
            }
        }
    }
}

impl<const P: usize, const V: usize, B: Bits> Contest<P, V, B> {
    /// The inputs that request each output and out_vc, and the outputs with at least one request.
    #[inline]
    fn by_output(&self) -> (PerPort<Asking<V, B>, P>, PortSet<B>) {
        let mut asking = PerPort::<Asking<V, B>, P>::default();
        let mut wanted = PortSet::EMPTY;
        for input in self.inputs {
            let row = self.row(input);
            for vc in row.vcs {
                wanted = wanted.union(row.of(vc));
                for output in row.of(vc) {
                    if let Some(list) = asking.get_mut(output) {
                        list.insert(row.out_vc(vc), input);
                    }
                }
            }
        }
        (asking, wanted)
    }
}
