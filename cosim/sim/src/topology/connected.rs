//! Whether every router can be reached from every other one.

use super::{TopologyError, Wiring, distance};

impl Wiring {
    pub(super) fn check_connected(&self) -> Result<(), TopologyError> {
        let distances = self.distances_from(0);
        if let Some(router) = distances.iter().position(|&hops| hops == distance::UNREACHED) {
            return Err(TopologyError::Unconnected { router });
        }
        match self.without_way_back() {
            Some(router) => Err(TopologyError::NoWayBack { router }),
            None => Ok(()),
        }
    }

    /// The first router from which no links lead to router 0, where some are one-way.
    fn without_way_back(&self) -> Option<usize> {
        if !self.has_one_way() {
            return None;
        }
        let (mut seen, mut waiting) = (vec![false; self.routers()], vec![0]);
        seen[0] = true;
        while let Some(router) = waiting.pop() {
            for (port, there) in self.neighbours(router) {
                if self.sends(there, self.far_port(router, port)) && !seen[there] {
                    seen[there] = true;
                    waiting.push(there);
                }
            }
        }
        seen.iter().position(|&seen| !seen)
    }
}
