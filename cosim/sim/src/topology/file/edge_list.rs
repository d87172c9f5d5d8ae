//! A list of edges: two router numbers per line, `->` between them where flits go one way, and perhaps a latency, a width and a rate; `#` starts a comment.

use super::{Fault, LATENCY, RATE, WIDTH, latency, meant, rate, width};
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
    let (mut edge, attributes) = match words[..] {
        [] => return Ok(None),
        [a, b, ref attributes @ ..] if attributes.iter().all(|word| word.contains('=')) => {
            (Edge { is_one_way, ..Edge::plain((router(a)?, router(b)?)) }, attributes)
        }
        _ => return Err(LineError::NotAPair(words.len())),
    };
    let (a, b) = edge.ends;
    if a == b {
        return Err(LineError::Loop(a as usize));
    }
    for attribute in attributes {
        match attribute.split_once('=') {
            Some((WIDTH, value)) => edge.width = Some(width(value).ok_or_else(|| wrong(attribute))?),
            Some((RATE, value)) => edge.rate = Some(rate(value).ok_or_else(|| wrong(attribute))?),
            Some((LATENCY, value)) => edge.latency = Some(latency(value).ok_or_else(|| wrong(attribute))?),
            Some((found, _)) if let Some(meant) = meant(found) => {
                return Err(LineError::Misspelt { found: found.to_owned(), meant });
            }
            _ => return Err(wrong(attribute)),
        }
    }
    Ok(Some(edge))
}

/// Between the routers of a link that flits pass one way.
const ARROW: &str = "->";

fn router(word: &str) -> Result<u32, LineError> {
    let number = word.parse().ok().filter(|&router| router < MAX_ROUTERS as u32);
    number.ok_or_else(|| LineError::NotARouter(word.to_owned()))
}

fn wrong(attribute: &str) -> LineError {
    LineError::NotAnAttribute(attribute.to_owned())
}
