//! From a scenario to what all its runs share: the wiring, the addresses, the tables, the routers' common plan.

mod check;
mod error;
mod groups;
mod intervals;
mod plans;
mod routes;
mod routing;
mod shadowing;
mod tables;

use crate::processes::Processes;
use crate::scenario::{Ejection, RunSettings, Scenario};
use crate::topology::{WORD_PORTS, Wiring};
use crate::traffic::NodeMap;
pub use error::BlueprintError;
pub use groups::Groups;
use router_core::header::Address;
use router_core::map::{AnyMap, MapKind};
use router_core::rate::Rate;
use router_core::route::Here;
use router_core::units::{Bits, PortClass, PortId, PortSet, WideBits};
pub use shadowing::Shadowing;
use std::sync::Arc;
use tables::{AllTables, is_tables};

/// Most memory for buffers, in GiB.
const MOST_GIB: usize = 8;

/// What all runs of a scenario share.
#[derive(Debug)]
pub struct Blueprint {
    scenario: Scenario,
    wiring: Arc<Wiring>,
    /// The kind of map by which packets find their way; `None` where the routing comes from another crate.
    map: Option<MapKind>,
    /// Every router's tables.
    tables: Arc<AllTables>,
    /// Every router's address.
    routers: Arc<[u32]>,
    /// The groups of nodes that messages are for, where there are any.
    groups: Option<Arc<Groups>>,
    /// What makes second implementations of some routers.
    shadowing: Option<Box<dyn Shadowing>>,
    /// Those that run it together, where there are several.
    processes: Option<Processes>,
}

impl Blueprint {
    /// Wires a scenario and fills its tables.
    ///
    /// # Errors
    /// When the network cannot be built as described.
    pub fn new(scenario: Scenario) -> Result<Self, BlueprintError> {
        let on = scenario.topology.map_kind();
        let map = scenario.routing.map(on).ok_or(BlueprintError::Unfit(word(&scenario)))?;
        let mut blueprint = Self::wire(scenario, Some(map))?;
        blueprint.check_ways(map)?;
        blueprint.check_rates()?;
        blueprint.check_width(map)?;
        blueprint.tables = AllTables::of(map, &blueprint.scenario, &blueprint.wiring)?.into();
        blueprint.check_management()?;
        blueprint.check_hops()?;
        blueprint.check_table_vcs()?;
        blueprint.check_scheme()?;
        blueprint.check_fits()?;
        blueprint.check_memory()?;
        blueprint.groups = Groups::of(&blueprint)?.map(Arc::new);
        Ok(blueprint)
    }

    /// Wires a scenario for a routing of another crate: [`crate::run::run_with`] takes both. `routing.algorithm` is not
    /// looked at, and there is no table. A router's address is the one in the topology's map.
    ///
    /// # Errors
    /// When the network cannot be built as described.
    pub fn without_routing(scenario: Scenario) -> Result<Self, BlueprintError> {
        let mut blueprint = Self::wire(scenario, None)?;
        blueprint.check_memory()?;
        blueprint.groups = Groups::of(&blueprint)?.map(Arc::new);
        Ok(blueprint)
    }

    fn wire(scenario: Scenario, map: Option<MapKind>) -> Result<Self, BlueprintError> {
        let wiring = Arc::new(Wiring::build(&scenario.topology)?);
        check::links(&scenario.links.down, &wiring)?;
        let routers = addresses(map, &wiring).into();
        Ok(Self {
            map,
            routers,
            tables: AllTables::NONE.into(),
            groups: None,
            shadowing: None,
            processes: None,
            scenario,
            wiring,
        })
    }

    /// This blueprint with another seed of every random choice of a run, without second implementations of routers and in one process. What does
    /// not depend on it is shared.
    #[must_use]
    pub fn with_seed(&self, seed: u64) -> Self {
        let Self { scenario, wiring, map, tables, routers, .. } = self;
        let run = RunSettings { seed, ..scenario.run.clone() };
        let mut seeded = Self {
            scenario: Scenario { run, ..scenario.clone() },
            wiring: Arc::clone(wiring),
            map: *map,
            tables: Arc::clone(tables),
            routers: Arc::clone(routers),
            groups: None,
            shadowing: None,
            processes: None,
        };
        // There are such groups, whoever their members are.
        seeded.groups = Groups::of(&seeded).ok().flatten().map(Arc::new);
        seeded
    }

