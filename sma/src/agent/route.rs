//! The way of a packet: along the directed route in it, by LID, or to this node.
//!
//! Source: InfiniBand Architecture Specification, volume 1, 14.2.2 (the directed route), 14.2.2.1 to 14.2.2.4.

use super::{Agent, Handled, Kind, NOWHERE, Onward, Via};
use crate::mad::{DIRECTED, HOPS, LID_ROUTED, PERMISSIVE, Packet, TRAP, attribute};

/// What the directed route says at this node.
enum Step {
    /// On, by this port.
    Out(u8),
    /// Its end: on by LID from here.
    ByLid(u16),
    /// To this node.
    Here,
    /// It makes no sense.
    Wrong,
}

impl<T: AsRef<[u8]> + AsMut<[u8]>, const P: usize> Agent<T, P> {
    pub(super) fn forward(&mut self, packet: &mut Packet, via: Via) -> Handled {
        let by_lid = packet.dlid != PERMISSIVE;
        if by_lid && !self.is_own(packet.dlid) {
            return self.by_lid(packet.dlid, via);
        }
        match packet.class() {
            LID_ROUTED if by_lid => self.receive(packet, via),
            DIRECTED => match self.step(packet, via) {
                Step::Out(port) => self.out(port),
                Step::ByLid(lid) => {
                    packet.dlid = lid;
                    if self.is_own(lid) { self.receive(packet, via) } else { self.by_lid(lid, via) }
                }
                Step::Here => self.receive(packet, via),
                Step::Wrong => Handled::new(Onward::Discarded),
            },
            // Of other classes, such as subnet administration, only a program at this node can know.
            _ if by_lid => Handled::new(Onward::Up),
            _ => Handled::new(Onward::Discarded),
        }
    }

    /// The agent answers what is for it; the rest is for programs.
    fn receive(&mut self, packet: &mut Packet, via: Via) -> Handled {
        let is_for_manager = packet.method() == TRAP || packet.attribute() == attribute::SM_INFO;
        if packet.is_response() || is_for_manager {
            return Handled::new(Onward::Up);
        }
        let Some(link) = self.answer(packet, via) else { return Handled::new(Onward::Discarded) };
        let back = match packet.class() {
            DIRECTED => match self.step(packet, via) {
                Step::Out(port) => self.out(port),
                Step::ByLid(lid) if !self.is_own(lid) => self.by_lid(lid, Via::Itself),
                Step::ByLid(_) | Step::Here => Handled::new(Onward::Up),
                Step::Wrong => Handled::new(Onward::Discarded),
            },
            _ if self.is_own(packet.dlid) => Handled::new(Onward::Up),
            _ => self.by_lid(packet.dlid, Via::Itself),
        };
        Handled { link, ..back }
    }

    fn step(&self, packet: &mut Packet, via: Via) -> Step {
        if packet.hops() > HOPS {
            Step::Wrong
        } else if packet.returns() {
            self.step_back(packet)
        } else {
            self.step_there(packet, via)
        }
    }

    /// A packet on its way there: the hop pointer counts up, and each node writes down where it came in.
    fn step_there(&self, packet: &mut Packet, via: Via) -> Step {
        let (hop, hops) = (packet.hop(), packet.hops());
        let next = hop.saturating_add(1);
        let came = match via {
            Via::Itself => 0,
            Via::Port(port) => port,
        };
        if hop == 0 && hops > 0 {
            packet.set_hop(next);
            return if via == Via::Itself { Step::Out(packet.out(next)) } else { Step::Wrong };
        }
        if hop < hops {
            packet.set_back(hop, came);
            packet.set_hop(next);
            return if self.is_switch() { Step::Out(packet.out(next)) } else { Step::Wrong };
        }
        if hop == hops {
            if hops > 0 {
                packet.set_back(hop, came);
            }
            packet.set_hop(next);
            return match packet.outer() {
                (_, PERMISSIVE) => Step::Here,
                (_, lid) if self.is_switch() || self.is_own(lid) => Step::ByLid(lid),
                _ => Step::Wrong,
            };
        }
        // Behind the route, which it left by LID.
        if hop == hops.saturating_add(1) { Step::Here } else { Step::Wrong }
    }

    /// A packet on its way back: the pointer counts down.
    fn step_back(&self, packet: &mut Packet) -> Step {
        let (hop, hops) = (packet.hop(), packet.hops());
        let before = hop.saturating_sub(1);
        if hop == 0 {
            return Step::Here;
        }
        packet.set_hop(before);
        if hop > hops.saturating_add(1) {
            return Step::Wrong;
        }
        if hop == 1 {
            return match packet.outer() {
                (PERMISSIVE, _) => Step::Here,
                (lid, _) => Step::ByLid(lid),
            };
        }
        let starts = hop == hops.saturating_add(1);
        if starts || self.is_switch() { Step::Out(packet.back(before)) } else { Step::Wrong }
    }

    fn is_switch(&self) -> bool {
        self.identity().kind == Kind::Switch
    }

    /// Whether a LID is one of the node's own.
    fn is_own(&self, lid: u16) -> bool {
        let (first, count) = self.lids();
        first != 0 && lid >= first && lid.wrapping_sub(first) < count
    }

    /// By the forwarding table; from an adapter to its only link. A switch sends nothing back where it came from.
    fn by_lid(&self, lid: u16, via: Via) -> Handled {
        let port = match (self.is_switch(), via) {
            (true, _) => self.output(lid).unwrap_or(NOWHERE),
            (false, Via::Itself) => 1,
            (false, Via::Port(_)) => NOWHERE,
        };
        if via == Via::Port(port) { Handled::new(Onward::Discarded) } else { self.out(port) }
    }

    /// By a port that there is.
    fn out(&self, port: u8) -> Handled {
        let is_link = port != 0 && port <= self.identity().ports;
        Handled::new(if is_link { Onward::Port(port) } else { Onward::Discarded })
    }
}
