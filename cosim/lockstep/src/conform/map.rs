//! The map: what the signals of a foreign switch are called and what their bits mean.
//!
//! `docs/conform.md` explains every key to its writer; `read` turns the file into this.

use super::document::{Document, Place};
use super::rule::Rule;
use super::slice::Vectors;
use desvio_sim::scenario::Refusal;
use thiserror::Error;

/// A port map, read and checked as far as that is possible without the scenario and the Verilog.
#[derive(Clone, Debug)]
pub struct PortMap {
    pub(super) document: Document,
    pub(super) clock: Named,
    pub(super) reset: Option<Reset>,
    /// Ports of the switch.
    pub(super) ports: usize,
    /// What stands for `{port}` in names, by port, where it is no number.
    pub(super) port_names: Option<Vec<String>>,
    /// For each port of the scenario's router, the switch's port; ports that are missing keep their number.
    pub(super) order: Option<(Vec<usize>, Place)>,
    /// VCs of each port on the wires; without it, as many as the scenario's widest port has.
    pub(super) vcs: Option<u32>,
    /// Cycles of the clock per flit on a link; without it, the scenario's speedup.
    pub(super) cycles_per_flit: Option<u64>,
    /// Which way vectors are declared.
    pub(super) vectors: Vectors,
    pub(super) parameters: Vec<(Named, Setting)>,
    pub(super) constants: Vec<(Named, Setting)>,
    pub(super) input: Side,
    pub(super) output: Side,
    pub(super) flit: Fields,
    /// Outputs that report errors.
    pub(super) errors: Vec<Named>,
    /// Rules that do not end the run when they break.
    pub(super) allow: Vec<Rule>,
}

/// A name, and where it is written.
#[derive(Clone, Debug)]
pub(super) struct Named {
    pub(super) text: String,
    pub(super) at: Place,
}

/// The reset input.
#[derive(Clone, Debug)]
pub(super) struct Reset {
    pub(super) name: Named,
    /// The level that resets.
    pub(super) active: bool,
    /// Cycles to hold it.
    pub(super) cycles: u64,
}

/// The signals by which flits come in, or go out.
#[derive(Clone, Debug)]
pub(super) struct Side {
    /// Such as `input`.
    pub(super) key: &'static str,
    pub(super) valid: Named,
    /// The signals that carry the flit, the least significant first; one at least.
    pub(super) flit: Vec<Named>,
    /// The number of the flit's VC, beside the flit.
    pub(super) vc: Option<Named>,
    /// Whether the flit is the first of its packet, beside the flit.
    pub(super) head: Option<Named>,
    /// Whether it is the last, beside the flit.
    pub(super) tail: Option<Named>,
    pub(super) flow: Flow,
    /// Flits that the buffer of each VC behind this side holds; without it, what the scenario says.
    pub(super) buffer_flits: Option<u32>,
}

impl Side {
    /// Where the flit's signal stands, or the first of them.
    pub(super) fn flit_at(&self) -> Place {
        self.flit.first().map_or(0..0, |named| named.at.clone())
    }
}

/// What keeps a sender from sending too much.
#[derive(Clone, Debug)]
pub(super) enum Flow {
    /// A signal for each place that has become free.
    Credit {
        credit: Named,
        /// The number of the VC whose place it is; without it, `credit` has one bit per VC.
        vc: Option<Named>,
    },
    /// A flit is taken in a cycle in which both are high.
    ValidReady {
        ready: Named,
        /// Whether a flit that was offered stays until it is taken.
        hold: bool,
    },
    /// Flits may be sent to a VC while its `on` is high, and are taken.
    OnOff {
        on: Named,
        /// High for a cycle when a VC is free again: until then it is one packet's. Without it, packets follow each other.
        freed: Option<Named>,
        /// Cycles for which flits may still come when `on` has gone low.
        slack: u64,
    },
}

/// What a parameter or an input is set to for the whole run.
#[derive(Clone, Debug)]
pub(super) struct Setting {
    pub(super) value: Value,
    pub(super) at: Place,
}

/// The value of a [`Setting`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    Whole(u64),
    /// Text of Verilog or, for a constant, `0x…` of any length.
    Text(String),
    /// What the scenario says about the router under test.
    From {
        source: Source,
        bits: u32,
    },
}

