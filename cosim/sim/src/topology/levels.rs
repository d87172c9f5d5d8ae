//! What topologies have in common whose routers stand in levels, with nodes at the lowest, the leaves, only.
//!
//! Routers are numbered level by level from the leaves up, nodes leaf by leaf. Ports of a router: those down (nodes at a leaf), then those
//! up. Links between levels `l - 1` and `l` are of class `l`.

use router_core::map::{self, Map, RouterClass};
use router_core::units::{PortClass, PortId};

use super::layout::Defaults;
use super::{Known, MAX_ADDRESS, TopologyError, Wiring};

/// Routers in levels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Levels {
    /// Nodes at each leaf.
    pub(super) nodes: u8,
    /// Routers of each level, the leaves first: 2 to 4 levels.
    pub(super) routers: Vec<u32>,
}

/// The names of the classes of links of as many levels.
pub(super) fn classes(levels: usize) -> &'static [&'static str] {
    &["node", "level1", "level2", "level3"][..levels.min(4)]
}

/// Sizes and latencies of links.
pub(super) const DEFAULTS: Defaults = Defaults { buffer_flits: &[32; 4], latency: &[1; 4] };

/// What all of them answer alike to [`super::layout::Layout`]: from their levels, `shape`, and the links between them, `edges`.
macro_rules! in_levels {
    () => {
        in_levels!(@ |_: &Self| $crate::topology::Known::default());
    };
    ($known:ident) => {
        in_levels!(@ Self::$known);
    };
    (@ $known:expr) => {
        const MAP: router_core::map::MapKind = router_core::map::MapKind::Levels;

        fn classes(&self) -> &'static [&'static str] {
            $crate::topology::levels::classes(self.shape().map_or(2, |shape| shape.routers.len()))
        }

        fn defaults(&self) -> $crate::topology::layout::Defaults {
            $crate::topology::levels::DEFAULTS
        }

        fn nodes(&self) -> Option<u32> {
            self.shape().map(|shape| shape.all_nodes())
        }

        fn levels(&self) -> Option<Vec<u32>> {
            self.shape().map(|shape| shape.routers)
        }

        fn wire(&self) -> Result<$crate::topology::Wiring, $crate::topology::TopologyError> {
            let word = <Self as $crate::topology::layout::Layout>::WORD;
            let shape = self.shape().ok_or($crate::topology::TopologyError::Numbers { word })?;
            let edges = self.edges(&shape);
            shape.wire(&edges, ($known)(self))
        }
    };
}
pub(super) use in_levels;

impl Levels {
    /// Nodes of the network.
    pub(super) fn all_nodes(&self) -> u32 {
        self.routers.first().map_or(0, |leaves| leaves.saturating_mul(self.nodes.into()))
    }

    /// Whether a header has room for the number of every router.
    pub(super) fn fit(&self) -> bool {
        self.routers.iter().fold(0, |all: u32, &routers| all.saturating_add(routers)) <= MAX_ADDRESS + 1
    }

    /// The number of the first router of a level.
    pub(super) fn first(&self, level: usize) -> u32 {
        self.routers[..level].iter().sum()
    }

    /// Wires it. An edge is the number of a router and the number of one of the level above it.
    pub(super) fn wire(self, edges: &[(u32, u32)], known: Known) -> Result<Wiring, TopologyError> {
        let names = classes(self.routers.len());
        let known = Known { levels: self.routers.clone(), ..known };
        Wiring::collect(&Joined::by(self, edges), names, known)
    }
}

/// What lies behind a port.
#[derive(Debug, Clone, Copy)]
struct End {
    router: u32,
    port: usize,
}

/// Levels and the links between them.
#[derive(Debug)]
struct Joined {
    levels: Levels,
    /// Entry `level`: ports down of its routers.
    down_ports: Vec<usize>,
    /// Entry `router`: what is behind its ports down to other routers, and behind those up.
    ends: Vec<[Vec<End>; 2]>,
}

impl Joined {
    fn by(levels: Levels, edges: &[(u32, u32)]) -> Self {
        let routers = levels.first(levels.routers.len()) as usize;
        let mut degrees = vec![0; routers];
        edges.iter().for_each(|&(_, upper)| degrees[upper as usize] += 1);
        let of = |level: usize| {
            let first = levels.first(level) as usize;
            degrees[first..][..levels.routers[level] as usize].iter().copied().max().unwrap_or(0)
        };
        let above = (1..levels.routers.len()).map(of);
        let down_ports = std::iter::once(usize::from(levels.nodes)).chain(above).collect();
        let mut joined = Self { down_ports, ends: vec![[Vec::new(), Vec::new()]; routers], levels };
        for &(lower, upper) in edges {
            let up = joined.down_ports[joined.level(lower)] + joined.ends[lower as usize][1].len();
            let down = joined.ends[upper as usize][0].len();
            joined.ends[lower as usize][1].push(End { router: upper, port: down });
            joined.ends[upper as usize][0].push(End { router: lower, port: up });
        }
        joined
    }

    fn level(&self, router: u32) -> usize {
        (1..self.levels.routers.len()).take_while(|&level| self.levels.first(level) <= router).count()
    }
}

impl Map for Joined {
    fn routers(&self) -> impl Iterator<Item = u32> {
        0..self.ends.len() as u32
    }

    fn ports(&self) -> usize {
        let ports = |router: u32| self.down_ports[self.level(router)] + self.ends[router as usize][1].len();
        self.routers().map(ports).max().unwrap_or(0)
    }

    fn router_class(&self, router: u32) -> RouterClass {
        RouterClass(self.level(router) as u8)
    }

    fn port_class(&self, RouterClass(level): RouterClass, port: PortId) -> PortClass {
        let is_up = port.index() >= self.down_ports[usize::from(level)];
        PortClass::new((level + u8::from(is_up)).min(self.down_ports.len() as u8 - 1))
    }

    fn peer(&self, router: u32, port: PortId) -> Option<map::Peer> {
        let (level, [down, up]) = (self.level(router), &self.ends[router as usize]);
        let end = match port.index().checked_sub(self.down_ports[level]) {
            None if level == 0 => return Some(map::Peer::Node),
            None => down.get(port.index()),
            Some(port) => up.get(port),
        };
        end.map(|end| map::Peer::Router { router: end.router, port: PortId::new(end.port as u8) })
    }
}
