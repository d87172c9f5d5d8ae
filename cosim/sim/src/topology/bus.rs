//! Bus: stations that share one link.

use super::edges::Edge;
use super::generated::{Generated, NODES, nodes_per_router};
use crate::document::{Lines, Problem, Section};

/// A bus as point-to-point links express it: every station sends to the arbiter, from which one link, the medium, leads to the tap, which
/// hands on to every station. One flit crosses the medium in a cycle, whoever sends it.
///
/// Routers: the stations, which have the nodes, then the arbiter, then the tap. All links are one-way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bus {
    /// Stations, 2…63.
    pub routers: u32,
    /// Nodes at each station.
    pub nodes_per_router: u8,
}

impl Generated for Bus {
    const WORD: &'static str = "bus";
    const KEYS: &'static [&'static str] = &["routers", NODES];
    const ROUTING: &'static str = "multipath";

    fn read(section: &Section<'_>) -> Result<Self, Problem> {
        let field = section.need("routers", "the number of stations")?;
        let routers = field.whole(2..=MOST)?;
        Ok(Self { routers, nodes_per_router: nodes_per_router(section, 2, &field)? })
    }

    fn write(&self) -> Lines {
        vec![("routers", self.routers.to_string())]
    }

    fn nodes_per_router(&self) -> u8 {
        self.nodes_per_router
    }

    fn hosts(&self) -> Option<u32> {
        (2..=MOST).contains(&self.routers).then_some(self.routers)
    }

    fn routers(&self) -> Option<u32> {
        self.hosts().map(|stations| stations + 2)
    }

    fn edges(&self) -> Vec<(u32, u32)> {
        let (arbiter, tap) = (self.routers, self.routers + 1);
        let sends = (0..self.routers).map(|station| (station, arbiter));
        let receives = (0..self.routers).map(|station| (tap, station));
        sends.chain([(arbiter, tap)]).chain(receives).collect()
    }

    fn edge(ends: (u32, u32)) -> Edge {
        Edge { is_one_way: true, ..Edge::plain(ends) }
    }
}

/// The arbiter has a port for each, and one to the medium.
const MOST: u32 = 63;
