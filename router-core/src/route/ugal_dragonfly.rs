//! UGAL on a Dragonfly: a shortest route, or Valiant's, as selection decides at the first router, or the source.
//!
//! Source: Singh, 2005; Kim et al., ISCA 2008 (UGAL-L). The intermediate group or router is drawn where the packet is injected, as
//! [`super::valiant`] does. Its first router offers both ways with their hops, and the trigger `ugal` compares the queues there; no
//! router after it offers a choice of kinds. VCs are those of Valiant's routing: through a group both ways begin on the same ones,
//! through a router the shortest way takes those of the second half (VC discrimination).
//!
//! What a router knows of itself is not enough where the congested link is another router's. Where the routers of a group tell each other
//! (Jiang et al., ISCA 2009: PB) the trigger takes a detour for that, too, in each cycle in which the packet waits ([`crate::notice`]). Where
//! sources decide once (PB, and Kim et al.: UGAL-G) the way is set in the header as the packet comes from its node, and no router has a choice behind it. A
//! header is drawn with either way, as likely as the other, and what knows more changes it: [`crate::piggyback`], by both [`Ways`], or
//! [`crate::reservation`], by an answer.

use super::valiant::{Intermediate, Valiant, ValiantScheme};
use super::ways::{Exit, Way, Ways};
use super::{
    Arrival, CandidateSet, Candidates, Draw, Full, Here, HopKind, Misfit, Needs, Route, Scheme, Vcs, way_out,
};
use crate::fixed::U8F8;
use crate::header::{Address, Header};
use crate::layout;
use crate::map::dragonfly::{Dragonfly, Place};
use crate::map::{AnyMap, Map, MapKind, Peer};
use crate::piggyback::Piggyback;
use crate::reservation::Reservation;
use crate::settings::{Settings, Visit, Word as _};
use crate::units::{PortClass, PortId, PortSet, VcId};

/// Hops of the longest way: through a router, three to it and three from it.
const MOST_HOPS: u32 = 6;

/// What is known where it is decided which way a packet takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum Knowledge {
    /// The queues of its first router, in each cycle in which it waits there (UGAL-L).
    #[default]
    Router = layout::KNOWLEDGE_ROUTER as u8,
    /// The queues of its first router, in each cycle in which it waits there. Credits come back the later the more is in the way of what
    /// they are for, so that its own queues grow (CRT).
    Credits = layout::KNOWLEDGE_CREDITS as u8,
    /// The queues of its first router as the packet leaves its node, and which global links of its group are congested (PB).
    Group = layout::KNOWLEDGE_GROUP as u8,
    /// All queues of all routers on both ways as the packet leaves its node: an oracle (UGAL-G).
    Oracle = layout::KNOWLEDGE_ORACLE as u8,
    /// The queues of its first router and which global links of its group are congested, in each cycle in which it waits there (PB that
    /// compares as its simulators do).
    GroupEachCycle = layout::KNOWLEDGE_GROUP_EACH_CYCLE as u8,
    /// Whether there is a place on the global link of the shortest way, which the packet asks for before it leaves its node (RES). The RTL
    /// has no number for it.
    Reservation = layout::KNOWLEDGE_COUNT as u8,
}

crate::words!(Knowledge {
    "router" => [Self::Router],
    "credits" => [Self::Credits],
    "group" => [Self::Group],
    "group-each-cycle" => [Self::GroupEachCycle],
    "oracle" => [Self::Oracle],
    "reservation" => [Self::Reservation],
});

impl Knowledge {
    /// Whether sources know it, and decide as packets leave them.
    pub const fn is_of_sources(self) -> bool {
        matches!(self, Self::Group | Self::Oracle | Self::Reservation)
    }

    /// Whether the routers of a group tell each other which of their global links are congested.
    pub const fn is_flagged(self) -> bool {
        matches!(self, Self::Group | Self::GroupEachCycle)
    }

    /// Whether it is of the one link between two groups.
    const fn is_of_one_link(self) -> bool {
        matches!(self, Self::GroupEachCycle | Self::Reservation)
    }
}

/// A shortest route or Valiant's on a Dragonfly: its settings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct UgalDragonflyScheme {
    /// How intermediate points are drawn.
    pub valiant: ValiantScheme,
    /// What is known where it is decided.
    pub knowledge: Knowledge,
    /// The flags of a group.
    pub piggyback: Piggyback,
    /// Places on global links.
    pub reservation: Reservation,
}

