//! Packets for groups: each leaves by all its candidates, one after the other, from the place in its buffer.
//!
//! An input reads one flit in each cycle, so that `k` copies of a packet of `L` flits take `k · L` cycles in any order. One copy
//! after the other lets the first go on as soon as it may, and no copy waits for another one once its head has left. The flits
//! stay in the buffer until the last copy has read them, and their credits go back with that one. A copy leaves where there is room for
//! all of it behind its output: it holds that VC only for as long as its flits take to come.

use super::{Router, Wires};
use crate::plan::Plan;
use crate::select::Waiting;
use crate::units::{Bits, Channel, PortId, PortSet};
use crate::vc::Descriptor;

impl<S, const P: usize, const V: usize, B: Bits> Router<S, P, V, B>
where
    S: AsRef<[Descriptor]> + AsMut<[Descriptor]>,
{
    /// The head of a front packet is granted an output: whether the packet stays, since it has other branches left.
    pub(super) fn stays(&self, plan: &Plan<P>, from: Channel, output: PortId) -> bool {
        let Some(packet) = self.front(plan, from.port, from.vc) else { return false };
        let Some(front) = self.fronts.get(from.port, from.vc) else { return false };
        plan.is_for_group(&packet.header) && front.candidates().ports() != PortSet::only(output)
    }

    /// A flit of a front packet has left: its credit goes back, unless it stays for other branches.
    #[inline(always)]
    pub(super) fn free(&self, stays: bool, freed: Channel, wires: &mut impl Wires) {
        if stays {
            wires.keep();
        } else {
            wires.credit(freed);
        }
    }

    /// The tail of a copy has left, and the packet is whole again: it waits for its other branches.
    pub(super) fn rewind(&mut self, plan: &Plan<P>, from @ Channel { port, vc }: Channel) {
        self.copying.remove(port, vc);
        self.ending.remove(port, vc);
        let Some(packet) = self.front(plan, port, vc) else { return };
        let (Some(front), Some(flow)) = (self.fronts.get_mut(port, vc), self.flows.get_mut(port, vc)) else {
            return;
        };
        let (length, served) = (packet.header.length, flow.to().port);
        flow.put_back_all(length);
        let left = front.candidates().without(served);
        // It is counted at one output at a time.
        let counted = if front.minimal() == served { left.ports().first() } else { None };
        if let Some(minimal) = counted {
            self.contention.fall(served);
            front.count(minimal);
            self.contention.rise(minimal);
        }
        let minimal = front.minimal();
        front.show(&left, PortSet::EMPTY);
        self.held.release(port, served);
        self.waiting.insert(port, vc);
        let tap = self.lfsr.tap(port.number(), vc.number());
        let waiting = Waiting { at: from, candidates: &left, minimal, length, tap };
        let request = plan.selection.choose(&waiting, &self.view(plan));
        if let Some(front) = self.fronts.get_mut(port, vc) {
            front.ask(request);
        }
        if !left.ports().is_single() {
            self.undecided.insert(port, vc);
        }
    }
}
