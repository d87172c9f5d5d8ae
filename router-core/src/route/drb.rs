//! The routing function of Distributed Routing Balancing: multi-step paths on any network, chosen by the source.
//!
//! Source: Franco, Garcés and Luque, as [`crate::drb`] says, \[2\]. A path leads from the source to router *i*, on to router *j*, and to
//! the destination. Each step is a static minimal route: in dimension order on a mesh or torus, by a table elsewhere. Which paths a source
//! uses, [`crate::drb`] decides; [`Route::launch`] draws *i* and *j* from the supernodes of both ends, each pair alike, so that a proof
//! covers all that a source can choose.
//!
//! The header has both routers in its field `via`, *i* in the lower 9 bits, *j* in the upper 9: networks may have addresses of up to 9 bits
//! (8x8x8, or 16x32, or 512 routers of a graph). `source` and the spare byte stay free for the ACK. The bits `via_ahead` and
//! `second_via_ahead` of `progress` say which of them are ahead.
//!
//! VCs form three classes, on a grid (`classes.rs`) and by a [table](StepTable). A packet keeps its class for a whole step, and each further step
//! is on a higher one. The channel dependencies of a class have no cycle. None leads back to a lower class. A packet with fewer steps than
//! three starts on any class that leaves enough for the steps ahead: the canonical path may use all VCs that take it.

mod ack_lane;
mod classes;

use super::{Arrival, Candidates, Draw, Full, Here, HopKind, Misfit, Needs, Route, Scheme, Vcs, consume};
use crate::drb::{
    Balancing, MOST_PATHS, MultiStep, Network, POINT_BITS, Supernode, SupernodeKind, SupernodeShape,
};
use crate::fixed::U8F8;
use crate::header::{Address, Header, Progress};
use crate::map::steps::StepTable;
use crate::map::{AnyMap, MapKind};
use crate::settings::{Settings, Visit};
use crate::units::{PortClass, PortSet, VcSet};
pub use ack_lane::ACK_LEVEL;
use classes::{Classes, STEPS};

/// Distributed Routing Balancing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct DrbScheme {
    /// The radius of the gravity area, in hops, that is the supernode of an end which has no other. Range: 0…8.
    pub supernode_radius: u8,
    /// The supernode of the source, where it is another one.
    pub source_supernode: Option<SupernodeShape>,
    /// The supernode of the destination, where it is another one.
    pub destination_supernode: Option<SupernodeShape>,
    /// Paths of a source to a destination that are open at most. Range: 1…64.
    pub max_paths: u8,
    /// Whether paths that only load links more are never opened.
    pub own_links: bool,
    /// Thl, as a share of the canonical latency. Range: 0…16.
    pub threshold_low: U8F8,
    /// Thh, as a share of the canonical latency. Range: 0…16.
    pub threshold_high: U8F8,
    /// Tol, as a share of the canonical latency. Range: 0…16.
    pub tolerance: U8F8,
    /// Flits of an ACK, where packets have no reply that brings its news. Range: 1…1023.
    pub ack_flits: u16,
    /// Whether ACKs have VCs of their own, the lowest of each port, which are served before all others. On meshes and tori.
    pub ack_priority: bool,
}

impl Default for DrbScheme {
    fn default() -> Self {
        Self {
            supernode_radius: 1,
            source_supernode: None,
            destination_supernode: None,
            max_paths: 4,
            own_links: true,
            threshold_low: U8F8::ratio(3, 2),
            threshold_high: U8F8::ratio(7, 4),
            tolerance: U8F8::ratio(1, 4),
            ack_flits: 1,
            ack_priority: false,
        }
    }
}

impl DrbScheme {
    /// When metapaths widen and shrink.
    #[must_use]
    pub const fn balancing(&self) -> Balancing {
        Balancing {
            max_paths: self.max_paths,
            low: self.threshold_low,
            high: self.threshold_high,
            tolerance: self.tolerance,
        }
    }

    /// VCs of each port that are for ACKs alone, the lowest ones: one, and on a torus another one behind the dateline.
    #[must_use]
    pub const fn ack_vcs(&self, on: MapKind) -> u8 {
        match on {
            _ if !self.ack_priority => 0,
            MapKind::Torus => 2,
            _ => 1,
        }
    }

    /// The supernode of the source.
    #[must_use]
    pub fn source(&self) -> SupernodeShape {
        self.source_supernode.unwrap_or(SupernodeShape::gravity(self.supernode_radius))
    }

    /// The supernode of the destination.
    #[must_use]
    pub fn destination(&self) -> SupernodeShape {
        self.destination_supernode.unwrap_or(SupernodeShape::gravity(self.supernode_radius))
    }
}

