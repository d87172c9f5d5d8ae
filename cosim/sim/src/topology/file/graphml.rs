//! GraphML: nodes and edges of one graph, directed or not, and `latency` and `width` among the data of edges.

use roxmltree::{Document, Node};

use super::names::Names;
use super::tokens::clipped;
use super::{Fault, LATENCY, Place, WIDTH, latency, width};
use crate::topology::PlaceError;
use crate::topology::edges::Edge;

pub(super) fn read(text: &str) -> Result<Vec<Edge>, Fault> {
    let document = Document::parse(text).map_err(|error| {
        let at = error.pos();
        let at = Place { line: at.row as usize, column: at.col as usize };
        let text = error.to_string();
        let what = text.strip_suffix(&format!(" at {}", error.pos())).unwrap_or(&text);
        at.fault(PlaceError::Xml(what.to_owned()))
    })?;
    let root = document.root_element();
    let reader = Reader { document: &document };
    if !root.has_tag_name_of("graphml") {
        let found = format!("`{}`", clipped(root.tag_name().name()));
        return Err(reader.fault(root, PlaceError::expected("an element `graphml`", &found)));
    }
    let mut graphs = root.children_of("graph");
    let Some(graph) = graphs.next() else {
        return Err(reader.fault(root, PlaceError::expected("an element `graph`", "none")));
    };
    match graphs.next() {
        Some(second) => Err(reader.fault(second, PlaceError::Unread("a second graph"))),
        None => {
            let latencies = reader.keys(root, LATENCY, Reader::cycles)?;
            reader.edges(graph, &latencies, &reader.keys(root, WIDTH, Reader::flits)?)
        }
    }
}

/// What the elements of GraphML are asked for, whatever their namespace.
trait Elements<'a> {
    fn has_tag_name_of(&self, name: &str) -> bool;
    fn children_of(&self, name: &'static str) -> impl Iterator<Item = Node<'a, 'a>>;
}

impl<'a> Elements<'a> for Node<'a, 'a> {
    fn has_tag_name_of(&self, name: &str) -> bool {
        self.is_element() && self.tag_name().name() == name
    }

    fn children_of(&self, name: &'static str) -> impl Iterator<Item = Node<'a, 'a>> {
        self.children().filter(move |child| child.has_tag_name_of(name))
    }
}

/// A key of the data of edges that says one of their numbers.
struct Key<'a, T> {
    id: &'a str,
    default: Option<T>,
}

struct Reader<'a> {
    document: &'a Document<'a>,
}

impl<'a> Reader<'a> {
    fn place(&self, node: Node<'a, 'a>) -> Place {
        let at = self.document.text_pos_at(node.range().start);
        Place { line: at.row as usize, column: at.col as usize }
    }

    fn fault(&self, node: Node<'a, 'a>, what: PlaceError) -> Fault {
        self.place(node).fault(what)
    }

    fn attribute(&self, node: Node<'a, 'a>, name: &'static str) -> Result<&'a str, Fault> {
        node.attribute(name).ok_or_else(|| self.fault(node, PlaceError::expected(name, "no such attribute")))
    }

    fn cycles(&self, node: Node<'a, 'a>) -> Result<u32, Fault> {
        let text = node.text().unwrap_or_default().trim();
        latency(text).ok_or_else(|| self.fault(node, PlaceError::Latency(clipped(text))))
    }

    fn flits(&self, node: Node<'a, 'a>) -> Result<u8, Fault> {
        let text = node.text().unwrap_or_default().trim();
        width(text).ok_or_else(|| self.fault(node, PlaceError::Width(clipped(text))))
    }

    /// The keys of this name that edges have.
    fn keys<T>(
        &self,
        root: Node<'a, 'a>,
        name: &str,
        value: fn(&Self, Node<'a, 'a>) -> Result<T, Fault>,
    ) -> Result<Vec<Key<'a, T>>, Fault> {
        let of_edges = |key: &Node<'_, '_>| matches!(key.attribute("for"), None | Some("edge" | "all"));
        let named = |key: &Node<'_, '_>| key.attribute("attr.name") == Some(name);
        let keys = root.children_of("key").filter(|key| of_edges(key) && named(key));
        keys.map(|key| {
            let default = key.children_of("default").next();
            let default = default.map(|default| value(self, default)).transpose()?;
            Ok(Key { id: self.attribute(key, "id")?, default })
        })
        .collect()
    }

    fn edges(
        &self,
        graph: Node<'a, 'a>,
        latencies: &[Key<'a, u32>],
        widths: &[Key<'a, u8>],
    ) -> Result<Vec<Edge>, Fault> {
        let mut names = Names::default();
        for node in graph.children_of("node") {
            let id = self.attribute(node, "id")?;
            if names.find(id).is_some() {
                return Err(self.fault(node, PlaceError::Twice(clipped(id))));
            }
            names.router(id, self.place(node))?;
            if let Some(nested) = node.children_of("graph").next() {
                return Err(self.fault(nested, PlaceError::Unread("a graph inside a node")));
            }
        }
        if let Some(hyperedge) = graph.children_of("hyperedge").next() {
            return Err(self.fault(hyperedge, PlaceError::Unread("an edge of several nodes")));
        }
        let directed = graph.attribute("edgedefault") == Some("directed");
        for edge in graph.children_of("edge") {
            let is_one_way = edge.attribute("directed").map_or(directed, |word| word == "true");
            let ends = (self.end(&names, edge, "source")?, self.end(&names, edge, "target")?);
            let latency = self.number(edge, latencies, Reader::cycles)?;
            let width = self.number(edge, widths, Reader::flits)?;
            names.join(Edge { ends, is_one_way, latency, width }, self.place(edge))?;
        }
        names.edges()
    }

    fn end(&self, names: &Names, edge: Node<'a, 'a>, side: &'static str) -> Result<u32, Fault> {
        let id = self.attribute(edge, side)?;
        names.find(id).ok_or_else(|| self.fault(edge, PlaceError::NoRouter(clipped(id))))
    }

    /// What an edge says under one of these keys, or what one of them says of all edges.
    fn number<T: Copy>(
        &self,
        edge: Node<'a, 'a>,
        keys: &[Key<'a, T>],
        value: fn(&Self, Node<'a, 'a>) -> Result<T, Fault>,
    ) -> Result<Option<T>, Fault> {
        for data in edge.children_of("data") {
            if keys.iter().any(|key| Some(key.id) == data.attribute("key")) {
                return value(self, data).map(Some);
            }
        }
        Ok(keys.iter().find_map(|key| key.default))
    }
}
