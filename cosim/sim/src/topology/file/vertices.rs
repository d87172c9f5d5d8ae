//! Vertices by the names that a file gives them: which of them are routers, and their edges.

use std::collections::HashMap;

use super::content::{Content, Node, Router};
use super::left_out::LOOPBACKS;
use super::{Fault, Place, count, servers};
use crate::printable;
use crate::topology::edges::Edge;
use crate::topology::names::distinct;
use crate::topology::{FileError, MAX_ROUTERS, PlaceError};

/// The vertices of a file in the order in which it first names them, and its edges.
#[derive(Debug, Default)]
pub(super) struct Vertices {
    numbers: HashMap<String, u32>,
    pub(super) all: Vec<Vertex>,
    pub(super) edges: Vec<Edge>,
    /// Entry edge: its ports, empty where it names none.
    pub(super) ports: Vec<[String; 2]>,
    /// Edges from a port of a vertex to another port of it.
    loopbacks: usize,
    /// The first edge of a pair of vertices, two-way or one-way, where a second one is the same edge again.
    merged: Option<HashMap<(u32, u32, bool), usize>>,
}

/// A vertex.
#[derive(Debug)]
pub(super) struct Vertex {
    pub(super) name: String,
    /// Where the file first names it.
    pub(super) at: Place,
    /// Whether it has an edge.
    is_joined: bool,
    /// What the file shows instead of the name.
    pub(super) label: Option<String>,
    /// Whether the file says that it is a server, or that it is none.
    pub(super) is_server: Option<bool>,
}

impl Vertices {
    /// Takes a second edge between two vertices for the first one again.
    pub(super) fn merge(&mut self) {
        self.merged = Some(HashMap::new());
    }

    /// The vertex of a name, if there is one.
    pub(super) fn find(&self, name: &str) -> Option<u32> {
        self.numbers.get(name).copied()
    }

    /// The vertex of a name, perhaps a new one.
    pub(super) fn vertex(&mut self, name: &str, at: Place) -> Result<u32, Fault> {
        if let Some(known) = self.find(name) {
            return Ok(known);
        }
        if self.all.len() >= MAX_ROUTERS {
            return Err(at.fault(PlaceError::TooManyRouters));
        }
        let number = self.all.len() as u32;
        self.numbers.insert(name.to_owned(), number);
        self.all.push(Vertex { name: name.to_owned(), at, is_joined: false, label: None, is_server: None });
        Ok(number)
    }

    /// A vertex that there is.
    pub(super) fn at(&mut self, number: u32) -> Option<&mut Vertex> {
        self.all.get_mut(number as usize)
    }

    /// An edge between two vertices, and the names of its ports.
    pub(super) fn join(&mut self, edge: Edge, ports: [String; 2], at: Place) -> Result<(), Fault> {
        let Edge { ends: (a, b), is_one_way, latency, width, rate } = edge;
        if a == b && ports.iter().all(|port| !port.is_empty()) {
            self.loopbacks += 1;
            return Ok(());
        }
        if a == b {
            let name = self.all.get(a as usize).map_or_else(String::new, |vertex| vertex.name.clone());
            return Err(at.fault(PlaceError::Loop(name)));
        }
        for end in [a, b] {
            if let Some(vertex) = self.all.get_mut(end as usize) {
                vertex.is_joined = true;
            }
        }
        if let Some(merged) = &mut self.merged {
            let edge = if is_one_way { (a, b, true) } else { (a.min(b), a.max(b), false) };
            let first = *merged.entry(edge).or_insert(self.edges.len());
            if let Some(edge) = self.edges.get_mut(first) {
                edge.latency = latency.or(edge.latency);
                edge.width = width.or(edge.width);
                edge.rate = rate.or(edge.rate);
                return Ok(());
            }
        }
        self.edges.push(edge);
        self.ports.push(ports);
        Ok(())
    }

