//! Graphviz DOT: vertices, edges and chains of edges, their ports and attributes, and subgraphs as a frame. Edges of a `graph` go both ways, those of a
//! `digraph` from the first router to the second, unless their attribute `dir` says otherwise.

use super::content::Content;
use super::servers::is_host;
use super::tokens::{Token, Tokens, clipped};
use super::vertices::Vertices;
use super::{Fault, LATENCY, Place, RATE, WIDTH, latency, meant, rate, width};
use crate::bounded::GRAPH;
use crate::topology::PlaceError;
use crate::topology::edges::Edge;
use router_core::rate::Rate;

pub(super) fn read(text: &str) -> Result<Content, Fault> {
    let mut tokens = Tokens::new(text);
    let (token, at) = tokens.next()?;
    let defaults = vec![Frame::default()];
    let mut reader =
        Reader { token, at, tokens, vertices: Vertices::default(), is_directed: false, defaults };
    reader.head()?;
    while !reader.defaults.is_empty() {
        reader.statement()?;
    }
    match reader.token {
        Token::End => reader.vertices.network(),
        _ => Err(reader.unexpected("the end of the file, as there is one graph")),
    }
}

/// What matters of the attributes of an edge or a vertex.
#[derive(Debug, Clone, Default)]
struct Attributes {
    latency: Option<u32>,
    width: Option<u8>,
    rate: Option<Rate>,
    direction: Option<Direction>,
    label: Option<String>,
    /// Whether it is a server.
    is_server: Option<bool>,
}

/// What holds inside a frame unless an edge or a vertex says otherwise.
#[derive(Debug, Clone, Default)]
struct Frame {
    edges: Attributes,
    vertices: Attributes,
}

/// Which way flits pass an edge of a `digraph`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Direction {
    Forward,
    Back,
    Both,
}

impl Attributes {
    /// These, or where there are none those of before.
    fn or(self, before: &Self) -> Self {
        Self {
            latency: self.latency.or(before.latency),
            width: self.width.or(before.width),
            rate: self.rate.or(before.rate),
            direction: self.direction.or(before.direction),
            label: self.label.or_else(|| before.label.clone()),
            is_server: self.is_server.or(before.is_server),
        }
    }
}

/// A reader one token ahead.
struct Reader<'t> {
    tokens: Tokens<'t>,
    token: Token,
    at: Place,
    vertices: Vertices,
    /// Whether it is a `digraph`.
    is_directed: bool,
    /// One entry for each open frame, the graph's first.
    defaults: Vec<Frame>,
}