    /// VCs between routers that its forwarding tables name, from 0 on; 0 where it has none, or they name none.
    pub fn table_vcs(&self) -> u32 {
        self.tables.vcs()
    }

    /// Runs second implementations of some routers, too, in lockstep with their models.
    pub fn attach(&mut self, shadowing: impl Shadowing + 'static) {
        self.shadowing = Some(Box::new(shadowing));
    }

    /// What makes second implementations of some routers.
    pub fn shadowing(&self) -> Option<&dyn Shadowing> {
        self.shadowing.as_deref()
    }

    /// Runs its loads together with other processes.
    pub(crate) fn set_processes(&mut self, processes: Processes) {
        self.processes = Some(processes);
    }

    /// Those that run its loads together, where there are several.
    pub fn processes(&self) -> Option<&Processes> {
        self.processes.as_ref()
    }

    /// The scenario.
    pub fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    /// The wiring.
    pub fn wiring(&self) -> &Wiring {
        &self.wiring
    }

    /// The connected ports of a router of at most 64 ports.
    pub fn wired(&self, router: usize) -> PortSet {
        self.ports(router, |_| true)
    }

    /// A router's place, as its routing function knows it: one of at most 64 ports.
    pub fn here(&self, router: usize) -> Here {
        self.place(router)
    }

    /// The place of any router.
    pub fn place<B: Bits>(&self, router: usize) -> Here<B> {
        let address = self.routers[router];
        let group_exits =
            self.scenario.topology.group_exits(self.wiring.address(router)).into_iter().collect();
        let channels = match self.scenario.router.options.ejection {
            Ejection::Own => PortSet::EMPTY,
            Ejection::Any => self.ports(router, |port| self.wiring.class(router, port) == PortClass::NODE),
        };
        Here { router: address, wired: self.ports(router, |_| true), group_exits, channels }
    }

    /// The ports of a router for which something holds.
    fn ports<B: Bits>(&self, router: usize, holds: impl Fn(usize) -> bool) -> PortSet<B> {
        let connected = (0..self.wiring.ports()).filter(|&port| self.wiring.peer(router, port).is_some());
        connected.filter(|&port| holds(port)).map(|port| PortId::new(port as u8)).collect()
    }

    /// The ports of a router that lead to other routers.
    pub(crate) fn between<B: Bits>(&self, router: u32) -> PortSet<B> {
        self.ports(router as usize, |port| self.wiring.class(router as usize, port) != PortClass::NODE)
    }

    /// The latency of links of a class, in link cycles.
    pub(crate) fn latency(&self, class: PortClass) -> u32 {
        self.scenario.links.latency[class]
    }

    /// The latency of the link at a port, in link cycles.
    pub(crate) fn link_latency(&self, router: usize, port: usize) -> u32 {
        let own = self.wiring.latency(router, port);
        own.unwrap_or_else(|| self.latency(self.wiring.class(router, port)))
    }

    /// The time of a credit over the link at a port, in link cycles: that of a flit, where the link's class has no other for credits.
    pub(crate) fn credit_latency(&self, router: usize, port: usize) -> u32 {
        let class = self.wiring.class(router, port);
        let of_class = self.scenario.links.credit_latency[class];
        if of_class == self.latency(class) { self.link_latency(router, port) } else { of_class }
    }

    /// Flits per cycle of the link at a port.
    pub(crate) fn rate(&self, router: usize, port: usize) -> Rate {
        self.scenario.link_rate(&self.wiring, router, port)
    }

    /// Flits per cycle of the link at a port, 1 where there is no such port.
    pub(crate) fn port_rate(&self, router: usize, port: PortId) -> Rate {
        let port = port.index();
        if port < self.wiring.ports() { self.rate(router, port) } else { Rate::FULL }
    }

    /// Refuses rates of single links where each has to carry a flit in each cycle.
    fn check_rates(&self) -> Result<(), BlueprintError> {
        match self.scenario.why_full() {
            Some(why) if !self.slowest().is_full() => Err(BlueprintError::Rates(why)),
            _ => Ok(()),
        }
    }