/// Facts about the switch's place that the scenario can supply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// The address of the router under test, as headers name it.
    Address,
    /// For each address, the lowest port of the switch on a shortest way there.
    NextPort,
    /// A bit per port of the switch: whether a node is there.
    NodePorts,
    /// A bit per port of the switch: whether anything is there.
    WiredPorts,
}

/// Where the parts of a flit are.
#[derive(Clone, Debug)]
pub(super) struct Fields {
    pub(super) head: Option<Field>,
    pub(super) tail: Option<Field>,
    pub(super) kind: Option<Kind>,
    pub(super) vc: Option<Field>,
    /// Parts of the header, in head flits only.
    pub(super) header: Vec<(Part, Field)>,
    /// Whether the switch writes into `next_port` by which port the packet leaves the next router.
    pub(super) lookahead: bool,
    /// Bits of every flit that keep one value.
    pub(super) constants: Vec<(Field, Setting)>,
    /// What `length` says of the length of a packet.
    pub(super) count: Count,
    /// The packet's number, in every flit.
    pub(super) number: Field,
    /// The flit's place in its packet, in every flit.
    pub(super) index: Field,
    /// Parts of the header that the switch may change.
    pub(super) rewrites: Vec<Part>,
    /// Lengths of the packets to send, in flits; without it, the scenario's.
    pub(super) lengths: Option<(Vec<u16>, Place)>,
}

/// How a field counts the flits of a packet: `(flits + offset) × unit`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Count {
    /// Such as −1 where the head is not counted.
    pub(super) offset: i64,
    /// Such as 4 where a flit has four bytes and these are counted.
    pub(super) unit: u64,
}

impl Count {
    /// The flits themselves.
    pub(super) const FLITS: Self = Self { offset: 0, unit: 1 };

    /// What stands for so many flits; `None` below 0.
    pub(super) fn of(self, flits: u64) -> Option<u64> {
        flits.checked_add_signed(self.offset)?.checked_mul(self.unit)
    }
}

/// Bits that belong together.
#[derive(Clone, Debug)]
pub(super) struct Field {
    /// Such as `flit.number`.
    pub(super) path: String,
    /// Lowest bit and number of bits of each piece, the least significant piece first.
    pub(super) pieces: Vec<(u32, u32)>,
    pub(super) at: Place,
}

impl Field {
    /// How many bits there are.
    pub(super) fn bits(&self) -> u32 {
        self.pieces.iter().map(|(_, bits)| bits).sum()
    }
}

/// A field that says first, later, last or only flit by one number.
#[derive(Clone, Debug)]
pub(super) struct Kind {
    pub(super) field: Field,
    /// The numbers of a head, a body, a tail, and a head that is a tail.
    pub(super) head: u64,
    pub(super) body: u64,
    pub(super) tail: u64,
    pub(super) single: u64,
}

/// A part of the header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// All of Desvio's own header.
    Header,
    /// The destination router's address.
    ToRouter,
    /// The port of the destination router that leads to the node.
    ToPort,
    /// The intermediate router or group.
    Via,
    /// What the packet has done so far.
    Progress,
    /// Flits of the packet.
    Length,
    /// The port of this switch by which the packet has to leave.
    NextPort,
}

impl Part {
    /// Every part and its key.
    pub(super) const ALL: &'static [(&'static str, Self)] = &[
        ("header", Self::Header),
        ("to_router", Self::ToRouter),
        ("to_port", Self::ToPort),
        ("via", Self::Via),
        ("progress", Self::Progress),
        ("length", Self::Length),
        ("next_port", Self::NextPort),
    ];
}

/// Why there is no map. The text is complete: several lines, ready to be printed.
#[derive(Debug, Error)]
pub enum MapError {
    /// The file could not be read at all.
    #[error("{file}: cannot read the map: {reason}")]
    Unreadable {
        /// The file, as it was asked for.
        file: String,
        /// What the system said.
        reason: String,
    },
    /// Something in the file is wrong.
    #[error("{0}")]
    Refused(Box<Refusal>),
}

impl PortMap {
    /// What stands for `{port}` in a name.
    pub(super) fn port_name(&self, port: usize) -> String {
        let named = self.port_names.as_ref().and_then(|names| names.get(port));
        named.cloned().unwrap_or_else(|| port.to_string())
    }

    /// The switch's port for a port of the scenario's router.
    pub(super) fn switch_port(&self, port: usize) -> usize {
        let ordered = self.order.as_ref().and_then(|(order, _)| order.get(port));
        ordered.copied().unwrap_or(port)
    }
}
