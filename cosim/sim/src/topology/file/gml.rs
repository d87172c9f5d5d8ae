//! GML: `graph [ node [ id 0 label "x" ] edge [ source 0 target 1 ] ]`, as the Internet topology zoo and other programs write it.

use super::content::Content;
use super::tokens::clipped;
use super::vertices::Vertices;
use super::{Fault, LATENCY, Place, RATE, WIDTH, latency, meant, rate, width};
use crate::bounded::GRAPH;
use crate::topology::PlaceError;
use crate::topology::edges::Edge;
use router_core::rate::Rate;

pub(super) fn read(text: &str) -> Result<Content, Fault> {
    let graph = Graph::read(text)?;
    let mut vertices = Vertices::default();
    for node in &graph.nodes {
        let id = node.need("id")?;
        if vertices.find(id).is_some() {
            return Err(node.at.fault(PlaceError::Twice(clipped(id))));
        }
        let vertex = vertices.vertex(id, node.at)?;
        if let Some(vertex) = vertices.at(vertex) {
            vertex.label = node.get("label").map(|(label, _)| unescaped(label));
        }
    }
    for edge in &graph.edges {
        let end = |side| {
            let id = edge.need(side)?;
            vertices.find(id).ok_or_else(|| edge.at.fault(PlaceError::NoRouter(clipped(id))))
        };
        let ends = (end("source")?, end("target")?);
        let (latency, width, rate) = (edge.latency()?, edge.width()?, edge.rate()?);
        let edge_of = Edge { ends, is_one_way: graph.is_directed, latency, width, rate };
        vertices.join(edge_of, Default::default(), edge.at)?;
    }
    vertices.network()
}

/// The lists of a graph that matter.
#[derive(Debug, Default)]
struct Graph<'t> {
    is_directed: bool,
    nodes: Vec<List<'t>>,
    edges: Vec<List<'t>>,
}

/// What is between two brackets: keys and their values, lists left out.
#[derive(Debug)]
struct List<'t> {
    key: &'t str,
    at: Place,
    entries: Vec<Entry<'t>>,
}

