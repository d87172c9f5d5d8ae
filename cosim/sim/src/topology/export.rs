//! A network as a file that a graph is read from: a list of edges, or Graphviz DOT.

use std::collections::BTreeSet;
use std::fmt::{Display, Write};

use super::{Peer, Wiring};
use crate::document::write::list;
use router_core::units::PortClass;

/// A network and the latencies of its links, to be written as a file.
///
/// `kind = "graph"` with the `nodes_per_router` that the head of the file shows gives the same routers, numbered alike, with the same
/// nodes and links of the same latencies. Ports are numbered alike, too, where routers use all of theirs up to the last one and some
/// order of the edges says so; in rings of ports that lead on and back, as a torus has them, none does.
#[derive(Debug)]
pub struct Export<'w> {
    wiring: &'w Wiring,
    /// Entry `class`.
    latencies: Vec<u32>,
}

/// A link between routers, from its lower end.
struct Link {
    ends: (usize, usize),
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
        let mut text = self.head("#");
        for Link { ends: (a, b), latency } in self.links() {
            match latency {
                DEFAULT => put(&mut text, format_args!("{a} {b}")),
                _ => put(&mut text, format_args!("{a} {b} latency={latency}")),
            }
        }
        text
    }

    /// For Graphviz.
    #[must_use]
    pub fn dot(&self) -> String {
        let mut text = self.head("//");
        put(&mut text, format_args!("graph {{"));
        for Link { ends: (a, b), latency } in self.links() {
            match latency {
                DEFAULT => put(&mut text, format_args!("  {a} -- {b};")),
                _ => put(&mut text, format_args!("  {a} -- {b} [latency={latency}];")),
            }
        }
        put(&mut text, format_args!("}}"));
        text
    }

    /// What it is and how to read it, behind the sign of a comment.
    fn head(&self, sign: &str) -> String {
        let Wiring { ports, .. } = self.wiring;
        let routers = self.wiring.routers();
        let nodes: Vec<usize> = (0..routers).map(|router| self.wiring.nodes_of(router).count()).collect();
        let same = nodes.windows(2).all(|pair| pair[0] == pair[1]);
        let nodes_per_router =
            if same { nodes.first().copied().unwrap_or(0).to_string() } else { list(&nodes) };
        let mut text = String::new();
        put(&mut text, format_args!("{sign} {routers} routers of at most {ports} ports. To read this file:"));
        for line in ["[topology]", "kind = \"graph\"", "file = \"…\""] {
            put(&mut text, format_args!("{sign}   {line}"));
        }
        put(&mut text, format_args!("{sign}   nodes_per_router = {nodes_per_router}"));
        let node = self.latencies.first().copied().unwrap_or(DEFAULT);
        if node != DEFAULT {
            put(&mut text, format_args!("{sign}   [links]\n{sign}   latency = {{ node = {node} }}"));
        }
        text
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
            links.push(Link { ends: (router, there), latency: self.latency(router, port) });
            left[router].remove(port);
            left[there].remove(back);
            ready.extend([router, there].into_iter().filter_map(|router| first_of(&left, router)));
        }
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
