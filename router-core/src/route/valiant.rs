//! Valiant's routing on a Dragonfly: minimal to a random intermediate point, minimal from there.
//!
//! Source: Valiant and Brebner, 1981; García et al., ICPP 2012. The intermediate point is drawn where the packet is injected. It is
//! either a *group*, reached as soon as the packet is inside it (3 local and 2 global VCs), or a *router* (VAL_ANY, 4 local and 2 global
//! VCs). It is in any group but the source's, the destination's included, as the authors have it; that of the destination may be left
//! out, too, or both may be allowed.

use super::minimal::{hop, hop_to_group};
use super::{Arrival, Candidates, Draw, Full, Here, HopKind, Misfit, Needs, Route, Scheme, Vcs, consume};
use crate::header::{Address, Header, Progress};
use crate::layout;
use crate::map::dragonfly::{Dragonfly, Place, Towards};
use crate::map::{AnyMap, MapKind};
use crate::settings::{Settings, Visit};
use crate::units::{PortClass, VcId, VcSet};

/// What the intermediate point is.
#[repr(u8)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Intermediate {
    /// A group other than the source's. Traffic inside a group goes minimally.
    #[default]
    Group = layout::INTERMEDIATE_GROUP as u8,
    /// A router of another group; for traffic inside a group, a router of it.
    Router = layout::INTERMEDIATE_ROUTER as u8,
}

crate::words!(Intermediate {
    "group" => [Self::Group],
    "node" => [Self::Router],
});

/// The groups that the intermediate point of a packet for another group is drawn from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Groups {
    /// All but the source's.
    #[default]
    Other,
    /// All but the source's and the destination's.
    Third,
    /// All.
    Any,
}

crate::words!(Groups {
    "other" => [Self::Other],
    "third" => [Self::Third],
    "any" => [Self::Any],
});

/// Through a random intermediate group or router of a Dragonfly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ValiantScheme {
    /// The intermediate point.
    pub intermediate: Intermediate,
    /// The groups that it is drawn from.
    pub groups: Groups,
}

impl Settings for ValiantScheme {
    fn visit<V: Visit>(&mut self, visitor: &mut V) -> Result<(), V::Error> {
        visitor.word("intermediate", &mut self.intermediate)?;
        visitor.word("intermediate_groups", &mut self.groups)
    }
}

impl Scheme for ValiantScheme {
    const WORD: &'static str = "valiant";
    const DRAWS: bool = true;
    const RTL: Option<u32> = Some(layout::ROUTING_VALIANT);
    type Routing<'m> = Valiant<'m>;

    fn map(on: MapKind) -> Option<MapKind> {
        (on == MapKind::Dragonfly).then_some(on)
    }

    fn needs(&self, _on: MapKind) -> Needs {
        match self.intermediate {
            Intermediate::Group => Needs::between_routers(3, 2, "valiant routing"),
            Intermediate::Router => Needs::between_routers(4, 2, "valiant routing through a node"),
        }
    }

    fn default_vcs(&self) -> Vcs {
        Vcs { node: 3, ..self.needs(MapKind::Dragonfly).vcs }
    }

    fn check(&self, map: &AnyMap<'_>) -> Result<(), Misfit> {
        match (self.groups, map) {
            (Groups::Third, AnyMap::Dragonfly(map)) if map.groups() < 3 => Err(Misfit::NoThirdGroup),
            _ => Ok(()),
        }
    }

    fn build<'m>(&self, map: &AnyMap<'m>, _vcs: Vcs) -> Option<Valiant<'m>> {
        let AnyMap::Dragonfly(map) = *map else { return None };
        Some(Valiant { map, intermediate: self.intermediate, groups: self.groups })
    }

    fn rtl_parameters(&self, put: &mut impl FnMut(&'static str, u32)) {
        put("INTERMEDIATE", self.intermediate as u32);
    }
}

/// Valiant routing.
#[derive(Clone, Copy, Debug)]
pub struct Valiant<'t> {
    /// The map.
    pub map: Dragonfly<'t>,
    /// The intermediate point.
    pub intermediate: Intermediate,
    /// The groups that it is drawn from.
    pub groups: Groups,
}

