//! Random regular graph: as many links at each router, to any others.

use super::generated::{Generated, MOST_ROUTERS, NODES, circulant, nodes_per_router};
use crate::document::{Lines, Problem, Section};
use crate::random::{Stream, below, stream};

/// A random graph (Jellyfish; Singla et al., 2012): each router has the same number of links, each to another router, and the network
/// is connected.
///
/// It is made from a circulant graph by exchanging ends of random pairs of edges, many times for each edge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RandomRegular {
    /// Routers, 4…262144.
    pub routers: u32,
    /// Links of each router to others, 3… and fewer than routers; routers times links is an even number.
    pub degree: u32,
    /// Which of the graphs.
    pub wiring_seed: u64,
    /// Nodes at each router.
    pub nodes_per_router: u8,
}

impl Generated for RandomRegular {
    const WORD: &'static str = "random-regular";
    const KEYS: &'static [&'static str] = &["routers", "degree", "wiring_seed", NODES];
    const ROUTING: &'static str = "up*/down*";

    fn read(section: &Section<'_>) -> Result<Self, Problem> {
        let routers = section.need("routers", "the number of routers")?.whole(4..=MOST_ROUTERS)?;
        let field = section.need("degree", "the links of each router to others")?;
        let degree = field.whole_up_to(3..=MOST_DEGREE, routers - 1)?;
        if degree % 2 == 1 && routers % 2 == 1 {
            return Err(field.refuse(format!(
                "`topology.routers` and `topology.degree` must not both be odd: {routers} · {degree} ends of links make no whole number of links"
            )));
        }
        let wiring_seed = section.whole("wiring_seed", 0..=i64::MAX as u64, 1)?;
        let nodes_per_router = nodes_per_router(section, degree, &field)?;
        Ok(Self { routers, degree, wiring_seed, nodes_per_router })
    }

    fn write(&self) -> Lines {
        vec![
            ("routers", self.routers.to_string()),
            ("degree", self.degree.to_string()),
            ("wiring_seed", self.wiring_seed.to_string()),
        ]
    }

    fn nodes_per_router(&self) -> u8 {
        self.nodes_per_router
    }

    fn routers(&self) -> Option<u32> {
        let Self { routers, degree, .. } = *self;
        let fits =
            (4..=MOST_ROUTERS).contains(&routers) && (3..=MOST_DEGREE.min(routers - 1)).contains(&degree);
        (fits && (routers % 2 == 0 || degree % 2 == 0)).then_some(routers)
    }

    fn edges(&self) -> Vec<(u32, u32)> {
        let mut graph = Exchanged::of(self.routers, self.degree);
        let mut random = stream(self.wiring_seed, 0);
        graph.exchange(&mut random, EXCHANGES * graph.edges.len());
        while !graph.is_connected() {
            graph.exchange(&mut random, graph.edges.len());
        }
        graph.edges
    }
}

/// A graph without parallel edges, whose edges exchange ends.
struct Exchanged {
    edges: Vec<(u32, u32)>,
    /// Entry `router`: its neighbours.
    neighbours: Vec<Vec<u32>>,
}

impl Exchanged {
    /// Each router is joined with those nearest to it in the numbering; of an odd degree, also with the opposite one.
    fn of(routers: u32, degree: u32) -> Self {
        let steps = (1..=degree / 2).chain((degree % 2 == 1).then_some(routers / 2));
        let edges = circulant(routers, steps);
        let mut neighbours = vec![Vec::new(); routers as usize];
        for &(a, b) in &edges {
            neighbours[a as usize].push(b);
            neighbours[b as usize].push(a);
        }
        Self { edges, neighbours }
    }

    /// Draws so many pairs of edges `a b` and `c d`: they become `a c` and `b d`, unless an edge would be there twice or join a router
    /// with itself.
    fn exchange(&mut self, random: &mut Stream, times: usize) {
        let edges = self.edges.len() as u32;
        for _ in 0..times {
            let [one, other] = [below(random, edges), below(random, edges)].map(|edge| edge as usize);
            let (a, b) = self.edges[one];
            let (mut c, mut d) = self.edges[other];
            if below(random, 2) == 1 {
                (c, d) = (d, c);
            }
            if a == c || b == d || self.are_joined(a, c) || self.are_joined(b, d) {
                continue;
            }
            for (router, old, new) in [(a, b, c), (b, a, d), (c, d, a), (d, c, b)] {
                let neighbours = &mut self.neighbours[router as usize];
                neighbours.iter_mut().filter(|there| **there == old).for_each(|there| *there = new);
            }
            (self.edges[one], self.edges[other]) = ((a, c), (b, d));
        }
    }

    fn are_joined(&self, a: u32, b: u32) -> bool {
        self.neighbours[a as usize].contains(&b)
    }

    fn is_connected(&self) -> bool {
        let mut seen = vec![false; self.neighbours.len()];
        let (mut next, mut reached) = (vec![0], 0);
        while let Some(router) = next.pop() {
            if !std::mem::replace(&mut seen[router as usize], true) {
                reached += 1;
                next.extend(&self.neighbours[router as usize]);
            }
        }
        reached == seen.len()
    }
}

/// A router has a node, too, and more than one hop to somewhere.
const MOST_DEGREE: u32 = super::MOST_PORTS - 1;

/// Exchanges tried for each edge.
const EXCHANGES: usize = 20;