impl Settings for UgalDragonflyScheme {
    fn visit<V: Visit>(&mut self, visitor: &mut V) -> Result<(), V::Error> {
        self.valiant.visit(visitor)?;
        visitor.word("knowledge", &mut self.knowledge)?;
        visitor.number("piggyback_factor", U8F8::ZERO..=U8F8::ratio(16, 1), &mut self.piggyback.factor)?;
        visitor.whole("piggyback_packets", 0..=255, &mut self.piggyback.packets)?;
        visitor.whole("reservation_threshold", 1..=1023, &mut self.reservation.threshold)?;
        visitor.whole("reservation_window", 1..=64, &mut self.reservation.window)
    }
}

impl Scheme for UgalDragonflyScheme {
    const WORD: &'static str = "ugal-dragonfly";
    const DETOURS: &'static [HopKind] = &[HopKind::GlobalMisroute];
    const TRIGGER: &'static str = "ugal";
    const DRAWS: bool = true;
    const RTL: Option<u32> = Some(layout::ROUTING_UGAL_DRAGONFLY);
    type Routing<'m> = UgalDragonfly<'m>;

    fn map(on: MapKind) -> Option<MapKind> {
        ValiantScheme::map(on)
    }

    fn needs(&self, on: MapKind) -> Needs {
        let whose = match self.valiant.intermediate {
            Intermediate::Group => "ugal-dragonfly routing",
            Intermediate::Router => "ugal-dragonfly routing through a node",
        };
        Needs { whose, ..self.valiant.needs(on) }
    }

    /// A packet whose source has decided takes the detour and nothing else; where links are flagged it waits until the detour has room.
    fn insists_on(&self, class: PortClass) -> bool {
        (self.knowledge.is_of_sources() || self.knowledge.is_flagged()) && class != PortClass::NODE
    }

    fn default_vcs(&self) -> Vcs {
        self.valiant.default_vcs()
    }

    fn check(&self, map: &AnyMap<'_>) -> Result<(), Misfit> {
        match (self.knowledge, map) {
            (knowledge, AnyMap::Dragonfly(map)) if knowledge.is_of_one_link() && !has_single_links(map) => {
                Err(Misfit::SeveralLinks { knowledge: knowledge.word() })
            }
            _ => self.valiant.check(map),
        }
    }

    fn build<'m>(&self, map: &AnyMap<'m>, vcs: Vcs) -> Option<UgalDragonfly<'m>> {
        let is_decided = self.knowledge.is_of_sources();
        Some(UgalDragonfly { valiant: self.valiant.build(map, vcs)?, is_decided })
    }

    fn rtl_parameters(&self, put: &mut impl FnMut(&'static str, u32)) {
        self.valiant.rtl_parameters(put);
        put("KNOWLEDGE", self.knowledge as u32);
    }
}

/// Whether each two groups have one link between them.
fn has_single_links(map: &Dragonfly<'_>) -> bool {
    let (groups, globals) = (map.groups(), map.global_ports().len() as u32);
    (0..groups).all(|group| map.size(group).wrapping_mul(globals).wrapping_add(1) == groups)
}

/// UGAL on a Dragonfly.
#[derive(Clone, Copy, Debug)]
pub struct UgalDragonfly<'t> {
    /// The way that is not the shortest.
    pub valiant: Valiant<'t>,
    /// Whether headers come with the way that their packets take.
    pub is_decided: bool,
}

