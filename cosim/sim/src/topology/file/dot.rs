//! Graphviz DOT: nodes, edges and chains of edges, their attributes, and subgraphs as a frame. Edges of a `graph` go both ways, those of a
//! `digraph` from the first router to the second, unless their attribute `dir` says otherwise.

use super::names::Names;
use super::tokens::{Token, Tokens, clipped};
use super::{Fault, LATENCY, Place, WIDTH, latency, meant, width};
use crate::topology::PlaceError;
use crate::topology::edges::Edge;

pub(super) fn read(text: &str) -> Result<Vec<Edge>, Fault> {
    let mut tokens = Tokens::new(text);
    let (token, at) = tokens.next()?;
    let defaults = vec![Attributes::default()];
    let mut reader = Reader { token, at, tokens, names: Names::default(), is_directed: false, defaults };
    reader.head()?;
    while !reader.defaults.is_empty() {
        reader.statement()?;
    }
    match reader.token {
        Token::End => reader.names.edges(),
        _ => Err(reader.unexpected("the end of the file, as there is one graph")),
    }
}

/// What matters of the attributes of an edge.
#[derive(Debug, Clone, Copy, Default)]
struct Attributes {
    latency: Option<u32>,
    width: Option<u8>,
    direction: Option<Direction>,
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
    fn or(self, before: Self) -> Self {
        Self {
            latency: self.latency.or(before.latency),
            width: self.width.or(before.width),
            direction: self.direction.or(before.direction),
        }
    }
}

/// A reader one token ahead.
struct Reader<'t> {
    tokens: Tokens<'t>,
    token: Token,
    at: Place,
    names: Names,
    /// Whether it is a `digraph`.
    is_directed: bool,
    /// Of edges that say none, one entry for each open frame, the graph's first.
    defaults: Vec<Attributes>,
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
            self.names.merge();
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
        self.take()?;
        let inherited = self.defaults.last().copied().unwrap_or_default();
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
        let is_of_edges = self.token.is("edge");
        self.take()?;
        if self.token != Token::Sign('[') {
            return Err(self.unexpected("`[`"));
        }
        let own = self.attributes(is_of_edges)?;
        if let Some(default) = self.defaults.last_mut().filter(|_| is_of_edges) {
            *default = own.or(*default);
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
        let mut routers = vec![self.names.router(&first, places[0])?];
        self.no_port()?;
        while matches!(self.token, Token::Edge | Token::Arrow) {
            self.check_direction()?;
            self.take()?;
            if self.token == Token::Sign('{') || self.token.is("subgraph") {
                return Err(self.at.fault(PlaceError::Unread("an edge of a whole subgraph")));
            }
            let at = self.at;
            let name = self.take_name("a router")?;
            routers.push(self.names.router(&name, at)?);
            places.push(at);
            self.no_port()?;
        }
        let is_edge = routers.len() > 1;
        let own = self.attributes(is_edge)?;
        let Attributes { latency, width, direction } =
            own.or(self.defaults.last().copied().unwrap_or_default());
        let direction = direction.filter(|_| self.is_directed);
        for (pair, &at) in routers.windows(2).zip(&places[1..]) {
            let ends =
                if direction == Some(Direction::Back) { (pair[1], pair[0]) } else { (pair[0], pair[1]) };
            let is_one_way = self.is_directed && direction != Some(Direction::Both);
            self.names.join(Edge { ends, is_one_way, latency, width }, at)?;
        }
        Ok(())
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

    fn no_port(&self) -> Result<(), Fault> {
        match self.token {
            Token::Sign(':') => Err(self.at.fault(PlaceError::Unread("a port of a router"))),
            _ => Ok(()),
        }
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
