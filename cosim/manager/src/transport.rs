//! What carries management packets between the manager and the network.

use desvio_sma::Packet;
use std::io;

/// A port at which a manager runs.
pub trait Transport {
    /// Sends a request from the manager's node, and waits for its answer. Nothing where none has come in time.
    ///
    /// # Errors
    /// When the port itself cannot be used any more. A packet that is lost is no error.
    fn exchange(&mut self, request: &Packet) -> io::Result<Option<Packet>>;
}

impl<T: Transport + ?Sized> Transport for &mut T {
    fn exchange(&mut self, request: &Packet) -> io::Result<Option<Packet>> {
        (**self).exchange(request)
    }
}
