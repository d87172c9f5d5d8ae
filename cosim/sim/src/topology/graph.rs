//! Any connected graph, from a file with one edge per line.

use std::fs;
use std::path::Path;

use super::{Layout, LineError, MAX_ROUTERS, PortKind, TopologyError};

/// A graph whose routers are numbered without gaps. Parallel edges are allowed.
///
/// Ports: the nodes, then one local port per end of an edge, in the order of the file.
#[derive(Debug, Clone)]
pub(super) struct Graph {
    nodes_per_router: usize,
    /// Entry `router`, `port - nodes`: router and port at the other end.
    ends: Vec<Vec<(usize, usize)>>,
}

impl Graph {
    /// Reads `file`: two router numbers per line, `#` starts a comment.
    pub(super) fn read(file: &Path, nodes_per_router: u32) -> Result<Self, TopologyError> {
        let text = fs::read_to_string(file)
            .map_err(|source| TopologyError::Read { file: file.to_path_buf(), source })?;
        let mut graph = Self { nodes_per_router: nodes_per_router as usize, ends: Vec::new() };
        for (n, line) in text.lines().enumerate() {
            let edge = parse_edge(line).map_err(|what| TopologyError::Line {
                file: file.to_path_buf(),
                line: n + 1,
                what,
            })?;
            if let Some((a, b)) = edge {
                graph.join(a, b);
            }
        }
        graph.check_gaps(file)?;
        Ok(graph)
    }

    fn join(&mut self, a: usize, b: usize) {
        let routers = self.ends.len().max(a + 1).max(b + 1);
        self.ends.resize(routers, Vec::new());
        let port_a = self.nodes_per_router + self.ends[a].len();
        let port_b = self.nodes_per_router + self.ends[b].len();
        self.ends[a].push((b, port_b));
        self.ends[b].push((a, port_a));
    }

    fn check_gaps(&self, file: &Path) -> Result<(), TopologyError> {
        let file = file.to_path_buf();
        let Some(highest) = self.ends.len().checked_sub(1) else {
            return Err(TopologyError::NoEdges { file });
        };
        match self.ends.iter().position(Vec::is_empty) {
            Some(router) => Err(TopologyError::Gap { file, router, highest }),
            None => Ok(()),
        }
    }
}

/// The edge a line names; `None` for a line that is empty but for a comment.
fn parse_edge(line: &str) -> Result<Option<(usize, usize)>, LineError> {
    let edge = line.split('#').next().unwrap_or_default();
    let words: Vec<&str> = edge.split_whitespace().collect();
    let (a, b) = match words[..] {
        [] => return Ok(None),
        [a, b] => (parse_router(a)?, parse_router(b)?),
        _ => return Err(LineError::NotAPair(words.len())),
    };
    if a == b { Err(LineError::Loop(a)) } else { Ok(Some((a, b))) }
}

fn parse_router(word: &str) -> Result<usize, LineError> {
    let number = word.parse().ok().filter(|&router| router < MAX_ROUTERS);
    number.ok_or_else(|| LineError::NotARouter(word.to_owned()))
}

impl Layout for Graph {
    fn routers(&self) -> usize {
        self.ends.len()
    }

    fn ports(&self) -> usize {
        self.nodes_per_router + self.ends.iter().map(Vec::len).max().unwrap_or(0)
    }

    fn nodes_at(&self, _router: usize) -> usize {
        self.nodes_per_router
    }

    fn kind(&self, port: usize) -> PortKind {
        if port < self.nodes_per_router { PortKind::Node } else { PortKind::Local }
    }

    fn across(&self, router: usize, port: usize) -> Option<(usize, usize)> {
        self.ends[router].get(port - self.nodes_per_router).copied()
    }
}
