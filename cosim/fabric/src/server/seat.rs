//! Where a manager of our own runs.

use super::{Server, Shared};
use desvio_manager::Transport;
use desvio_sma::Packet;
use std::io;
use std::sync::Arc;

/// A node of a fabric that is served, for a manager of our own. What it sends goes the way of what other programs send; there is an answer at
/// once, or there will be none.
pub struct Seat {
    shared: Arc<Shared>,
    place: usize,
}

impl Server {
    /// The seat at a node.
    #[must_use]
    pub fn seat(&self, node: usize) -> Seat {
        let place = self.fabric().routers() + node;
        Seat { shared: Arc::clone(&self.shared), place }
    }
}

impl Seat {
    /// The place of its node in the fabric.
    #[must_use]
    pub fn place(&self) -> usize {
        self.place
    }
}

impl Transport for Seat {
    fn exchange(&mut self, request: &Packet) -> io::Result<Option<Packet>> {
        let mut packet = request.clone();
        let arrived = self.shared.fabric().carry(self.place, &mut packet)?;
        Ok((arrived == Some(self.place) && packet.is_response()).then_some(packet))
    }
}
