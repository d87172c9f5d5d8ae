//! Routers, the links between them, and routes to one router.

use std::collections::VecDeque;

/// A link in one direction: `router * ports + port` of the router that it leaves.
pub type Link = u32;

/// The way on of each router to one destination: its port, and the hops from there.
pub type Tree = Vec<Option<(u8, u32)>>;

/// Routers, numbered from 0, and the links between their ports.
pub trait Graph {
    /// How many there are.
    fn routers(&self) -> usize;

    /// Ports of a router, at most.
    fn ports(&self) -> usize;

    /// The router and the port at the other end of the link at a port. Nothing where there is no link to a router.
    fn behind(&self, router: usize, port: u8) -> Option<(usize, u8)>;

    /// Whether a packet that came by one link may leave by the other. A rule of this kind restricts all routes that are looked for.
    fn may_turn(&self, _came: Link, _leaves: Link) -> bool {
        true
    }

    /// The ports of a router with a link, and the router there, by rising ports.
    fn neighbours(&self, router: usize) -> impl Iterator<Item = (u8, usize)> {
        (0..self.ports()).filter_map(move |port| {
            let port = port as u8;
            self.behind(router, port).map(|(near, _)| (port, near))
        })
    }

    /// The link at a port.
    fn link(&self, router: usize, port: u8) -> Link {
        (router * self.ports()) as u32 + u32::from(port)
    }
}

/// Hops from each router to one; the highest number from those that cannot reach it.
pub fn distances(graph: &impl Graph, there: usize) -> Vec<u32> {
    let mut hops = vec![u32::MAX; graph.routers()];
    hops[there] = 0;
    let mut queue = VecDeque::from([there]);
    while let Some(at) = queue.pop_front() {
        for (_, near) in graph.neighbours(at) {
            if hops[near] == u32::MAX {
                hops[near] = hops[at] + 1;
                queue.push_back(near);
            }
        }
    }
    hops
}

/// The links of a route, by the port that each router has for it. It ends early where a router has none. The ports must not lead round.
pub fn links(graph: &impl Graph, from: usize, there: usize, port: impl Fn(usize) -> Option<u8>) -> Vec<Link> {
    let mut links = Vec::new();
    let mut at = from;
    while at != there {
        let Some(port) = port(at) else { break };
        links.push(graph.link(at, port));
        let Some((near, _)) = graph.behind(at, port) else { break };
        at = near;
    }
    links
}
