//! A network as a file that a graph is read from: a list of edges, Graphviz DOT, or GraphML.

use std::collections::BTreeSet;
use std::fmt::{Display, Write};

use super::{Peer, Wiring};
use crate::document::write::list;
use router_core::units::PortClass;

/// A network and the latencies of its links, to be written as a file.
///
/// `kind = "graph"` with the `nodes_per_router` that the head of the file shows gives the same routers, numbered alike, with the same
/// nodes and links of the same latencies. Ports are numbered alike, too, where routers use all of theirs up to the last one and some order
/// of the edges gives these numbers. In rings of ports that lead on and back, as in a torus, no order does.
#[derive(Debug)]
pub struct Export<'w> {
    wiring: &'w Wiring,
    /// Entry `class`.
    latencies: Vec<u32>,
}

/// A link between routers, from its lower end, or from the one by which flits leave where it is one-way.
struct Link {
    ends: (usize, usize),
    is_one_way: bool,
    latency: u32,
}

impl<'w> Export<'w> {
    /// A network; `latency` is that of the links of a class that have none of their own.
    #[must_use]
    pub fn new(wiring: &'w Wiring, latency: impl Fn(PortClass) -> u32) -> Self {
        let classes = 0..wiring.class_names().len();
        Self { wiring, latencies: classes.map(|class| latency(PortClass::new(class as u8))).collect() }
    }

    /// A link per line.
    #[must_use]
    pub fn edge_list(&self) -> String {
        let mut text = self.head("", "#", "");
        for Link { ends: (a, b), is_one_way, latency } in self.links() {
            let to = if is_one_way { "-> " } else { "" };
            match latency {
                DEFAULT => put(&mut text, format_args!("{a} {to}{b}")),
                _ => put(&mut text, format_args!("{a} {to}{b} latency={latency}")),
            }
        }
        text
    }

    /// For Graphviz: a `digraph` where some links are one-way.
    #[must_use]
    pub fn dot(&self) -> String {
        let mut text = self.head("", "//", "");
        let is_directed = self.wiring.has_one_way();
        let (graph, edge) = if is_directed { ("digraph", "->") } else { ("graph", "--") };
        put(&mut text, format_args!("{graph} {{"));
        for Link { ends: (a, b), is_one_way, latency } in self.links() {
            let both = (is_directed && !is_one_way).then(|| "dir=both".to_owned());
            let own = (latency != DEFAULT).then(|| format!("latency={latency}"));
            let attributes: Vec<_> = both.into_iter().chain(own).collect();
            match attributes[..] {
                [] => put(&mut text, format_args!("  {a} {edge} {b};")),
                _ => put(&mut text, format_args!("  {a} {edge} {b} [{}];", attributes.join(", "))),
            }
        }
        put(&mut text, "}");
        text
    }

