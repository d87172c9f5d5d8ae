//! The map of any graph as whole routes: for each router and destination the outputs of all hops, as a header carries them.

use super::table::TableError;
use crate::units::PortId;

/// Bits of a header that carry a route.
pub const ROUTE_BITS: u8 = (crate::layout::VIA_BITS + crate::layout::PROGRESS_BITS) as u8;

/// The routes of all routers of a network, or of one.
///
/// An address is the number of a router. The route from `here` to `there` is entry `here · routers + there`: the output of each hop, the
/// first of them in the lowest bits.
#[derive(Clone, Copy, Debug)]
pub struct RouteTable<'t> {
    routes: &'t [u32],
    routers: u32,
    ports: u8,
    hops: u8,
}

impl<'t> RouteTable<'t> {
    /// Loads the routes between `routers` routers, the widest of which has `ports` ports, of up to `hops` hops.
    ///
    /// # Errors
    /// When there are not `routers` rows of `routers` routes.
    pub fn load(routes: &'t [u32], routers: u32, ports: u8, hops: u8) -> Result<Self, TableError> {
        let expected = u64::from(routers).wrapping_mul(u64::from(routers));
        if routers == 0 || ports == 0 || routes.len() as u64 != expected {
            return Err(TableError::Size);
        }
        Ok(Self { routes, routers, ports, hops })
    }

    /// Bits of one output.
    #[inline]
    pub const fn sign_bits(&self) -> u32 {
        sign_bits(self.ports)
    }

    /// Bits of the longest route.
    pub const fn bits(&self) -> u32 {
        self.sign_bits().saturating_mul(self.hops as u32)
    }

    /// The route from one router to another.
    pub fn route(&self, here: u32, there: u32) -> u32 {
        let entry = (here as usize).wrapping_mul(self.routers as usize).wrapping_add(there as usize);
        if there < self.routers { self.routes.get(entry).copied().unwrap_or(0) } else { 0 }
    }
}

/// Bits that name one of so many ports.
pub const fn sign_bits(ports: u8) -> u32 {
    u8::BITS.wrapping_sub(ports.saturating_sub(1).leading_zeros())
}

/// A route of one hop more at its end, for routers of so many ports; nothing where a header has no room for it.
pub fn with_hop(route: u32, nth: u32, port: PortId, ports: u8) -> Option<u32> {
    let bits = sign_bits(ports);
    let at = bits.checked_mul(nth)?;
    if at.checked_add(bits)? > u32::from(ROUTE_BITS) {
        return None;
    }
    Some(route | u32::from(port.number()).wrapping_shl(at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_route_has_the_bits_of_a_header_and_no_more() {
        assert_eq!([2, 3, 5, 7, 8, 9, 64].map(sign_bits), [1, 2, 3, 3, 3, 4, 6]);
        let eight = (0..8).try_fold(0, |route, nth| with_hop(route, nth, PortId::new(nth as u8 % 5), 5));
        assert_eq!(eight, Some(0o21043210));
        assert_eq!(with_hop(0, 8, PortId::new(1), 5), None);
        assert_eq!(
            (with_hop(0, 3, PortId::new(63), 64), with_hop(0, 4, PortId::new(0), 64)),
            (Some(63 << 18), None)
        );
    }

    #[test]
    fn tables_of_another_size_are_refused() {
        assert!(RouteTable::load(&[0; 3], 2, 3, 1).is_err());
        assert!(RouteTable::load(&[], 0, 3, 1).is_err());
        let table = RouteTable::load(&[0, 1, 2, 0], 2, 3, 1).unwrap();
        assert_eq!((table.route(0, 1), table.route(1, 0), table.route(1, 2)), (1, 2, 0));
        assert_eq!((table.sign_bits(), table.bits()), (2, 2));
    }
}
