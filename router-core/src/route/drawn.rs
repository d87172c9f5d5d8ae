//! A way that is drawn where a packet starts: up to three ports in the field `via`, each in the bits of a port, the first of them lowest.

use crate::header::Header;
use crate::layout::PORT_BITS;
use crate::units::PortId;

/// Most ports that a way has room for.
pub(super) const MOST: u32 = crate::layout::ROUTER_BITS / PORT_BITS;

/// The port of the next hop.
#[inline]
pub(super) const fn next(header: &Header) -> PortId {
    PortId::new((header.via & MASK) as u8)
}

/// The header without the port of the next hop.
#[inline]
pub(super) const fn after(header: &Header) -> Header {
    Header { via: header.via.wrapping_shr(PORT_BITS), ..*header }
}

/// A way and one port more, its `nth` one, counted from 0.
#[inline]
pub(super) const fn with(way: u32, nth: u32, port: PortId) -> u32 {
    way | (port.number() as u32 & MASK).wrapping_shl(nth.wrapping_mul(PORT_BITS))
}

const MASK: u32 = (1 << PORT_BITS) - 1;

/// Each port fits in, and the bits of the field are enough.
const _: () = assert!(MOST == 3 && <crate::units::PortSet>::CAPACITY <= 1 << PORT_BITS);
