//! Whether a network fits into memory, and has the VCs that its routing needs.

use super::{Blueprint, BlueprintError, MOST_GIB, word};
use crate::scenario::{LinkDown, Scenario};
use crate::topology::{MAX_PORTS, Peer, WORD_PORTS, Wiring};
use router_core::discard::MANAGEMENT_PORT;
use router_core::map::MapKind;
use router_core::map::forwarding::ENTRY_PORTS;
use router_core::units::PortClass;
use router_core::vc::Descriptor;

impl Blueprint {
    /// A buffer takes a descriptor per packet that it may hold.
    pub(super) fn check_memory(&self) -> Result<(), BlueprintError> {
        let plans = self.plans::<MAX_PORTS>()?;
        let of = |router: usize| plans[usize::from(self.wiring.router_class(router).0)].links.places();
        let places: usize = (0..self.wiring.routers()).map(of).sum();
        let gib = (places * size_of::<Descriptor>()) >> 30;
        if gib > MOST_GIB { Err(BlueprintError::TooLarge(gib)) } else { Ok(()) }
    }

    /// Routers with more than 64 ports have few routings, and none of a program's own.
    pub(super) fn check_width(&self, map: MapKind) -> Result<(), BlueprintError> {
        let (ports, routing) = (self.wiring.ports(), &self.scenario.routing);
        if ports > WORD_PORTS && (routing.own.is_some() || !routing.scheme.has_wide()) {
            return Err(BlueprintError::WideRouting { word: word(&self.scenario), ports });
        }
        if ports > ENTRY_PORTS && map == MapKind::Forwarding {
            let what = "a forwarding table";
            return Err(BlueprintError::Wide { what, ports, most: ENTRY_PORTS });
        }
        Ok(())
    }

    /// Where links are one-way, packets find their way by the map of the network or by shortest routes.
    pub(super) fn check_ways(&self, map: MapKind) -> Result<(), BlueprintError> {
        let is_by_links =
            map == self.scenario.topology.map_kind() || matches!(map, MapKind::Graph | MapKind::Distance);
        if self.wiring.has_one_way() && !is_by_links {
            return Err(BlueprintError::OneWay { word: word(&self.scenario) });
        }
        Ok(())
    }

    /// As many VCs as the longest route needs, where they follow hops.
    pub(super) fn check_hops(&self) -> Result<(), BlueprintError> {
        let scheme = &self.scenario.routing;
        if scheme.vcs_for(u32::from(u16::MAX)) == 0 {
            return Ok(());
        }
        let hops = self.longest_part(scheme.vc_per_hop_of() > 1);
        let (vcs, needed, word) = (self.vcs_between(), scheme.vcs_for(hops), word(&self.scenario));
        match scheme.vc_per_hop_of() {
            _ if needed <= vcs => Ok(()),
            0 => Err(BlueprintError::TooFewVcsForHops { word, hops, needed, vcs }),
            routes => Err(BlueprintError::TooFewVcs { word, hops: hops * routes, vcs }),
        }
    }

    /// Port 0 of a table stands for management, where packets are discarded: no link may be there.
    pub(super) fn check_management(&self) -> Result<(), BlueprintError> {
        let is_link = |router: &usize| self.wiring.class(*router, MANAGEMENT_PORT.index()) != PortClass::NODE;
        let found = (0..self.wiring.routers())
            .find(|router| self.scenario.router.options.discards && is_link(router));
        found.map_or(Ok(()), |router| Err(BlueprintError::NoManagementPort { router }))
    }

    /// As many VCs as the tables name.
    pub(super) fn check_table_vcs(&self) -> Result<(), BlueprintError> {
        let (needed, vcs) = (self.table_vcs(), self.vcs_between());
        if needed > vcs {
            return Err(BlueprintError::TableVcs { word: word(&self.scenario), needed, vcs });
        }
        Ok(())
    }

    /// VCs that every link between routers has, without those that messages for groups have for themselves.
    pub(super) fn vcs_between(&self) -> u32 {
        let Scenario { topology, router, .. } = &self.scenario;
        let between = |class: &PortClass| *class != PortClass::NODE && topology.has(*class);
        let vcs = router.vcs.iter().filter(|(class, _)| between(class)).map(|(_, vcs)| vcs).min();
        vcs.unwrap_or(0) - self.scenario.vcs_of_groups()
    }

    /// Hops of the longest shortest route from a router with nodes to another one with nodes, or to any other one.
    fn longest_part(&self, to_any: bool) -> u32 {
        let has_nodes = |router: &usize| self.wiring.nodes_of(*router).next().is_some();
        let from = |router: usize| {
            let hops = self.wiring.distances_from(router).into_iter().enumerate();
            hops.filter(|(there, _)| to_any || has_nodes(there)).map(|(_, hops)| hops).max()
        };
        (0..self.wiring.routers()).filter(has_nodes).filter_map(from).max().unwrap_or(0)
    }
}

/// Every link that goes down is one between routers.
pub(super) fn links(down: &[LinkDown], wiring: &Wiring) -> Result<(), BlueprintError> {
    let is_link = |link: &LinkDown| {
        let (router, port) = (link.router as usize, link.port as usize);
        router < wiring.routers()
            && port < wiring.ports()
            && matches!(wiring.peer(router, port), Some(Peer::Router { .. }))
    };
    match down.iter().find(|link| !is_link(link)) {
        Some(&LinkDown { router, port, .. }) => Err(BlueprintError::NoSuchLink { router, port }),
        None => Ok(()),
    }
}
