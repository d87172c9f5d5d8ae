//! Restricted local misrouting (RLM) on a Dragonfly with 3 local and 2 global VCs.
//!
//! Source: García et al., ICPP 2013. As PAR with local misroutes in all groups, but all local hops inside one group take the same VC.
//! Which pairs of hops may follow each other is restricted by their directions and lengths ([`super::parity_sign`]), so that no chain of
//! buffers of that VC closes a circle: the routing works with wormhole flow control, too.

use super::in_transit::{InTransit, keeps_order, offer, onward, passed_over, way_out};
use super::{Arrival, Candidates, Full, Here, HopKind, Needs, Route, Scheme, Vcs, parity_sign};
use crate::header::Header;
use crate::layout;
use crate::map::dragonfly::{Dragonfly, Place};
use crate::map::{AnyMap, MapKind};
use crate::units::{PortClass, PortSet, VcId};

/// Restricted local misrouting on a Dragonfly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct RlmScheme;

crate::no_settings!(RlmScheme);

impl Scheme for RlmScheme {
    const WORD: &'static str = "rlm";
    const DETOURS: &'static [HopKind] = &[HopKind::GlobalMisroute, HopKind::LocalMisroute];
    const RTL: Option<u32> = Some(layout::ROUTING_RLM);
    const COUNTS_GROUPS: bool = true;
    type Routing<'m> = Rlm<'m>;

    fn map(on: MapKind) -> Option<MapKind> {
        (on == MapKind::Dragonfly).then_some(on)
    }

    fn needs(&self, _on: MapKind) -> Needs {
        Needs::between_routers(3, 2, "rlm routing")
    }

    /// Behind a local misroute in the origin group comes a global hop.
    fn insists_on(&self, class: PortClass) -> bool {
        class == PortClass::GLOBAL
    }

    fn default_vcs(&self) -> Vcs {
        Vcs { node: 3, local: 3, global: 2 }
    }

    fn build<'m>(&self, map: &AnyMap<'m>, _vcs: Vcs) -> Option<Rlm<'m>> {
        let AnyMap::Dragonfly(map) = *map else { return None };
        Some(Rlm { map })
    }
}

/// RLM.
#[derive(Clone, Copy, Debug)]
pub struct Rlm<'t> {
    /// The map.
    pub map: Dragonfly<'t>,
}

impl Rlm<'_> {
    /// Of `ports` those that `is_wanted` by the index of the router behind them.
    fn behind(&self, at: Place, ports: PortSet, is_wanted: impl Fn(u32) -> bool) -> PortSet {
        let mut found = ports;
        for port in ports {
            if !is_wanted(self.map.local_neighbour(at.index, port)) {
                found.remove(port);
            }
        }
        found
    }
}

impl InTransit for Rlm<'_> {
    fn map(&self) -> &Dragonfly<'_> {
        &self.map
    }

    /// One for each group of a route.
    fn local_vc(&self, from: Arrival) -> VcId {
        VcId::new(match from.kind {
            PortClass::NODE => 0,
            PortClass::GLOBAL => from.vc.number().wrapping_add(1),
            _ => from.vc.number(),
        })
    }

    fn misroutes_locally(&self, _in_destination_group: bool) -> bool {
        true
    }

    fn after(&self, at: Place, from: Arrival, ports: PortSet) -> PortSet {
        if from.kind != PortClass::LOCAL {
            return ports;
        }
        let came_from = self.map.local_neighbour(at.index, from.port);
        self.behind(at, ports, |next| parity_sign::is_allowed(came_from, at.index, next))
    }

    fn before(&self, at: Place, ports: PortSet, goals: PortSet) -> PortSet {
        let reaches = |through| {
            let mut goals = goals.iter().map(|port| self.map.local_neighbour(at.index, port));
            goals.any(|goal| parity_sign::is_allowed(at.index, through, goal))
        };
        self.behind(at, ports, reaches)
    }
}

impl Route for Rlm<'_> {
    fn offer(&self, here: &Here, from: Arrival, header: &Header) -> Result<Candidates, Full> {
        Ok(offer(self, here, from, header))
    }

    fn passed_over(&self, here: &Here, header: &Header) -> PortSet {
        passed_over(&self.map, here, header)
    }

    fn onward(&self, here: &Here, header: &Header, out_kind: PortClass, hop: HopKind) -> Header {
        onward(here, header, out_kind, hop)
    }

    fn leaves_for(&self, here: &Here, from: Arrival, header: &Header) -> Option<u32> {
        way_out(here, from, header)
    }

    /// The first local VC is for packets in their origin group.
    fn keeps_order(&self, _here: &Here, from: Arrival, header: &Header) -> bool {
        keeps_order(from, header, VcId::new(1))
    }
}
