//! What a switch reports besides what its router reports itself (detours and protocol errors).

use router_core::route::HopKind;
use router_core::units::{PortId, VcId};

/// One event, in an internal cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Event {
    /// The head of a packet has come.
    Arrived {
        /// By this port,
        port: PortId,
        /// for this VC,
        vc: VcId,
        /// with this tag.
        tag: u32,
        /// Its flits.
        flits: u16,
        /// Where it goes: a router,
        router: u32,
        /// and its port.
        node: u8,
    },
    /// A waiting packet requests an output that it did not request before.
    Decided {
        /// At this input,
        port: PortId,
        /// in this VC,
        vc: VcId,
        /// it requests this output,
        output: PortId,
        /// on this kind of hop,
        hop: HopKind,
        /// because of this.
        reason: Reason,
    },
    /// A packet has got an output.
    Granted {
        /// At this input,
        port: PortId,
        /// in this VC,
        vc: VcId,
        /// it got this output,
        output: PortId,
        /// into this VC.
        out_vc: VcId,
    },
    /// The router refused a flit or credit: a packet without a route, or a neighbour that broke the protocol.
    Refused {
        /// Protocol errors so far.
        errors: u32,
    },
}

/// Why a packet requests this output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Reason {
    /// There is no detour.
    NoDetour,
    /// There are detours, but the minimal output is not congested: so many packets have it as theirs.
    Calm {
        /// Packets.
        wanted_by: u16,
    },
    /// The minimal output is congested: so many packets have it as theirs.
    Congested {
        /// Packets.
        wanted_by: u16,
    },
    /// A detour is due, however full the queues are.
    Due,
}

/// Hands an event to the logger, if one is built in.
#[inline(always)]
pub(crate) fn emit(cycle: u64, event: Event) {
    #[cfg(feature = "defmt")]
    defmt::info!("{=u64}: {}", cycle, event);
    let _ = (cycle, event);
}