/// A key with a value that is no list.
#[derive(Debug)]
struct Entry<'t> {
    key: (&'t str, Place),
    value: (&'t str, Place),
}

impl<'t> Graph<'t> {
    fn read(text: &'t str) -> Result<Self, Fault> {
        let mut lexer = Lexer { rest: text, at: Place::START };
        let (mut open, mut graph): (Vec<List<'t>>, Option<Self>) = (Vec::new(), None);
        while let Some((token, at)) = lexer.next()? {
            let (key, key_at) = match token {
                Token::Word(key) => (key, at),
                Token::Close => {
                    let list = open.pop().ok_or_else(|| at.fault(PlaceError::expected("a key", "`]`")))?;
                    if let (Some(graph), [outer]) = (&mut graph, &open[..]) {
                        graph.close(list, outer);
                    }
                    continue;
                }
                other => return Err(at.fault(PlaceError::expected("a key", &other.shown()))),
            };
            match lexer.next()? {
                Some((Token::Open, at)) if open.len() == GRAPH.depth => {
                    return Err(at.fault(PlaceError::Deep));
                }
                Some((Token::Open, _)) => {
                    let is_graph = open.is_empty() && key.eq_ignore_ascii_case("graph");
                    if is_graph && graph.replace(Self::default()).is_some() {
                        return Err(at.fault(PlaceError::Unread("a second graph")));
                    }
                    open.push(List { key, at, entries: Vec::new() });
                }
                Some((Token::Word(value) | Token::Text(value), at)) => {
                    if let (Some(graph), true) =
                        (&mut graph, open.len() == 1 && key.eq_ignore_ascii_case("directed"))
                    {
                        graph.is_directed = value == "1";
                    }
                    // Lists of nodes and edges are inside the graph; what is deeper is about drawing.
                    let is_of_either = |list: &&mut List<'_>| list.is("node") || list.is("edge");
                    if let Some(list) = open.last_mut().filter(is_of_either) {
                        list.entries.push(Entry { key: (key, key_at), value: (value, at) });
                    }
                }
                other => {
                    let (found, at) = other
                        .map_or(("the end of the file".to_owned(), lexer.at), |(token, at)| {
                            (token.shown(), at)
                        });
                    return Err(at.fault(PlaceError::expected("a value or `[`", &found)));
                }
            }
        }
        match (open.last(), graph) {
            (Some(list), _) => Err(list.at.fault(PlaceError::Open("list"))),
            (None, Some(graph)) => Ok(graph),
            (None, None) => Err(Place::START.fault(PlaceError::expected("`graph [`", "none"))),
        }
    }

    /// A list inside another one is complete.
    fn close(&mut self, list: List<'t>, outer: &List<'t>) {
        match outer.is("graph") {
            true if list.is("node") => self.nodes.push(list),
            true if list.is("edge") => self.edges.push(list),
            _ => {}
        }
    }
}

impl<'t> List<'t> {
    /// Whether it is of this key, in capitals or not.
    fn is(&self, key: &str) -> bool {
        self.key.eq_ignore_ascii_case(key)
    }

    fn get(&self, key: &str) -> Option<(&'t str, Place)> {
        self.entries.iter().find(|entry| entry.key.0.eq_ignore_ascii_case(key)).map(|entry| entry.value)
    }

    fn need(&self, key: &'static str) -> Result<&'t str, Fault> {
        let found = format!("`{}` without one", self.key);
        self.get(key).map(|(value, _)| value).ok_or_else(|| self.at.fault(PlaceError::expected(key, &found)))
    }

    fn latency(&self) -> Result<Option<u32>, Fault> {
        self.check_names()?;
        let Some((value, at)) = self.get(LATENCY) else { return Ok(None) };
        latency(value).map(Some).ok_or_else(|| at.fault(PlaceError::Latency(clipped(value))))
    }

    fn width(&self) -> Result<Option<u8>, Fault> {
        let Some((value, at)) = self.get(WIDTH) else { return Ok(None) };
        width(value).map(Some).ok_or_else(|| at.fault(PlaceError::Width(clipped(value))))
    }

    fn rate(&self) -> Result<Option<Rate>, Fault> {
        let Some((value, at)) = self.get(RATE) else { return Ok(None) };
        rate(value).map(Some).ok_or_else(|| at.fault(PlaceError::Rate(clipped(value))))
    }

    fn check_names(&self) -> Result<(), Fault> {
        let misspelt = |entry: &Entry<'_>| {
            let (key, at) = entry.key;
            meant(key).map(|meant| at.fault(PlaceError::Misspelt { found: clipped(key), meant }))
        };
        self.entries.iter().find_map(misspelt).map_or(Ok(()), Err)
    }
}

/// The characters of a text: a quotation mark is `&quot;`, and a character beyond ASCII may be `&#252;`.
fn unescaped(text: &str) -> String {
    let mut pieces = text.split('&');
    let mut plain = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let (name, rest) = piece.split_once(';').unwrap_or((piece, ""));
        let c = match name {
            "quot" => Some('"'),
            "amp" => Some('&'),
            "apos" => Some('\''),
            "lt" => Some('<'),
            "gt" => Some('>'),
            _ => name.strip_prefix('#').and_then(|number| char::from_u32(number.parse().ok()?)),
        };
        match c {
            Some(c) => plain.extend([c.to_string().as_str(), rest]),
            None => plain.extend(["&", piece]),
        }
    }
    plain
}

/// A word or sign.
#[derive(Debug, Clone, Copy)]
enum Token<'t> {
    Word(&'t str),
    Text(&'t str),
    Open,
    Close,
}

impl Token<'_> {
    fn shown(self) -> String {
        match self {
            Self::Word(text) | Self::Text(text) => format!("`{}`", clipped(text)),
            Self::Open => "`[`".to_owned(),
            Self::Close => "`]`".to_owned(),
        }
    }
}

/// Splits a text into tokens. A `#` at the start of a line begins a comment.
struct Lexer<'t> {
    rest: &'t str,
    at: Place,
}

impl<'t> Lexer<'t> {
    fn next(&mut self) -> Result<Option<(Token<'t>, Place)>, Fault> {
        self.skip();
        let at = self.at;
        let Some(first) = self.rest.chars().next() else { return Ok(None) };
        let token = match first {
            '[' => (self.take(1), Token::Open).1,
            ']' => (self.take(1), Token::Close).1,
            '"' => {
                let end = self.rest[1..].find('"').ok_or_else(|| at.fault(PlaceError::Open("text")))?;
                let text = self.take(end + 2);
                Token::Text(&text[1..text.len() - 1])
            }
            _ => {
                let is_end = |c: char| c.is_whitespace() || matches!(c, '[' | ']' | '"');
                Token::Word(self.take(self.rest.find(is_end).unwrap_or(self.rest.len())))
            }
        };
        Ok(Some((token, at)))
    }

    fn skip(&mut self) {
        loop {
            let is_comment = self.at.column == 1 && self.rest.starts_with('#');
            let length = if is_comment {
                self.rest.find('\n').unwrap_or(self.rest.len())
            } else {
                let is_blank = |c: char| c.is_whitespace() || c == '\u{feff}';
                let blank = self.rest.find(|c: char| !is_blank(c)).unwrap_or(self.rest.len());
                // A comment begins at the start of a line.
                self.rest[..blank].find('\n').map_or(blank, |end| end + 1)
            };
            if length == 0 {
                return;
            }
            self.take(length);
        }
    }

    /// The next bytes, which are whole characters.
    fn take(&mut self, length: usize) -> &'t str {
        let (taken, rest) = self.rest.split_at(length);
        for c in taken.chars() {
            self.at = if c == '\n' {
                Place { line: self.at.line + 1, column: 1 }
            } else {
                Place { column: self.at.column + 1, ..self.at }
            };
        }
        self.rest = rest;
        taken
    }
}
