//! Where the RTL shows the registers.

use super::{Register, VcRegister};

/// A module of the RTL that has registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Module {
    /// `dsv_router`.
    Router,
    /// `dsv_vc`.
    Vc,
    /// `dsv_output_port`.
    OutputPort,
    /// `dsv_allocator`.
    Allocator,
    /// `dsv_lfsr`.
    Lfsr,
    /// `dsv_notices`.
    Notices,
    /// `dsv_flags`.
    Flags,
    /// `dsv_lifetime`.
    Lifetime,
    /// `dsv_vl_stalls`.
    Stalls,
    /// `dsv_lifetime_tick`.
    LifetimeTick,
    /// `dsv_packet_ages`.
    PacketAges,
    /// `dsv_discards`.
    Discards,
}

impl Register {
    /// The module of the RTL that it is in, and the signal that shows it there.
    pub const fn signal(self) -> (Module, &'static str) {
        match self {
            Self::Vc(_, _, VcRegister::Candidates) => (Module::Vc, "candidates"),
            Self::Vc(_, _, VcRegister::Minimal | VcRegister::Request) => (Module::Vc, "asked"),
            Self::Vc(..) => (Module::Vc, "buffered"),
            Self::Contention(_) => (Module::Router, "contention_count"),
            Self::Credits(..) => (Module::Router, "credits"),
            Self::Owned(_) => (Module::Router, "owned"),
            Self::Queued(_) => (Module::OutputPort, "count"),
            Self::Errors(_) => (Module::Router, "error_count"),
            Self::Want(..) => (Module::Router, "want"),
            Self::GrantedVc(_) => (Module::Router, "grant_vc"),
            Self::GrantedOutput(_) => (Module::Router, "grant_output"),
            Self::InputArbiter(_) => (Module::Allocator, "input_states"),
            Self::Turn => (Module::Allocator, "turn"),
            Self::OutVcArbiter(_) => (Module::Allocator, "out_vc_states"),
            Self::Choice(_) => (Module::Allocator, "choices"),
            Self::InputOfOutVcArbiter(..) => (Module::Allocator, "input_of_out_vc_states"),
            Self::VlArbiter(_) => (Module::Allocator, "vl_states"),
            Self::Lfsr => (Module::Lfsr, "value"),
            Self::Phase => (Module::Router, "phase"),
            Self::Hops(..) => (Module::Vc, "set_hops"),
            Self::Leaving(..) => (Module::Vc, "leaving"),
            Self::Heard(..) => (Module::Notices, "heard"),
            Self::Contended(_) => (Module::Router, "contended_groups"),
            Self::NoticeDue => (Module::Notices, "left"),
            Self::NoticeTold => (Module::Notices, "out_valid"),
            Self::Flag(..) => (Module::Flags, "heard"),
            Self::Fresh(..) => (Module::Vc, "fresh"),
            Self::Discards(_) => (Module::Discards, "discarded"),
            Self::Age(..) => (Module::Lifetime, "age"),
            Self::LateDiscards(..) => (Module::Stalls, "late_discards"),
            Self::StalledFor(..) => (Module::Stalls, "stalled_for"),
            Self::LifetimeTick => (Module::LifetimeTick, "place"),
            Self::Aged(..) => (Module::PacketAges, "aged"),
        }
    }
}
