//! BookSim's `anynet` files: `router 0 node 0 node 1 router 1 15`, with the latency of a channel behind what it leads to.

use std::collections::{BTreeMap, BTreeSet};

use super::Fault;
use super::content::{Content, Node, Router};
use super::tokens::clipped;
use crate::topology::edges::Edge;
use crate::topology::{LineError, MAX_ROUTERS};

/// Whether a line is one of such a file.
pub(super) fn is_line(line: &str) -> bool {
    let mut words = line.split_whitespace();
    words.next().is_some_and(is_kind) && words.next().is_some_and(|number| number.parse::<u32>().is_ok())
}

fn is_kind(word: &str) -> bool {
    ["router", "node"].iter().any(|kind| word.eq_ignore_ascii_case(kind))
}

#[derive(Debug, Default)]
struct Net {
    /// The latency of a channel between two routers; `None` where only the way back is written.
    channels: BTreeMap<(u32, u32), Option<u32>>,
    /// The router of each node.
    homes: BTreeMap<u32, u32>,
    /// The numbers of the routers.
    routers: BTreeSet<u32>,
    has_far_nodes: bool,
}

/// Reads such a file.
pub(super) fn read(text: &str) -> Result<Content, Fault> {
    let mut net = Net::default();
    for (line, number) in text.lines().zip(1..) {
        net.line(line).map_err(|what| Fault::Line(number, what))?;
    }
    Ok(net.content())
}

impl Net {
    fn line(&mut self, line: &str) -> Result<(), LineError> {
        let line = line.split('#').next().and_then(|line| line.split("//").next()).unwrap_or_default();
        let mut words = line.split_whitespace().peekable();
        let Some(kind) = words.next() else { return Ok(()) };
        let head = self.end(kind, words.next())?;
        while let Some(kind) = words.next() {
            let end = self.end(kind, words.next())?;
            let latency = match words.peek() {
                Some(word) if !is_kind(word) => {
                    let found = clipped(word);
                    words.next();
                    Some(super::latency(&found).ok_or(LineError::Anynet(found))?)
                }
                _ => None,
            };
            match (head, end) {
                (End::Router(a), End::Router(b)) if a == b => return Err(LineError::Loop(a as usize)),
                (End::Router(a), End::Router(b)) => {
                    self.channels.insert((a, b), latency.or(Some(1)));
                    self.channels.entry((b, a)).or_insert(None);
                }
                (End::Router(router), End::Node(node)) | (End::Node(node), End::Router(router)) => {
                    self.has_far_nodes |= latency.is_some_and(|latency| latency != 1);
                    if self.homes.insert(node, router).is_some_and(|before| before != router) {
                        return Err(LineError::TwoHomes(node));
                    }
                }
                (End::Node(_), End::Node(node)) => return Err(LineError::NodeToNode(node)),
            }
        }
        Ok(())
    }

    fn end(&mut self, kind: &str, number: Option<&str>) -> Result<End, LineError> {
        let text = number.unwrap_or_default();
        let number = text.parse().ok().filter(|&number| number < MAX_ROUTERS as u32);
        match number {
            _ if !is_kind(kind) => Err(LineError::Anynet(clipped(kind))),
            None => Err(LineError::Anynet(clipped(text))),
            Some(router) if kind.eq_ignore_ascii_case("router") => {
                self.routers.insert(router);
                Ok(End::Router(router))
            }
            Some(node) => Ok(End::Node(node)),
        }
    }

    fn content(self) -> Content {
        let mut content = Content { count: self.routers.len(), lists_nodes: true, ..Content::default() };
        // Numbers may have gaps; then names keep them.
        let places: BTreeMap<u32, u32> = self.routers.iter().copied().zip(0..).collect();
        let place = |router: u32| places.get(&router).copied().unwrap_or_default();
        for (&(from, to), &latency) in &self.channels {
            let back = self.channels.get(&(to, from)).copied().flatten();
            let ends = (place(from), place(to));
            // Without a latency a channel is one cycle long.
            let (there, back) = (latency.unwrap_or(1), back.unwrap_or(1));
            if there != back {
                content.edges.push(Edge {
                    ends,
                    is_one_way: true,
                    latency: Some(there),
                    width: None,
                    rate: None,
                });
            } else if ends.0 < ends.1 {
                content.edges.push(Edge { latency: Some(there), ..Edge::plain(ends) });
            }
        }
        let has_gaps = places.iter().any(|(number, place)| number != place);
        let name = |router: &u32| if has_gaps { format!("router {router}") } else { String::new() };
        content.routers =
            self.routers.iter().map(|router| Router { name: name(router), ..Router::default() }).collect();
        // Nodes are numbered router by router here: where the file has another order, names keep its numbers.
        let by_router =
            self.homes.values().is_sorted() && (0..).zip(self.homes.keys()).all(|(n, &node)| n == node);
        for (&node, &router) in &self.homes {
            let name = if by_router { String::new() } else { format!("node {node}") };
            content.routers[place(router) as usize].nodes.push(Node {
                name: name.clone(),
                mark: name,
                ..Node::default()
            });
        }
        if self.has_far_nodes {
            content
                .notes
                .push("latencies of the links to nodes are not read: links.latency says them".to_owned());
        }
        content
    }
}

/// What a line joins.
#[derive(Debug, Clone, Copy)]
enum End {
    Router(u32),
    Node(u32),
}