    /// The slowest link.
    #[must_use]
    pub fn slowest(&self) -> Rate {
        let ports =
            (0..self.wiring.routers()).flat_map(|at| (0..self.wiring.ports()).map(move |port| (at, port)));
        let connected = ports.filter(|&(at, port)| self.wiring.peer(at, port).is_some());
        let rates = connected.map(|(at, port)| self.rate(at, port));
        rates.max_by_key(|rate| rate.longest_gap()).unwrap_or(Rate::FULL)
    }

    /// The highest latency of a link, or of a class of links, for flits or for credits.
    pub(crate) fn longest_latency(&self) -> u32 {
        let links = &self.scenario.links;
        let of_classes = links.latency.highest().max(links.credit_latency.highest());
        of_classes.max(self.wiring.longest_latency().unwrap_or(0))
    }

    /// A node's address.
    pub fn address(&self, node: usize) -> Address {
        let (router, port) = self.wiring.attachment(node);
        Address { router: self.routers[router], port: port as u8 }
    }

    /// Whether a packet for one node may come to another: the same one, or another channel of it.
    pub fn is_channel_of(&self, node: usize, of: usize) -> bool {
        let router = |node| self.wiring.attachment(node).0;
        node == of || self.scenario.router.options.ejection == Ejection::Any && router(node) == router(of)
    }

    /// What traffic patterns see of the network.
    pub fn node_map(&self) -> NodeMap {
        let topology = &self.scenario.topology;
        let nodes_at = (0..self.wiring.routers()).map(|router| self.wiring.nodes_of(router).count() as u32);
        NodeMap::new(nodes_at, topology.groups().as_deref(), topology.dims().as_deref())
    }

    /// The map by which packets find their way, of routers of at most 64 ports.
    ///
    /// # Errors
    /// As [`Blueprint::routing`].
    pub fn map(&self) -> Result<AnyMap<'_>, BlueprintError> {
        self.map.ok_or(BlueprintError::NoRouting)?;
        let AllTables::Narrow(found) = &*self.tables else { return Err(self.is_for_words()) };
        if let Some(map) = found.tables.map(&self.wiring, |router| self.between(router))? {
            return Ok(map);
        }
        self.scenario.topology.map()?.ok_or(BlueprintError::Unfit(word(&self.scenario)))
    }

    /// The map by which packets find their way, of routers with more than 64 ports.
    pub(crate) fn wide_map(&self) -> Result<AnyMap<'_, WideBits>, BlueprintError> {
        self.map.ok_or(BlueprintError::NoRouting)?;
        let AllTables::Wide(found) = &*self.tables else { return Err(self.too_wide()) };
        let map = found.tables.map(&self.wiring, |router| self.between(router))?;
        map.ok_or(BlueprintError::Unfit(word(&self.scenario)))
    }

    /// Whether some of its routers have more than 64 ports.
    pub fn is_wide(&self) -> bool {
        self.wiring.ports() > WORD_PORTS
    }

    /// This blueprint with tables whose sets have several words, whatever its routers.
    #[cfg(test)]
    pub(crate) fn widened(mut self) -> Self {
        let map = self.map.expect("a routing");
        let found = tables::Found::of(map, &self.scenario, &self.wiring).expect("tables");
        self.tables = AllTables::Wide(found).into();
        self
    }

    /// What asks for the routing of routers of at most 64 ports is not for others.
    fn is_for_words(&self) -> BlueprintError {
        BlueprintError::Wide { what: "this command", ports: self.wiring.ports(), most: WORD_PORTS }
    }

    /// Its routing is not for routers with so many ports.
    fn too_wide(&self) -> BlueprintError {
        BlueprintError::WideRouting { word: word(&self.scenario), ports: self.wiring.ports() }
    }
}

/// The routers' addresses in the numbering of the routing function.
fn addresses(map: Option<MapKind>, wiring: &Wiring) -> Vec<u32> {
    let by_number = map.is_some_and(is_tables);
    let address = |router| if by_number { router as u32 } else { wiring.address(router) };
    (0..wiring.routers()).map(address).collect()
}

/// The word of the routing.
fn word(scenario: &Scenario) -> &'static str {
    scenario.routing.word()
}
