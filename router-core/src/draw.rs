//! Draws: one member of a set, each as likely as the others (`hdl/draw.sv`).

use crate::lfsr::Tap;
use crate::units::{Bits, PortId, PortSet, VcId, VcSet};

/// One port of a set. The random bits are read only where there is a choice.
#[inline]
pub(crate) fn any<B: Bits>(ports: PortSet<B>, tap: impl Fn() -> Tap) -> Option<PortId> {
    let others = ports.rest();
    if others.is_empty() {
        ports.first()
    } else if others.is_single() {
        // To count members takes longer than to see that there are two.
        if tap().below(2) == 0 { ports.first() } else { others.first() }
    } else {
        ports.nth(tap().below(ports.len()))
    }
}

/// One VC of a set: by other bits, so that a packet may draw both.
#[inline(always)]
pub(crate) fn one_of(open: VcSet, tap: impl Fn() -> Tap) -> Option<VcId> {
    // Most packets have no choice.
    if open.len() <= 1 { open.first() } else { open.nth(tap().second_below(open.len())) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lfsr::Lfsr;

    /// As the RTL draws: the number of the member is a share of the tap's upper half.
    #[test]
    fn each_set_is_drawn_from_by_its_members_count() {
        let mut lfsr = Lfsr::new(1, 1);
        for bits in 0..1 << 10 {
            let ports = PortSet::from_bits(bits);
            lfsr.step();
            for turn in 0..8 {
                let tap = lfsr.tap(turn, 0);
                assert_eq!(any(ports, || tap), ports.nth(tap.below(ports.len())), "{ports:?}");
            }
        }
    }

    /// Proves: each VC of a set is drawn as often as the others, and one alone always.
    #[test]
    fn each_vc_is_as_likely() {
        let mut seen = [0u32; 8];
        for seed in 0..6000 {
            let drawn = one_of(VcSet::from_bits(0b1010_0100), || Lfsr::new(seed, 0).tap(1, 0)).unwrap();
            seen[drawn.index()] += 1;
            assert_eq!(one_of(VcSet::from_bits(0b1000), || Lfsr::new(seed, 0).tap(1, 0)), Some(VcId::new(3)));
        }
        assert_eq!(one_of(VcSet::EMPTY, || Lfsr::new(1, 0).tap(0, 0)), None);
        assert!(
            [2, 5, 7].iter().all(|&vc| seen[vc].abs_diff(2000) < 250) && seen.iter().sum::<u32>() == 6000,
            "{seen:?}"
        );
    }
}
