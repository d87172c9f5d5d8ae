//! What has been discovered.

use crate::attribute::{NodeInfo, PortInfo, SwitchInfo};
use crate::route::Route;
use std::collections::BTreeMap;

/// The end of a link: a node, by its place, and its port.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct End {
    /// By its place in [`Subnet::nodes`].
    pub node: usize,
    /// As the node numbers it.
    pub port: u8,
}

/// A port of a node.
#[derive(Debug, Clone)]
pub(crate) struct Port {
    pub(crate) info: PortInfo,
    pub(crate) link: Option<End>,
}

/// A node.
#[derive(Debug, Clone)]
pub struct Node {
    /// What it is.
    pub info: NodeInfo,
    /// What it is called.
    pub description: String,
    /// The output ports on the way from the manager to it.
    pub route: Route,
    /// Of a switch.
    pub(crate) switch: Option<SwitchInfo>,
    /// By number: all ports of a switch with its management port 0; of an adapter the one at which it was found.
    pub(crate) ports: BTreeMap<u8, Port>,
}

impl Node {
    /// The number of the port that has its LIDs.
    pub(crate) fn end(&self) -> u8 {
        if self.switch.is_some() { 0 } else { self.info.local_port }
    }

    /// The port that has its LIDs.
    pub(crate) fn end_info(&self) -> Option<&PortInfo> {
        self.ports.get(&self.end()).map(|port| &port.info)
    }

    /// Ports with a link, and what is there.
    pub(crate) fn links(&self) -> impl Iterator<Item = (u8, End)> + '_ {
        self.ports.iter().filter_map(|(&number, port)| Some((number, port.link?)))
    }

    /// The other end of the link at a port.
    #[must_use]
    pub fn behind(&self, port: u8) -> Option<End> {
        self.ports.get(&port)?.link
    }
}

/// What has been discovered, whichever node it was looked at from: nodes are sorted by GUID, switches first.
#[derive(Debug, Clone, Default)]
pub struct Subnet {
    /// Switches and ends.
    pub nodes: Vec<Node>,
    /// The place of the manager's own node.
    pub own: usize,
    /// Links that are up, with nothing behind them that answers.
    pub silent: Vec<End>,
    /// Something changed while it was looked at: some links are missing here.
    pub is_torn: bool,
}

impl Subnet {
    /// Switches: they come first.
    #[must_use]
    pub fn switches(&self) -> usize {
        self.nodes.iter().filter(|node| node.info.is_switch).count()
    }

    /// The end of which a link to an end is known.
    pub(crate) fn claimant(&self, far: End) -> Option<End> {
        let of = |(node, is): (usize, &Node)| {
            is.links().find(|&(_, end)| end == far).map(|(port, _)| End { node, port })
        };
        self.nodes.iter().enumerate().find_map(of)
    }

    /// Sorts the nodes, so that a manager elsewhere sees the same.
    pub(crate) fn sort(mut self) -> Self {
        let key = |node: &Node| (!node.info.is_switch, node.info.id());
        let mut order: Vec<usize> = (0..self.nodes.len()).collect();
        order.sort_by_key(|&place| key(&self.nodes[place]));
        let mut places = vec![0; order.len()];
        for (new, &old) in order.iter().enumerate() {
            places[old] = new;
        }
        let moved = |end: End| End { node: places[end.node], ..end };
        for port in self.nodes.iter_mut().flat_map(|node| node.ports.values_mut()) {
            port.link = port.link.map(moved);
        }
        self.nodes.sort_by_key(key);
        self.silent = self.silent.into_iter().map(moved).collect();
        self.own = places[self.own];
        self
    }
}
