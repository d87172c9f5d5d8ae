//! The units by which a router's cost is listed.

use serde::{Deserialize, Serialize};

/// A unit of the router. Its modules are synthesised by themselves; `Ports` and `Crossbar` are what the modules that hold the
/// others have beside them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// Every legal way on of a head, its minimal output, its header as it leaves; the routing table.
    Route,
    /// Contention counters and their comparators, and what a group counts together.
    Contention,
    /// Minimal or a detour, one for each VC of each input; the mean occupancy and the random register that it reads.
    Select,
    /// Which requests hold against this cycle's credits, one for each VC of each input.
    Admit,
    /// Who gets which output.
    Allocator,
    /// Credits of each output.
    Credits,
    /// The VCs: flit memories, their pointers, the state of the front packet, for how long it has waited.
    Buffers,
    /// Output FIFOs, who holds the VCs behind them, and which of these are stalled.
    Output,
    /// An input port beside its units: multiplexers between its VCs.
    Ports,
    /// The router beside its units: the crossbar, registers of inputs and configuration.
    Crossbar,
    /// Counters of protocol errors, and of packets that are discarded.
    Errors,
}

impl Unit {
    /// All units, in the order in which a packet meets them.
    pub const ALL: [Self; 11] = [
        Self::Buffers,
        Self::Route,
        Self::Contention,
        Self::Select,
        Self::Admit,
        Self::Allocator,
        Self::Ports,
        Self::Crossbar,
        Self::Credits,
        Self::Output,
        Self::Errors,
    ];

    /// The unit that a module of the RTL belongs to; `None` for a module inside a unit.
    #[must_use]
    pub fn of(module: &str) -> Option<Self> {
        Some(match module {
            "routed_head" | "onward" | "routing_table" => Self::Route,
            "contention" | "notices" | "flags" | "piggyback" | "contended_links" => Self::Contention,
            "select" | "occupancy" | "shares" | "queues" | "lfsr" => Self::Select,
            "admit" | "admitted" | "feasible" | "fits" => Self::Admit,
            "allocator" => Self::Allocator,
            "credit" => Self::Credits,
            "vc" | "lifetime" | "packet_ages" => Self::Buffers,
            "output_port" | "vl_stalls" | "lifetimes" | "lifetime_tick" => Self::Output,
            "input_port" => Self::Ports,
            "router" | "granted" => Self::Crossbar,
            "errors" | "discards" => Self::Errors,
            _ => return None,
        })
    }

    /// Whether other units are inside: then what is beside them is the part.
    pub(super) fn holds_others(module: &str) -> bool {
        matches!(module, "router" | "input_port")
    }

    /// The word in tables and files.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Route => "route",
            Self::Contention => "contention",
            Self::Select => "select",
            Self::Admit => "admit",
            Self::Allocator => "allocator",
            Self::Credits => "credits",
            Self::Buffers => "buffers",
            Self::Output => "output",
            Self::Ports => "ports",
            Self::Crossbar => "crossbar",
            Self::Errors => "errors",
        }
    }
}
