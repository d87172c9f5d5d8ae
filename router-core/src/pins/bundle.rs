//! The wires of all ports of a router in one direction, as they are in one cycle.

use super::{FlitSignal, PortSignals};
use crate::header::{Flit, Packet};
use crate::per_port::PerPort;
use crate::units::{PortId, PortSet, VcId};

/// What is on the wires of `P` ports in one cycle: at each port at most one flit, and at most one credit.
///
/// Ports without a signal cost nothing, and flits without a header cost two bytes.
#[derive(Clone, Debug)]
pub struct Bundle<const P: usize> {
    /// Ports with a flit, with the head of a packet, and with a credit.
    flits: PortSet,
    heads: PortSet,
    credits: PortSet,
    flit_slots: PerPort<Slot, P>,
    credit_vcs: PerPort<VcId, P>,
    packets: PerPort<Packet, P>,
}

/// A flit but for its packet, which only heads have.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Slot {
    pub(super) vc: VcId,
    pub(super) kind: Kind,
}

/// The kind of a flit. The lowest bit is set at the tail of a packet of several flits.
#[repr(u8)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Kind {
    #[default]
    Head = 0,
    Body = 2,
    Tail = 3,
}

impl Kind {
    /// Whether it is a later flit, and the last one.
    #[inline(always)]
    pub(super) const fn is_tail(self) -> bool {
        self as u8 & 1 != 0
    }
}

impl Slot {
    #[inline(always)]
    pub(super) const fn new(vc: VcId, flit: &Flit) -> Self {
        let kind = match flit {
            Flit::Head(_) => Kind::Head,
            Flit::Body { tail: false } => Kind::Body,
            Flit::Body { tail: true } => Kind::Tail,
        };
        Self { vc, kind }
    }

    #[inline(always)]
    pub(super) fn is_head(self) -> bool {
        self.kind == Kind::Head
    }
}

impl<const P: usize> Bundle<P> {
    /// Each port's signals, from a function of the port's index.
    pub fn from_fn(mut signals: impl FnMut(usize) -> PortSignals) -> Self {
        let mut all = Self::default();
        (0..P).for_each(|port| all.set(PortId::new(port as u8), signals(port)));
        all
    }

    /// The ports with a signal.
    #[inline(always)]
    pub fn busy(&self) -> PortSet {
        self.flits.union(self.credits)
    }

    /// The signals of a port.
    #[inline(always)]
    pub fn at(&self, port: PortId) -> PortSignals {
        PortSignals { flit: self.flit(port), credit: self.credit(port) }
    }

    /// The signals of each port, one after the other.
    pub fn iter(&self) -> impl Iterator<Item = PortSignals> {
        (0..P).map(|port| self.at(PortId::new(port as u8)))
    }

    /// The flit at a port.
    #[inline(always)]
    pub fn flit(&self, port: PortId) -> Option<FlitSignal> {
        self.slot(port).map(|(Slot { vc, kind }, packet)| {
            let flit = match kind {
                Kind::Head => Flit::Head(*packet),
                kind => Flit::Body { tail: kind.is_tail() },
            };
            FlitSignal { vc, flit }
        })
    }

    /// The flit at a port, and what is its packet if it is a head.
    #[inline(always)]
    pub(super) fn slot(&self, port: PortId) -> Option<(Slot, &Packet)> {
        if self.flits.contains(port) {
            Some((self.flit_slots.at(port), self.packets.get(port)?))
        } else {
            None
        }
    }

    /// The credit at a port.
    #[inline(always)]
    pub fn credit(&self, port: PortId) -> Option<VcId> {
        if self.credits.contains(port) { self.credit_vcs.get(port).copied() } else { None }
    }

    /// Replaces the signals of a port. A port of `P` or above stays without a signal.
    #[inline]
    pub fn set(&mut self, port: PortId, signals: PortSignals) {
        if port.index() < P {
            self.flits.remove(port);
            self.heads.remove(port);
            self.credits.remove(port);
            self.add(port, &signals);
        }
    }

    /// Signals come at a port that has none.
    #[inline(always)]
    pub fn add(&mut self, port: PortId, signals: &PortSignals) {
        if port.index() >= P {
            return;
        }
        if let Some(FlitSignal { vc, flit }) = &signals.flit {
            self.flits.insert(port);
            self.put(port, Slot::new(*vc, flit), || match flit {
                Flit::Head(packet) => *packet,
                Flit::Body { .. } => Packet::default(),
            });
        }
        if let Some(vc) = signals.credit {
            self.credits.insert(port);
            self.credit_vcs.set(port, vc);
        }
    }