    /// The network. Vertices that are servers are nodes, the others routers.
    ///
    /// Routers are numbered as they are named where their names are the numbers from 0 without gaps, else in the order in which they are
    /// first named.
    pub(super) fn network(self) -> Result<Content, Fault> {
        let is_server = servers::among(&self);
        let alone = || self.all.iter().zip(&is_server).filter(|(vertex, _)| !vertex.is_joined);
        if let Some((router, _)) = alone().find(|(_, is_server)| !**is_server).filter(|_| self.all.len() > 1)
        {
            return Err(router.at.fault(PlaceError::NoEdge(router.name.clone())));
        }
        let left_out = [
            (self.loopbacks, LOOPBACKS),
            (
                alone().filter(|(_, is_server)| **is_server).count(),
                ["server without a cable is left out", "servers without a cable are left out"],
            ),
        ];
        let notes = left_out.into_iter().filter(|(number, _)| *number > 0);
        let order = self.numbered(&is_server);
        if order.is_empty() && !self.all.is_empty() {
            return Err(Place::START.fault(PlaceError::ServersAlone));
        }
        let mut number = vec![u32::MAX; self.all.len()];
        (0..).zip(&order).for_each(|(router, &vertex)| number[vertex] = router);
        let has_servers = is_server.contains(&true);
        let mut content = Content {
            count: order.len(),
            lists_nodes: has_servers,
            routers: if has_servers || self.has_names(&order) { self.routers(&order) } else { Vec::new() },
            notes: notes.map(|(number, [one, many])| count(number, one, many)).collect(),
            ..Content::default()
        };
        let of_servers = |edge: &&Edge| is_server[edge.ends.0 as usize] || is_server[edge.ends.1 as usize];
        let nodes = self.edges.iter().filter(of_servers).map(|edge| usize::from(edge.width.unwrap_or(1)));
        if nodes.sum::<usize>() > MAX_ROUTERS {
            return Err(Fault::File(FileError::TooManyNodes));
        }
        let has_ports = self.ports.iter().flatten().any(|port| !port.is_empty());
        let cables = self.cables();
        for (edge, ports) in self.edges.iter().zip(&self.ports) {
            let (a, b) = (edge.ends.0 as usize, edge.ends.1 as usize);
            match (is_server[a], is_server[b]) {
                (false, false) => {
                    content.edges.push(Edge { ends: (number[a], number[b]), ..*edge });
                    if has_ports {
                        content.ports.push(ports.clone().map(|port| printable::name(&port)));
                    }
                }
                (true, true) => {
                    return Err(self.all[b].at.fault(PlaceError::TwoServers(self.all[b].name.clone())));
                }
                (a_is_server, _) => {
                    let (server, router) = if a_is_server { (a, b) } else { (b, a) };
                    let [own, far] =
                        if a_is_server { [&ports[0], &ports[1]] } else { [&ports[1], &ports[0]] };
                    let node = Node { rate: edge.rate, ..self.node(server, own, far, cables[server] == 1) };
                    let nodes = &mut content.routers[number[router] as usize].nodes;
                    nodes.extend(std::iter::repeat_n(node, edge.width.unwrap_or(1).into()));
                }
            }
        }
        Ok(content)
    }

    /// Entry vertex: its edges.
    fn cables(&self) -> Vec<u32> {
        let mut cables = vec![0; self.all.len()];
        let ends = self.edges.iter().flat_map(|edge| [edge.ends.0, edge.ends.1]);
        ends.for_each(|end| cables[end as usize] += 1);
        cables
    }

    /// A port of a server, perhaps its only one.
    fn node(&self, server: usize, own: &str, far: &str, is_only: bool) -> Node {
        let name = self.shown(server);
        let name = if is_only || own.is_empty() { name } else { format!("{name} {}", printable::name(own)) };
        let mark = format!("port {own} to {far}");
        Node { name, mark: printable::name(&mark), port: printable::name(far), lid: 0, rate: None }
    }

    /// The vertices that are routers, in the order of their numbers.
    fn numbered(&self, is_server: &[bool]) -> Vec<usize> {
        let mut routers: Vec<usize> = (0..self.all.len()).filter(|&vertex| !is_server[vertex]).collect();
        let count = routers.len();
        let number = |vertex: usize| {
            let name = &self.all[vertex].name;
            let number = name.parse::<usize>().ok().filter(|&number| number < count);
            number.filter(|number| number.to_string() == *name)
        };
        if routers.iter().all(|&vertex| number(vertex).is_some()) {
            routers.sort_by_key(|&vertex| number(vertex));
        }
        routers
    }

    /// Whether some router has a name that is more than its number.
    fn has_names(&self, order: &[usize]) -> bool {
        let is_named = |(number, &vertex): (usize, &usize)| {
            let vertex = &self.all[vertex];
            vertex.label.is_some() || vertex.name != number.to_string()
        };
        order.iter().enumerate().any(is_named)
    }

    fn routers(&self, order: &[usize]) -> Vec<Router> {
        let mut names: Vec<String> = order.iter().map(|&vertex| self.shown(vertex)).collect();
        distinct(&mut names, |at| printable::name(&self.all[order[at]].name));
        names.into_iter().map(|name| Router { name, ..Router::default() }).collect()
    }

    fn shown(&self, vertex: usize) -> String {
        let vertex = &self.all[vertex];
        let label = vertex.label.as_deref().map(printable::name).filter(|label| !label.is_empty());
        label.unwrap_or_else(|| printable::name(&vertex.name))
    }
}
