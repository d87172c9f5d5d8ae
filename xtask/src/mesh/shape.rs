//! Which board is where, and the way of each packet.

use desvio_tile::{Order, Plant};
use router_core::header::{Address, Header};
use router_core::route::dimension_order::DimensionOrder;
use router_core::route::{Arrival, Here, Route as _};
use router_core::units::{PortClass, PortId, PortSet};

/// Boards of a mesh, numbered row by row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mesh {
    pub(super) columns: u8,
    pub(super) rows: u8,
}

/// A cable: from a board's port up to another one's port down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Joint {
    pub(super) ends: [(u8, u8); 2],
}

/// A hop: a board, and the port that a packet leaves it by.
pub(super) type Hop = (u8, u8);

/// The port at the other end of the cable of a port: ports up are odd, and lead to ports down.
pub(super) const fn opposite(port: u8) -> u8 {
    if port % 2 == 1 { port + 1 } else { port - 1 }
}

/// The port of the node.
pub(super) const NODE: u8 = 0;

impl Mesh {
    pub(super) fn boards(self) -> u8 {
        self.columns * self.rows
    }

    /// The order of a board as far as its place goes.
    pub(super) fn order(self, board: u8) -> Order {
        let Self { columns, rows } = self;
        Order { columns, rows, board, life: 0, packets: 0, longest: 1, seed: 0, plant: Plant::None }
    }

    /// What a board is to send of `packets` of all boards together.
    pub(super) fn share(self, packets: u32, board: u8) -> u32 {
        let boards = u32::from(self.boards());
        packets / boards + u32::from(u32::from(board) < packets % boards)
    }

    /// The board at the other end of a port's cable.
    pub(super) fn neighbour(self, board: u8, port: u8) -> Option<u8> {
        let cable = usize::from(port.checked_sub(1)?);
        if !self.order(board).has_neighbour(cable) {
            return None;
        }
        Some(match cable {
            0 => board + 1,
            1 => board - 1,
            2 => board + self.columns,
            _ => board - self.columns,
        })
    }

    /// All cables, those along rows first.
    pub(super) fn joints(self) -> Vec<Joint> {
        let up = |port: u8| {
            (0..self.boards()).filter_map(move |board| {
                let other = self.neighbour(board, port)?;
                Some(Joint { ends: [(board, port), (other, opposite(port))] })
            })
        };
        up(1).chain(up(3)).collect()
    }

    /// The way of a packet by the routing function of `router-core`, its last hop to the node left out; nothing when it leads nowhere.
    pub(super) fn way(self, from: u8, to: u8) -> Option<Vec<Hop>> {
        let grid = self.order(from).grid().ok()?;
        let routing = DimensionOrder { grid, vcs: 1 };
        let address = |board| grid.address(&self.order(board).coordinates(board));
        let header =
            Header { to: Address { router: address(to), port: NODE }, length: 1, ..Header::default() };
        let (mut board, mut arrival) =
            (from, Arrival { port: PortId::new(NODE), kind: PortClass::NODE, ..Arrival::default() });
        let mut way = Vec::new();
        while way.len() < usize::from(self.boards()) {
            let mut wired = PortSet::only(PortId::new(NODE));
            (1..=4).filter(|&port| self.neighbour(board, port).is_some()).for_each(|port| {
                wired.insert(PortId::new(port));
            });
            let here = Here { router: address(board), wired, ..Here::default() };
            let port = routing.offer(&here, arrival, &header).ok()?.minimal_ports().first()?.number();
            if port == NODE {
                return (board == to).then_some(way);
            }
            way.push((board, port));
            board = self.neighbour(board, port)?;
            arrival =
                Arrival { port: PortId::new(opposite(port)), kind: PortClass::LOCAL, ..Arrival::default() };
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MESH: Mesh = Mesh { columns: 3, rows: 3 };

    #[test]
    fn cables_join_neighbours() {
        let joints = MESH.joints();
        assert_eq!(joints.len(), 12);
        for Joint { ends: [(one, up), (other, down)] } in joints {
            assert_eq!(MESH.neighbour(one, up), Some(other));
            assert_eq!(MESH.neighbour(other, down), Some(one));
        }
    }

    #[test]
    fn ways_are_as_short_as_can_be_and_go_along_rows_first() {
        for from in 0..9 {
            for to in (0..9).filter(|&to| to != from) {
                let way = MESH.way(from, to).unwrap();
                let distance = (from % 3).abs_diff(to % 3) + (from / 3).abs_diff(to / 3);
                assert_eq!(way.len(), usize::from(distance), "{from} to {to}");
                assert!(way.is_sorted_by_key(|&(_, port)| port > 2), "{from} to {to}");
            }
        }
        assert_eq!(MESH.way(0, 8).unwrap(), [(0, 1), (1, 1), (2, 3), (5, 3)]);
    }
}
