//! What a file says about a network, before its ports are numbered.

use router_core::rate::Rate;
use std::collections::HashSet;

use super::super::edges::{Edge, NodesPerRouter};
use super::super::names::{Names, distinct};

/// What a file says about a network.
#[derive(Debug, Default)]
pub(crate) struct Content {
    /// How many routers there are.
    pub(in crate::topology) count: usize,
    pub(in crate::topology) edges: Vec<Edge>,
    /// Entry edge: the names of its ports at both ends. Empty where the file names none.
    pub(in crate::topology) ports: Vec<[String; 2]>,
    /// Entry `router`. Empty where the file has nothing but numbers.
    pub(in crate::topology) routers: Vec<Router>,
    /// Whether the rates of edges and nodes are the speeds of a fabric's links.
    pub(in crate::topology) has_speeds: bool,
    /// Whether the file lists the nodes.
    pub(in crate::topology) lists_nodes: bool,
    /// Whether switches and nodes have local identifiers.
    pub(super) has_lids: bool,
    /// GUIDs of switches, and LIDs, that are in the file and not in the network: tables may name them.
    pub(super) left_out: LeftOut,
    /// What was left out, or read otherwise than it stands in the file: a sentence each.
    pub(in crate::topology) notes: Vec<String>,
}

/// Identifiers of what is in the file of a fabric and not in the network.
#[derive(Debug, Clone, Default)]
pub(super) struct LeftOut {
    pub(super) guids: HashSet<u64>,
    pub(super) lids: HashSet<u32>,
}

/// What a file says about a router.
#[derive(Debug, Clone, Default)]
pub(in crate::topology) struct Router {
    /// Empty where it has none.
    pub(super) name: String,
    /// That of a switch, or 0.
    pub(super) guid: u64,
    /// That of its management port, or 0.
    pub(super) lid: u32,
    /// In the order of their ports.
    pub(in crate::topology) nodes: Vec<Node>,
}

/// What a file says about a node.
#[derive(Debug, Clone, Default)]
pub(in crate::topology) struct Node {
    pub(super) name: String,
    /// The text that distinguishes it from another one of that name.
    pub(super) mark: String,
    /// The name that the router has for its port.
    pub(super) port: String,
    /// That of the adapter's port, or 0.
    pub(super) lid: u32,
    /// Flits per cycle of its link, where the file says so.
    pub(in crate::topology) rate: Option<Rate>,
}

impl Content {
    /// Routers by number alone, as many as the highest one says.
    pub(super) fn of_numbers(edges: Vec<Edge>) -> Self {
        let highest = edges.iter().map(|edge| edge.ends.0.max(edge.ends.1) as usize + 1).max();
        Self { count: highest.unwrap_or(0), edges, ..Self::default() }
    }

    /// How many nodes the file lists at each router.
    pub(in crate::topology) fn nodes(&self) -> Vec<u8> {
        self.routers.iter().map(|router| router.nodes.len().min(u8::MAX.into()) as u8).collect()
    }

    /// How many nodes the file lists at a router, if it lists any.
    pub(in crate::topology) fn listed(&self, router: usize) -> Option<usize> {
        self.routers.get(router).filter(|_| self.lists_nodes).map(|router| router.nodes.len())
    }

    /// The first router without an edge, where there are others and none of them has a list of nodes.
    pub(in crate::topology) fn gap(&self) -> Option<usize> {
        let mut joined = vec![false; self.count];
        self.edges
            .iter()
            .flat_map(|edge| [edge.ends.0, edge.ends.1])
            .for_each(|end| joined[end as usize] = true);
        joined.iter().position(|&joined| !joined).filter(|_| self.count > 1 && !self.lists_nodes)
    }

    /// A router for a message.
    pub(in crate::topology) fn label(&self, router: usize) -> String {
        let name = self.routers.get(router).map_or("", |router| &router.name);
        if name.is_empty() { format!("router {router}") } else { name.to_owned() }
    }

    /// The names of routers, ports and nodes, where some router has one.
    pub(in crate::topology) fn names(&self, nodes: &NodesPerRouter) -> Option<Names> {
        let has_name = |router: &Router| {
            !router.name.is_empty() || router.nodes.iter().any(|node| !node.name.is_empty())
        };
        if !self.routers.iter().any(has_name) {
            return None;
        }
        let has_ports =
            self.routers.iter().flat_map(|router| &router.nodes).any(|node| !node.port.is_empty());
        let ports = if has_ports || !self.ports.is_empty() { self.port_names(nodes) } else { Vec::new() };
        let listed: Vec<&Node> = self.routers.iter().flat_map(|router| &router.nodes).collect();
        let label = |(number, node): (usize, &&Node)| match node.name.as_str() {
            "" => format!("node {number}"),
            name => name.to_owned(),
        };
        let mut names: Vec<String> = listed.iter().enumerate().map(label).collect();
        distinct(&mut names, |at| listed[at].mark.clone());
        let routers = (0..self.count).map(|router| self.label(router)).collect();
        Some(Names { routers, ports, nodes: names })
    }

    /// Those of nodes, then those of links, as `Edges` orders ports.
    fn port_names(&self, nodes: &NodesPerRouter) -> Vec<Vec<String>> {
        let of_nodes = |(router, of): (usize, &Router)| {
            let listed = of.nodes.iter().map(|node| node.port.clone());
            listed.chain((of.nodes.len()..nodes.at(router).into()).map(|port| port.to_string())).collect()
        };
        let mut ports: Vec<Vec<String>> = self.routers.iter().enumerate().map(of_nodes).collect();
        for (edge, names) in self.edges.iter().zip(&self.ports) {
            for _ in 0..edge.width.unwrap_or(1) {
                ports[edge.ends.0 as usize].push(names[0].clone());
                ports[edge.ends.1 as usize].push(names[1].clone());
            }
        }
        ports
    }
}
