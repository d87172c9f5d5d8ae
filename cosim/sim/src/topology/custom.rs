//! A topology that a program makes from a map of its own, in a crate of its own.

use std::path::Path;
use std::sync::Arc;

use router_core::map::{self, Map};
use router_core::units::PortClass;

use super::layout::{Defaults, Layout};
use super::{MAX_ADDRESS, MAX_ROUTERS, MapFlaw, TopologyError, Wiring, check_size, port_id};
use crate::document::write::quoted;
use crate::document::{Lines, Problem, Section};

/// A network that a program describes by a [`Map`]. No scenario file can name it, every other setting can come from one:
/// see [`crate::scenario::Scenario::around`].
///
/// Its built-in routing is `table`; it has neither groups nor dimensions for traffic patterns.
#[derive(Debug, Clone)]
pub struct Custom {
    name: String,
    /// Shared among the copies of a scenario.
    pub(super) wiring: Arc<Wiring>,
}

impl Custom {
    /// Wires the network of `map`, named `name` in results. `class_names` are the names of the classes of its links, class 0
    /// (`node`) first: 2 to [`PortClass::COUNT`] of them.
    ///
    /// Routers and nodes are numbered in the order of the map: nodes by router, then by port.
    ///
    /// # Errors
    /// When the map contradicts itself, is too large to hold, has no nodes, or falls into parts.
    pub fn new(
        name: &str,
        map: &impl Map,
        class_names: &'static [&'static str],
    ) -> Result<Self, TopologyError> {
        let wiring = Wiring::of(map, class_names)?;
        wiring.check_connected()?;
        Ok(Self { name: name.to_owned(), wiring: Arc::new(wiring) })
    }

    /// Its name in results.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// Two are equal where one call of [`Custom::new`] made both.
impl PartialEq for Custom {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.wiring, &other.wiring)
    }
}

impl Layout for Custom {
    const WORD: &'static str = "custom";
    const KEYS: &'static [&'static str] = &[];
    const ROUTING: &'static str = "table";

    fn read(section: &Section<'_>, _folder: &Path) -> Result<Self, Problem> {
        Err(section.need("kind", "a topology")?.refuse("a custom topology is made by a program"))
    }

    /// What it is, for results. It cannot be read back.
    fn write(&self) -> Lines {
        let (routers, nodes) = (self.wiring.routers().to_string(), self.wiring.nodes().to_string());
        vec![("name", quoted(&self.name)), ("routers", routers), ("nodes", nodes)]
    }

    fn classes(&self) -> &'static [&'static str] {
        self.wiring.class_names()
    }

    fn defaults(&self) -> Defaults {
        Defaults { buffer_flits: &[32; PortClass::COUNT], latency: &[1; PortClass::COUNT] }
    }

    fn nodes(&self) -> Option<u32> {
        Some(self.wiring.nodes() as u32)
    }

    fn wire(&self) -> Result<Wiring, TopologyError> {
        Ok(Wiring::clone(&self.wiring))
    }
}

/// Whether the map is what it says.
pub(super) fn verify(map: &impl Map, classes: usize) -> Result<(), TopologyError> {
    let flaw = |what| Err(TopologyError::Map(what));
    if !(2..=PortClass::COUNT).contains(&classes) {
        return flaw(MapFlaw::ClassNames { classes });
    }
    let routers: Vec<u32> = map.routers().take(MAX_ROUTERS + 1).collect();
    check_size(routers.len(), map.ports())?;
    let mut sorted = routers.clone();
    sorted.sort_unstable();
    if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        return flaw(MapFlaw::Address { router: pair[0] });
    }
    if let Some(&router) = sorted.last().filter(|&&last| last > MAX_ADDRESS) {
        return flaw(MapFlaw::Address { router });
    }
    if map.blocks().map(u64::from).sum::<u64>() != routers.len() as u64 {
        return flaw(MapFlaw::Blocks);
    }
    let mut nodes = 0;
    for &router in &routers {
        for port in 0..map.ports() {
            let known = |address| sorted.binary_search(&address).is_ok();
            nodes += usize::from(verify_port(map, (router, port), classes, known)?);
        }
    }
    if nodes == 0 { flaw(MapFlaw::NoNodes) } else { Ok(()) }
}

/// Whether a port and what lies behind it agree; says whether that is a node.
fn verify_port(
    map: &impl Map,
    (router, port): (u32, usize),
    classes: usize,
    known: impl Fn(u32) -> bool,
) -> Result<bool, TopologyError> {
    let flaw = |what| Err(TopologyError::Map(what));
    let class = |router: u32, port| map.port_class(map.router_class(router), port);
    let (own, id) = (class(router, port_id(port)), port_id(port));
    match map.peer(router, id) {
        None => Ok(false),
        Some(map::Peer::Node) if own == PortClass::NODE => Ok(true),
        Some(map::Peer::Router { router: there, port: back })
            if own != PortClass::NODE && own.index() < classes =>
        {
            let joined = known(there) && back.index() < map.ports() && there != router;
            let returns = || map.peer(there, back) == Some(map::Peer::Router { router, port: id });
            if joined && returns() && class(there, back) == own {
                Ok(false)
            } else {
                flaw(MapFlaw::Peer { router, port })
            }
        }
        Some(_) => flaw(MapFlaw::Class { router, port }),
    }
}
