//! Progressive adaptive routing (PAR) on a Dragonfly: misrouting in transit, with a VC for each hop of the longest route.
//!
//! Source: Jiang, Kim and Dally, ISCA 2009; García et al., ICPP 2013 (PAR-6/2). The decision between the minimal way and one through
//! another group is made where the packet is injected, and once more where it comes to the owner of its minimal global link. Without
//! local misroutes the longest route is local, local, global, local, global, local: 4 local and 2 global VCs. One local misroute in the
//! intermediate group takes a fifth local VC, one in the destination group a sixth. VCs rise along every route, so that nothing rests on
//! the flow control.

use super::in_transit::{InTransit, keeps_order, offer, onward, passed_over, way_out};
use super::{Arrival, Candidates, Full, Here, HopKind, Needs, Route, Scheme, Vcs};
use crate::header::Header;
use crate::layout;
use crate::map::dragonfly::Dragonfly;
use crate::map::{AnyMap, MapKind};
use crate::settings::{Settings, Visit};
use crate::units::{PortClass, PortSet, VcId};

/// The groups in which a packet may take a local hop more than it needs; in the origin group it may anyway.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum LocalMisrouting {
    /// None (Jiang et al., PAR): 4 local VCs.
    None,
    /// The intermediate one (as the authors' simulator does): 5 local VCs.
    #[default]
    Intermediate,
    /// The intermediate one and that of the destination (García et al., PAR-6/2): 6 local VCs.
    All,
}

crate::words!(LocalMisrouting {
    "none" => [Self::None],
    "intermediate" => [Self::Intermediate],
    "all" => [Self::All],
});

/// Progressive adaptive routing on a Dragonfly: its settings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ParScheme {
    /// The groups with local misroutes.
    pub local_misrouting: LocalMisrouting,
}

impl Settings for ParScheme {
    fn visit<V: Visit>(&mut self, visitor: &mut V) -> Result<(), V::Error> {
        visitor.word("local_misrouting", &mut self.local_misrouting)
    }
}

impl Scheme for ParScheme {
    const WORD: &'static str = "par";
    const DETOURS: &'static [HopKind] = &[HopKind::GlobalMisroute, HopKind::LocalMisroute];
    const RTL: Option<u32> = Some(layout::ROUTING_PAR);
    const COUNTS_GROUPS: bool = true;
    type Routing<'m> = Par<'m>;

    fn map(on: MapKind) -> Option<MapKind> {
        (on == MapKind::Dragonfly).then_some(on)
    }

    fn needs(&self, _on: MapKind) -> Needs {
        match self.local_misrouting {
            LocalMisrouting::None => Needs::between_routers(4, 2, "par routing"),
            LocalMisrouting::Intermediate => {
                Needs::between_routers(5, 2, "par routing with local misroutes in intermediate groups")
            }
            LocalMisrouting::All => {
                Needs::between_routers(6, 2, "par routing with local misroutes in all groups")
            }
        }
    }

    /// Behind a local misroute in the origin group comes a global hop.
    fn insists_on(&self, class: PortClass) -> bool {
        class == PortClass::GLOBAL
    }

    fn default_vcs(&self) -> Vcs {
        Vcs { node: 3, ..self.needs(MapKind::Dragonfly).vcs }
    }

    fn build<'m>(&self, map: &AnyMap<'m>, _vcs: Vcs) -> Option<Par<'m>> {
        let AnyMap::Dragonfly(map) = *map else { return None };
        Some(Par { map, local_misrouting: self.local_misrouting })
    }

    fn rtl_parameters(&self, put: &mut impl FnMut(&'static str, u32)) {
        let number = match self.local_misrouting {
            LocalMisrouting::None => 0,
            LocalMisrouting::All => 1,
            LocalMisrouting::Intermediate => 2,
        };
        put("LOCAL_MISROUTING", number);
    }
}

/// PAR.
#[derive(Clone, Copy, Debug)]
pub struct Par<'t> {
    /// The map.
    pub map: Dragonfly<'t>,
    /// The groups with local misroutes.
    pub local_misrouting: LocalMisrouting,
}

impl InTransit for Par<'_> {
    fn map(&self) -> &Dragonfly<'_> {
        &self.map
    }

    /// Two VCs in the origin group; behind the first global link one or two, as many hops as there may be; then the rest.
    fn local_vc(&self, from: Arrival) -> VcId {
        let after_second_link = match self.local_misrouting {
            LocalMisrouting::None => 3,
            _ => 4,
        };
        VcId::new(match (from.kind, from.vc.number()) {
            (PortClass::NODE, _) => 0,
            (PortClass::GLOBAL, 0) => 2,
            (PortClass::GLOBAL, _) => after_second_link,
            (_, vc) => vc.wrapping_add(1),
        })
    }

    fn misroutes_locally(&self, in_destination_group: bool) -> bool {
        match self.local_misrouting {
            LocalMisrouting::None => false,
            LocalMisrouting::Intermediate => !in_destination_group,
            LocalMisrouting::All => true,
        }
    }
}

impl Route for Par<'_> {
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

    /// The first two local VCs are for packets in their origin group.
    fn keeps_order(&self, _here: &Here, from: Arrival, header: &Header) -> bool {
        keeps_order(from, header, VcId::new(2))
    }
}
