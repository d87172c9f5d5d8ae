//! Arbiters: one of several requesters, fairly.
//!
//! The contract (tested exhaustively for all of them): a grant goes to a requester; there is a grant as long as
//! there is a request; whoever keeps asking is served within as many grants as there are requesters; being told
//! of a service that nobody asked for does no harm.

use crate::layout;
use crate::per_port::wrapped;
use crate::units::{PortId, PortSet};
use core::num::NonZeroU8;

/// Who is served.
#[repr(u8)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum ArbiterKind {
    /// The first at or after a pointer, which moves past each winner.
    #[default]
    RoundRobin = layout::ARBITER_ROUND_ROBIN as u8,
    /// The least recently served.
    Matrix = layout::ARBITER_MATRIX as u8,
}

/// An arbiter of `N` requesters, `N` at most 64.
#[derive(Clone, Copy, Debug)]
pub enum Arbiter<const N: usize> {
    /// The requester to look at first.
    RoundRobin(u8),
    /// When each requester was last served.
    Matrix(Stamps<N>),
}

/// The order in which requesters were last served, as a clock that ticks with each service and a stamp for each
/// requester. It is the order that the triangular bit matrix of the hardware encodes: bit *i, j* says whether the
/// stamp of *i* is below that of *j*.
#[derive(Clone, Copy)]
pub struct Stamps<const N: usize> {
    pub(super) stamps: [u8; N],
    /// Never 0: the type of an arbiter needs no byte more to tell its kind.
    clock: NonZeroU8,
}

impl<const N: usize> Stamps<N> {
    /// The clock behind `N` stamps.
    const START: NonZeroU8 = NonZeroU8::MIN.saturating_add(N as u8);

    fn new() -> Self {
        Self { stamps: core::array::from_fn(|n| n as u8), clock: Self::START }
    }

    #[inline(always)]
    fn of(&self, n: u8) -> u8 {
        self.stamps.get(wrapped::<N>(usize::from(n))).copied().unwrap_or(u8::MAX)
    }

    /// The requester that was served longest ago.
    #[inline(always)]
    fn oldest(&self, requests: PortSet) -> Option<u8> {
        let mut best = requests.first()?.number();
        let mut others = requests.minus(PortSet::only(PortId::new(best)));
        if others.is_empty() {
            return Some(best);
        }
        let mut least = self.of(best);
        while let Some(other) = others.first() {
            let stamp = self.of(other.number());
            if stamp < least {
                (best, least) = (other.number(), stamp);
            }
            others.remove(other);
        }
        Some(best)
    }

    #[inline]
    fn serve(&mut self, n: u8) {
        if let Some(stamp) = self.stamps.get_mut(wrapped::<N>(usize::from(n))) {
            *stamp = self.clock.get();
            match self.clock.checked_add(1) {
                Some(next) => self.clock = next,
                None => self.restart_clock(),
            }
        }
    }

    /// How many were served before each: what the stamps mean.
    pub fn ranks(&self) -> [u8; N] {
        self.stamps.map(|stamp| self.stamps.iter().filter(|&&other| other < stamp).count() as u8)
    }

    #[cold]
    fn restart_clock(&mut self) {
        self.stamps = self.ranks();
        self.clock = Self::START;
    }
}

impl<const N: usize> core::fmt::Debug for Stamps<N> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_list().entries(self.ranks()).finish()
    }
}

impl<const N: usize> PartialEq for Arbiter<N> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::RoundRobin(a), Self::RoundRobin(b)) => a == b,
            (Self::Matrix(a), Self::Matrix(b)) => a.ranks() == b.ranks(),
            _ => false,
        }
    }
}

impl<const N: usize> Eq for Arbiter<N> {}

impl<const N: usize> Arbiter<N> {
    /// An arbiter as after reset: requester 0 first.
    pub fn new(kind: ArbiterKind) -> Self {
        const { assert!(N >= 1 && N <= 64, "requests are bits of a machine word") }
        match kind {
            ArbiterKind::RoundRobin => Self::RoundRobin(0),
            ArbiterKind::Matrix => Self::Matrix(Stamps::new()),
        }
    }

