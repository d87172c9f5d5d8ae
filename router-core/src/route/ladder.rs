//! Which VC follows which hop on a Dragonfly: the deadlock argument as code.
//!
//! Along a route, local and global VCs are numbered together by their *order index*: local VCs are 0, 2, 4,
//! global VCs 1, 3. A packet that has just been injected stands at −1. Hops follow the order upwards, except
//! misroutes inside a group, which stay or step back by one (source: patent, rules b–e and m–n).
//!
//! Everything here counts VCs in ascending order. A router that uses the descending order labels them the other
//! way round on its wires ([`crate::links::VcOrder`]).

use super::Arrival;
use crate::units::{PortClass, VcId};

/// The order index of the buffer that a packet is in, −1 to 15.
#[inline]
pub const fn order_index(from: Arrival) -> i8 {
    let twice = (from.vc.number() as i8).wrapping_mul(2);
    match from.kind {
        PortClass::NODE => -1,
        PortClass::GLOBAL => twice.wrapping_add(1),
        _ => twice,
    }
}

/// The VC for an order-respecting hop: two up to a port of the same type, one up otherwise. Injection counts as
/// global (the patent has no rule for it).
#[inline]
pub const fn next(from: Arrival, to: PortClass) -> VcId {
    match (from.kind, to) {
        (PortClass::NODE, _) | (_, PortClass::NODE) => VcId::new(0),
        (PortClass::LOCAL, PortClass::GLOBAL) => from.vc,
        _ => VcId::new(from.vc.number().wrapping_add(1)),
    }
}

/// The VC for a misroute inside a group: the same local VC, or the local VC one below a global one; the first
/// from injection (rules m and n, trap T2).
#[inline]
pub const fn misroute(from: Arrival) -> VcId {
    match from.kind {
        PortClass::NODE => VcId::new(0),
        _ => from.vc,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::PortId;

    fn at(kind: PortClass, vc: u8) -> Arrival {
        Arrival { port: PortId::new(0), kind, vc: VcId::new(vc) }
    }

    #[test]
    fn the_longest_ascending_route_is_l0_g1_l2_g3_l4() {
        let mut here = at(PortClass::NODE, 0);
        let mut seen = Vec::new();
        for to in [PortClass::LOCAL, PortClass::GLOBAL, PortClass::LOCAL, PortClass::GLOBAL, PortClass::LOCAL]
        {
            here = at(to, next(here, to).number());
            seen.push(order_index(here));
        }
        assert_eq!(seen, [0, 1, 2, 3, 4]);
    }

    #[test]
    fn steps_are_as_the_patent_writes_them() {
        for vc in 0..3 {
            for kind in [PortClass::LOCAL, PortClass::GLOBAL] {
                let from = at(kind, vc);
                for to in [PortClass::LOCAL, PortClass::GLOBAL] {
                    let up = if to == kind { 2 } else { 1 };
                    assert_eq!(order_index(at(to, next(from, to).number())), order_index(from) + up);
                }
                let back = if kind == PortClass::LOCAL { 0 } else { 1 };
                let misrouted = at(PortClass::LOCAL, misroute(from).number());
                assert_eq!(order_index(misrouted), order_index(from) - back);
            }
        }
    }
}
