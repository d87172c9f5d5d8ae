//! What is managed: an agent in this process, or one behind a line.

use desvio_sma::{Agent, Handled, Packet, Via};
use std::io;

/// A switch or a channel adapter with its agent.
pub trait Managed: Send {
    /// Takes a packet, and says where it goes on.
    ///
    /// # Errors
    /// When the agent cannot be reached.
    fn handle(&mut self, packet: &mut Packet, via: Via) -> io::Result<Handled>;

    /// A link has come up, or gone down.
    ///
    /// # Errors
    /// When the agent cannot be reached.
    fn handle_link(&mut self, port: u8, is_up: bool) -> io::Result<()>;

    /// A link trains anew, by a wish of its `own` end or of the other one.
    ///
    /// # Errors
    /// When the agent cannot be reached.
    fn handle_retraining(&mut self, port: u8, own: bool) -> io::Result<()>;

    /// A subnet manager runs at this node, or no longer.
    ///
    /// # Errors
    /// When the agent cannot be reached.
    fn set_manager(&mut self, runs: bool) -> io::Result<()>;
}

impl<T: AsRef<[u8]> + AsMut<[u8]> + Send, const P: usize> Managed for Agent<T, P> {
    fn handle(&mut self, packet: &mut Packet, via: Via) -> io::Result<Handled> {
        Ok(Self::handle(self, packet, via))
    }

    fn handle_link(&mut self, port: u8, is_up: bool) -> io::Result<()> {
        Self::handle_link(self, port, is_up);
        Ok(())
    }

    fn handle_retraining(&mut self, port: u8, own: bool) -> io::Result<()> {
        Self::handle_retraining(self, port, own);
        Ok(())
    }

    fn set_manager(&mut self, runs: bool) -> io::Result<()> {
        Self::set_manager(self, runs);
        Ok(())
    }
}
