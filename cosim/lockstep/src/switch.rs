//! `router-core` behind its pins, of the largest size that lockstep takes.

use router_core::pins::Pins;
use router_core::router::Router;
use router_core::vc::Descriptor;

/// Most flits in an output FIFO.
pub(crate) const FIFO: usize = 256;

/// Most VCs.
pub(crate) const V: usize = 8;

/// The model.
pub(crate) type Model<const P: usize> = Router<Vec<Descriptor>, P, V>;

/// The model behind its pins.
pub(crate) type Switch<const P: usize> = Pins<Vec<Descriptor>, P, V, FIFO>;
