//! One trait, two twins: the model and the RTL.

use super::frame::Frame;
use super::settings::Settings;
use router_core::router::Stranded;
use verilated::Failure;

/// One implementation of a router that can be stepped and looked into.
pub trait Twin {
    /// Back to where it is after reset, configured like this.
    ///
    /// # Errors
    /// When an assertion of the RTL fails.
    fn reset(&mut self, settings: &Settings) -> Result<(), Failure>;

    /// One internal cycle: what it drives in it, given what it receives in it.
    ///
    /// # Errors
    /// When an assertion of the RTL fails.
    fn step(&mut self, inputs: &Frame, outputs: &mut Frame) -> Result<(), Failure>;

    /// The words that hold the probed registers after that cycle, as [`crate::rtl::Probes`] places them.
    fn registers(&mut self) -> &[u64];

    /// Whether flits and credits were on its wires in the last reset.
    fn came_in_reset(&self) -> bool {
        false
    }

    /// Packets at the front of a VC that can never leave, by reason. Only the model on this machine says so.
    fn stranded(&self) -> [u64; Stranded::COUNT] {
        [0; Stranded::COUNT]
    }
}
