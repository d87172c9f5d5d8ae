//! An InfiniBand fabric as `ibnetdiscover` writes it: switches, their ports, and the local identifiers (LIDs) of what is behind them.

use std::collections::HashMap;

use super::Fault;
use crate::topology::edges::Edge;
use crate::topology::{LineError, MAX_ROUTERS};

/// What a line of a switch says about one of its ports.
#[derive(Debug, Clone, Copy)]
struct Port {
    /// Its number at the switch, from 1.
    number: u8,
    far: Far,
    line: usize,
}

/// What is behind a port.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Far {
    /// A port of the switch with this GUID.
    Switch(u64, u8),
    /// A channel adapter's port with this LID.
    Node(u32),
}

/// A switch with its ports in ascending order.
#[derive(Debug, Clone)]
struct Switch {
    guid: u64,
    /// That of its management port.
    lid: Option<u32>,
    ports: Vec<Port>,
}

/// A fabric: its switches are routers, in the order of their GUIDs; each connected port of a channel adapter at a switch is a node.
#[derive(Debug, Clone, Default)]
pub(crate) struct Fabric {
    switches: Vec<Switch>,
    /// By GUID.
    routers: HashMap<u64, u32>,
    /// Of switches, by LID; nothing where two have the same one.
    managed: HashMap<u32, Option<u32>>,
    /// By LID.
    nodes: HashMap<u32, u32>,
    edges: Vec<Edge>,
    /// By router and number at the switch: the port of the router.
    places: HashMap<(u32, u8), u8>,
}

impl Fabric {
    /// Whether a text is what `ibnetdiscover` writes, by its first lines.
    pub(super) fn is(text: &str) -> bool {
        text.lines().take(3).any(|line| line.starts_with("# Topology file: generated"))
    }

    pub(super) fn read(text: &str) -> Result<Self, Fault> {
        let mut fabric = Self { switches: switches(text)?, ..Self::default() };
        fabric.switches.sort_by_key(|switch| switch.guid);
        let numbers = fabric.switches.iter().map(|switch| switch.guid).zip(0..);
        fabric.routers = numbers.collect();
        for (router, switch) in (0..).zip(&fabric.switches) {
            let lid = switch.lid.filter(|&lid| lid != 0);
            lid.map(|lid| fabric.managed.entry(lid).and_modify(|at| *at = None).or_insert(Some(router)));
        }
        fabric.number_nodes()?;
        fabric.join()?;
        Ok(fabric)
    }

    /// Nodes by router, then by port: they are the first ports of a router.
    fn number_nodes(&mut self) -> Result<(), Fault> {
        for (router, switch) in (0..).zip(&self.switches) {
            for (place, (lid, port)) in (0..).zip(switch.ports.iter().filter_map(Port::node)) {
                self.places.insert((router, port.number), place);
                let node = self.nodes.len() as u32;
                if self.nodes.insert(lid, node).is_some() {
                    return Err(Fault::Line(port.line, LineError::Lid(lid)));
                }
            }
        }
        Ok(())
    }

    /// Links by their lower end; ports follow the nodes in the order of the links, as a list of edges has them.
    fn join(&mut self) -> Result<(), Fault> {
        let mut free: Vec<u8> = self.nodes_per_router();
        for (router, switch) in (0..).zip(&self.switches) {
            for port in &switch.ports {
                let Far::Switch(guid, back) = port.far else { continue };
                let fault = |what| Fault::Line(port.line, what);
                let there = *self.routers.get(&guid).ok_or(fault(LineError::NoSwitch(guid)))?;
                if there == router {
                    return Err(fault(LineError::Loop(router as usize)));
                }
                let leads_back =
                    self.switches[there as usize].at(back) == Some(Far::Switch(switch.guid, port.number));
                if !leads_back {
                    return Err(fault(LineError::OneWay { guid, port: back }));
                }
                if router < there {
                    for (end, number) in [(router, port.number), (there, back)] {
                        self.places.insert((end, number), free[end as usize]);
                        free[end as usize] += 1;
                    }
                    self.edges.push(Edge::plain((router, there)));
                }
            }
        }
        Ok(())
    }

    /// The links between routers.
    pub(in crate::topology) fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// Entry `router`: how many nodes are there.
    pub(in crate::topology) fn nodes_per_router(&self) -> Vec<u8> {
        let nodes = |switch: &Switch| switch.ports.iter().filter(|port| port.node().is_some()).count() as u8;
        self.switches.iter().map(nodes).collect()
    }

    /// The router that is the switch with this GUID.
    pub(crate) fn router(&self, guid: u64) -> Option<u32> {
        self.routers.get(&guid).copied()
    }