impl Valiant<'_> {
    /// What stands in the header of a packet that goes by way of a router, or of its group.
    pub const fn point(&self, router: u32) -> u32 {
        match self.intermediate {
            Intermediate::Group => Place::of(router).group,
            Intermediate::Router => router,
        }
    }

    /// Whether a router is one of the network.
    fn exists(&self, router: u32) -> bool {
        let place = Place::of(router);
        place.index < self.map.size(place.group)
    }

    /// Whether the intermediate point is still ahead of a packet at `at`.
    fn via_ahead(&self, at: Place, header: &Header) -> bool {
        header.progress.via_ahead()
            && match self.intermediate {
                Intermediate::Group => at.group != header.via,
                Intermediate::Router => at.address() != header.via,
            }
    }

    /// A hop of the route through a router. Each of its two phases has VCs of its own: local 0 and 1, global 0,
    /// then local 2 and 3, global 1; of the local ones, the second after the phase's global hop.
    fn hop_in_phase(&self, at: Place, from: Arrival, to: Place, phase: u8) -> Candidates {
        let crossed = from.kind == PortClass::GLOBAL && from.vc.number() == phase;
        let local = VcSet::only(VcId::new(phase.wrapping_mul(2).wrapping_add(u8::from(crossed))));
        if at.group == to.group {
            return Candidates::minimal(self.map.local_ports_to(at.index, to.index), local);
        }
        match self.map.towards_group(at, to.group) {
            Towards::Link(own) => Candidates::minimal(own, VcSet::only(VcId::new(phase))),
            Towards::Exit(exits) => Candidates::minimal(exits, local),
        }
    }

    /// A uniformly drawn router, of the drawn group or, for traffic inside a group, of that one.
    fn draw_router(&self, at: Place, to: Place, draw: &mut impl Draw) -> Place {
        let group = if at.group == to.group { at.group } else { self.draw_group(at, to, draw) };
        Place { group, index: draw.below(self.map.size(group)) }
    }

    /// A uniformly drawn group for a packet that goes to another one.
    fn draw_group(&self, at: Place, to: Place, draw: &mut impl Draw) -> u32 {
        let groups = self.map.groups();
        let past = |group: u32, left_out: u32| group.wrapping_add(u32::from(group >= left_out));
        match self.groups {
            Groups::Any => draw.below(groups),
            Groups::Other => past(draw.below(groups.wrapping_sub(1)), at.group),
            Groups::Third => {
                let (lower, higher) = (at.group.min(to.group), at.group.max(to.group));
                past(past(draw.below(groups.wrapping_sub(2)), lower), higher)
            }
        }
    }
}

impl Route for Valiant<'_> {
    fn offer(&self, here: &Here, from: Arrival, header: &Header) -> Result<Candidates, Full> {
        let at = Place::of(here.router);
        let to = Place::of(header.to.router);
        if !self.map.has(header.to) {
            return Ok(Candidates::NONE);
        }
        let ahead = self.via_ahead(at, header);
        Ok(match self.intermediate {
            Intermediate::Group if ahead => hop_to_group(&self.map, at, from, header.via),
            Intermediate::Router if ahead && !self.exists(header.via) => Candidates::NONE,
            Intermediate::Router if ahead => self.hop_in_phase(at, from, Place::of(header.via), 0),
            _ if at == to => consume(here, header.to),
            Intermediate::Router => self.hop_in_phase(at, from, to, 1),
            Intermediate::Group if at.group == to.group => {
                let ports = self.map.local_ports_to(at.index, to.index);
                Candidates::of([hop(from, ports, PortClass::LOCAL)])
            }
            Intermediate::Group => hop_to_group(&self.map, at, from, to.group),
        })
    }

    fn onward(&self, here: &Here, header: &Header, _out_kind: PortClass, _hop: HopKind) -> Header {
        let ahead = self.via_ahead(Place::of(here.router), header);
        Header { progress: header.progress.with_via_ahead(ahead), ..*header }
    }

    fn launch(&self, here: &Here, to: Address, length: u16, draw: &mut impl Draw) -> Header {
        let (at, there) = (Place::of(here.router), Place::of(to.router));
        let via = match self.intermediate {
            Intermediate::Group if at.group == there.group => None,
            Intermediate::Group => Some(self.draw_group(at, there, draw)),
            Intermediate::Router => Some(self.draw_router(at, there, draw).address()),
        };
        let progress = Progress::default().with_via_ahead(via.is_some());
        Header { to, via: via.unwrap_or_default(), length, progress, ..Header::default() }
    }
}
