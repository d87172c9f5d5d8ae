//! Shadows: second implementations of routers inside the network. Each gets what its model gets and has to drive what its
//! model drives, on every wire and in every cycle.

use router_core::header::Flit;
use router_core::units::{PortId, VcId};
use std::error::Error;
use std::fmt::Debug;

/// A second implementation of one router, stepped beside its model.
pub trait Shadow: Debug {
    /// A flit was on the input wire of `port` in the internal cycle before.
    fn receive_flit(&mut self, port: PortId, vc: VcId, flit: &Flit);
    /// A credit was on the input wire of `port` in the internal cycle before.
    fn receive_credit(&mut self, port: PortId, vc: VcId);
    /// The model puts a flit on the wire of `port` in internal cycle `at`: the shadow has to, too.
    fn expect_flit(&mut self, port: PortId, vc: VcId, at: u64, flit: &Flit);
    /// The model returns a credit in internal cycle `at`: the shadow has to, too.
    fn expect_credit(&mut self, port: PortId, vc: VcId, at: u64);
    /// Internal cycle `cycle`, of which everything is known.
    ///
    /// # Errors
    /// When it drove something else than was expected.
    fn step(&mut self, cycle: u64) -> Result<(), Box<Difference>>;
}

/// Why a shadow could not be started.
pub type ShadowError = Box<dyn Error + Send + Sync>;

/// What a shadow drove instead of what its model did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The output port.
    pub port: u8,
    /// What the model drives.
    pub expected: String,
    /// What the shadow drives, or the assertion that failed in it.
    pub got: String,
}
