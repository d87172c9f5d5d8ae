//! A fabric of switches and adapters, from its blocks: what `ibnetdiscover` writes, and what `ibsim` reads.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::blocks::{Block, Blocks, Kind, Port};
use super::content::{Content, Node, Router};
use super::left_out::LeftOut;
use super::speeds::Speeds;
use super::{Fault, count};
use crate::printable;
use crate::topology::edges::Edge;
use crate::topology::names::distinct;
use crate::topology::{FileError, LineError, MAX_ROUTERS};

/// Reads what `ibnetdiscover` writes. Switches are routers, in the order of their GUIDs.
pub(super) fn read_discovered(text: &str) -> Result<Content, Fault> {
    let mut blocks = Blocks::read(text)?;
    blocks.all.sort_by_key(|block| (guid(block.id), block.line));
    let mut content = Cluster::of(&blocks, false)?.content(true)?;
    content.has_lids = true;
    note_strange(&blocks, &mut content);
    Ok(content)
}

/// Says how many lines were skipped.
fn note_strange(blocks: &Blocks<'_>, content: &mut Content) {
    let strange = blocks.strange.len();
    if let Some(first) = blocks.strange.first() {
        let lines =
            count(strange, "line of another program is skipped", "lines of other programs are skipped");
        content.notes.insert(0, format!("{lines}, the first is line {first}"));
    }
}

/// Reads what `ibsim` reads. Switches are routers, in the order of the file. One end of a cable is enough.
pub(super) fn read_described(text: &str) -> Result<Content, Fault> {
    let blocks = Blocks::read(text)?;
    let mut content = Cluster::of(&blocks, true)?.content(false)?;
    note_strange(&blocks, &mut content);
    Ok(content)
}

/// The GUID of a name such as `S-00000000000000a0`, 0 where it has none.
fn guid(id: &str) -> u64 {
    let digits = id.split_once('-').filter(|(kind, _)| ["S", "H", "R"].contains(kind));
    digits.and_then(|(_, digits)| u64::from_str_radix(digits, 16).ok()).unwrap_or(0)
}

/// A switch for a message: the GUID, or the name where it has none.
fn shown(id: &str) -> String {
    match guid(id) {
        0 => format!("`{}`", printable::name(id)),
        guid => format!("{guid:#x}"),
    }
}

/// Switches, their ports by number, and what is known of the others.
struct Cluster<'t> {
    switches: Vec<&'t Block<'t>>,
    /// Entry switch.
    ports: Vec<BTreeMap<u8, Port<'t>>>,
    kinds: HashMap<&'t str, Kind>,
    numbers: HashMap<&'t str, usize>,
    /// Adapters inside switches, which compute and send no traffic of their own.
    aggregations: HashSet<&'t str>,
    /// Whether some adapter has a cable.
    has_adapters: bool,
    /// Adapters with cables, none of which is at a switch.
    unswitched: usize,
    /// How many of an adapter's ports are at switches.
    cables: HashMap<&'t str, usize>,
}

