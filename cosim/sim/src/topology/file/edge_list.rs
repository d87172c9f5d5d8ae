//! A list of edges: two router numbers per line, `->` between them where flits go one way, and perhaps a latency, a width and a rate; `#` starts a comment.

use super::content::Content;
use super::{Fault, LATENCY, RATE, WIDTH, latency, rate, width};
use crate::document;
use crate::topology::edges::Edge;
use crate::topology::{LineError, MAX_ROUTERS};

/// Reads such a list. One that is `0` alone is a router without an edge.
pub(super) fn read(text: &str) -> Result<Content, Fault> {
    let mut words = text.lines().flat_map(|line| plain(line).split_whitespace());
    if (words.next(), words.next()) == (Some("0"), None) {
        return Ok(Content { count: 1, ..Content::default() });
    }
    let edges = text.lines().zip(1..).map(|(line, n)| edge(line).map_err(|what| Fault::Line(n, what)));
    edges.filter_map(Result::transpose).collect::<Result<_, _>>().map(Content::of_numbers)
}

/// The edge a line names; `None` for a line that is empty but for a comment.
fn edge(line: &str) -> Result<Option<Edge>, LineError> {
    let mut words: Vec<&str> = plain(line).split_whitespace().collect();
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
            Some((found, _)) if let Some(meant) = document::nearest(found, &[LATENCY, WIDTH, RATE]) => {
                return Err(LineError::Misspelt { found: found.to_owned(), meant });
            }
            _ => return Err(wrong(attribute)),
        }
    }
    Ok(Some(edge))
}

/// A line without its comment.
fn plain(line: &str) -> &str {
    line.split('#').next().unwrap_or_default()
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
