//! What a router counts, against what it can count.

use super::finding::Finding;
use crate::counters::PortCounters;
use router_core::event::ProtocolError;
use router_core::pins::Pins;
use router_core::plan::{CountAt, Plan};
use router_core::units::{Channel, PortId, PortSet, VcId};
use router_core::vc::{Descriptor, InputVc, VcState};

/// What the switch knows of the credits of its outputs.
///
/// A credit that is spent is a flit in the output FIFO, or one that has left; a credit that came is counted, too. So for each output the sum of
/// credits, flits in its FIFO and flits that left, less credits that came, stays as it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Account<const P: usize> {
    /// That sum, for ports where it is known.
    balance: [u32; P],
    known: PortSet,
    /// Credits and flits that were refused, when it became known.
    refused: u32,
    /// The output that is looked at next: the cycle and the credits that had come, when that was noted.
    noted: (u64, u32),
}

impl<const P: usize> Account<P> {
    /// Nothing is known.
    pub(super) const fn new() -> Self {
        Self { balance: [0; P], known: PortSet::EMPTY, refused: 0, noted: (0, 0) }
    }

    /// The router begins anew.
    pub(super) const fn restart(&mut self) {
        self.known = PortSet::EMPTY;
    }

    /// Expects so many more credits at a port.
    #[cfg(test)]
    pub(super) fn shift(&mut self, port: PortId, by: i32) {
        if let Some(balance) = self.balance.get_mut(port.index()) {
            *balance = balance.wrapping_add_signed(by);
        }
    }

    /// The output with these counters is looked at in the next tick.
    pub(super) const fn note(&mut self, cycles: u64, counters: PortCounters) {
        self.noted = (cycles, counters.credits_in);
    }

    /// Looks at the credits of an output, and at the flits of an input.
    pub(super) fn look<S, const V: usize, const F: usize>(
        &mut self,
        pins: &Pins<S, P, V, F>,
        plan: &Plan<P>,
        port: PortId,
        (cycles, counters): (u64, PortCounters),
    ) -> Option<Finding>
    where
        S: AsRef<[Descriptor]> + AsMut<[Descriptor]>,
    {
        let (router, links) = (pins.router(), &plan.links);
        let credits = &router.output(port)?.credits;
        let mut sum = 0u32;
        for vc in links.vcs(port) {
            let (left, places) = (credits.left(vc), links.depth(Channel::new(port, vc)));
            if left > places {
                return Some(Finding::Credits { port, vc, left, places });
            }
            sum = sum.wrapping_add(left.into());
            let wrong = router.input(port, vc).and_then(|input| wrong_queue(plan, port, vc, &input));
            if wrong.is_some() {
                return wrong;
            }
        }
        let refused =
            router.errors(ProtocolError::NoSuchVc).wrapping_add(router.errors(ProtocolError::CreditOverflow));
        if refused != self.refused {
            (self.refused, self.known) = (refused, PortSet::EMPTY);
        }
        let is_countable = counters.flits_out < u32::MAX && counters.credits_in < u32::MAX;
        if !is_countable || shares_places(plan, port) {
            return None;
        }
        let balance = sum
            .wrapping_add(pins.queued(port) as u32)
            .wrapping_add(counters.flits_out)
            .wrapping_sub(counters.credits_in);
        // A credit that came in the last cycle is counted, and not yet in the router.
        let is_settled = cycles > self.noted.0 && counters.credits_in == self.noted.1;
        let expected = self.balance.get_mut(port.index())?;
        if !self.known.contains(port) {
            if is_settled {
                *expected = balance;
                self.known.insert(port);
            }
            return None;
        }
        let gained = balance.wrapping_sub(*expected).cast_signed();
        let is_right = gained == 0 || gained == -1 && !is_settled;
        (!is_right).then_some(Finding::Balance { port, gained })
    }
}

/// Whether VCs share places of a buffer: a credit may count for several then.
fn shares_places<const P: usize>(plan: &Plan<P>, port: PortId) -> bool {
    plan.links.shared(port) > 0
}

/// An input VC that holds what it cannot hold.
pub(super) fn wrong_queue<const P: usize>(
    plan: &Plan<P>,
    port: PortId,
    vc: VcId,
    input: &InputVc,
) -> Option<Finding> {
    let (links, flits) = (&plan.links, input.flits());
    let has_output = match input.state() {
        VcState::Active { out, vc } => out.index() < links.radix() && links.vcs(out).contains(vc),
        _ => true,
    };
    let fits = flits <= links.depth(Channel::new(port, vc))
        && u32::from(input.packets()) <= u32::from(links.ring(port, vc).places);
    (!has_output || !fits).then_some(Finding::Queue { port, vc, flits })
}

/// A contention counter that is not the number of packets it counts.
pub(super) fn wrong_contention<S, const P: usize, const V: usize, const F: usize>(
    pins: &Pins<S, P, V, F>,
    plan: &Plan<P>,
) -> Option<Finding>
where
    S: AsRef<[Descriptor]> + AsMut<[Descriptor]>,
{
    // Packets that are counted on arrival are in descriptors.
    if plan.count_at != CountAt::Head {
        return None;
    }
    let router = pins.router();
    let mut packets = [0u16; P];
    for Channel { port, vc } in plan.links.channels() {
        let counted_at = router.counted_at(port, vc);
        if let Some(count) = counted_at.and_then(|port| packets.get_mut(port.index())) {
            *count = count.wrapping_add(1);
        }
    }
    let ports = plan.links.each().zip(packets);
    let mut wrong = ports.map(|(port, packets)| (port, router.contention(port), packets));
    let wrong = wrong.find(|&(_, counted, packets)| counted != packets);
    wrong.map(|(port, counted, packets)| Finding::Contention { port, counted, packets })
}