    /// For programs that read GraphML.
    #[must_use]
    pub fn graphml(&self) -> String {
        let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        text += &self.head("<!--\n", " ", "-->\n");
        put(&mut text, "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">");
        put(&mut text, "  <key id=\"latency\" for=\"edge\" attr.name=\"latency\" attr.type=\"int\"/>");
        put(&mut text, "  <graph edgedefault=\"undirected\">");
        for router in 0..self.wiring.routers() {
            put(&mut text, format_args!("    <node id=\"{router}\"/>"));
        }
        for Link { ends: (a, b), is_one_way, latency } in self.links() {
            let directed = if is_one_way { " directed=\"true\"" } else { "" };
            let edge = format!("    <edge source=\"{a}\" target=\"{b}\"{directed}");
            match latency {
                DEFAULT => put(&mut text, format_args!("{edge}/>")),
                _ => put(&mut text, format_args!("{edge}><data key=\"latency\">{latency}</data></edge>")),
            }
        }
        put(&mut text, "  </graph>\n</graphml>");
        text
    }

    /// What it is and how to read it, a line of a comment each behind `sign`.
    fn head(&self, before: &str, sign: &str, after: &str) -> String {
        let Wiring { ports, .. } = self.wiring;
        let routers = self.wiring.routers();
        let nodes: Vec<usize> = (0..routers).map(|router| self.wiring.nodes_of(router).count()).collect();
        let same = nodes.windows(2).all(|pair| pair[0] == pair[1]);
        let nodes_per_router =
            if same { nodes.first().copied().unwrap_or(0).to_string() } else { list(&nodes) };
        let mut text = before.to_owned();
        put(&mut text, format_args!("{sign} {routers} routers of at most {ports} ports. To read this file:"));
        for line in ["[topology]", "kind = \"graph\"", "file = \"…\""] {
            put(&mut text, format_args!("{sign}   {line}"));
        }
        put(&mut text, format_args!("{sign}   nodes_per_router = {nodes_per_router}"));
        let node = self.latencies.first().copied().unwrap_or(DEFAULT);
        if node != DEFAULT {
            put(&mut text, format_args!("{sign}   [links]\n{sign}   latency = {{ node = {node} }}"));
        }
        text + after
    }

    /// The links between routers, those of each router in the order of its ports as far as there is such an order.
    ///
    /// A link is next when it is the first at both of its ends. Where none is, the first of the lowest router goes before its turn.
    fn links(&self) -> Vec<Link> {
        let routers = self.wiring.routers();
        let mut left: Vec<Ends> = (0..routers).map(|router| Ends::of(self.wiring, router)).collect();
        let mut ready: BTreeSet<(usize, usize)> = BTreeSet::new();
        let first_of = |left: &[Ends], router: usize| {
            let (port, there, back) = left[router].first()?;
            let is_first = left[there].first().is_some_and(|(other, _, _)| other == back);
            is_first.then_some(if router < there { (router, port) } else { (there, back) })
        };
        ready.extend((0..routers).filter_map(|router| first_of(&left, router)));
        let (mut links, mut lowest) = (Vec::new(), 0);
        loop {
            let next = ready.pop_first().or_else(|| {
                lowest = (lowest..routers).find(|&router| left[router].first().is_some())?;
                left[lowest].first().map(|(port, _, _)| (lowest, port))
            });
            let Some((router, port)) = next else { return links };
            let Some((there, back)) = end(self.wiring.peer(router, port)) else { return links };
            links.push(self.link((router, port), (there, back)));
            left[router].remove(port);
            left[there].remove(back);
            ready.extend([router, there].into_iter().filter_map(|router| first_of(&left, router)));
        }
    }

    /// The link between two ports.
    fn link(&self, (router, port): (usize, usize), (there, back): (usize, usize)) -> Link {
        let (sends, receives) = (self.wiring.sends(router, port), self.wiring.sends(there, back));
        let ends = if sends { (router, there) } else { (there, router) };
        Link { ends, is_one_way: !(sends && receives), latency: self.latency(router, port) }
    }

    fn latency(&self, router: usize, port: usize) -> u32 {
        let class = self.wiring.class(router, port).index();
        let of_class = self.latencies.get(class).copied().unwrap_or(DEFAULT);
        self.wiring.latency(router, port).unwrap_or(of_class)
    }
}

/// The ports of a router to others that are not written yet, the last one first, and what lies behind them.
struct Ends(Vec<(usize, usize, usize)>);

impl Ends {
    fn of(wiring: &Wiring, router: usize) -> Self {
        let across = |port| end(wiring.peer(router, port)).map(|(there, back)| (port, there, back));
        Self((0..wiring.ports()).rev().filter_map(across).collect())
    }

    /// Port, router and port there.
    fn first(&self) -> Option<(usize, usize, usize)> {
        self.0.last().copied()
    }

    fn remove(&mut self, port: usize) {
        self.0.retain(|end| end.0 != port);
    }
}

/// Router and port, if a port leads to a router.
fn end(peer: Option<Peer>) -> Option<(usize, usize)> {
    match peer? {
        Peer::Node(_) => None,
        Peer::Router { router, port } => Some((router as usize, port.into())),
    }
}

/// A line more; a text takes any.
fn put(text: &mut String, line: impl Display) {
    let _ = writeln!(text, "{line}");
}

/// The latency of a graph's link, unless it or the scenario says otherwise.
const DEFAULT: u32 = 1;
