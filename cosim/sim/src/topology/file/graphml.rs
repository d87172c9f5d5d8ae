//! GraphML: nodes and edges of one graph, directed or not, and `latency`, `width` and `rate` among the data of edges.

use roxmltree::{Document, Node};
use std::cell::Cell;

use super::content::Content;
use super::tokens::clipped;
use super::vertices::Vertices;
use super::{Fault, LATENCY, Place, RATE, WIDTH, latency, rate, width};
use crate::bounded::GRAPH;
use crate::topology::PlaceError;
use crate::topology::edges::Edge;
use router_core::rate::Rate;

pub(super) fn read(text: &str) -> Result<Content, Fault> {
    check_depth(text)?;
    let document = Document::parse(text).map_err(|error| {
        let at = error.pos();
        let at = Place { line: at.row as usize, column: at.col as usize };
        if matches!(error, roxmltree::Error::DtdDetected) {
            return at.fault(PlaceError::Unread("a document type, `<!DOCTYPE …>`,"));
        }
        let text = error.to_string();
        let what = text.strip_suffix(&format!(" at {}", error.pos())).unwrap_or(&text);
        at.fault(PlaceError::Xml(what.to_owned()))
    })?;
    let root = document.root_element();
    let reader = Reader { document: &document, before: Cell::new((0, Place::START)) };
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
            let widths = reader.keys(root, WIDTH, Reader::flits)?;
            let rates = reader.keys(root, RATE, Reader::rate)?;
            reader.network(graph, &Keys { latencies, widths, rates, labels: reader.label_keys(root) })
        }
    }
}

/// The keys whose data matter.
struct Keys<'a> {
    latencies: Vec<Key<'a, u32>>,
    widths: Vec<Key<'a, u8>>,
    rates: Vec<Key<'a, Rate>>,
    labels: Vec<&'a str>,
}

/// Refuses elements that are nested too deeply, since the parser of XML calls itself for each; and tags that are too long, since it compares
/// each of their attributes with all others.
///
/// This counts what opens and what closes an element, and skips comments, character data and instructions as XML has them.
fn check_depth(text: &str) -> Result<(), Fault> {
    let (mut depth, mut at) = (0_usize, 0);
    while let Some(found) = text[at..].find('<') {
        let start = at + found;
        let rest = &text[start..];
        let end_of = |mark: &str| rest.find(mark).map_or(rest.len(), |end| end + mark.len());
        let (length, change) = if rest.starts_with("<!--") {
            (end_of("-->"), 0)
        } else if rest.starts_with("<![CDATA[") {
            (end_of("]]>"), 0)
        } else if rest.starts_with("<?") {
            (end_of("?>"), 0)
        } else {
            let length = end_of_tag(rest);
            let closes_itself = rest[..length].ends_with("/>");
            (length, if rest.starts_with("</") { -1 } else { isize::from(!closes_itself) })
        };
        depth = depth.saturating_add_signed(change);
        let is_tag = !rest.starts_with("<!") && !rest.starts_with("<?");
        let fault = |what| Err(Place::START.behind(&text[..start]).fault(what));
        if depth > GRAPH.depth {
            return fault(PlaceError::Deep);
        }
        if is_tag && length > LONGEST_TAG {
            return fault(PlaceError::LongTag);
        }
        at = start + length;
    }
    Ok(())
}

/// Bytes of a tag.
const LONGEST_TAG: usize = 4 << 10;

/// The length of a tag. A `>` between quotes does not end it.
fn end_of_tag(text: &str) -> usize {
    let mut quote = None;
    for (at, c) in text.bytes().enumerate() {
        match (quote, c) {
            (None, b'"' | b'\'') => quote = Some(c),
            (None, b'>') => return at + 1,
            (Some(open), _) if open == c => quote = None,
            _ => {}
        }
    }
    text.len()
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
    /// A byte of the text, and its place. Nodes are mostly asked for in their order: then each part of the text is counted once.
    before: Cell<(usize, Place)>,
}

impl<'a> Reader<'a> {
    fn place(&self, node: Node<'a, 'a>) -> Place {
        let start = node.range().start;
        let (from, place) =
            Some(self.before.get()).filter(|(byte, _)| *byte <= start).unwrap_or((0, Place::START));
        let place = place.behind(&self.document.input_text()[from..start]);
        self.before.set((start, place));
        place
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

    fn rate(&self, node: Node<'a, 'a>) -> Result<Rate, Fault> {
        let text = node.text().unwrap_or_default().trim();
        rate(text).ok_or_else(|| self.fault(node, PlaceError::Rate(clipped(text))))
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

    /// The keys under which nodes have a label.
    fn label_keys(&self, root: Node<'a, 'a>) -> Vec<&'a str> {
        let of_nodes = |key: &Node<'_, '_>| matches!(key.attribute("for"), None | Some("node" | "all"));
        let is_label = |key: &Node<'_, '_>| {
            let name = key.attribute("attr.name").unwrap_or_default();
            ["label", "name"].iter().any(|word| name.eq_ignore_ascii_case(word))
        };
        let keys = root.children_of("key").filter(|key| of_nodes(key) && is_label(key));
        keys.filter_map(|key| key.attribute("id")).collect()
    }

    fn network(&self, graph: Node<'a, 'a>, keys: &Keys<'a>) -> Result<Content, Fault> {
        let mut vertices = Vertices::default();
        for node in graph.children_of("node") {
            let id = self.attribute(node, "id")?;
            if vertices.find(id).is_some() {
                return Err(self.fault(node, PlaceError::Twice(clipped(id))));
            }
            let vertex = vertices.vertex(id, self.place(node))?;
            if let Some(nested) = node.children_of("graph").next() {
                return Err(self.fault(nested, PlaceError::Unread("a graph inside a node")));
            }
            let is_label =
                |data: &Node<'_, '_>| data.attribute("key").is_some_and(|key| keys.labels.contains(&key));
            let label = node.children_of("data").find(is_label).and_then(|data| data.text());
            if let Some(vertex) = vertices.at(vertex) {
                vertex.label = label.map(str::to_owned);
            }
        }
        if let Some(hyperedge) = graph.children_of("hyperedge").next() {
            return Err(self.fault(hyperedge, PlaceError::Unread("an edge of several nodes")));
        }
        let directed = graph.attribute("edgedefault") == Some("directed");
        for edge in graph.children_of("edge") {
            let is_one_way = edge.attribute("directed").map_or(directed, |word| word == "true");
            let ends = (self.end(&vertices, edge, "source")?, self.end(&vertices, edge, "target")?);
            let latency = self.number(edge, &keys.latencies, Reader::cycles)?;
            let width = self.number(edge, &keys.widths, Reader::flits)?;
            let port = |name| edge.attribute(name).unwrap_or_default().to_owned();
            let ports = [port("sourceport"), port("targetport")];
            let rate = self.number(edge, &keys.rates, Reader::rate)?;
            vertices.join(Edge { ends, is_one_way, latency, width, rate }, ports, self.place(edge))?;
        }
        vertices.network()
    }

    fn end(&self, vertices: &Vertices, edge: Node<'a, 'a>, side: &'static str) -> Result<u32, Fault> {
        let id = self.attribute(edge, side)?;
        vertices.find(id).ok_or_else(|| self.fault(edge, PlaceError::NoRouter(clipped(id))))
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
