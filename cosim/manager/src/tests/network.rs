//! A fabric in memory: agents, links, managers, losses.

use crate::{Contact, Manager, Settings, Transport};
use desvio_sma::mad::{SET, attribute};
use desvio_sma::port::PortState;
use desvio_sma::{Agent, Identity, Kind, LinkOrder, Onward, Packet, Via};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashSet};
use std::io;
use std::rc::Rc;

/// Ports of a switch, and one.
const PORTS: usize = 17;

pub(super) struct Network {
    pub(super) agents: Vec<Agent<Vec<u8>, PORTS>>,
    pub(super) links: BTreeMap<(usize, u8), (usize, u8)>,
    pub(super) switches: usize,
    pub(super) contacts: BTreeMap<usize, Contact>,
    /// Packets that were sent, and whether they set something: attribute and count.
    pub(super) sent: BTreeMap<(u16, bool), usize>,
    /// Thousandths of the packets and of the answers that are lost, and the state of the draw.
    pub(super) losses: (u64, u64),
    /// Sets of this attribute are lost.
    pub(super) deaf: Option<u16>,
    /// After so many packets a node is gone.
    pub(super) doomed: Option<(usize, usize)>,
    pub(super) gone: HashSet<usize>,
}

/// A node of a fabric.
#[derive(Clone)]
pub(super) struct Host(pub(super) Rc<RefCell<Network>>, pub(super) usize);

pub(super) fn guid(switch: usize) -> u64 {
    0x100 + switch as u64
}

pub(super) fn port_guid(end: usize) -> u64 {
    0x1000 + 2 * end as u64 + 1
}

pub(super) fn identity(kind: Kind, number: usize, ports: u8) -> Identity {
    let (guid, port_guid, name) = match kind {
        Kind::Switch => (guid(number), guid(number), format!("switch {number}")),
        Kind::Adapter => (port_guid(number) - 1, port_guid(number), format!("end {number}")),
    };
    Identity { kind, guid, port_guid, ports, description: Identity::describe(&name) }
}

impl Network {
    /// Switches with links between them, and one end at each of `ends`; ports in the order of the links. Ends come behind the switches.
    pub(super) fn new(switches: usize, links: &[(usize, usize)], ends: &[usize]) -> Rc<RefCell<Self>> {
        let mut next = vec![1; switches + ends.len()];
        let mut joined = BTreeMap::new();
        let at_ends = ends.iter().enumerate().map(|(end, &at)| (at, switches + end));
        for (a, b) in links.iter().copied().chain(at_ends) {
            let (near, far) = ((a, next[a]), (b, next[b]));
            next[a] += 1;
            let far = if a == b { (b, next[b]) } else { far };
            next[b] += 1;
            joined.extend([(near, far), (far, near)]);
        }
        let agent = |place: usize| match place.checked_sub(switches) {
            None => Agent::new(identity(Kind::Switch, place, PORTS as u8 - 1), vec![0; 0xc000]),
            Some(end) => Agent::new(identity(Kind::Adapter, end, 1), Vec::new()),
        };
        let mut network = Self {
            agents: (0..switches + ends.len()).map(agent).collect(),
            links: joined,
            switches,
            contacts: BTreeMap::new(),
            sent: BTreeMap::new(),
            losses: (0, 1),
            deaf: None,
            doomed: None,
            gone: HashSet::new(),
        };
        for &(node, port) in network.links.clone().keys() {
            network.agents[node].handle_link(port, true);
        }
        Rc::new(RefCell::new(network))
    }

    pub(super) fn cut(&mut self, node: usize, port: u8) -> ((usize, u8), (usize, u8)) {
        let far = self.links.remove(&(node, port)).unwrap();
        self.links.remove(&far);
        self.agents[node].handle_link(port, false);
        self.agents[far.0].handle_link(far.1, false);
        ((node, port), far)
    }

    pub(super) fn join(&mut self, near: (usize, u8), far: (usize, u8)) {
        self.links.extend([(near, far), (far, near)]);
        self.agents[near.0].handle_link(near.1, true);
        self.agents[far.0].handle_link(far.1, true);
    }

    /// A switch or an end fails: its links are down.
    pub(super) fn fail(&mut self, node: usize) {
        let ports: Vec<u8> = self.links.keys().filter(|end| end.0 == node).map(|end| end.1).collect();
        for port in ports {
            if self.links.contains_key(&(node, port)) {
                self.cut(node, port);
            }
        }
        self.gone.insert(node);
    }

