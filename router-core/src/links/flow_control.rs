//! When packets move.

use crate::layout;

/// When a packet may move to the next buffer.
#[repr(u8)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum FlowControl {
    /// Virtual cut-through: when there is room for all of it.
    #[default]
    Vct = layout::FLOW_VCT as u8,
    /// When there is room for one flit; for all of it on a misroute (patent, claim 8).
    Wormhole = layout::FLOW_WORMHOLE as u8,
    /// When there is room for all of it, and all of it has arrived.
    StoreAndForward = layout::FLOW_STORE_AND_FORWARD as u8,
    /// Circuit switching: the head alone, a probe that holds each VC on its way; the rest when an answer has come back along them. The
    /// RTL has neither this nor the next one: their numbers are odd, as that of a wormhole, since flits move as its flits do.
    Circuit = 3,
    /// Circuit switching whose probes never wait for a VC that another packet holds: a probe goes back a router and tries another way.
    PipelinedCircuit = 5,
    /// Mad postman: a wormhole that moves on in its dimension before its address has been read, and leaves that behind where it turns. The
    /// RTL does not have it either.
    MadPostman = 7,
}

crate::words!(FlowControl {
    "vct" => [Self::Vct],
    "wormhole" => [Self::Wormhole],
    "store-and-forward" => [Self::StoreAndForward],
    "circuit" => [Self::Circuit],
    "pipelined-circuit" => [Self::PipelinedCircuit],
    "mad-postman" => [Self::MadPostman],
});

impl FlowControl {
    /// Whether a flit moves as soon as there is room for it, whatever is behind it: as in a wormhole, and in a circuit.
    #[inline(always)]
    pub const fn by_flit(self) -> bool {
        self as u8 & 1 == 1
    }

    /// Whether the head goes ahead and the rest waits for an answer.
    pub const fn is_circuit(self) -> bool {
        matches!(self, Self::Circuit | Self::PipelinedCircuit)
    }

    /// Whether a head that finds its way taken goes back. The feature `small` leaves that out: a microcontroller has no wires for answers.
    #[inline(always)]
    pub const fn backtracks(self) -> bool {
        !cfg!(feature = "small") & matches!(self, Self::PipelinedCircuit)
    }

    /// Whether a packet moves on before its address has been read, with an address for each dimension ahead of it. The feature `small`
    /// leaves that out.
    #[inline(always)]
    pub const fn goes_ahead(self) -> bool {
        !cfg!(feature = "small") & matches!(self, Self::MadPostman)
    }

    /// Whether two packets are never in a VC unless a scenario says otherwise.
    pub const fn is_atomic(self) -> bool {
        self.is_circuit() | matches!(self, Self::MadPostman)
    }

    /// Its number in the RTL, which has neither circuits nor mad postman.
    pub fn rtl(self) -> Option<u32> {
        matches!(self, Self::Vct | Self::Wormhole | Self::StoreAndForward).then_some(self as u32)
    }

    /// Free places that the head of a packet needs for a hop.
    #[inline(always)]
    pub const fn room(self, length: u16, is_minimal: bool) -> u16 {
        if self.by_flit() & is_minimal { 1 } else { length }
    }
}
