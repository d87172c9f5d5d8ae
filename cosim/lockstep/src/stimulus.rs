//! What is done to a router: packets that arrive, credits that come late or not at all, a reset, broken neighbours.
//!
//! A stimulus says what *should* happen; the [`super::driver::Driver`] turns it into legal wires, cycle by cycle.

use super::settings::Settings;
use crate::shape::Shape;
use router_core::header::{Address, Carried, Header, Packet, Progress};
use router_core::layout;
use serde::{Deserialize, Serialize};

/// One run from reset to its last cycle. All times are internal cycles.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stimulus {
    /// How long it is.
    pub cycles: u32,
    /// Cycles between two flits on one input wire, at least 1.
    pub pace: u32,
    /// Cycles until the credit for a flit comes back.
    pub credit_delay: u32,
    /// Whether flits are sent without regard to credits, as no good neighbour would.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub overdraws: bool,
    /// What the router is configured with.
    #[serde(default, skip_serializing_if = "Settings::is_default")]
    pub settings: Settings,
    /// A reset in the middle.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reset_at: Option<u32>,
    /// Outputs behind which nothing moves for a while.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stalls: Vec<Stall>,
    /// Wires that say what no good neighbour would.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub noise: Vec<Noise>,
    /// Errors everywhere at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flood: Option<Flood>,
    /// What the other routers of the group tell, in order of time.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<NoticeIn>,
    /// Packets, each in its turn on its VC.
    #[serde(default)]
    pub packets: Vec<PacketIn>,
}

/// No credits from one neighbour, for a while.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stall {
    /// The output port.
    pub port: usize,
    /// Its first cycle.
    pub from: u32,
    /// How long it lasts.
    pub cycles: u32,
}

/// One flit or credit that does not belong there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Noise {
    /// When.
    pub at: u32,
    /// The port.
    pub port: usize,
    /// The VC, by its name on the wire, whether there is one or not.
    pub vc: u8,
    /// What is on the wire.
    pub kind: NoiseKind,
}

/// Counters that a router of the group sends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NoticeIn {
    /// When.
    pub at: u32,
    /// The place of its sender among the local ports.
    pub from: usize,
    /// How many of its packets are leaving for each group.
    pub counts: Vec<u16>,
}

/// What a broken neighbour may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoiseKind {
    /// A credit for a flit that was never sent.
    Credit,
    /// The head of a packet of no flits.
    EmptyHead,
    /// A head of a packet of three flits, to nowhere.
    Head,
    /// A body flit.
    Body,
    /// A last flit.
    Tail,
}

impl NoiseKind {
    /// Flits that a head of noise says its packet has.
    pub(crate) const FLITS: u16 = 3;
}

/// From a cycle on, each port gets a credit and a flit in every cycle, as no good neighbour would send them: soon the counters
/// of errors are at their end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Flood {
    /// The first cycle.
    pub from: u32,
    /// The VC, by its name on the wire.
    pub vc: u8,
    /// What the flit is.
    pub kind: NoiseKind,
}

/// A packet that arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PacketIn {
    /// The earliest cycle of its head.
    pub at: u32,
    /// The input port.
    pub port: usize,
    /// The VC, by its name on the wire.
    pub vc: u8,
    /// The router it is for, by its address in the header.
    pub to_router: u32,
    /// The port of that router.
    pub to_port: u8,
    /// Its flits.
    pub length: u16,
    /// What it has done so far, as in the header.
    #[serde(default)]
    pub progress: u8,
    /// The field `via` of the header, where the routing reads it; any elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub via: Option<u32>,
}

impl PacketIn {
    /// The packet, with a number that finds it again.
    pub fn packet(&self, tag: u32) -> Packet {
        // The fields that a router only carries differ from packet to packet: a hash of the number.
        let mixed = tag.wrapping_add(1).wrapping_mul(0x9e37_79b9);
        let source = Address { router: mixed >> 14, port: (mixed >> 8) as u8 };
        let carried = Carried::default().with_source(source).with_level((mixed >> 4) as u8);
        let carried = carried.with_spare((mixed >> 12) as u8).with_marks(mixed & 1 == 1, mixed & 2 == 2);
        let header = Header {
            to: Address { router: self.to_router, port: self.to_port },
            via: self.via.unwrap_or(mixed >> 3) & ((1 << layout::VIA_BITS) - 1),
            length: self.length,
            progress: Progress::from_bits(self.progress),
            carried,
        };
        Packet { header, tag }
    }
}

impl Stimulus {
    /// Whether each flit that leaves differs from every other: not when broken packets are about.
    pub fn follows_payload(&self) -> bool {
        self.noise.is_empty() && !self.overdraws && self.flood.is_none()
    }

    /// What is wrong with a stimulus for a router of this shape, if anything.
    pub fn violation(&self, shape: &Shape) -> Option<String> {
        let port = |port: usize| port >= shape.ports;
        let vc = |vc: u8| usize::from(vc) >= 1 << shape.vc_bits();
        if let Some(at) = self.packets.iter().position(|p| port(p.port) || vc(p.vc) || p.length > 1023) {
            return Some(format!("packet {at}: the router has no such port or VC, or it is too long"));
        }
        if let Some(at) = self.noise.iter().position(|n| port(n.port) || vc(n.vc)) {
            return Some(format!("noise {at}: the router has no such port or VC"));
        }
        let tells = |notice: &NoticeIn| {
            let fits = |&count: &u16| u32::from(count) < 1 << shape.notice_bits();
            notice.from < shape.others()
                && notice.counts.len() == shape.told()
                && notice.counts.iter().all(fits)
        };
        if let Some(at) = self.notices.iter().position(|notice| !tells(notice)) {
            return Some(format!("notice {at}: no router of the group tells that"));
        }
        if self.flood.is_some_and(|flood| vc(flood.vc)) {
            return Some("flood: the router has no such VC".to_owned());
        }
        self.stalls
            .iter()
            .position(|s| port(s.port))
            .map(|at| format!("stall {at}: the router has no such port"))
            .or_else(|| self.settings.violation(shape))
    }
}
