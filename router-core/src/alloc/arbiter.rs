//! Arbiters: one of several requesters, fairly.
//!
//! The contract (tested exhaustively for all of them): a grant goes to a requester, and there is a grant as long as there is a request. A
//! requester that holds its request is served within as many grants as there are requesters. `served` for a requester without a request
//! does no harm.

use crate::units::{Bits, PortSet};

/// An arbiter of as many requesters as a set of them holds.
///
/// One file beside this one holds all that there is to say about it: its word, its state, and that state as the RTL has it.
pub(crate) trait Arbitrate<B: Bits>: Copy + Eq {
    /// Its word.
    const WORD: &'static str;

    /// The number of the RTL's parameter `ARBITER`; nothing where the RTL has no such arbiter.
    const RTL: Option<u32> = None;

    /// As after reset: requester 0 first.
    fn new() -> Self;

    /// Which of the requesters would be served.
    fn pick(&self, requests: PortSet<B>) -> Option<u8>;

    /// Requester `n` has been served: it is last now.
    fn served(&mut self, n: u8);

    /// Which of the requesters that yield to others would be served, when none of the others requests. Their turns go on whatever
    /// the others are served in between: a state that keeps the order of all needs no more for that.
    #[inline(always)]
    fn pick_yielding(&self, requests: PortSet<B>) -> Option<u8> {
        self.pick(requests)
    }

    /// Requester `n`, which yields to others, has been served: it is the last of those that do.
    #[inline(always)]
    fn served_yielding(&mut self, n: u8) {
        self.served(n);
    }

    /// Whether no requester has been served since `other` was copied from this.
    fn is_copy_of(&self, other: &Self) -> bool;

    /// Bits of its state in the RTL.
    fn width(requesters: u32) -> u32;

    /// Its state as the RTL has it, of only the first `requesters` requesters, when no other was ever served.
    fn registers_of(&self, requesters: usize) -> u128;

    /// Its state as the RTL has it, of only the first `requesters` requesters, where some yield to the others.
    fn registers_among(&self, requesters: usize, _yielding: PortSet) -> u128 {
        self.registers_of(requesters)
    }
}

/// Makes the closed list of arbiters, and sends each call to the one in use.
macro_rules! arbiters {
    ($($(#[$about:meta])* $name:ident($module:ident::$type:ident)),* $(,)?) => {
        $(mod $module;)*

        /// Who is served.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[cfg_attr(feature = "defmt", derive(defmt::Format))]
        pub enum ArbiterKind {
            $(
                $(#[$about])*
                #[doc = ""]
                #[doc = concat!("See `alloc/arbiter/", stringify!($module), ".rs`.")]
                $name
            ),*
        }

        impl $crate::settings::Word for ArbiterKind {
            const WORDS: &'static [(&'static str, Self)] =
                &[$((<$module::$type<1> as Arbitrate<usize>>::WORD, Self::$name)),*];

            fn word(self) -> &'static str {
                match self { $(Self::$name => <$module::$type<1> as Arbitrate<usize>>::WORD),* }
            }
        }

        impl ArbiterKind {
            /// The number of the RTL's parameter `ARBITER`, if the RTL has this arbiter.
            pub const fn rtl(self) -> Option<u32> {
                match self { $(Self::$name => <$module::$type<1> as Arbitrate<usize>>::RTL),* }
            }

            /// Bits of its state in the RTL.
            pub fn width(self, requesters: u32) -> u32 {
                match self { $(Self::$name => <$module::$type<1> as Arbitrate<usize>>::width(requesters)),* }
            }
        }

        /// An arbiter of `N` requesters, at most as many as a set of them holds.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Arbiter<const N: usize, B: Bits = usize> {
            $(
                #[doc = concat!("Of kind [`ArbiterKind::", stringify!($name), "`].")]
                $name($module::$type<N, B>)
            ),*
        }

        impl<const N: usize, B: Bits> Arbiter<N, B> {
            /// An arbiter as after reset: requester 0 first.
            pub fn new(kind: ArbiterKind) -> Self {
                const { assert!(N >= 1 && N <= B::CAPACITY, "requests are bits of a set") }
                match kind { $(ArbiterKind::$name => Self::$name(Arbitrate::new())),* }
            }

            /// Who would be served; bit `n` of `requests` is requester `n`.
            #[inline(always)]
            pub fn pick(&self, requests: B) -> Option<u8> {
                let requests = PortSet::from_bits(requests);
                match self { $(Self::$name(arbiter) => arbiter.pick(requests)),* }
            }

            /// Requester `n` has been served: it is last now.
            #[inline]
            pub fn served(&mut self, n: u8) {
                match self { $(Self::$name(arbiter) => arbiter.served(n)),* }
            }

            /// Who of those that yield to the other requesters would be served, when none of the others requests.
            #[inline]
            pub(super) fn pick_yielding(&self, requests: PortSet<B>) -> Option<u8> {
                match self { $(Self::$name(arbiter) => arbiter.pick_yielding(requests)),* }
            }

            /// Requester `n`, which yields to the others, has been served: it is the last of those that do.
            #[inline]
            pub(super) fn served_yielding(&mut self, n: u8) {
                match self { $(Self::$name(arbiter) => arbiter.served_yielding(n)),* }
            }

            /// Whether no requester has been served since `other` was copied from this: cheaper to check than whether two
            /// arbiters would serve alike.
            pub fn is_copy_of(&self, other: &Self) -> bool {
                match (self, other) {
                    $((Self::$name(one), Self::$name(other)) => one.is_copy_of(other),)*
                    _ => false,
                }
            }

            /// What [`Self::registers`] gives, of an arbiter of only the first `requesters` requesters, when no other was
            /// ever served.
            pub fn registers_of(&self, requesters: usize) -> u128 {
                let requesters = requesters.min(N);
                match self { $(Self::$name(arbiter) => arbiter.registers_of(requesters)),* }
            }

            /// The registers of an arbiter of only the first `requesters` requesters, where those in `yielding` yield to the others.
            pub fn registers_among(&self, requesters: usize, yielding: PortSet) -> u128 {
                let requesters = requesters.min(N);
                match self { $(Self::$name(arbiter) => arbiter.registers_among(requesters, yielding)),* }
            }
        }
    };
}

arbiters! {
    /// The first at or after a pointer, which moves past each winner.
    RoundRobin(round_robin::RoundRobin),
    /// The least recently served.
    Matrix(matrix::Matrix),
}

impl Default for ArbiterKind {
    /// Round-robin.
    fn default() -> Self {
        Self::RoundRobin
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
                        // A requester that holds its request is served within four grants.
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