impl Settings for DrbScheme {
    fn visit<V: Visit>(&mut self, visitor: &mut V) -> Result<(), V::Error> {
        visitor.whole("supernode_radius", 0..=8, &mut self.supernode_radius)?;
        visitor.group("source_supernode", &mut self.source_supernode)?;
        visitor.group("destination_supernode", &mut self.destination_supernode)?;
        visitor.whole("max_paths", 1..=MOST_PATHS, &mut self.max_paths)?;
        visitor.flag("own_links", &mut self.own_links)?;
        let shares = U8F8::ZERO..=U8F8::ratio(16, 1);
        visitor.number("threshold_low", shares.clone(), &mut self.threshold_low)?;
        visitor.number("threshold_high", shares.clone(), &mut self.threshold_high)?;
        visitor.number("tolerance", shares, &mut self.tolerance)?;
        visitor.whole("ack_flits", 1..=1023, &mut self.ack_flits)?;
        visitor.flag("ack_priority", &mut self.ack_priority)
    }
}

impl Scheme for DrbScheme {
    const WORD: &'static str = "drb";
    const DRAWS: bool = true;
    type Routing<'m> = Drb<'m>;

    fn map(on: MapKind) -> Option<MapKind> {
        match on {
            MapKind::Mesh | MapKind::Torus => Some(on),
            MapKind::OneWayTorus => None,
            _ => Some(MapKind::Steps),
        }
    }

    fn needs(&self, on: MapKind) -> Needs {
        match on {
            MapKind::Torus if self.ack_priority => {
                let vcs = Vcs { node: 3, local: 2 * STEPS + 2, global: 0 };
                Needs { vcs, whose: "drb routing on a torus with `ack_priority`" }
            }
            MapKind::Mesh if self.ack_priority => Needs {
                vcs: Vcs { node: 2, local: STEPS + 1, global: 0 },
                whose: "drb routing with `ack_priority`",
            },
            MapKind::Torus => Needs::between_routers(2 * STEPS, 0, "drb routing on a torus"),
            MapKind::Mesh => Needs::between_routers(STEPS, 0, "drb routing"),
            // The tables name those that they need.
            _ => Needs::NOTHING,
        }
    }

    fn default_vcs(&self) -> Vcs {
        let local = if self.ack_priority { 2 * STEPS + 2 } else { 2 * STEPS };
        Vcs { local, ..Vcs { node: 4, local: 4, global: 4 } }
    }

    fn check(&self, map: &AnyMap<'_>) -> Result<(), Misfit> {
        let Some(network) = Network::of(map) else { return Ok(()) };
        if self.ack_priority && matches!(network, Network::Table(_)) {
            return Err(Misfit::NoAckLane);
        }
        let is_cube = |shape: SupernodeShape| shape.kind == SupernodeKind::Subtopology;
        if matches!(network, Network::Table(_)) && (is_cube(self.source()) || is_cube(self.destination())) {
            return Err(Misfit::NoSubtopology);
        }
        let found = network.address_bits();
        if found <= POINT_BITS {
            return Ok(());
        }
        Err(Misfit::Address { most: POINT_BITS as u8, found: found as u8 })
    }

    fn build<'m>(&self, map: &AnyMap<'m>, vcs: Vcs) -> Option<Drb<'m>> {
        let network = Network::of(map)?;
        let ack_vcs = match network {
            Network::Grid(grid) if grid.wraps() => self.ack_vcs(MapKind::Torus),
            Network::Grid(_) => self.ack_vcs(MapKind::Mesh),
            Network::Table(_) => 0,
        };
        let (source, destination) = (self.source(), self.destination());
        Some(Drb { network, vcs: vcs.local, ack_vcs, source, destination })
    }
}

/// Routing by multi-step paths.
#[derive(Clone, Copy, Debug)]
pub struct Drb<'m> {
    /// The network, of addresses of up to [`POINT_BITS`] bits.
    pub network: Network<'m>,
    /// VCs of each port between routers; on a mesh at least 3, on a torus 6, elsewhere what the table names.
    pub vcs: u8,
    /// How many of them, the lowest ones, are for ACKs alone; as many are at ports to nodes.
    pub ack_vcs: u8,
    /// The supernode of a source that new packets draw from.
    pub source: SupernodeShape,
    /// The supernode of a destination that new packets draw from.
    pub destination: SupernodeShape,
}

/// Which steps are ahead of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Ahead {
    first: bool,
    second: bool,
}

impl Ahead {
    /// As the header says.
    const fn of(header: &Header) -> Self {
        Self { first: header.progress.via_ahead(), second: header.progress.second_via_ahead() }
    }

    /// At router `here`: what has been reached is ahead no more.
    const fn at(self, here: u32, MultiStep { first, second }: MultiStep) -> Self {
        let first = self.first && here != first;
        Self { first, second: self.second && (first || here != second) }
    }

