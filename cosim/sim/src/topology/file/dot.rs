//! Graphviz DOT, the undirected part of it: nodes, edges and chains of edges, their attributes, and subgraphs as a frame.

use super::names::Names;
use super::tokens::{Token, Tokens, clipped};
use super::{Fault, LATENCY, Place, WIDTH, latency};
use crate::topology::PlaceError;
use crate::topology::edges::Edge;

pub(super) fn read(text: &str) -> Result<Vec<Edge>, Fault> {
    let mut tokens = Tokens::new(text);
    let (token, at) = tokens.next()?;
    let mut reader = Reader { token, at, tokens, names: Names::default(), defaults: vec![None] };
    reader.head()?;
    while !reader.defaults.is_empty() {
        reader.statement()?;
    }
    match reader.token {
        Token::End => reader.names.edges(),
        _ => Err(reader.unexpected("the end of the file, as there is one graph")),
    }
}

/// A reader one token ahead.
struct Reader<'t> {
    tokens: Tokens<'t>,
    token: Token,
    at: Place,
    names: Names,
    /// The latency of edges that say none, one entry for each open frame, the graph's first.
    defaults: Vec<Option<u32>>,
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

    /// `[strict] graph [name] {`
    fn head(&mut self) -> Result<(), Fault> {
        if self.token.is("strict") {
            self.names.merge();
            self.take()?;
        }
        if self.token.is("digraph") {
            return Err(self.at.fault(PlaceError::Directed));
        }
        if !self.token.is("graph") {
            return Err(self.unexpected("`graph`"));
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
        let inherited = self.defaults.last().copied().flatten();
        self.defaults.push(inherited);
        Ok(())
    }

    fn no_edge_of_a_frame(&self) -> Result<(), Fault> {
        match self.token {
            Token::Edge => Err(self.at.fault(PlaceError::Unread("an edge of a whole subgraph"))),
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
        let latency = self.attributes(is_of_edges)?;
        if let Some(default) = self.defaults.last_mut().filter(|_| is_of_edges && latency.is_some()) {
            *default = latency;
        }
        Ok(())
    }

    /// `a`, `a -- b -- c`, or `name = value`, which means nothing here.
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
            if self.token == Token::Arrow {
                return Err(self.at.fault(PlaceError::Directed));
            }
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
        let own = self.attributes(is_edge)?.filter(|_| is_edge);
        let latency = own.or(self.defaults.last().copied().flatten());
        for (pair, &at) in routers.windows(2).zip(&places[1..]) {
            self.names.join(pair[0], pair[1], latency, at)?;
        }
        Ok(())
    }

    fn no_port(&self) -> Result<(), Fault> {
        match self.token {
            Token::Sign(':') => Err(self.at.fault(PlaceError::Unread("a port of a router"))),
            _ => Ok(()),
        }
    }

    /// Lists of attributes, such as `[latency = 5, color = red]`; gives the latency, where there is one.
    fn attributes(&mut self, of_edges: bool) -> Result<Option<u32>, Fault> {
        let mut found = None;
        while self.token == Token::Sign('[') {
            self.take()?;
            while self.token != Token::Sign(']') {
                let begin = self.at;
                let name = self.take_name("an attribute or `]`")?;
                if of_edges && name == WIDTH {
                    return Err(begin.fault(PlaceError::Width));
                }
                self.take_sign('=', "`=`")?;
                let at = self.at;
                let value = self.take_name("a value")?;
                if name == LATENCY {
                    let cycles = latency(&value);
                    found = Some(cycles.ok_or_else(|| at.fault(PlaceError::Latency(clipped(&value))))?);
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
