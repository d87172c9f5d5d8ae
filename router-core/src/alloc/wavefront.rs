//! The wavefront allocator: input and output arbitration in one sweep.
//!
//! The cells of the request matrix are visited diagonal by diagonal; cells of one diagonal share neither input nor
//! output, so they never conflict. What is left at the end cannot be matched any more: the match is maximal.

use super::contest::Contest;
use super::{Allocator, Grant, Grants};
use crate::units::{PortId, PortSet};

impl<const P: usize, const V: usize> Allocator<P, V> {
    /// Grants every request whose input and output are still free, from the favoured diagonal on.
    #[inline(never)]
    pub(super) fn wavefront(&self, contest: &Contest<P, V>, grants: &mut Grants<P>) {
        let mut inputs = contest.inputs;
        let mut outputs = contest.wanted;
        for step in 0..self.ports {
            if inputs.is_empty() || outputs.is_empty() {
                break;
            }
            let diagonal = self.wrap(self.turn.wrapping_add(step));
            for input in inputs {
                let output = self.cell(diagonal, input);
                let row = contest.row(input);
                if !outputs.contains(output) {
                    continue;
                }
                if let Some(vc) = self.pick_vc(input, row.asking(PortSet::only(output))) {
                    if self.pick_vc(input, row.vcs) != Some(vc) {
                        grants.keeps_turn.insert(input);
                    }
                    grants.push(Grant { input, vc, out_vc: row.out_vc(vc), output });
                    inputs.remove(input);
                    outputs.remove(output);
                }
            }
        }
    }

    /// The output where a diagonal crosses an input's row.
    #[inline(always)]
    fn cell(&self, diagonal: u8, input: PortId) -> PortId {
        PortId::new(self.wrap(diagonal.wrapping_add(self.ports).wrapping_sub(input.number())))
    }

    /// A number below twice the ports, brought below the ports.
    #[inline(always)]
    const fn wrap(&self, n: u8) -> u8 {
        if n >= self.ports { n.wrapping_sub(self.ports) } else { n }
    }
}
