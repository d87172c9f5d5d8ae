//! What the file of a network calls its routers, their ports and its nodes.

use super::{Peer, Wiring};
use std::sync::Arc;

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

    /// A port for a reader: `leaf3 port 7`, with the router's own name for the port.
    #[must_use]
    pub fn port_label(&self, router: usize, port: usize) -> String {
        let of = self.router(router).map_or_else(|| format!("router {router}"), str::to_owned);
        format!("{of} port {}", self.port(router, port).map_or_else(|| port.to_string(), str::to_owned))
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
    pub fn names(&self) -> Option<&Arc<Names>> {
        self.names.as_ref()
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
        let names = self.names();
        names.map_or_else(|| format!("router {router}, port {port}"), |names| names.port_label(router, port))
    }

    /// A node for a message: its name, or `node 56`.
    #[must_use]
    pub fn node_label(&self, node: usize) -> String {
        let name = self.names().and_then(|names| names.node(node));
        name.map_or_else(|| format!("node {node}"), str::to_owned)
    }

    /// A message about numbers with the names of the file in their place: `router 3, port 2` becomes `leaf3 port 7`.
    #[must_use]
    pub fn named(&self, message: &str) -> String {
        if self.names.is_none() {
            return message.to_owned();
        }
        let (mut named, mut rest) = (String::with_capacity(message.len()), message);
        while let Some(next) = rest.chars().next() {
            let is_start = !named.ends_with(char::is_alphanumeric);
            let found = if is_start { self.label_at(rest) } else { None };
            let length = match found {
                Some((label, length)) => {
                    named.push_str(&label);
                    length
                }
                None => {
                    named.push(next);
                    next.len_utf8()
                }
            };
            rest = &rest[length..];
        }
        named
    }

    /// What begins a text, as a message writes it: a port of a router, a router or a node; and how long that is.
    fn label_at(&self, text: &str) -> Option<(String, usize)> {
        let (mut label, mut length) = (None, 0);
        if let Some((router, behind)) = numbered(text, "router ", self.routers()) {
            (label, length) = (Some(self.router_label(router)), behind);
            let port = |word| numbered(&text[behind..], word, self.ports());
            if let Some((port, more)) = port(", port ").or_else(|| port(", output ")) {
                (label, length) = (Some(self.port_label(router, port)), behind + more);
            }
        } else if let Some((port, behind)) = numbered(text, "port ", self.ports()) {
            if let Some((router, more)) = numbered(&text[behind..], " of router ", self.routers()) {
                (label, length) = (Some(self.port_label(router, port)), behind + more);
            }
        } else if let Some((node, behind)) = numbered(text, "node ", self.nodes()) {
            (label, length) = (Some(self.node_label(node)), behind);
        }
        label.map(|label| (label, length))
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

/// The number below `count` behind a word at the start of a text, and the length of both.
fn numbered(text: &str, word: &str, count: usize) -> Option<(usize, usize)> {
    let behind = text.strip_prefix(word)?;
    let digits = behind.find(|c: char| !c.is_ascii_digit()).unwrap_or(behind.len());
    let is_whole = !behind[digits..].starts_with(char::is_alphanumeric);
    let number = behind[..digits].parse().ok().filter(|&number| number < count && is_whole)?;
    Some((number, word.len() + digits))
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