    /// The router that is the switch with this LID.
    pub(crate) fn managed(&self, lid: u32) -> Option<u32> {
        self.managed.get(&lid).copied().flatten()
    }

    /// The node with this LID.
    pub(crate) fn node(&self, lid: u32) -> Option<u32> {
        self.nodes.get(&lid).copied()
    }

    /// The port of a router that has this number at the switch.
    pub(crate) fn port(&self, router: u32, number: u8) -> Option<u8> {
        self.places.get(&(router, number)).copied()
    }
}

impl Port {
    /// The LID of the node behind it.
    fn node(&self) -> Option<(u32, &Self)> {
        match self.far {
            Far::Node(lid) => Some((lid, self)),
            Far::Switch(..) => None,
        }
    }
}

impl Switch {
    fn at(&self, number: u8) -> Option<Far> {
        let found = self.ports.binary_search_by_key(&number, |port| port.number).ok()?;
        Some(self.ports[found].far)
    }
}

/// The switches of a text in its order, their ports sorted.
fn switches(text: &str) -> Result<Vec<Switch>, Fault> {
    let mut switches: Vec<Switch> = Vec::new();
    let mut guids = HashMap::new();
    // Channel adapters have blocks of their own, which say once more what the switches' lines say.
    let mut in_switch = false;
    for (line, number) in text.lines().zip(1..) {
        let fault = |what| Fault::Line(number, what);
        if let Some(rest) = line.strip_prefix("Switch") {
            let guid = identifier(rest, 'S').ok_or(fault(LineError::Fabric("a switch's name and GUID")))?;
            if guids.insert(guid, number).is_some() {
                return Err(fault(LineError::TwoSwitches(guid)));
            }
            if switches.len() == MAX_ROUTERS {
                return Err(fault(LineError::TooManyRouters));
            }
            switches.push(Switch { guid, lid: lid(rest), ports: Vec::new() });
            in_switch = true;
        } else if line.starts_with('[') {
            let Some(switch) = switches.last_mut().filter(|_| in_switch) else { continue };
            add(switch, line, number)?;
        } else if line.starts_with("Ca") {
            in_switch = false;
        } else if !IGNORED.iter().any(|start| line.starts_with(start)) && !line.trim().is_empty() {
            return Err(fault(LineError::Fabric("a switch, a channel adapter or a port")));
        }
    }
    Ok(switches)
}

/// Adds the port that a line is about.
fn add(switch: &mut Switch, text: &str, line: usize) -> Result<(), Fault> {
    let fault = |what| Fault::Line(line, what);
    let (number, far) = port(text).ok_or(fault(LineError::Fabric("a port and what it leads to")))?;
    match switch.ports.binary_search_by_key(&number, |port| port.number) {
        Ok(_) => Err(fault(LineError::TwoPorts(number))),
        Err(place) => {
            switch.ports.insert(place, Port { number, far, line });
            Ok(())
        }
    }
}

/// `[1] "S-0000000000200002"[2]  # "name" lid 22 4xSDR`, with an `[ext 3]` behind ports that have other numbers outside, and the
/// GUID of a channel adapter's port in parentheses.
fn port(line: &str) -> Option<(u8, Far)> {
    let (number, rest) = line.strip_prefix('[')?.split_once(']')?;
    let number = number.parse().ok().filter(|&number| number > 0)?;
    let (far, comment) = rest.split_once('#')?;
    let back = far.rsplit_once('"')?.1.strip_prefix('[')?.split_once(']')?.0.parse().ok()?;
    let far = match identifier(far, 'S') {
        Some(guid) => Far::Switch(guid, back),
        None => {
            identifier(far, 'H')?;
            Far::Node(lid(comment)?)
        }
    };
    Some((number, far))
}

/// The LID in a comment. A name may hold any words: the LID is behind it.
fn lid(comment: &str) -> Option<u32> {
    let behind = comment.rsplit_once('"').map_or(comment, |(_, behind)| behind);
    let mut words = behind.split_whitespace();
    words.find(|&word| word == "lid")?;
    words.next()?.parse().ok()
}

/// The GUID in the first quoted text, where that is of a kind of node: `"S-000000000020000a"`.
fn identifier(text: &str, kind: char) -> Option<u64> {
    let quoted = text.split('"').nth(1)?;
    u64::from_str_radix(quoted.strip_prefix(kind)?.strip_prefix('-')?, 16).ok()
}

/// How lines begin that say nothing about links.
const IGNORED: &[&str] =
    &["#", "vendid=", "devid=", "sysimgguid=", "switchguid=", "caguid=", "Chassis", "DR path"];
