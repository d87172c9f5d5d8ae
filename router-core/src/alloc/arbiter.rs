//! Arbiters: one of several requesters, fairly.
//!
//! The contract (tested exhaustively for all of them): a grant goes to a requester; there is a grant as long as
//! there is a request; whoever keeps asking is served within as many grants as there are requesters; being told
//! of a service that nobody asked for does no harm.

/// Who is served.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum ArbiterKind {
    /// The first at or after a pointer, which moves past each winner.
    #[default]
    RoundRobin,
    /// The least recently served.
    Matrix,
}

/// An arbiter of `N` requesters, `N` at most 64.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arbiter<const N: usize> {
    /// The requester to look at first.
    RoundRobin(u8),
    /// All requesters, the least recently served first: the order that the triangular bit matrix of the hardware
    /// encodes.
    Matrix([u8; N]),
}

impl<const N: usize> Arbiter<N> {
    /// An arbiter as after reset: requester 0 first.
    pub fn new(kind: ArbiterKind) -> Self {
        const { assert!(N >= 1 && N <= 64, "requests are bits of a machine word") }
        match kind {
            ArbiterKind::RoundRobin => Self::RoundRobin(0),
            ArbiterKind::Matrix => Self::Matrix(core::array::from_fn(|n| n as u8)),
        }
    }

    /// Who would be served; bit `n` of `requests` is requester `n`.
    #[inline(always)]
    pub fn pick(&self, requests: usize) -> Option<u8> {
        match self {
            Self::RoundRobin(first) => {
                let before = 1usize.wrapping_shl(u32::from(*first)).wrapping_sub(1);
                let ahead = requests & !before;
                let from = if ahead == 0 { requests } else { ahead };
                if from == 0 { None } else { Some(from.trailing_zeros() as u8) }
            }
            Self::Matrix(order) => {
                order.iter().copied().find(|&n| requests.wrapping_shr(u32::from(n)) & 1 == 1)
            }
        }
    }

    /// Requester `n` has been served: it is last now.
    #[inline(always)]
    pub fn served(&mut self, n: u8) {
        match self {
            Self::RoundRobin(first) => {
                let next = n.wrapping_add(1);
                *first = if usize::from(next) >= N { 0 } else { next };
            }
            Self::Matrix(order) => {
                if let Some(at) = order.iter().position(|&other| other == n)
                    && let Some(tail) = order.get_mut(at..)
                {
                    tail.rotate_left(1);
                }
            }
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
}
