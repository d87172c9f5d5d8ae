//! Stages 3 and 5, first half: the outputs that the front packets of VCs request.

use super::Router;
use super::admit::{Request, admissible, is_shut_out};
use crate::alloc::{Grant, Grants, Requests};
use crate::plan::Plan;
use crate::select::Waiting;
use crate::units::{Bits, Channel};
use crate::vc::Descriptor;

impl<S, const P: usize, const V: usize, B: Bits> Router<S, P, V, B>
where
    S: AsRef<[Descriptor]> + AsMut<[Descriptor]>,
{
    /// Stage 5, first half: the request registers, checked again against this cycle's credits.
    #[cfg_attr(not(feature = "small"), inline(always))] // as a function of its own it takes 2 % of a cycle
    #[cfg_attr(feature = "small", inline)]
    pub(super) fn request(&self, plan: &Plan<P>, requests: &mut Requests<P, V, B>) {
        let full = self.full.get();
        self.streaming.each(|input, vc| {
            let Some(flow) = self.flows.get(input, vc) else { return };
            let Channel { port: output, vc: out_vc } = flow.to();
            let credited = self.outputs.get(output).is_some_and(|out| out.credits.left(out_vc) > 0);
            if credited & !full.contains(output) {
                requests.add_plain(Grant { input, vc, out_vc, output });
            }
        });
        if self.waiting.is_empty() {
            return;
        }
        let (view, lfsr) = (self.view(plan), self.lfsr);
        self.waiting.each_but(&self.deciding, |input, vc| {
            let (Some(flow), Some(front)) = (self.flows.get(input, vc), self.fronts.get(input, vc)) else {
                return;
            };
            if is_shut_out(front, &self.owned) | self.held.has_input(input) {
                return;
            }
            let tap = move || lfsr.tap(input.number(), vc.number());
            let Request { outputs, out_vc } = admissible(flow, front, tap, &view);
            requests.add(input, vc, outputs, out_vc);
        });
    }

    /// Stage 3: the request registers of the packets that wait and were not granted. One with a single candidate
    /// requests that one, once and for all.
    #[inline(never)]
    pub(super) fn select(&mut self, plan: &Plan<P>, grants: &Grants<P, B>) {
        let closed = (self.full.get(), self.held.outputs());
        let view =
            plan.outputs(&self.outputs, &self.owned, &self.lent, &self.contention, self.here.wired, closed);
        // A copy, since those who have no choice leave the set on the way.
        let undecided = self.undecided;
        undecided.each(|input, vc| {
            let (Some(front), Some(flow)) = (self.fronts.get_mut(input, vc), self.flows.get(input, vc))
            else {
                return;
            };
            if grants.vc_of(input) == Some(vc) {
                return;
            }
            if let Some(only) = front.candidates().only_way() {
                self.undecided.remove(input, vc);
                front.ask(only);
                return;
            }
            let tap = self.lfsr.tap(input.number(), vc.number());
            // None of it has left.
            let length = flow.left();
            let (at, minimal) = (Channel::new(input, vc), front.minimal());
            let packet = Waiting { at, candidates: front.candidates(), minimal, length, tap };
            let request = plan.selection.choose_among(&packet, &view);
            if front.candidates().ports().is_single() {
                self.undecided.remove(input, vc);
            }
            front.ask(request);
        });
    }
}
