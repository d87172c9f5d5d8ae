//! Separable allocators: two ranks of arbiters, one after the other.

use super::contest::Contest;
use super::output_arbiter::Asking;
use super::{Allocator, Grant, Grants};
use crate::per_port::PerPort;
use crate::units::{PortId, PortSet, VcId};

impl<const P: usize, const V: usize> Allocator<P, V> {
    /// Each free input nominates one VC and one free output that it asks for; each output picks among those that
    /// nominated it.
    #[inline(never)]
    pub(super) fn input_first(&self, contest: &Contest<P, V>, grants: &mut Grants<P>) {
        let (mut inputs, mut outputs) = (contest.inputs, PortSet::first_n(P));
        for iteration in 0..self.iterations {
            if inputs.is_empty() {
                break;
            }
            let mut nominators = PerPort::<PortSet, P>::default();
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
        nominators: PortSet,
        out_vc_of: impl Fn(PortId) -> VcId,
    ) -> Option<(VcId, PortId)> {
        if nominators.is_single() {
            // Whatever the arbiters say.
            let only = nominators.first().map(|input| (out_vc_of(input), input));
            return only.filter(|(out_vc, _)| out_vc.index() < V);
        }
        let mut asking = Asking::default();
        for input in nominators {
            asking.insert(out_vc_of(input), input);
        }
        self.pick_input(output, &asking)
    }

    /// Each free output picks one of the free inputs that ask for it; each input accepts one of the outputs that
    /// picked it, by way of the VC whose turn it is.
    #[inline(never)]
    pub(super) fn output_first(&self, contest: &Contest<P, V>, grants: &mut Grants<P>) {
        let mut inputs = contest.inputs;
        let (asking, mut outputs) = contest.by_output();
        for iteration in 0..self.iterations {
            if inputs.is_empty() {
                break;
            }
            let mut offers = PerPort::<PortSet, P>::default();
            let mut offered_vc = PerPort::<VcId, P>::default();
            let mut offered = PortSet::EMPTY;
            for output in outputs {
                let asking = asking.get(output).copied().unwrap_or_default().among(inputs);
                let Some((out_vc, input)) = self.pick_input(output, &asking) else {
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

impl<const P: usize, const V: usize> Contest<P, V> {
    /// The inputs that ask for each output and out_vc, and the outputs that anyone asks for.
    #[inline]
    pub(super) fn by_output(&self) -> (PerPort<Asking<V>, P>, PortSet) {
        let mut asking = PerPort::<Asking<V>, P>::default();
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
