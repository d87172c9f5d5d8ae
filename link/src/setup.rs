//! What a port is made for: what both ends have in common, and how long it waits.

use core::num::NonZeroU32;
use router_core::links::FlowControl;

/// Times, in ticks of the clock that [`Port::step`](crate::Port::step) is called with. A neighbour's clock
/// may be another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Timing {
    /// From one HELLO to the next, as long as the port is not up.
    pub hello: u32,
    /// Silence after which a port that is up sends a frame.
    pub heartbeat: u32,
    /// Silence of the neighbour after which the port is down: several of the neighbour's heartbeats.
    pub patience: u32,
    /// Time without an acknowledgement after which flits are sent again: longer than a frame and its answer
    /// take.
    pub resend: u32,
}

/// What a port is made for. Both ends of a link state the first three alike, or refuse each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Setup<const V: usize> {
    /// The rule by which flits are sent on.
    pub flow: FlowControl,
    /// Flits of each VC's buffer. Input buffers of both ends are of the same size.
    pub buffers: [u16; V],
    /// The number of this run, which differs from that of the run before: random, or counted in flash. By it
    /// a neighbour knows a restart
    /// from a cable that was pulled.
    pub session: NonZeroU32,
    /// Times.
    pub timing: Timing,
}

/// Why there is no port with a setup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum SetupError {
    /// The window is smaller than all buffers of the neighbour together, or wider than 32,767 flits.
    Window,
    /// There is no VC, or there are more than 16.
    Vcs,
    /// The place of a frame is smaller than [`frame_bytes`](crate::frame_bytes) says.
    Frame,
}

impl<const V: usize> Setup<V> {
    pub(crate) fn check(&self, window: usize, frame: usize, payload: usize) -> Result<(), SetupError> {
        let places = self.buffers.iter().fold(0usize, |sum, &places| sum.saturating_add(places.into()));
        if V == 0 || V > 16 {
            Err(SetupError::Vcs)
        } else if places > window || window > i16::MAX as usize {
            Err(SetupError::Window)
        } else if frame < crate::frame_bytes(V, payload) {
            Err(SetupError::Frame)
        } else {
            Ok(())
        }
    }
}
