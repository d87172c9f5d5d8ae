//! The tables by which routers find their way, made from the wiring.

use crate::topology::{Order, Wiring};
use router_core::map::levels::{Levels, Parts};
use router_core::map::table::{Table, TableError};
use router_core::map::up_down::UpDownTable;
use router_core::map::{AnyMap, MapKind};
use router_core::units::PortSet;

/// What the maps that are tables keep; empty where the map is arithmetic.
#[derive(Debug, Default)]
pub(super) struct Tables {
    /// The ports towards each router, or towards each leaf, from each router.
    ports: Vec<PortSet>,
    /// Every router's ports that lead up, where the routing goes up and down.
    up: Vec<PortSet>,
    /// What is behind each port, and the routers of each level, where the routing goes by levels.
    peers: Vec<u32>,
    levels: Vec<u32>,
}

impl Tables {
    /// All shortest routes.
    pub(super) fn shortest(wiring: &Wiring) -> Self {
        Self { ports: sets(wiring.minimal_ports()), ..Self::default() }
    }

    /// Up, then down, by the order from a root; `None` where there is no such router.
    pub(super) fn up_down(wiring: &Wiring, root: u32) -> Option<Self> {
        let order = Order::from(wiring, root)?;
        Some(Self { ports: sets(order.legal_ports()), up: sets(order.up_ports()), ..Self::default() })
    }

    /// Up, then down, by so many routers in each level.
    pub(super) fn levels(wiring: &Wiring, levels: Vec<u32>) -> Self {
        let order = Order::of_levels(wiring, &levels);
        let leaves = levels.first().map_or(0, |&leaves| leaves as usize);
        let ports = sets(order.legal_ports_towards(leaves));
        Self { ports, up: sets(order.up_ports()), peers: wiring.neighbour_table(), levels }
    }

    /// The map of a kind; nothing where it is no table. `between(r)` are the ports of router `r` that lead to other routers.
    pub(super) fn map(
        &self,
        kind: MapKind,
        wiring: &Wiring,
        between: impl Fn(u32) -> PortSet,
    ) -> Result<Option<AnyMap<'_>>, TableError> {
        Ok(Some(match kind {
            MapKind::Graph => AnyMap::Graph(Table::load(&self.ports, wiring.routers() as u32, between)?),
            MapKind::UpDown => AnyMap::UpDown(UpDownTable::load(&self.ports, &self.up, between)?),
            MapKind::Levels => {
                let (width, sizes) = (wiring.ports() as u32, &*self.levels);
                let parts = Parts { ports: &self.ports, up: &self.up, peers: &self.peers, width, sizes };
                AnyMap::Levels(Levels::load(parts, between)?)
            }
            _ => return Ok(None),
        }))
    }
}

fn sets(masks: Vec<u64>) -> Vec<PortSet> {
    masks.into_iter().map(|bits| PortSet::from_bits(bits as usize)).collect()
}
