//! A list of edges: two router numbers per line, `->` between them where flits go one way, and perhaps a latency; `#` starts a comment.

use super::{Fault, LATENCY, WIDTH, latency};
use crate::topology::edges::Edge;
use crate::topology::{LineError, MAX_ROUTERS};

pub(super) fn read(text: &str) -> Result<Vec<Edge>, Fault> {
    let edges = text.lines().zip(1..).map(|(line, n)| edge(line).map_err(|what| Fault::Line(n, what)));
    edges.filter_map(Result::transpose).collect()
}

/// The edge a line names; `None` for a line that is empty but for a comment.
fn edge(line: &str) -> Result<Option<Edge>, LineError> {
    let edge = line.split('#').next().unwrap_or_default();
    let mut words: Vec<&str> = edge.split_whitespace().collect();
    let is_one_way = words.get(1) == Some(&ARROW);
    if is_one_way {
        words.remove(1);
    }
    let (a, b, latency) = match words[..] {
        [] => return Ok(None),
        [a, b] => (router(a)?, router(b)?, None),
        [a, b, attribute] if attribute.contains('=') => (router(a)?, router(b)?, Some(cycles(attribute)?)),
        _ => return Err(LineError::NotAPair(words.len())),
    };
    if a == b {
        return Err(LineError::Loop(a as usize));
    }
    Ok(Some(Edge { ends: (a, b), is_one_way, latency }))
}

/// Between the routers of a link that flits pass one way.
const ARROW: &str = "->";

fn router(word: &str) -> Result<u32, LineError> {
    let number = word.parse().ok().filter(|&router| router < MAX_ROUTERS as u32);
    number.ok_or_else(|| LineError::NotARouter(word.to_owned()))
}

fn cycles(attribute: &str) -> Result<u32, LineError> {
    if attribute.split('=').next() == Some(WIDTH) {
        return Err(LineError::Width);
    }
    let value = attribute.strip_prefix(LATENCY).and_then(|rest| rest.strip_prefix('='));
    value.and_then(latency).ok_or_else(|| LineError::NotALatency(attribute.to_owned()))
}
