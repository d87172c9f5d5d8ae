//! The sending half: a replay buffer with go-back-N.

use crate::counters::{Counters, count};
use crate::credits::Owed;
use crate::flit::DataFlit;
use heapless::Deque;
use router_core::header::Flit;

/// The number of a session's first flit: near the wrap, so that each session passes it.
pub(crate) const FIRST: u16 = 0xfff8;

/// Why a port does not take a flit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Why {
    /// There is no such VC.
    NoSuchVc,
    /// The neighbour's buffer has no place.
    NoCredit,
    /// The window is full: lost flits in it have yet to be fetched.
    Full,
    /// The head of its packet went to a neighbour that has restarted: the flit is lost, too.
    Severed,
}

/// A flit that a port does not take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Refused<const N: usize> {
    /// The flit.
    pub flit: DataFlit<N>,
    /// Why.
    pub why: Why,
}

#[derive(Clone, Copy, Debug)]
struct Kept<const N: usize> {
    flit: DataFlit<N>,
    lost: bool,
}

/// Flits from the oldest that is not acknowledged on.
#[derive(Debug)]
pub(crate) struct Sender<const V: usize, const N: usize, const W: usize> {
    window: Deque<Kept<N>, W>,
    /// The number of the oldest flit.
    base: u16,
    /// Flits of the window that have been sent since the last go-back, and ever.
    next: u16,
    highest: u16,
    /// Flits of the window that are lost and have yet to be fetched; nothing is sent before.
    lost: u16,
    /// The flit before the oldest one of this VC was no tail.
    open: [bool; V],
    /// The next flit of this VC belongs to a packet that is lost.
    severed: [bool; V],
    /// A missing flit that was gone back to.
    gone_back_to: Option<u16>,
    owed: Owed<V>,
}

impl<const V: usize, const N: usize, const W: usize> Sender<V, N, W> {
    pub(crate) const fn new() -> Self {
        Self {
            window: Deque::new(),
            base: FIRST,
            next: 0,
            highest: 0,
            lost: 0,
            open: [false; V],
            severed: [false; V],
            gone_back_to: None,
            owed: Owed::new(),
        }
    }

    pub(crate) fn push(&mut self, flit: DataFlit<N>, buffers: &[u16; V]) -> Result<(), Refused<N>> {
        let vc = flit.vc.index();
        let refused = |why| Err(Refused { flit, why });
        let (Some(&places), Some(severed)) = (buffers.get(vc), self.severed.get_mut(vc)) else {
            return refused(Why::NoSuchVc);
        };
        if *severed && !matches!(flit.flit, Flit::Head(_)) {
            *severed = !flit.flit.is_tail();
            return refused(Why::Severed);
        }
        if self.owed.outstanding(vc) >= places {
            return refused(Why::NoCredit);
        }
        if self.window.push_back(Kept { flit, lost: false }).is_err() {
            return refused(Why::Full);
        }
        *severed = false;
        self.owed.spend(vc);
        Ok(())
    }

    /// The next flit to send, with its number.
    pub(crate) fn poll(&mut self, counters: &mut Counters) -> Option<(u16, &DataFlit<N>)> {
        if self.lost > 0 {
            return None;
        }
        let kept = self.window.get(self.next.into())?;
        let number = self.base.wrapping_add(self.next);
        self.next = self.next.saturating_add(1);
        if self.next > self.highest {
            self.highest = self.next;
            count(&mut counters.sent);
        } else {
            count(&mut counters.resent);
        }
        Some((number, &kept.flit))
    }

    pub(crate) fn has_next(&self) -> bool {
        self.lost == 0 && usize::from(self.next) < self.window.len()
    }

    /// Whether flits have been sent that are not acknowledged.
    pub(crate) const fn waits(&self) -> bool {
        self.next > 0
    }

    /// All flits before `ack` have arrived. Says whether that is new.
    pub(crate) fn acknowledge(&mut self, ack: u16) -> bool {
        let arrived = ack.wrapping_sub(self.base);
        // An old acknowledgement is far ahead.
        if arrived == 0 || arrived > self.highest || self.lost > 0 {
            return false;
        }
        for _ in 0..arrived {
            let Some(kept) = self.window.pop_front() else { break };
            if let Some(open) = self.open.get_mut(kept.flit.vc.index()) {
                *open = !kept.flit.flit.is_tail();
            }
        }
        self.base = ack;
        self.next = self.next.saturating_sub(arrived);
        self.highest = self.highest.saturating_sub(arrived);
        true
    }

    /// The neighbour misses this flit: it and all after it are sent again, once.
    pub(crate) fn miss(&mut self, number: u16) {
        if number == self.base && self.gone_back_to != Some(number) {
            self.gone_back_to = Some(number);
            self.next = 0;
        }
    }

    /// All that is not acknowledged is sent again.
    pub(crate) fn go_back(&mut self) {
        self.next = 0;
        self.gone_back_to = None;
    }

    /// The neighbour has restarted: what was sent and not acknowledged is lost, and so is the rest of packets
    /// whose head went there.
    pub(crate) fn restart(&mut self) {
        let mut kept_of = [0u16; V];
        for (index, kept) in (0u16..).zip(self.window.iter_mut()) {
            let vc = kept.flit.vc.index();
            let (Some(open), Some(kept_of)) = (self.open.get_mut(vc), kept_of.get_mut(vc)) else { continue };
            let is_head = matches!(kept.flit.flit, Flit::Head(_));
            if kept.lost || index < self.highest || (*open && !is_head) {
                self.lost = self.lost.saturating_add(u16::from(!kept.lost));
                kept.lost = true;
                *open = !kept.flit.flit.is_tail();
            } else {
                *open = false;
                *kept_of = kept_of.saturating_add(1);
            }
        }
        for ((severed, open), kept) in self.severed.iter_mut().zip(&mut self.open).zip(&kept_of) {
            // Where whole packets are left, the last of them is the one that goes on.
            *severed = (*severed || *open) && *kept == 0;
            *open = false;
        }
        self.owed.restart(&kept_of);
        (self.base, self.next, self.highest, self.gone_back_to) = (FIRST, 0, 0, None);
    }

    /// A lost flit. What is left keeps its order.
    pub(crate) fn poll_lost(&mut self) -> Option<DataFlit<N>> {
        if self.lost == 0 {
            return None;
        }
        let mut found = None;
        for _ in 0..self.window.len() {
            let kept = self.window.pop_front()?;
            if kept.lost && found.is_none() {
                found = Some(kept.flit);
            } else {
                let _ = self.window.push_back(kept);
            }
        }
        self.lost = self.lost.saturating_sub(1);
        found
    }

    pub(crate) fn owed(&mut self) -> &mut Owed<V> {
        &mut self.owed
    }

    pub(crate) fn outstanding(&self, vc: usize) -> u16 {
        self.owed.outstanding(vc)
    }

    /// Flits that are not acknowledged.
    pub(crate) fn len(&self) -> usize {
        self.window.len()
    }
}