impl Reader<'_> {
    /// The token, and one more is read.
    fn take(&mut self) -> Result<Token, Fault> {
        let (next, at) = self.tokens.next()?;
        self.at = at;
        Ok(std::mem::replace(&mut self.token, next))
    }

    fn unexpected(&self, expected: &'static str) -> Fault {
        self.at.fault(PlaceError::expected(expected, &self.token.shown()))
    }

    fn take_sign(&mut self, sign: char, expected: &'static str) -> Result<(), Fault> {
        if self.token == Token::Sign(sign) { self.take().map(drop) } else { Err(self.unexpected(expected)) }
    }

    fn take_name(&mut self, expected: &'static str) -> Result<String, Fault> {
        match self.take_name_if_any()? {
            Some(name) => Ok(name),
            None => Err(self.unexpected(expected)),
        }
    }

    fn take_name_if_any(&mut self) -> Result<Option<String>, Fault> {
        let name = match &self.token {
            Token::Word(name) | Token::Text(name) => name.clone(),
            _ => return Ok(None),
        };
        self.take()?;
        Ok(Some(name))
    }

    /// `[strict] graph [name] {`, or `digraph`
    fn head(&mut self) -> Result<(), Fault> {
        if self.token.is("strict") {
            self.vertices.merge();
            self.take()?;
        }
        self.is_directed = self.token.is("digraph");
        if !self.is_directed && !self.token.is("graph") {
            return Err(self.unexpected("`graph` or `digraph`"));
        }
        self.take()?;
        self.take_name_if_any()?;
        self.take_sign('{', "`{`")
    }

    fn statement(&mut self) -> Result<(), Fault> {
        match &self.token {
            Token::Sign('}') => {
                self.take()?;
                self.defaults.pop();
                self.no_edge_of_a_frame()
            }
            Token::Sign(';') => self.take().map(drop),
            Token::Sign('{') => self.open(),
            token if token.is("subgraph") => {
                self.take()?;
                self.take_name_if_any()?;
                if self.token == Token::Sign('{') { self.open() } else { Err(self.unexpected("`{`")) }
            }
            token if ["graph", "node", "edge"].iter().any(|word| token.is(word)) => self.defaults(),
            Token::Word(_) | Token::Text(_) => self.chain(),
            _ => Err(self.unexpected("a router, an edge or `}`")),
        }
    }

    fn open(&mut self) -> Result<(), Fault> {
        if self.defaults.len() == GRAPH.depth {
            return Err(self.at.fault(PlaceError::Deep));
        }
        self.take()?;
        let inherited = self.defaults.last().cloned().unwrap_or_default();
        self.defaults.push(inherited);
        Ok(())
    }

    fn no_edge_of_a_frame(&self) -> Result<(), Fault> {
        match self.token {
            Token::Edge | Token::Arrow => {
                Err(self.at.fault(PlaceError::Unread("an edge of a whole subgraph")))
            }
            _ => Ok(()),
        }
    }

    /// `edge [latency = 5]` holds for the edges after it in the same frame.
    fn defaults(&mut self) -> Result<(), Fault> {
        let (is_of_edges, is_of_vertices) = (self.token.is("edge"), self.token.is("node"));
        self.take()?;
        if self.token != Token::Sign('[') {
            return Err(self.unexpected("`[`"));
        }
        let own = self.attributes(is_of_edges)?;
        if let Some(Frame { edges, vertices }) = self.defaults.last_mut() {
            if is_of_edges {
                *edges = own.or(edges);
            } else if is_of_vertices {
                // A label of all vertices names none of them.
                *vertices = Attributes { label: None, ..own.or(vertices) };
            }
        }
        Ok(())
    }

    /// `a`, `a -- b -- c`, `a -> b`, or `name = value`, which means nothing here.
    fn chain(&mut self) -> Result<(), Fault> {
        let mut places = vec![self.at];
        let first = self.take_name("a router")?;
        if self.token == Token::Sign('=') {
            self.take()?;
            return self.take_name("a value").map(drop);
        }
        let mut ends = vec![(self.vertex(&first, places[0])?, self.port()?)];
        while matches!(self.token, Token::Edge | Token::Arrow) {
            self.check_direction()?;
            self.take()?;
            if self.token == Token::Sign('{') || self.token.is("subgraph") {
                return Err(self.at.fault(PlaceError::Unread("an edge of a whole subgraph")));
            }
            let at = self.at;
            let name = self.take_name("a router")?;
            ends.push((self.vertex(&name, at)?, self.port()?));
            places.push(at);
        }
        let is_edge = ends.len() > 1;
        let own = self.attributes(is_edge)?;
        if let [(vertex, _)] = ends[..] {
            self.describe(vertex, own);
            return Ok(());
        }
        let own = own.or(self.defaults.last().map_or(&Attributes::default(), |frame| &frame.edges));
        for (pair, &at) in ends.windows(2).zip(&places[1..]) {
            self.join([&pair[0], &pair[1]], &own, at)?;
        }
        Ok(())
    }

    /// The vertex of a name. A new one gets what holds for all vertices of the frame.
    fn vertex(&mut self, name: &str, at: Place) -> Result<u32, Fault> {
        let is_known = self.vertices.find(name).is_some();
        let vertex = self.vertices.vertex(name, at)?;
        if !is_known {
            let default = self.defaults.last().map(|frame| frame.vertices.clone()).unwrap_or_default();
            self.describe(vertex, default);
        }
        Ok(vertex)
    }

    fn describe(&mut self, vertex: u32, Attributes { label, is_server, .. }: Attributes) {
        if let Some(vertex) = self.vertices.at(vertex) {
            vertex.label = label.or(vertex.label.take());
            vertex.is_server = is_server.or(vertex.is_server);
        }
    }

    fn join(
        &mut self,
        [first, second]: [&(u32, String); 2],
        attributes: &Attributes,
        at: Place,
    ) -> Result<(), Fault> {
        let &Attributes { latency, width, rate, direction, .. } = attributes;
        let direction = direction.filter(|_| self.is_directed);
        let (first, second) =
            if direction == Some(Direction::Back) { (second, first) } else { (first, second) };
        let is_one_way = self.is_directed && direction != Some(Direction::Both);
        let edge = Edge { ends: (first.0, second.0), is_one_way, latency, width, rate };
        self.vertices.join(edge, [first.1.clone(), second.1.clone()], at)
    }

    /// The sign between two routers is that of the kind of graph.
    fn check_direction(&self) -> Result<(), Fault> {
        match (&self.token, self.is_directed) {
            (Token::Arrow, false) => Err(self.unexpected("`--`, since this is no `digraph`")),
            (Token::Edge, true) => {
                Err(self.unexpected("`->`, with `[dir=both]` for a link that goes both ways in a `digraph`"))
            }
            _ => Ok(()),
        }
    }

    /// The port behind a name, if there is one, as in `leaf1:swp1`. Points of the compass, `leaf1:n`, are for drawing.
    fn port(&mut self) -> Result<String, Fault> {
        const COMPASS: [&str; 10] = ["n", "ne", "e", "se", "s", "sw", "w", "nw", "c", "_"];
        let mut port = String::new();
        while self.token == Token::Sign(':') {
            self.take()?;
            let name = self.take_name("a port")?;
            if port.is_empty() && !COMPASS.contains(&name.as_str()) {
                port = name;
            }
        }
        Ok(port)
    }

    /// Lists of attributes, such as `[latency = 5, color = red]`.
    fn attributes(&mut self, of_edges: bool) -> Result<Attributes, Fault> {
        let mut found = Attributes::default();
        while self.token == Token::Sign('[') {
            self.take()?;
            while self.token != Token::Sign(']') {
                let at = self.at;
                let name = self.take_name("an attribute or `]`")?;
                if let Some(meant) = meant(&name).filter(|_| of_edges) {
                    return Err(at.fault(PlaceError::Misspelt { found: clipped(&name), meant }));
                }
                self.take_sign('=', "`=`")?;
                let at = self.at;
                let value = self.take_name("a value")?;
                if name == LATENCY {
                    let cycles = latency(&value);
                    found.latency =
                        Some(cycles.ok_or_else(|| at.fault(PlaceError::Latency(clipped(&value))))?);
                }
                if of_edges && name == WIDTH {
                    let flits = width(&value);
                    found.width = Some(flits.ok_or_else(|| at.fault(PlaceError::Width(clipped(&value))))?);
                }
                if of_edges && name == RATE {
                    let flits = rate(&value);
                    found.rate = Some(flits.ok_or_else(|| at.fault(PlaceError::Rate(clipped(&value))))?);
                }
                if !of_edges && name == "function" {
                    found.is_server = Some(is_host(&value));
                }
                // `\\N` and its kind stand for the name itself.
                if !of_edges && name == "label" && !value.contains(['\\', '<']) {
                    found.label = Some(value.clone());
                }
                if of_edges && name == "dir" {
                    let found_instead = format!("`{}`", clipped(&value));
                    found.direction = Some(direction(&value).ok_or_else(|| {
                        at.fault(PlaceError::expected("`forward`, `back`, `both` or `none`", &found_instead))
                    })?);
                }
                if matches!(self.token, Token::Sign(',' | ';')) {
                    self.take()?;
                }
            }
            self.take()?;
        }
        Ok(found)
    }
}

/// What the attribute `dir` says. A line without arrowheads goes both ways, too.
fn direction(word: &str) -> Option<Direction> {
    match word {
        "forward" => Some(Direction::Forward),
        "back" => Some(Direction::Back),
        "both" | "none" => Some(Direction::Both),
        _ => None,
    }
}