    /// These ports have flits, which are yet to be [put](Self::put) there, and no other port has one.
    #[inline(always)]
    pub(super) const fn begin_flits(&mut self, ports: PortSet) {
        (self.flits, self.heads) = (ports, PortSet::EMPTY);
    }

    /// A flit is on the wire of a port.
    #[inline(always)]
    pub(super) fn put(&mut self, port: PortId, slot: Slot, packet: impl FnOnce() -> Packet) {
        self.flit_slots.set(port, slot);
        if slot.is_head() {
            self.heads.insert(port);
            self.packets.set(port, packet());
        }
    }

    /// No port has a signal.
    #[inline(always)]
    pub const fn clear(&mut self) {
        (self.flits, self.heads, self.credits) = (PortSet::EMPTY, PortSet::EMPTY, PortSet::EMPTY);
    }

    /// These ports have credits for these VCs, and no other port has one.
    #[inline(always)]
    pub(super) fn set_credits(&mut self, ports: PortSet, vcs: &PerPort<VcId, P>) {
        self.credits = ports;
        if !ports.is_empty() {
            self.credit_vcs.clone_from(vcs);
        }
    }

    /// The signals of another bundle, copied.
    #[inline(always)]
    pub(super) fn copy_from(&mut self, other: &Self) {
        (self.flits, self.heads) = (other.flits, other.heads);
        if !other.flits.is_empty() {
            self.flit_slots.clone_from(&other.flit_slots);
        }
        for port in other.heads {
            self.packets.set(port, other.packets.at(port));
        }
        self.set_credits(other.credits, &other.credit_vcs);
    }
}

impl<const P: usize> Default for Bundle<P> {
    /// No signal at any port.
    fn default() -> Self {
        Self {
            flits: PortSet::EMPTY,
            heads: PortSet::EMPTY,
            credits: PortSet::EMPTY,
            flit_slots: PerPort::default(),
            credit_vcs: PerPort::default(),
            packets: PerPort::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::header::Header;
    use proptest::prelude::*;

    fn signals() -> impl Strategy<Value = PortSignals> {
        let flit = (any::<u8>(), 0u8..3, any::<u16>()).prop_map(|(vc, kind, n)| {
            let packet = Packet { header: Header { via: n.into(), ..Header::default() }, tag: n.into() };
            let flit = if kind == 0 { Flit::Head(packet) } else { Flit::Body { tail: kind == 1 } };
            FlitSignal { vc: VcId::new(vc), flit }
        });
        let credit = proptest::option::of(any::<u8>().prop_map(VcId::new));
        (proptest::option::of(flit), credit).prop_map(|(flit, credit)| PortSignals { flit, credit })
    }

    proptest! {
        /// What is set at a port is there, whatever was there before, and nothing is at a port that does not exist.
        #[test]
        fn agrees_with_an_array(sets in proptest::collection::vec((prop_oneof![0u8..9, 63u8..70], signals()), 0..40)) {
            let (mut bundle, mut copy) = (Bundle::<5>::default(), Bundle::<5>::default());
            let mut array = [PortSignals::default(); 5];
            for (port, signals) in sets {
                bundle.set(PortId::new(port), signals);
                match array.get_mut(usize::from(port)) {
                    Some(place) => *place = signals,
                    None => bundle.add(PortId::new(port), &signals),
                }
                copy.copy_from(&bundle);
                let made = Bundle::<5>::from_fn(|port| array.get(port).copied().unwrap_or_default());
                for bundle in [&bundle, &copy, &made] {
                    prop_assert!(bundle.iter().eq(array));
                    prop_assert_eq!(bundle.at(PortId::new(port.max(5))), PortSignals::default());
                    let busy = array.map(|signals| signals.flit.is_some() || signals.credit.is_some());
                    let is_busy = |port: u8| busy.get(usize::from(port)).copied().unwrap_or_default();
                    let agrees = (0..64).all(|port| bundle.busy().contains(PortId::new(port)) == is_busy(port));
                    prop_assert!(agrees);
                }
            }
            bundle.clear();
            prop_assert!(bundle.busy().is_empty() && bundle.iter().eq([PortSignals::default(); 5]));
        }
    }
}
