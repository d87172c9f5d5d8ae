//! The largest networks.

use super::TopologyError;
use router_core::units::PortSet;

/// Most ports of a router. A page in a browser has those whose sets are one word.
pub const MAX_PORTS: usize =
    if cfg!(target_family = "wasm") { WORD_PORTS } else { router_core::units::WidePorts::CAPACITY };

/// Most ports of a router whose sets are one word: 64.
pub const WORD_PORTS: usize = <PortSet>::CAPACITY;

/// Most routers of a network: the wiring of the widest ones then takes half a gibibyte.
pub const MAX_ROUTERS: usize = 1 << 20;

/// Highest address of a router: a header has so many bits for it.
pub const MAX_ADDRESS: u32 = (1 << router_core::layout::ROUTER_BITS) - 1;

/// Ports of a set of one word, to compare with sizes that a scenario asks for where routes are arithmetic.
pub(super) const MOST_PORTS: u32 = WORD_PORTS as u32;

/// Whether a network of so many routers and ports is not too large.
pub(super) fn check_size(routers: usize, ports: usize) -> Result<(), TopologyError> {
    if routers == 0 {
        Err(TopologyError::NoRouters)
    } else if routers > MAX_ROUTERS {
        Err(TopologyError::TooManyRouters)
    } else if ports > MAX_PORTS {
        Err(TopologyError::TooManyPorts { ports })
    } else {
        Ok(())
    }
}
