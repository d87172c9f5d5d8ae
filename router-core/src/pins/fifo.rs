//! The FIFO of an output, with its flits.

use super::bundle::{Bundle, Slot};
use crate::header::{Flit, Packet};
use crate::units::{PortId, VcId};

/// Up to `F` flits, in the order in which they entered. The packet of a head is beside its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fifo<const F: usize> {
    slots: [Slot; F],
    packets: [Packet; F],
    first: u16,
    length: u16,
}

impl<const F: usize> Default for Fifo<F> {
    fn default() -> Self {
        const { assert!(F <= u16::MAX as usize, "places are numbered by 16 bits") }
        Self { slots: [Slot::default(); F], packets: [Packet::default(); F], first: 0, length: 0 }
    }
}

impl<const F: usize> Fifo<F> {
    /// Flits in it.
    pub(super) const fn len(&self) -> usize {
        self.length as usize
    }

    /// A flit enters. Says whether there was a place.
    #[inline(always)]
    pub(super) fn push(&mut self, vc: VcId, flit: &Flit) -> bool {
        let ahead = usize::from(self.first).wrapping_add(self.len());
        let place = if ahead >= F { ahead.wrapping_sub(F) } else { ahead };
        let (true, Some(slot)) = (self.len() < F, self.slots.get_mut(place)) else { return false };
        *slot = Slot::new(vc, flit);
        if let (Flit::Head(packet), Some(kept)) = (flit, self.packets.get_mut(place)) {
            *kept = *packet;
        }
        self.length = self.length.wrapping_add(1);
        true
    }

    /// The first flit leaves, on to the wire of a port. Says whether others are behind it.
    #[inline(always)]
    pub(super) fn pop<const P: usize>(&mut self, port: PortId, to: &mut Bundle<P>) -> bool {
        let place = usize::from(self.first);
        let (true, Some(&slot)) = (self.length > 0, self.slots.get(place)) else { return false };
        to.put(port, slot, || self.packets.get(place).copied().unwrap_or_default());
        let next = self.first.wrapping_add(1);
        self.first = if usize::from(next) == F { 0 } else { next };
        self.length = self.length.wrapping_sub(1);
        self.length > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::header::Header;
    use crate::pins::FlitSignal;
    use crate::units::PortSet;
    use proptest::prelude::*;
    use std::collections::VecDeque;

    fn flit(n: u8) -> Flit {
        match n % 3 {
            0 => Flit::Head(Packet {
                header: Header { length: u16::from(n), ..Header::default() },
                tag: 7 * u32::from(n),
            }),
            kind => Flit::Body { tail: kind == 2 },
        }
    }

    proptest! {
        /// Flits come out whole and in the order in which they went in, and none is taken that has no place.
        #[test]
        fn agrees_with_a_queue(pushes in proptest::collection::vec((any::<bool>(), 0u8..255, 0u8..8), 0..200)) {
            let (mut fifo, mut queue) = (Fifo::<3>::default(), VecDeque::new());
            for (push, n, vc) in pushes {
                let vc = VcId::new(vc);
                if push {
                    prop_assert_eq!(fifo.push(vc, &flit(n)), queue.len() < 3);
                    if queue.len() < 3 {
                        queue.push_back(FlitSignal { vc, flit: flit(n) });
                    }
                } else {
                    let (mut to, port) = (Bundle::<4>::default(), PortId::new(n % 4));
                    let first = queue.pop_front();
                    to.begin_flits(if first.is_some() { PortSet::only(port) } else { PortSet::EMPTY });
                    prop_assert_eq!(fifo.pop(port, &mut to), !queue.is_empty());
                    prop_assert_eq!(to.flit(port), first);
                }
                prop_assert_eq!(fifo.len(), queue.len());
            }
        }
    }
}
