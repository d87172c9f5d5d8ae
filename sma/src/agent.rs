//! The agent: packets in, packets out.

mod answer;
mod multicast;
mod route;
mod tables;

use crate::bits::put;
use crate::mad::{DATA, Packet};
use crate::port::{Port, PortState, Role};

pub use crate::port::LinkOrder;
pub use multicast::{FIRST_GROUP, GROUPS, GROUPS_OF_BLOCK, PORTS_OF_POSITION};

/// What the agent is part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A switch: port 0 is its management, the others are links.
    Switch,
    /// A channel adapter with one port, number 1.
    Adapter,
}

/// What does not change.
#[derive(Clone, Copy, Debug)]
pub struct Identity {
    /// Switch or adapter.
    pub kind: Kind,
    /// Its own identifier, and that of its port.
    pub guid: u64,
    /// See `guid`; of a switch the same.
    pub port_guid: u64,
    /// Links: 1 of an adapter; of a switch up to what the agent has room for.
    pub ports: u8,
    /// What it is called: UTF-8, padded with 0.
    pub description: [u8; DATA],
}

impl Identity {
    /// A description of up to 63 bytes; what is longer is cut.
    pub fn describe(text: &str) -> [u8; DATA] {
        let mut description = [0; DATA];
        for (place, byte) in description.iter_mut().zip(text.bytes().take(DATA.wrapping_sub(1))) {
            *place = byte;
        }
        description
    }
}

/// Where a packet comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Via {
    /// From a program at this very node.
    Itself,
    /// From the link at a port.
    Port(u8),
}

/// Where a packet goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Onward {
    /// To the link at a port.
    Port(u8),
    /// To a program at this very node: a subnet manager, or what waits for an answer.
    Up,
    /// Nowhere.
    Discarded,
}

/// What became of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handled {
    /// Where it goes on; it may have become the answer to itself.
    pub onward: Onward,
    /// What it wants of the link at a port.
    pub link: Option<(u8, LinkOrder)>,
}

impl Handled {
    pub(crate) const fn new(onward: Onward) -> Self {
        Self { onward, link: None }
    }
}

/// The agent of a switch or an adapter of fewer than `P` links. `T` is the store of the forwarding table, one byte for each LID, of up
/// to 49,152; an adapter needs none.
#[derive(Clone, Debug)]
pub struct Agent<T, const P: usize> {
    identity: Identity,
    ports: [Port; P],
    forwarding: T,
    /// The highest LID of the table that is in use, as the manager says, and what else it says of the switch.
    top: u16,
    life: u8,
    /// A link has come up or gone down since a manager has looked.
    changed: bool,
    /// By input, then by output: lanes of service levels 0 to 15, four bits each.
    lanes: [[[u8; 8]; P]; P],
    /// By port: pairs of lane and weight, of low and of high priority.
    weights: [[[u8; 16]; 2]; P],
    partitions: [[u8; 16]; P],
    /// By port: bit `n` is set where packets for multicast LID `0xc000 + n` leave by it.
    multicast: [u128; P],
}

impl<T: AsRef<[u8]> + AsMut<[u8]>, const P: usize> Agent<T, P> {
    /// As after power-on: no LID, no route, all links down.
    pub fn new(identity: Identity, forwarding: T) -> Self {
        const { assert!(P >= 2 && P <= 255, "ports are numbered by a byte, and there is one") }
        let mut agent = Self {
            identity,
            ports: core::array::from_fn(|_| Port::new(Role::Link, 0)),
            forwarding,
            top: 0,
            life: 0,
            changed: false,
            lanes: [[DEFAULT_LANES; P]; P],
            weights: [[DEFAULT_WEIGHTS; 2]; P],
            partitions: [[0; 16]; P],
            multicast: [0; P],
        };
        agent.restart(identity);
        agent
    }

