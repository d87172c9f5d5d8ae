//! What the file of a network calls its routers, their ports and its nodes.

use super::{Peer, Wiring};

/// The names of a file: printable, on one line each, and not two alike.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Names {
    /// Entry `router`.
    pub(super) routers: Vec<String>,
    /// Entry `router`: the names of its ports, as far as there are any.
    pub(super) ports: Vec<Vec<String>>,
    /// Entry `node`.
    pub(super) nodes: Vec<String>,
}

impl Names {
    /// The name of a router.
    #[must_use]
    pub fn router(&self, router: usize) -> Option<&str> {
        self.routers.get(router).map(String::as_str)
    }

    /// The name that a router has for one of its ports, such as `7` or `swp1`.
    #[must_use]
    pub fn port(&self, router: usize, port: usize) -> Option<&str> {
        self.ports.get(router)?.get(port).map(String::as_str)
    }

    /// The name of a node.
    #[must_use]
    pub fn node(&self, node: usize) -> Option<&str> {
        self.nodes.get(node).map(String::as_str)
    }
}

impl Wiring {
    /// The names that the file of the network has, if it has any.
    #[must_use]
    pub fn names(&self) -> Option<&Names> {
        self.names.as_deref()
    }

    /// What a reader should know of how the file of the network was read, a sentence each.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// A router for a message: its name, or `router 3`.
    #[must_use]
    pub fn router_label(&self, router: usize) -> String {
        let name = self.names().and_then(|names| names.router(router));
        name.map_or_else(|| format!("router {router}"), str::to_owned)
    }

    /// A port of a router for a message: `leaf3 port 7`, with the router's own name for the port, or `router 3, port 7`.
    #[must_use]
    pub fn port_label(&self, router: usize, port: usize) -> String {
        let Some(names) = self.names() else { return format!("router {router}, port {port}") };
        let of_file = names.port(router, port).map_or_else(|| port.to_string(), str::to_owned);
        format!("{} port {of_file}", self.router_label(router))
    }

    /// A node for a message: its name, or `node 56`.
    #[must_use]
    pub fn node_label(&self, node: usize) -> String {
        let name = self.names().and_then(|names| names.node(node));
        name.map_or_else(|| format!("node {node}"), str::to_owned)
    }

    /// What a port leads to, for a message: a port of a router, a node, or nothing.
    #[must_use]
    pub fn peer_label(&self, router: usize, port: usize) -> Option<String> {
        self.peer(router, port).map(|peer| match peer {
            Peer::Node(node) => self.node_label(node as usize),
            Peer::Router { router, port } => self.port_label(router as usize, port.into()),
        })
    }
}

/// Makes names different from each other: behind one that another has, too, stands what `mark` says of it.
pub(super) fn distinct(names: &mut [String], mark: impl Fn(usize) -> String) {
    let mut counts = std::collections::HashMap::new();
    names.iter().for_each(|name| *counts.entry(name.clone()).or_insert(0) += 1);
    for (at, name) in names.iter_mut().enumerate() {
        if counts.get(name.as_str()).is_some_and(|&count| count > 1) {
            *name = format!("{name} ({})", mark(at));
        }
    }
}