    /// Steps after the one under way.
    const fn steps(self) -> u8 {
        (self.first as u8).wrapping_add(self.second as u8)
    }

    /// The number of the step under way: to *i*, to *j*, to the destination.
    const fn step(self) -> u8 {
        match self {
            Self { first: true, .. } => 0,
            Self { second: true, .. } => 1,
            _ => 2,
        }
    }

    const fn onto(self, progress: Progress) -> Progress {
        progress.with_via_ahead(self.first).with_second_via_ahead(self.second)
    }
}

/// The header of a new packet at router `from` that goes by `path`.
#[must_use]
pub fn header(from: u32, to: Address, length: u16, path: MultiStep) -> Header {
    let MultiStep { first, second } = path;
    // A step that is empty is none; neither is there one between nodes of a router.
    let ahead = Ahead { first: first != from, second: second != to.router && second != first };
    let ahead = if from == to.router { Ahead { first: false, second: false } } else { ahead };
    let via = second.wrapping_shl(POINT_BITS) | first & POINT_MASK;
    Header { to, via, length, progress: ahead.onto(Progress::default()), ..Header::default() }
}

const POINT_MASK: u32 = (1 << POINT_BITS) - 1;

/// The routers that a header names.
const fn via(header: &Header) -> MultiStep {
    MultiStep { first: header.via & POINT_MASK, second: header.via.wrapping_shr(POINT_BITS) }
}

/// The outputs and VCs of a step by a table, where it starts for a packet that came by `from` and where it goes on.
fn by_table(
    table: StepTable<'_>,
    here: &Here,
    from: Arrival,
    (ahead, starts, to): (Ahead, bool, u32),
) -> (PortSet, VcSet) {
    let entry = table.entry(here.router, to);
    let came = (from.kind != PortClass::NODE).then_some(from.vc);
    let vcs = if starts { table.step_vcs(entry, came, ahead.step()) } else { VcSet::only(from.vc) };
    (entry.ports(), vcs)
}

// Not inlined: the other routings, in whose dispatch it would be, pay for its registers.
impl Route for Drb<'_> {
    #[inline(never)]
    fn offer(&self, here: &Here, from: Arrival, header: &Header) -> Result<Candidates, Full> {
        if self.ack_vcs > 0 {
            return self.offer_apart(here, from, header);
        }
        let (came, via) = (Ahead::of(header), via(header));
        let ahead = came.at(here.router, via);
        let to = match ahead {
            Ahead { first: true, .. } => via.first,
            Ahead { second: true, .. } => via.second,
            _ => header.to.router,
        };
        if here.router == to {
            return Ok(consume(here, header.to));
        }
        let starts = from.kind == PortClass::NODE || ahead != came;
        let (ports, vcs) = match self.network {
            Network::Grid(grid) => {
                Classes { grid, vcs: self.vcs }.hops(here, from, (ahead.steps(), starts, to))
            }
            Network::Table(table) => by_table(table, here, from, (ahead, starts, to)),
        };
        Ok(Candidates::minimal(ports, vcs))
    }

    #[inline(never)]
    fn onward(&self, here: &Here, header: &Header, _out_kind: PortClass, _hop: HopKind) -> Header {
        let ahead = Ahead::of(header).at(here.router, via(header));
        Header { progress: ahead.onto(header.progress), ..*header }
    }

    fn launch(&self, here: &Here, to: Address, length: u16, draw: &mut impl Draw) -> Header {
        let Self { network, source, destination, .. } = *self;
        if self.ack_vcs > 0 && draw.below(2) > 0 {
            let canonical = MultiStep::canonical(here.router, to.router);
            let ack = header(here.router, to, length, canonical);
            return Header { carried: ack.carried.with_level(ACK_LEVEL), ..ack };
        }
        let mut draw = |centre, shape| {
            let supernode = Supernode { network, centre, shape };
            let number = draw.below(supernode.size() as u32);
            supernode.routers().nth(number as usize).unwrap_or(centre)
        };
        let path = MultiStep { first: draw(here.router, source), second: draw(to.router, destination) };
        header(here.router, to, length, path)
    }

    /// The VC leaves enough for the steps ahead.
    #[inline(never)]
    fn keeps_order(&self, here: &Here, from: Arrival, header: &Header) -> bool {
        if self.ack_vcs > 0 {
            return self.keeps_apart(here, from, header);
        }
        let ahead = Ahead::of(header);
        from.kind == PortClass::NODE
            || match self.network {
                Network::Grid(grid) => Classes { grid, vcs: self.vcs }.leaves(from.vc, ahead.steps()),
                Network::Table(table) => from.vc.number() < table.end(ahead.step()),
            }
    }
}
