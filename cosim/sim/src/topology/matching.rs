//! Far pairs: a traffic that loads links as much as a permutation can.

use super::Wiring;

impl Wiring {
    /// A permutation of the nodes, none to itself, in which no exchange of two pairs makes the sum of their distances greater. It is close
    /// to the longest matching, whose traffic is close to the worst for throughput (Jyothi et al., SC 2016).
    #[must_use]
    pub fn far_pairs(&self) -> Vec<(u32, u32)> {
        let routers: Vec<usize> = (0..self.nodes()).map(|node| self.attachment(node).0).collect();
        let hops: Vec<Vec<u32>> = (0..self.routers()).map(|router| self.distances_from(router)).collect();
        let nodes = routers.len();
        let mut to: Vec<usize> = (0..nodes).map(|node| (node + nodes / 2) % nodes.max(1)).collect();
        let far = |from: usize, to: usize| hops[routers[from]][routers[to]];
        let mut improved = nodes > 2;
        while improved {
            improved = false;
            for a in 0..nodes {
                for b in a + 1..nodes {
                    let (before, after) = (far(a, to[a]) + far(b, to[b]), far(a, to[b]) + far(b, to[a]));
                    if after > before && to[a] != b && to[b] != a {
                        to.swap(a, b);
                        improved = true;
                    }
                }
            }
        }
        (0u32..).zip(to).map(|(from, to)| (from, to as u32)).filter(|(from, to)| from != to).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::{Grid, Mesh, Topology, Torus};

    fn wiring(topology: impl Into<Topology>) -> Wiring {
        Wiring::build(&topology.into()).expect("a network")
    }

    fn sum(wiring: &Wiring, pairs: &[(u32, u32)]) -> u32 {
        pairs.iter().map(|&(from, to)| wiring.distances_from(from as usize)[to as usize]).sum()
    }

    /// On a torus of even sizes every node has one at the diameter; on a line the greatest sum is N²/2: all pairs cross the middle.
    #[test]
    fn pairs_are_as_far_as_they_can_be() {
        let grid = |dims: &[u32]| Grid { dims: dims.to_vec(), nodes_per_router: 1 };
        let torus = wiring(Torus(grid(&[4, 4])));
        assert_eq!(sum(&torus, &torus.far_pairs()), 16 * 4);
        let line = wiring(Mesh(grid(&[8])));
        assert_eq!(sum(&line, &line.far_pairs()), 8 * 8 / 2);
    }

    #[test]
    fn every_node_sends_to_one_and_receives_from_one() {
        let wiring = wiring(Mesh(Grid { dims: vec![3, 3], nodes_per_router: 1 }));
        let mut to: Vec<u32> = wiring.far_pairs().iter().map(|&(_, to)| to).collect();
        to.sort_unstable();
        assert_eq!(to, (0..9).collect::<Vec<_>>());
        assert!(wiring.far_pairs().iter().all(|(from, to)| from != to));
    }
}