impl UgalDragonfly<'_> {
    /// A header whose packet has its intermediate point ahead, or not.
    fn with_via(header: &Header, is_ahead: bool) -> Header {
        Header { progress: header.progress.with_via_ahead(is_ahead), ..*header }
    }

    /// Hops by the intermediate point; nothing where the way through it is the shortest one.
    fn hops_through(&self, here: &Here, header: &Header) -> Option<u32> {
        let (at, to) = (Place::of(here.router), Place::of(header.to.router));
        let map = &self.valiant.map;
        match self.valiant.intermediate {
            Intermediate::Group if header.via == at.group || header.via == to.group => None,
            Intermediate::Group => Some(map.distance_through(at, header.via, to)),
            Intermediate::Router if header.via == here.router || header.via == header.to.router => None,
            Intermediate::Router => {
                let via = Place::of(header.via);
                Some(map.distance(at, via).saturating_add(map.distance(via, to)))
            }
        }
    }

    /// The way of a new packet by the first of the ports that each router has for it, and the first link between groups on it.
    fn walk(&self, here: &Here, mut from: Arrival, mut header: Header) -> Option<(Way, Option<Exit>)> {
        let start = here.router;
        // All of its node's ports are connected where it arrives.
        let mut here =
            Here { wired: PortSet::first_n(<PortSet>::CAPACITY), channels: PortSet::EMPTY, ..*here };
        let (mut first, mut exit) = (None, None);
        let mut hops = 0u32;
        while hops <= MOST_HOPS {
            let offered = self.valiant.offer(&here, from, &header).ok()?;
            let set = offered.sets().next()?;
            let (port, vc) = (set.ports.first()?, set.vcs.first()?);
            let Some(Peer::Router { router, port: there }) = self.valiant.map.peer(here.router, port) else {
                break;
            };
            let kind = self.valiant.map.class(port);
            if kind == PortClass::GLOBAL && exit.is_none() {
                let behind = first.map(|(port, _)| port).filter(|_| here.router != start);
                exit = Some(Exit { behind, port, vc });
            }
            first.get_or_insert((port, vc));
            hops = hops.wrapping_add(1);
            header = self.valiant.onward(&here, &header, kind, HopKind::Minimal);
            (here.router, from) = (router, Arrival { port: there, kind, vc });
        }
        let (port, vc) = first?;
        Some((Way { port, vc, hops }, exit))
    }

    /// The way that Valiant's routing offers, which is one set, as a hop of a kind.
    fn way(
        &self,
        here: &Here,
        from: Arrival,
        header: &Header,
        kind: HopKind,
        hops: u32,
    ) -> Result<CandidateSet, Full> {
        let hops = hops.min(u8::MAX.into()) as u8;
        let offered = self.valiant.offer(here, from, header)?;
        Ok(offered.sets().next().map_or(CandidateSet::default(), |set| CandidateSet { kind, hops, ..set }))
    }
}

impl Route for UgalDragonfly<'_> {
    fn offer(&self, here: &Here, from: Arrival, header: &Header) -> Result<Candidates, Full> {
        let is_new = from.kind == PortClass::NODE && here.router != header.to.router;
        if !is_new || !self.valiant.map.has(header.to) {
            return self.valiant.offer(here, from, header);
        }
        let hops = self.valiant.map.distance(Place::of(here.router), Place::of(header.to.router));
        let minimal = self.way(here, from, &Self::with_via(header, false), HopKind::Minimal, hops)?;
        if self.is_decided && !header.progress.via_ahead() {
            return Ok(Candidates::of([minimal]));
        }
        let Some(hops) = self.hops_through(here, header) else { return Ok(Candidates::of([minimal])) };
        let detour = self.way(here, from, &Self::with_via(header, true), HopKind::GlobalMisroute, hops)?;
        Ok(match self.is_decided {
            false => Candidates::of([minimal, detour]),
            true => Candidates::of([CandidateSet::default(), detour]).forced(),
        })
    }

    fn ways(&self, here: &Here, from: Arrival, header: &Header) -> Option<Ways> {
        let is_new = from.kind == PortClass::NODE && here.router != header.to.router;
        if !is_new || !self.valiant.map.has(header.to) || self.hops_through(here, header).is_none() {
            return None;
        }
        let (minimal, exit) = self.walk(here, from, Self::with_via(header, false))?;
        let (detour, _) = self.walk(here, from, Self::with_via(header, true))?;
        Some(Ways { minimal, exit, detour })
    }

    fn leaves_for(&self, here: &Here, from: Arrival, header: &Header) -> Option<u32> {
        way_out(here, from, header)
    }

    fn exit(&self, here: &Here, group: u32) -> Option<Exit> {
        if group == Place::of(here.router).group {
            return None;
        }
        let to = Address { router: Place { group, index: 0 }.address(), port: 0 };
        let from = Arrival { port: PortId::new(0), kind: PortClass::NODE, vc: VcId::new(0) };
        self.walk(here, from, Header { to, ..Header::default() })?.1
    }

    /// The detour is taken at the first router, or not at all.
    fn onward(&self, here: &Here, header: &Header, out_kind: PortClass, hop: HopKind) -> Header {
        let is_ahead = header.progress.via_ahead() || hop == HopKind::GlobalMisroute;
        self.valiant.onward(here, &Self::with_via(header, is_ahead), out_kind, hop)
    }

    /// Traffic inside a group that goes by way of no point has its own group as one.
    fn launch(&self, here: &Here, to: Address, length: u16, draw: &mut impl Draw) -> Header {
        let header = self.valiant.launch(here, to, length, draw);
        let via = if header.progress.via_ahead() { header.via } else { Place::of(here.router).group };
        let header = Header { via, ..header };
        let takes_detour =
            self.is_decided && self.hops_through(here, &header).is_some() && draw.below(2) == 1;
        Self::with_via(&header, takes_detour)
    }
}
