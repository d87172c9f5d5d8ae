//! Reading an allocator's pointers, at any time; arbiters in the encoding of the RTL (`hdl/rtl/alloc/dsv_arbiter_pick.sv`).

use super::Allocator;
use super::arbiter::Arbiter;
use crate::units::{PortId, VcId};

impl<const N: usize> Arbiter<N> {
    /// The registers of `arbiter_state`, up to 16 requesters.
    ///
    /// Round-robin: those that come after the one served last, none where requester 0 is first. Matrix: for each pair
    /// *i* < *j*, row after row, whether *i* was served longer ago than *j*.
    pub fn registers(&self) -> u128 {
        self.registers_of(N)
    }

    /// Whether nobody has been served since `other` was copied from this: cheaper to tell than whether two arbiters would
    /// serve alike.
    pub fn is_copy_of(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::RoundRobin(a), Self::RoundRobin(b)) => a == b,
            (Self::Matrix(a), Self::Matrix(b)) => a.stamps == b.stamps,
            _ => false,
        }
    }

    /// What [`Self::registers`] gives, of an arbiter of only the first `requesters` requesters, when no other was ever served.
    pub fn registers_of(&self, requesters: usize) -> u128 {
        let requesters = requesters.min(N);
        match self {
            Self::RoundRobin(0) => 0,
            Self::RoundRobin(first) => {
                let up_to = |n: u32| u128::MAX.checked_shl(n).unwrap_or_default();
                up_to(u32::from(*first)) & !up_to(requesters as u32)
            }
            Self::Matrix(stamps) => {
                let stamps = stamps.stamps.get(..requesters).unwrap_or_default();
                // Less code where words of 128 bits have to be put together.
                if N <= NARROW {
                    let mut all = 0u64;
                    earlier(stamps, |pair| all |= 1u64.wrapping_shl(pair));
                    all.into()
                } else {
                    let mut all = 0u128;
                    earlier(stamps, |pair| all |= 1u128.wrapping_shl(pair));
                    all
                }
            }
        }
    }
}

/// Requesters whose pairs fit 64 bits.
const NARROW: usize = 11;

/// Tells the numbers of the pairs, counted row after row, whose first stamp is below the second.
fn earlier(stamps: &[u8], mut tell: impl FnMut(u32)) {
    let mut pair = 0u32;
    for (i, stamp) in stamps.iter().enumerate() {
        for other in stamps.iter().skip(i.saturating_add(1)) {
            if stamp < other {
                tell(pair);
            }
            pair = pair.wrapping_add(1);
        }
    }
}

impl<const P: usize, const V: usize> Allocator<P, V> {
    /// What picks a VC at an input.
    pub fn input_arbiter(&self, input: PortId) -> Option<&Arbiter<V>> {
        self.inputs.get(input)
    }
    /// What picks one of the VCs behind an output.
    pub fn out_vc_arbiter(&self, output: PortId) -> Option<&Arbiter<V>> {
        self.outputs.get(output).map(|output| &output.out_vcs)
    }
    /// What picks an input for one of the VCs behind an output.
    pub fn input_of_out_vc_arbiter(&self, output: PortId, out_vc: VcId) -> Option<&Arbiter<P>> {
        self.outputs.get(output).and_then(|output| output.inputs.get(out_vc.index()))
    }
    /// Where an input that asks for several outputs begins to look.
    pub fn choice(&self, input: PortId) -> PortId {
        self.first_choice(input)
    }
    /// The favoured diagonal.
    pub const fn turn(&self) -> u8 {
        self.turn
    }
}

#[cfg(test)]
mod tests {
    use super::super::ArbiterKind;
    use super::*;

    #[test]
    fn registers_of_a_round_robin_arbiter_name_those_after_the_last() {
        let mut arbiter = Arbiter::<4>::new(ArbiterKind::RoundRobin);
        let seen: Vec<u128> = [0, 1, 2, 3]
            .iter()
            .map(|&n| {
                arbiter.served(n);
                arbiter.registers()
            })
            .collect();
        assert_eq!(seen, [0b1110, 0b1100, 0b1000, 0]);
    }

    #[test]
    fn registers_of_a_matrix_arbiter_are_its_upper_triangle() {
        let mut arbiter = Arbiter::<3>::new(ArbiterKind::Matrix);
        assert_eq!(arbiter.registers(), 0b111, "0 before 1, 0 before 2, 1 before 2");
        arbiter.served(0);
        assert_eq!(arbiter.registers(), 0b100, "1 before 2, and 0 behind both");
        arbiter.served(2);
        assert_eq!(arbiter.registers(), 0b110, "0 before 2, 1 before 2");
    }
}