impl<'t> Cluster<'t> {
    fn of(blocks: &'t Blocks<'t>, one_end_is_enough: bool) -> Result<Self, Fault> {
        let mut cluster = Self {
            switches: blocks.all.iter().filter(|block| block.kind == Kind::Switch).collect(),
            ports: Vec::new(),
            kinds: blocks.all.iter().map(|block| (block.id, block.kind)).collect(),
            numbers: HashMap::new(),
            aggregations: HashSet::new(),
            has_adapters: blocks
                .all
                .iter()
                .any(|block| block.kind == Kind::Adapter && !block.ports.is_empty()),
            unswitched: 0,
            cables: HashMap::new(),
        };
        for (number, switch) in cluster.switches.iter().enumerate() {
            if cluster.numbers.insert(switch.id, number).is_some() {
                return Err(Fault::Line(switch.line, LineError::TwoSwitches(shown(switch.id))));
            }
        }
        if let Some(beyond) = cluster.switches.get(MAX_ROUTERS) {
            return Err(Fault::Line(beyond.line, LineError::TooManyRouters));
        }
        for switch in &cluster.switches {
            cluster.ports.push(by_number(&switch.ports)?);
        }
        let adapters = blocks.all.iter().filter(|block| block.description.is_some_and(aggregates));
        cluster.aggregations.extend(adapters.map(|block| block.id));
        let all = blocks.all.iter().flat_map(|block| &block.ports);
        cluster
            .aggregations
            .extend(all.filter(|port| port.description.is_some_and(aggregates)).map(|port| port.far));
        cluster.aggregations.retain(|id| !cluster.numbers.contains_key(id));
        if one_end_is_enough {
            cluster.complete(blocks);
        }
        let is_unswitched = |block: &&Block<'_>| {
            block.kind == Kind::Adapter
                && !block.ports.is_empty()
                && block.ports.iter().all(|port| !cluster.numbers.contains_key(port.far))
        };
        let unswitched = blocks.all.iter().filter(is_unswitched).count();
        cluster.unswitched = unswitched;
        for port in cluster.ports.iter().flat_map(BTreeMap::values) {
            *cluster.cables.entry(port.far).or_insert(0) += 1;
        }
        Ok(cluster)
    }

    /// Adds the ports of switches that only the other end names.
    fn complete(&mut self, blocks: &'t Blocks<'t>) {
        for block in &blocks.all {
            for port in &block.ports {
                let Some(&there) = self.numbers.get(port.far) else { continue };
                let back = Port {
                    number: port.back,
                    far: block.id,
                    back: port.number,
                    description: block.description,
                    ..*port
                };
                self.ports[there].entry(port.back).or_insert(back);
            }
        }
    }

    fn kind(&self, id: &str) -> Option<Kind> {
        self.kinds.get(id).copied().or_else(|| match id.split_once('-')?.0 {
            "H" => Some(Kind::Adapter),
            "R" | "?" => Some(Kind::Router),
            _ => None,
        })
    }

    /// The network, and notes on what was left out of it.
    fn content(&self, has_guids: bool) -> Result<Content, Fault> {
        if self.switches.is_empty() {
            return Err(Fault::File(if self.has_adapters {
                FileError::BackToBack
            } else {
                FileError::NoSwitch
            }));
        }
        let (mut left, mut speeds) = (LeftOut::default(), Speeds::default());
        let mut content = Content { count: self.switches.len(), lists_nodes: true, ..Content::default() };
        for (number, switch) in self.switches.iter().enumerate() {
            let (mut nodes, mut of_nodes) = (Vec::new(), Vec::new());
            for port in self.ports[number].values() {
                match self.far(number, port)? {
                    Far::Node => {
                        nodes.push(self.node(port, has_guids));
                        of_nodes.push(port.rate);
                    }
                    Far::Switch(there) if number < there => {
                        content.edges.push(Edge::plain((number as u32, there as u32)));
                        content.ports.push([port.number.to_string(), port.back.to_string()]);
                        speeds.edges.push(port.rate);
                    }
                    Far::Switch(_) => {}
                    Far::Loopback => {
                        left.loopbacks.insert((number, port.number.min(port.back)));
                    }
                    Far::Router => {
                        left.to_routers += 1;
                        content.left_out.lids.extend(port.lid);
                    }
                    Far::Aggregation => {
                        left.aggregations += 1;
                        content.left_out.lids.extend(port.lid);
                    }
                }
            }
            speeds.nodes.push(of_nodes);
            let (guid, lid) = (guid(switch.id), switch.lid.unwrap_or(0));
            content.routers.push(Router { name: described(switch.description, switch.id), guid, lid, nodes });
        }
        let mut names: Vec<String> = content.routers.iter().map(|router| router.name.clone()).collect();
        distinct(&mut names, |at| mark(self.switches[at].id, has_guids));
        content.routers.iter_mut().zip(names).for_each(|(router, name)| router.name = name);
        let note = speeds.apply(&mut content);
        left.switches = content.drop_unjoined();
        left.adapters = self.unswitched;
        content.notes = left.notes().chain(note).collect();
        Ok(content)
    }

    /// What is behind a port.
    fn far(&self, switch: usize, port: &Port<'_>) -> Result<Far, Fault> {
        let fault = |what| Err(Fault::Line(port.line, what));
        let own = self.switches[switch].id;
        if port.far == own {
            return Ok(Far::Loopback);
        }
        let Some(&there) = self.numbers.get(port.far) else {
            return match self.kind(port.far) {
                Some(Kind::Router) => Ok(Far::Router),
                Some(Kind::Adapter) if self.aggregations.contains(port.far) => Ok(Far::Aggregation),
                Some(Kind::Adapter) => Ok(Far::Node),
                Some(Kind::Switch) | None => fault(LineError::NoSwitch(shown(port.far))),
            };
        };
        match self.ports[there].get(&port.back) {
            Some(back) if back.far == own && back.back == port.number => Ok(Far::Switch(there)),
            _ => fault(LineError::OneWay { switch: shown(port.far), port: port.back }),
        }
    }

    fn node(&self, port: &Port<'_>, has_guids: bool) -> Node {
        let (mut name, mut mark) = (described(port.description, port.far), mark(port.far, has_guids));
        if self.cables.get(port.far).is_some_and(|&cables| cables > 1) {
            name = format!("{name} port {}", port.back);
            mark = format!("{mark} port {}", port.back);
        }
        Node { name, mark, port: port.number.to_string(), lid: port.lid.unwrap_or(0), rate: None }
    }
}

/// What is behind a port of a switch.
enum Far {
    Switch(usize),
    Node,
    /// The switch itself.
    Loopback,
    /// A router to another subnet.
    Router,
    /// An adapter inside a switch.
    Aggregation,
}

/// A description, or the name where it has none.
fn described(description: Option<&str>, id: &str) -> String {
    let description = description.map(printable::name).filter(|description| !description.is_empty());
    description.unwrap_or_else(|| printable::name(id))
}

/// The number that distinguishes switches or adapters of one description.
fn mark(id: &str, has_guids: bool) -> String {
    if has_guids { format!("{:#x}", guid(id)) } else { printable::name(id) }
}

fn by_number<'t>(ports: &[Port<'t>]) -> Result<BTreeMap<u8, Port<'t>>, Fault> {
    let mut numbered = BTreeMap::new();
    for port in ports {
        if numbered.insert(port.number, *port).is_some() {
            return Err(Fault::Line(port.line, LineError::TwoPorts(port.number)));
        }
    }
    Ok(numbered)
}

/// Whether an adapter is the one inside a switch that computes: SHARP's.
fn aggregates(description: &str) -> bool {
    description.to_ascii_lowercase().contains("aggregation node")
}