    /// As after power-on, as something else.
    pub fn restart(&mut self, identity: Identity) {
        let room = u8::try_from(P).unwrap_or(u8::MAX).saturating_sub(1);
        let room = if identity.kind == Kind::Adapter { 1 } else { room };
        self.identity = Identity { ports: identity.ports.min(room), ..identity };
        for (number, port) in (0..=u8::MAX).zip(&mut self.ports) {
            let role = match (identity.kind, number) {
                (Kind::Adapter, _) => Role::End,
                (Kind::Switch, 0) => Role::Management,
                (Kind::Switch, _) => Role::Link,
            };
            *port = Port::new(role, number);
        }
        self.forwarding.as_mut().fill(NOWHERE);
        (self.top, self.life, self.changed) = (0, 0, false);
        let mut partition = [0; 16];
        put(&mut partition, 0, EVERYTHING.to_be_bytes());
        self.partitions.fill(partition);
        self.weights.fill([DEFAULT_WEIGHTS; 2]);
        self.lanes.fill([DEFAULT_LANES; P]);
        self.multicast.fill(0);
    }

    /// What it is.
    pub const fn identity(&self) -> &Identity {
        &self.identity
    }

    /// The state of a link; [`PortState::Down`] of one that it has not.
    pub fn state(&self, port: u8) -> PortState {
        self.port(port).map_or(PortState::Down, Port::state)
    }

    /// The first LID of an adapter's port or of a switch, and how many it has: 2 to the power of the LMC. 0 before a manager gives one.
    pub fn lids(&self) -> (u16, u16) {
        self.end().map_or((0, 1), Port::lids)
    }

    /// The port by which packets for a LID leave a switch: nothing where the table has none, or says the switch itself.
    pub fn output(&self, lid: u16) -> Option<u8> {
        let port = self.forwarding.as_ref().get(usize::from(lid)).copied().unwrap_or(NOWHERE);
        (port != 0 && port <= self.identity.ports).then_some(port)
    }

    /// A link has come up, or gone down. One that a manager has disabled stays down.
    pub fn handle_link(&mut self, port: u8, is_up: bool) {
        let is_link = port != 0;
        if let Some(port) = self.port_mut(port).filter(|_| is_link) {
            let is_up = is_up && !port.is_disabled();
            self.changed |= port.link(is_up);
        }
    }

    /// A link has begun anew because a manager at either end wished so: not a change that is reported at `own` end.
    pub fn handle_retraining(&mut self, port: u8, own: bool) {
        if let Some(port) = self.port_mut(port) {
            port.link(true);
            self.changed |= !own;
        }
    }

    /// A subnet manager runs at this node, or no longer.
    pub fn set_manager(&mut self, runs: bool) {
        if let Some(port) = self.ports.get_mut(usize::from(self.identity.kind == Kind::Adapter)) {
            port.set_manager(runs);
        }
    }

    /// Takes a packet, and says where it goes on.
    pub fn handle(&mut self, packet: &mut Packet, via: Via) -> Handled {
        self.forward(packet, via)
    }

    fn port(&self, number: u8) -> Option<&Port> {
        self.ports.get(usize::from(number)).filter(|_| number <= self.identity.ports)
    }

    fn port_mut(&mut self, number: u8) -> Option<&mut Port> {
        let ports = self.identity.ports;
        self.ports.get_mut(usize::from(number)).filter(|_| number <= ports)
    }

    /// The port that has the node's LIDs and its key.
    fn end(&self) -> Option<&Port> {
        self.ports.get(usize::from(self.identity.kind == Kind::Adapter))
    }
}

/// No way on.
const NOWHERE: u8 = 255;
/// The default partition, of which this is a full member.
const EVERYTHING: u16 = 0xffff;
/// Service level n on lane n modulo 8.
const DEFAULT_LANES: [u8; 8] = [0x01, 0x23, 0x45, 0x67, 0x01, 0x23, 0x45, 0x67];
/// Eight lanes of equal weight.
const DEFAULT_WEIGHTS: [u8; 16] = [0, 1, 1, 1, 2, 1, 3, 1, 4, 1, 5, 1, 6, 1, 7, 1];
