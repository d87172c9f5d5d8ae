//! The separable allocator with the fewest arbiters: each input nominates one VC and one output, then the one arbiter of each output picks
//! one input.
//!
//! All VCs behind an output share the turns of one arbiter. Flits that stream into one VC move its pointer between two packets of another,
//! so that a head may wait longer for its VC than with an arbiter for each VC. A request that stays is served within as many grants of its
//! output as there are inputs, times the VCs of its own input, as there.

use super::contest::Contest;
use super::vl_arbiter::VlArbitration;
use super::{Allocator, Grants, Method};
use crate::layout;
use crate::units::Bits;

/// Inputs first, one arbiter at each output.
pub(super) struct OneArbiter;

impl Method for OneArbiter {
    const WORD: &'static str = "separable-one-arbiter";
    const ONE_ARBITER: bool = true;
    const RTL: Option<u32> = Some(layout::ALLOCATOR_SEPARABLE_ONE_ARBITER);

    #[inline(always)]
    fn decide<const P: usize, const V: usize, B: Bits>(
        allocator: &Allocator<P, V, B>,
        contest: &Contest<P, V, B>,
        _: Option<&VlArbitration<P>>,
        grants: &mut Grants<P, B>,
    ) {
        allocator.input_first(contest, grants);
    }
}
