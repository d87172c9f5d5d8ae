//! A network as the search for paths sees it.

use super::{Peer, Wiring};
use desvio_paths::Graph;

impl Graph for Wiring {
    fn routers(&self) -> usize {
        self.routers()
    }

    fn ports(&self) -> usize {
        self.ports()
    }

    fn behind(&self, router: usize, port: u8) -> Option<(usize, u8)> {
        match self.peer(router, port.into()) {
            Some(Peer::Router { router, port }) => Some((router as usize, port)),
            _ => None,
        }
    }
}
