//! The routing function of a network, and those that take its place while it runs.

use super::{AllTables, Blueprint, BlueprintError, word};
use router_core::map::AnyMap;
use router_core::route::{Routing, Vcs, WideRouting};
use router_core::units::WideBits;

impl Blueprint {
    /// The routing function.
    ///
    /// # Errors
    /// When the maps or tables make no sense, not after [`Blueprint::new`] has succeeded; always after
    /// [`Blueprint::without_routing`].
    pub fn routing(&self) -> Result<Routing<'_>, BlueprintError> {
        match &self.scenario.routing.own {
            Some(own) => Err(BlueprintError::OwnRouting(own.word())),
            None => self.routing_by(&self.map()?),
        }
    }

    /// The routing functions that take its place while the network runs, each with the first cycle in which it is used.
    ///
    /// # Errors
    /// As [`Blueprint::routing`].
    pub fn routing_updates(&self) -> Result<Vec<(u64, Routing<'_>)>, BlueprintError> {
        let AllTables::Narrow(found) = &*self.tables else { return Err(self.is_for_words()) };
        let mut updates = Vec::new();
        for (at, tables) in &found.updates {
            if let Some(map) = tables.map(&self.wiring, |router| self.between(router))? {
                updates.push((*at, self.routing_by(&map)?));
            }
        }
        Ok(updates)
    }

    fn routing_by<'m>(&self, map: &AnyMap<'m>) -> Result<Routing<'m>, BlueprintError> {
        let routing = self.scenario.routing.scheme.build(map, self.routing_vcs());
        routing.ok_or(BlueprintError::Unfit(word(&self.scenario)))
    }

    /// The routing function of a network with routers of more than 64 ports.
    ///
    /// # Errors
    /// As [`Blueprint::routing`]; when no router has so many ports.
    pub fn wide_routing(&self) -> Result<WideRouting<'_>, BlueprintError> {
        self.wide_routing_by(&self.wide_map()?)
    }

    /// Those that take its place while the network runs, each with the first cycle in which it is used.
    ///
    /// # Errors
    /// As [`Blueprint::wide_routing`].
    pub fn wide_routing_updates(&self) -> Result<Vec<(u64, WideRouting<'_>)>, BlueprintError> {
        let AllTables::Wide(found) = &*self.tables else { return Err(self.too_wide()) };
        let mut updates = Vec::new();
        for (at, tables) in &found.updates {
            if let Some(map) = tables.map(&self.wiring, |router| self.between(router))? {
                updates.push((*at, self.wide_routing_by(&map)?));
            }
        }
        Ok(updates)
    }

    fn wide_routing_by<'m>(&self, map: &AnyMap<'m, WideBits>) -> Result<WideRouting<'m>, BlueprintError> {
        self.scenario.routing.scheme.build_wide(map).ok_or_else(|| self.too_wide())
    }

    /// Whether nothing of the network keeps the routing from it.
    pub(super) fn check_scheme(&self) -> Result<(), BlueprintError> {
        let found = if self.is_wide() {
            self.scenario.routing.scheme.check_wide(&self.wide_map()?)
        } else {
            self.scenario.routing.check(&self.map()?)
        };
        found.map_err(|misfit| BlueprintError::Misfit { word: word(&self.scenario), misfit })
    }

    /// Whether the routing can be built.
    pub(super) fn check_fits(&self) -> Result<(), BlueprintError> {
        if self.is_wide() {
            return self.wide_routing().map(drop);
        }
        let Some(own) = &self.scenario.routing.own else { return self.routing().map(drop) };
        let fits = own.fits(&self.map()?, self.routing_vcs());
        if fits { Ok(()) } else { Err(BlueprintError::Unfit(own.word())) }
    }

    /// The VCs of its routers for packets to single nodes, as a routing function asks for them.
    pub fn routing_vcs(&self) -> Vcs {
        let vcs = self.scenario.router.vcs;
        // Further classes are as the last one.
        let of =
            |class: usize| vcs.as_slice().get(class).or(vcs.as_slice().last()).map_or(0, |&vcs| vcs as u8);
        let of_groups = self.scenario.vcs_of_groups() as u8;
        Vcs { node: of(0), local: of(1) - of_groups, global: of(2) - of_groups }
    }
}