    fn is_lost(&mut self) -> bool {
        let (rate, state) = &mut self.losses;
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*state >> 33) % 1000 < *rate
    }

    fn walk(&mut self, from: usize, packet: &mut Packet) -> Option<usize> {
        let (mut at, mut via) = (from, Via::Itself);
        for _ in 0..300 {
            if self.gone.contains(&at) {
                return None;
            }
            let handled = self.agents[at].handle(packet, via);
            if let (Some((port, LinkOrder::Retrain)), Some(&far)) =
                (handled.link, handled.link.and_then(|(port, _)| self.links.get(&(at, port))))
            {
                self.agents[at].handle_retraining(port, true);
                self.agents[far.0].handle_retraining(far.1, false);
            }
            match handled.onward {
                Onward::Up => return Some(at),
                Onward::Discarded => return None,
                Onward::Port(port) => {
                    let far = *self.links.get(&(at, port))?;
                    (at, via) = (far.0, Via::Port(far.1));
                }
            }
        }
        None
    }

    fn exchange(&mut self, from: usize, request: &Packet) -> Option<Packet> {
        *self.sent.entry((request.attribute(), request.method() == SET)).or_default() += 1;
        if let Some((left, node)) = self.doomed {
            self.doomed = left.checked_sub(1).map(|left| (left, node));
            if left == 0 {
                self.fail(node);
            }
        }
        let mut packet = request.clone();
        let is_deaf = request.method() == SET && self.deaf == Some(request.attribute());
        if is_deaf || self.is_lost() {
            return None;
        }
        let mut arrived = self.walk(from, &mut packet)?;
        if !packet.is_response() {
            let contact = self.contacts.get(&arrived)?.clone();
            if !contact.answer(&mut packet) {
                return None;
            }
            arrived = self.walk(arrived, &mut packet)?;
        }
        (arrived == from && !self.is_lost()).then_some(packet)
    }

    /// Sets of an attribute so far.
    pub(super) fn sets(&self, attribute: u16) -> usize {
        self.sent.get(&(attribute, true)).copied().unwrap_or(0)
    }

    /// Blocks of forwarding tables that were set so far.
    pub(super) fn blocks(&self) -> usize {
        self.sets(attribute::LINEAR_FORWARDING_TABLE)
    }

    /// The links of a packet from a node to a LID, by the tables alone, and the node at which it ends.
    pub(super) fn follow(&self, from: usize, lid: u16) -> Option<(Vec<(usize, u8)>, usize)> {
        let (mut at, mut way) = (from, Vec::new());
        if from >= self.switches {
            at = self.links.get(&(from, 1))?.0;
        }
        while at < self.switches {
            let port = self.agents[at].output(lid)?;
            let far = self.links.get(&(at, port))?;
            if self.agents[at].state(port) != PortState::Active || way.len() > self.switches {
                return None;
            }
            way.push((at, port));
            at = far.0;
        }
        // The link to the end is no link between switches.
        way.pop();
        let (first, count) = self.agents[at].lids();
        (lid >= first && lid - first < count).then_some((way, at))
    }

    /// The same, of nodes that are not gone; switches that are left alone have no table.
    pub(super) fn check_rest(&self) {
        for to in (self.switches..self.agents.len()).filter(|to| !self.gone.contains(to)) {
            for from in (self.switches..self.agents.len()).filter(|from| !self.gone.contains(from)) {
                let (first, count) = self.agents[to].lids();
                for lid in (first..first + count).filter(|_| from != to) {
                    assert_eq!(self.follow(from, lid).map(|(_, end)| end), Some(to), "from {from} to {to}");
                }
            }
        }
    }

    /// Every end is reached from every switch and end, by each of its LIDs.
    pub(super) fn check(&self) {
        for to in self.switches..self.agents.len() {
            if self.gone.contains(&to) {
                continue;
            }
            let (first, count) = self.agents[to].lids();
            assert!(first > 0, "end {} has a LID", to - self.switches);
            for lid in first..first + count {
                for from in (0..self.agents.len()).filter(|&from| from != to && !self.gone.contains(&from)) {
                    let end = self.follow(from, lid).map(|(_, end)| end);
                    assert_eq!(end, Some(to), "from node {from} to LID {lid} of node {to}");
                }
            }
        }
    }

    pub(super) fn lids(&self) -> Vec<(u16, u16)> {
        self.agents.iter().map(Agent::lids).collect()
    }

    pub(super) fn tables(&self) -> Vec<Vec<Option<u8>>> {
        let top = self.lids().iter().map(|(first, count)| first + count).max().unwrap();
        let switches = &self.agents[..self.switches];
        switches.iter().map(|agent| (0..top).map(|lid| agent.output(lid)).collect()).collect()
    }
}

impl Transport for Host {
    fn exchange(&mut self, request: &Packet) -> io::Result<Option<Packet>> {
        Ok(self.0.borrow_mut().exchange(self.1, request))
    }
}

/// A manager at an end.
pub(super) fn manager(network: &Rc<RefCell<Network>>, end: usize, settings: Settings) -> Manager<Host> {
    let place = network.borrow().switches + end;
    let manager = Manager::new(Host(Rc::clone(network), place), settings);
    network.borrow_mut().contacts.insert(place, manager.contact());
    network.borrow_mut().agents[place].set_manager(true);
    manager
}

/// It ends as a crash would.
pub(super) fn kill(network: &Rc<RefCell<Network>>, end: usize) {
    let place = network.borrow().switches + end;
    network.borrow_mut().contacts.remove(&place);
}

/// An end at each switch.
pub(super) fn everywhere(switches: usize, links: &[(usize, usize)]) -> Rc<RefCell<Network>> {
    Network::new(switches, links, &(0..switches).collect::<Vec<_>>())
}

pub(super) fn line(switches: usize) -> Rc<RefCell<Network>> {
    everywhere(switches, &(1..switches).map(|at| (at - 1, at)).collect::<Vec<_>>())
}

pub(super) fn ring(switches: usize) -> Rc<RefCell<Network>> {
    everywhere(switches, &(0..switches).map(|at| (at, (at + 1) % switches)).collect::<Vec<_>>())
}

/// 4 × 4.
pub(super) fn torus() -> Rc<RefCell<Network>> {
    let link = |at: usize| [(at, at / 4 * 4 + (at + 1) % 4), (at, (at + 4) % 16)];
    everywhere(16, &(0..16).flat_map(link).collect::<Vec<_>>())
}

/// Four leaves with two ends each, two spines.
pub(super) fn fat_tree() -> Rc<RefCell<Network>> {
    let links: Vec<_> = (0..4).flat_map(|leaf| [(leaf, 4), (leaf, 5)]).collect();
    Network::new(6, &links, &[0, 0, 1, 1, 2, 2, 3, 3])
}

/// Every switch with every other one.
pub(super) fn complete(switches: usize) -> Rc<RefCell<Network>> {
    let links: Vec<_> = (0..switches).flat_map(|a| (0..a).map(move |b| (b, a))).collect();
    everywhere(switches, &links)
}
