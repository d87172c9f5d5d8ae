//! Whole routes, as sources write them into headers.

use router_core::map::routes::with_hop;
use router_core::route::Misfit;
use router_core::route::source::Routes;
use router_core::units::PortId;

use crate::topology::{Order, Wiring};

/// The routes between all routers.
#[derive(Debug)]
pub(super) struct Written {
    /// Entry `here * routers + there`: 0 between routers without nodes.
    pub(super) routes: Vec<u32>,
    /// Of the longest one.
    pub(super) hops: u8,
}

/// The ports of the ways on.
enum Ways {
    /// Entry `here * routers + there`.
    Shortest(Vec<u64>),
    /// Entry `(there * routers + here) * 2`, then for packets that have gone down; and the ports that lead up.
    Legal { ports: Vec<u64>, up: Vec<u64> },
}

impl Written {
    /// Those of a network, whose routers stand in `levels` where it has any.
    ///
    /// # Errors
    /// When there is no such route between two routers with nodes.
    pub(super) fn of(kind: Routes, wiring: &Wiring, levels: Option<&[u32]>) -> Result<Self, Misfit> {
        let ways = match kind {
            Routes::Shortest | Routes::LowestPort => Ways::Shortest(wiring.minimal_ports()),
            Routes::UpDown => {
                let order = levels.map(|levels| Order::of_levels(wiring, levels));
                // There is a router 0.
                let order = order.or_else(|| Order::from(wiring, 0));
                order.map_or(Ways::Shortest(Vec::new()), |order| Ways::Legal {
                    ports: order.legal_ports(),
                    up: order.up_ports(),
                })
            }
        };
        let routers = wiring.routers();
        let mut written = Self { routes: vec![0; routers * routers], hops: 0 };
        let neighbours = wiring.neighbour_table();
        let has_nodes = |router: &usize| wiring.nodes_of(*router).next().is_some();
        for here in (0..routers).filter(has_nodes) {
            for there in (0..routers).filter(has_nodes) {
                let walk = Walk { ways: &ways, neighbours: &neighbours, ports: wiring.ports(), routers };
                let spread = kind != Routes::LowestPort;
                let (route, hops) = walk
                    .route(here, there, spread)
                    .ok_or(Misfit::Apart { here: here as u32, there: there as u32 })?;
                written.routes[here * routers + there] = route;
                written.hops = written.hops.max(hops);
            }
        }
        Ok(written)
    }
}

struct Walk<'a> {
    ways: &'a Ways,
    /// Entry `router * ports + port`.
    neighbours: &'a [u32],
    ports: usize,
    routers: usize,
}

impl Walk<'_> {
    /// The route, cut where a header has no room for more, and its hops; nothing where there is no way.
    fn route(&self, here: usize, there: usize, spread: bool) -> Option<(u32, u8)> {
        let (mut at, mut gone_down, mut route, mut hops) = (here, false, 0, 0u8);
        while at != there {
            let ways = self.ways(at, there, gone_down);
            let nth = if spread { mixed(here, there, hops) % ways.count_ones().max(1) } else { 0 };
            let port = nth_bit(ways, nth)?;
            route = with_hop(route, hops.into(), PortId::new(port), self.ports as u8).unwrap_or(route);
            gone_down |= !self.is_up(at, port);
            at = self.neighbours[at * self.ports + usize::from(port)] as usize;
            hops = hops.checked_add(1)?;
        }
        Some((route, hops))
    }

    fn ways(&self, here: usize, there: usize, gone_down: bool) -> u64 {
        match self.ways {
            Ways::Shortest(ports) => ports[here * self.routers + there],
            Ways::Legal { ports, .. } => ports[(there * self.routers + here) * 2 + usize::from(gone_down)],
        }
    }

    fn is_up(&self, router: usize, port: u8) -> bool {
        match self.ways {
            Ways::Shortest(_) => false,
            Ways::Legal { up, .. } => up[router] >> port & 1 == 1,
        }
    }
}

/// The number of the `nth` bit that is set, counted from 0.
fn nth_bit(bits: u64, nth: u32) -> Option<u8> {
    (0..64).filter(|bit| bits >> bit & 1 == 1).nth(nth as usize)
}

/// Another number for each pair and hop, so that equally short routes are taken by equally many pairs, about.
fn mixed(here: usize, there: usize, hop: u8) -> u32 {
    let bits = (here as u64) << 40 | (there as u64) << 8 | u64::from(hop);
    (bits.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32).wrapping_mul(0xbf58_476d_1ce4_e5b9) as u32 >> 16
}
