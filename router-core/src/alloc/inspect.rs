//! Reading an allocator's pointers, at any time; arbiters in the encoding of the RTL (`hdl/rtl/alloc/dsv_arbiter_pick.sv`).

use super::Allocator;
use super::arbiter::Arbiter;
use super::vl_arbiter::VlArbiter;
use crate::units::{Bits, PortId, VcId};

impl<const N: usize> Arbiter<N> {
    /// The registers of `arbiter_state`, up to 16 requesters; each arbiter defines its own.
    pub fn registers(&self) -> u128 {
        self.registers_of(N)
    }
}

impl<const P: usize, const V: usize, B: Bits> Allocator<P, V, B> {
    /// What picks a VC at an input.
    pub fn input_arbiter(&self, input: PortId) -> Option<&Arbiter<V>> {
        self.inputs.get(input)
    }
    /// What picks one of the VCs behind an output, where it has an arbiter for each of them.
    pub fn out_vc_arbiter(&self, output: PortId) -> Option<&Arbiter<V>> {
        let arbiters = self.outputs.get(output).filter(|_| !self.has_one_arbiter());
        arbiters.map(|output| &output.out_vcs)
    }
    /// What picks one of them by the tables of VL arbitration.
    pub fn vl_arbiter(&self, output: PortId) -> Option<&VlArbiter> {
        self.lanes.first().and_then(|lanes| lanes.get(output))
    }
    /// What picks an input for one of the VCs behind an output; that of VC 0 for all of them where there is one arbiter.
    pub fn input_of_out_vc_arbiter(&self, output: PortId, out_vc: VcId) -> Option<&Arbiter<P, B>> {
        let arbiters = self.outputs.get(output).filter(|_| self.turn_of(out_vc) == out_vc);
        arbiters.and_then(|output| output.inputs.get(out_vc.index()))
    }
    /// The output at which an input that requests several begins its search.
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