    /// Who would be served; bit `n` of `requests` is requester `n`.
    #[inline(always)]
    pub fn pick(&self, requests: usize) -> Option<u8> {
        let requests = PortSet::from_bits(requests);
        match self {
            Self::RoundRobin(first) => requests.first_from(PortId::new(*first)).map(PortId::number),
            Self::Matrix(stamps) => stamps.oldest(requests),
        }
    }

    /// Requester `n` has been served: it is last now.
    #[inline]
    pub fn served(&mut self, n: u8) {
        match self {
            Self::RoundRobin(first) => {
                let next = n.wrapping_add(1);
                *first = if usize::from(next) >= N { 0 } else { next };
            }
            Self::Matrix(stamps) => stamps.serve(n),
        }
    }
}

#[cfg(test)]
#[allow(clippy::arithmetic_side_effects)]
mod tests {
    use super::*;

    /// Every arbiter in every state it can reach, with every request.
    fn every_state(kind: ArbiterKind) -> Vec<Arbiter<4>> {
        let mut states = vec![Arbiter::<4>::new(kind)];
        let mut next = 0;
        while next < states.len() {
            for n in 0..4 {
                let mut state = states[next];
                state.served(n);
                if !states.contains(&state) {
                    states.push(state);
                }
            }
            next += 1;
        }
        states
    }

    macro_rules! arbiter_contract {
        ($($name:ident => $kind:expr, $states:expr;)*) => {$(
            #[test]
            fn $name() {
                let states = every_state($kind);
                assert_eq!(states.len(), $states);
                for state in states {
                    assert_eq!(state.pick(0), None, "no request, no grant");
                    for requests in 1usize..16 {
                        let winner = state.pick(requests).unwrap();
                        assert!(requests >> winner & 1 == 1, "{state:?} grants {winner} of {requests:b}");
                        // Whoever keeps asking is served within four grants.
                        let (mut arbiter, mut served) = (state, 0);
                        for _ in 0..4 {
                            let winner = arbiter.pick(requests).unwrap();
                            arbiter.served(winner);
                            served |= 1usize << winner;
                        }
                        assert_eq!(served, requests, "from {state:?}");
                        // Only the winner loses its place.
                        let mut after = state;
                        after.served(winner);
                        let others = requests & !(1 << winner);
                        if others != 0 && $kind == ArbiterKind::Matrix {
                            assert_eq!(after.pick(others), state.pick(others));
                        }
                    }
                    // A service without a request leaves a working arbiter.
                    for n in 0..4 {
                        let mut arbiter = state;
                        arbiter.served(n);
                        assert_eq!(arbiter.pick(1 << n), Some(n));
                        assert_ne!(arbiter.pick(0b1111), Some(n), "the one just served is last");
                    }
                }
            }
        )*};
    }

    arbiter_contract! {
        round_robin => ArbiterKind::RoundRobin, 4;
        matrix => ArbiterKind::Matrix, 24;
    }

    #[test]
    fn an_arbiter_is_a_byte_for_each_requester_and_one_more() {
        assert_eq!(size_of::<Arbiter<7>>(), 8);
        assert_eq!(size_of::<Arbiter<31>>(), 32);
    }

    #[test]
    fn the_clock_of_a_matrix_arbiter_comes_round_unnoticed() {
        let (mut arbiter, mut list) = (Arbiter::<5>::new(ArbiterKind::Matrix), vec![0u8, 1, 2, 3, 4]);
        let mut lfsr = crate::lfsr::Lfsr::new(1, 1);
        for _ in 0..200_000 {
            lfsr.step();
            let requests = lfsr.word() as usize & 0b11111;
            let expected = list.iter().copied().find(|n| requests >> n & 1 == 1);
            assert_eq!(arbiter.pick(requests), expected);
            if let Some(winner) = expected {
                arbiter.served(winner);
                list.retain(|&n| n != winner);
                list.push(winner);
            }
        }
    }
}
