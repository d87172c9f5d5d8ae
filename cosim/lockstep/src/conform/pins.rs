//! The pins of a foreign switch: which bits of which module port mean what, and their values in this cycle.

use super::bits::Bits;
use super::gate::Gate;
use std::sync::Arc;

/// All pins.
#[derive(Clone, Debug)]
pub(super) struct Pins {
    pub(super) driven: Vec<Wire>,
    pub(super) seen: Vec<Wire>,
    pub(super) input: Arc<SidePins>,
    pub(super) output: Arc<SidePins>,
    pub(super) errors: Vec<ErrorPin>,
}

/// A module port, and what is on it.
#[derive(Clone, Debug)]
pub(super) struct Wire {
    pub(super) name: String,
    pub(super) bits: Bits,
}

/// An output that reports errors.
#[derive(Clone, Debug)]
pub(super) struct ErrorPin {
    pub(super) name: String,
    pub(super) slot: Slot,
    /// Whether it was up at the last look.
    pub(super) is_up: bool,
}

/// The pins by which flits come in, or go out.
#[derive(Clone, Debug)]
pub(super) struct SidePins {
    pub(super) valid: Group,
    pub(super) flit: Group,
    pub(super) vc: Option<Group>,
    pub(super) head: Option<Group>,
    pub(super) tail: Option<Group>,
    pub(super) flow: FlowPins,
}

/// The pins that keep a sender from sending too much.
#[derive(Clone, Debug)]
pub(super) enum FlowPins {
    /// See [`Flow::Credit`].
    Credit { credit: Group, vc: Option<Group> },
    /// See [`Flow::ValidReady`].
    ValidReady { ready: Group, hold: bool },
    /// See [`Flow::OnOff`].
    OnOff { on: Group, freed: Option<Group>, slack: u64 },
}

impl FlowPins {
    /// Whether a sender has to see the signals of this cycle before it drives anything.
    pub(super) fn is_seen_first(&self) -> bool {
        match self {
            Self::Credit { .. } => false,
            Self::ValidReady { ready, .. } => ready.lanes > 1,
            Self::OnOff { .. } => true,
        }
    }

    /// For on/off flow control, its slack and whether VCs are freed.
    pub(super) fn gate(&self) -> Gate {
        Gate::new(match self {
            Self::OnOff { freed, slack, .. } => Some((*slack, freed.is_some())),
            _ => None,
        })
    }
}

/// A signal of every port, and perhaps of every VC.
#[derive(Clone, Debug)]
pub(super) struct Group {
    /// By port of the switch, then by lane, then by piece.
    pub(super) slots: Vec<Slot>,
    /// 1, or as many as there are VCs.
    pub(super) lanes: usize,
    /// Signals that make up one, the least significant first; 1 but for flits.
    pub(super) pieces: usize,
}

/// Bits of a module port.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    pub(super) wire: usize,
    pub(super) low: u32,
    pub(super) bits: u32,
}

impl Group {
    /// Bits of one signal.
    pub(super) fn bits(&self) -> u32 {
        self.slots.iter().take(self.pieces).map(|slot| slot.bits).sum()
    }

    fn pieces(&self, port: usize, lane: usize) -> &[Slot] {
        let first = (port * self.lanes + lane) * self.pieces;
        &self.slots[first..first + self.pieces]
    }
}

impl Pins {
    /// Sets a signal of a port of the switch.
    pub(super) fn put(&mut self, pin: Pin<'_>, value: u64) {
        let slot = pin.slot();
        self.driven[slot.wire].bits.put(slot.low, slot.bits, value);
    }

    /// Sets a wide signal of a port of the switch.
    pub(super) fn put_bits(&mut self, pin: Pin<'_>, value: &Bits) {
        let mut from = 0;
        for slot in pin.pieces() {
            self.driven[slot.wire].bits.put_all(slot.low, &value.part(from, slot.bits));
            from += slot.bits;
        }
    }

    /// Reads a signal of a port of the switch, as it was at the last look.
    pub(super) fn get(&self, pin: Pin<'_>) -> u64 {
        let slot = pin.slot();
        self.seen[slot.wire].bits.get(slot.low, slot.bits.min(64))
    }

    /// Reads a wide signal of a port of the switch, as it was at the last look.
    pub(super) fn get_bits(&self, pin: Pin<'_>) -> Bits {
        pin.bits(&self.seen)
    }

    /// Reads a signal that drives a port of the switch.
    pub(super) fn driven(&self, pin: Pin<'_>) -> u64 {
        let slot = pin.slot();
        self.driven[slot.wire].bits.get(slot.low, slot.bits.min(64))
    }

    /// Reads a wide signal that drives a port of the switch.
    pub(super) fn driven_bits(&self, pin: Pin<'_>) -> Bits {
        pin.bits(&self.driven)
    }

    /// The bits of one slot, as they were at the last look.
    pub(super) fn slot(&self, slot: Slot) -> Bits {
        self.seen[slot.wire].bits.part(slot.low, slot.bits)
    }
}

/// One signal of one port, or of one VC of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pin<'g> {
    group: &'g Group,
    port: usize,
    lane: usize,
}

impl Group {
    /// The signal of a port; with one lane per VC, that of the lane.
    pub(super) fn of(&self, port: usize, lane: usize) -> Pin<'_> {
        Pin { group: self, port, lane: if self.lanes == 1 { 0 } else { lane } }
    }
}

impl Pin<'_> {
    fn slot(&self) -> Slot {
        self.pieces()[0]
    }

    fn pieces(&self) -> &[Slot] {
        self.group.pieces(self.port, self.lane)
    }

    /// What is on it.
    fn bits(&self, wires: &[Wire]) -> Bits {
        let mut value = Bits::zeros(self.group.bits());
        let mut to = 0;
        for slot in self.pieces() {
            value.put_all(to, &wires[slot.wire].bits.part(slot.low, slot.bits));
            to += slot.bits;
        }
        value
    }
}
