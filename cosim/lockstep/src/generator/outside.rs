//! Addresses just outside of a network: what a field that is read with a bit too few would take for one inside.

use router_core::header::Address;
use router_core::layout;
use std::collections::BTreeSet;

/// Addresses that differ from that of a node in one bit, or by one, or as much as they can, and are no node's.
pub(super) fn outside(nodes: &[Address]) -> Vec<Address> {
    let inside: BTreeSet<_> = nodes.iter().map(|node| (node.router, node.port)).collect();
    let mut found = BTreeSet::new();
    for &Address { router, port } in nodes.first().into_iter().chain(nodes.last()) {
        let routers = (0..layout::ROUTER_BITS).map(|bit| router ^ 1 << bit);
        found.extend(routers.chain([router + 1, ones(layout::ROUTER_BITS)]).map(|router| (router, port)));
        let index = ones(layout::ADDRESS_INDEX_BITS);
        found.insert((router | index, port));
        let ports = (0..layout::PORT_BITS).map(|bit| port ^ 1 << bit);
        let ports = ports.chain([port + 1, ones(layout::PORT_BITS) as u8]);
        found.extend(ports.map(|port| (router, port)));
    }
    let fits = |&(router, port): &(u32, u8)| {
        router <= ones(layout::ROUTER_BITS) && u32::from(port) <= ones(layout::PORT_BITS)
    };
    let found = found.into_iter().filter(|address| fits(address) && !inside.contains(address));
    found.map(|(router, port)| Address { router, port }).collect()
}

const fn ones(bits: u32) -> u32 {
    (1 << bits) - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_bit_of_an_address_leads_outside() {
        let nodes: Vec<_> =
            (0..3).flat_map(|router| (0..2).map(move |port| Address { router, port })).collect();
        let outside = outside(&nodes);
        assert!(outside.iter().all(|address| !nodes.contains(address)));
        for bit in 2..layout::ROUTER_BITS {
            assert!(outside.contains(&Address { router: 1 << bit, port: 0 }), "bit {bit} of the router");
        }
        for bit in 1..layout::PORT_BITS {
            assert!(outside.contains(&Address { router: 0, port: 1 << bit }), "bit {bit} of the port");
        }
        assert!(outside.contains(&Address { router: 3, port: 1 }), "one router too many");
        assert!(outside.contains(&Address { router: 2, port: 2 }), "one port too many");
    }
}
