//! What travels on a link.

use router_core::header::Flit;
use router_core::units::VcId;

/// What is on a wire in one cycle. A VC has the name that it has on the wire.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Signal {
    /// A flit for a VC of the receiver.
    Flit(VcId, Flit),
    /// A credit: the sender freed one place of this VC.
    Credit(VcId),
}
