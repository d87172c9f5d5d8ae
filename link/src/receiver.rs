//! The receiving half: takes the flit that is next, and no other.

use crate::counters::{Counters, count};
use crate::credits::Held;
use crate::flit::{Arrival, DataFlit};
use crate::sender::FIRST;
use heapless::Deque;
use router_core::header::Flit;
use router_core::units::VcId;

/// Flits that came and have yet to be fetched.
#[derive(Debug)]
pub(crate) struct Receiver<const V: usize, const N: usize, const W: usize> {
    queue: Deque<DataFlit<N>, W>,
    /// The number of the next flit.
    expected: u16,
    /// That the next flit is missing is said once.
    nak: Nak,
    /// Flits that the packet under way in each VC has yet to bring.
    left: [u16; V],
    /// Flits of packets that the neighbour has left unfinished.
    unfinished: [u16; V],
    held: Held<V>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Nak {
    Quiet,
    Due,
    Said,
}

impl<const V: usize, const N: usize, const W: usize> Receiver<V, N, W> {
    pub(crate) const fn new() -> Self {
        Self {
            queue: Deque::new(),
            expected: FIRST,
            nak: Nak::Quiet,
            left: [0; V],
            unfinished: [0; V],
            held: Held::new(),
        }
    }

    pub(crate) const fn expected(&self) -> u16 {
        self.expected
    }

    /// Takes the flit `number` if it is the next one and there is room for it.
    pub(crate) fn take(&mut self, number: u16, bytes: &[u8], buffers: &[u16; V], counters: &mut Counters) {
        let ahead = number.wrapping_sub(self.expected);
        if ahead != 0 {
            if ahead <= i16::MAX as u16 {
                count(&mut counters.gaps);
                self.miss();
            } else {
                count(&mut counters.repeated);
            }
            return;
        }
        let Some(flit) = DataFlit::read(bytes) else { return count(&mut counters.protocol_errors) };
        let vc = flit.vc.index();
        if buffers.get(vc).is_none_or(|&places| self.held.now(vc) >= places) {
            return count(&mut counters.protocol_errors);
        }
        if self.queue.push_back(flit).is_ok() {
            self.expected = self.expected.wrapping_add(1);
            self.nak = Nak::Quiet;
            self.held.arrived(vc);
            self.follow(&flit);
            count(&mut counters.received);
        }
    }

    fn follow(&mut self, flit: &DataFlit<N>) {
        if let Some(left) = self.left.get_mut(flit.vc.index()) {
            *left = match &flit.flit {
                Flit::Head(packet) => packet.header.length.saturating_sub(1),
                Flit::Body { tail: true } => 0,
                Flit::Body { tail: false } => left.saturating_sub(1),
            };
        }
    }

    /// Something did not arrive: the neighbour is to know once.
    pub(crate) fn miss(&mut self) {
        if self.nak == Nak::Quiet {
            self.nak = Nak::Due;
        }
    }

    pub(crate) fn nak_is_due(&self) -> bool {
        self.nak == Nak::Due
    }

    /// Whether to say that the next flit is missing.
    pub(crate) fn take_nak(&mut self) -> bool {
        let due = self.nak_is_due();
        if due {
            self.nak = Nak::Said;
        }
        due
    }

    /// The next flit for the owner of the port; after those that came, fillers for those that never come.
    pub(crate) fn poll(&mut self, buffers: &[u16; V]) -> Option<Arrival<N>> {
        if let Some(flit) = self.queue.pop_front() {
            return Some(Arrival::Flit(flit));
        }
        for ((vc, unfinished), &places) in (0u8..).zip(&mut self.unfinished).zip(buffers) {
            if *unfinished > 0 && self.held.before(vc.into()) < places {
                *unfinished = unfinished.saturating_sub(1);
                self.held.arrived_before(vc.into());
                let flit = Flit::Body { tail: *unfinished == 0 };
                return Some(Arrival::Filler(DataFlit { vc: VcId::new(vc), flit, payload: [0; N] }));
            }
        }
        None
    }

    /// The neighbour has restarted.
    pub(crate) fn restart(&mut self) {
        for (unfinished, left) in self.unfinished.iter_mut().zip(&mut self.left) {
            *unfinished = unfinished.saturating_add(*left);
            *left = 0;
        }
        self.held.restart();
        (self.expected, self.nak) = (FIRST, Nak::Quiet);
    }

    /// Whether nothing of a session before is left.
    pub(crate) fn is_drained(&self) -> bool {
        self.held.is_drained() && self.unfinished.iter().all(|&flits| flits == 0)
    }

    pub(crate) fn free(&mut self, vc: VcId, errors: &mut u32) -> bool {
        self.held.free(vc.index(), errors)
    }

    pub(crate) fn freed(&self) -> &[u16; V] {
        self.held.freed()
    }
}
