//! The routing function of Distributed Routing Balancing: multi-step paths on meshes and tori, chosen by the source.
//!
//! Source: Franco, Garcés and Luque, as [`crate::drb`] says, \[2\]. A path leads from the source to router *i*, on to router *j*, and to
//! the destination, each step in dimension order. Which paths a source uses, [`crate::drb`] decides; [`Route::launch`] draws *i* and *j*
//! from the supernodes of both ends, each pair alike, so that a proof covers all that a source can choose.
//!
//! The header has both routers in its field `via`, *i* in the lower 9 bits, *j* in the upper 9: networks may have addresses of up to 9 bits
//! (8x8x8, or 16x32). `source` and the spare byte stay free for the ACK. The bits `via_ahead` and `second_via_ahead` of `progress` say
//! which of them are ahead.
//!
//! VCs form three classes. A packet keeps its class for a whole step, and each further step is on a higher one. The channel dependencies of
//! a class are those of dimension order (with datelines of its own on a torus), which have no cycle. None leads back to a lower class. A
//! packet with fewer steps than three starts on any class that leaves enough for the steps ahead: the canonical path may use all VCs, as
//! dimension order does.

use super::dimension_order::DimensionOrder;
use super::{Arrival, Candidates, Draw, Full, Here, HopKind, Misfit, Needs, Route, Scheme, Vcs, consume};
use crate::drb::{Balancing, MultiStep, POINT_BITS, Supernode};
use crate::fixed::U8F8;
use crate::header::{Address, Header, Progress};
use crate::map::grid::Grid;
use crate::map::{AnyMap, MapKind};
use crate::settings::{Settings, Visit};
use crate::units::{PortClass, PortSet, VcId, VcSet};

/// Steps of a path, and classes of VCs.
const STEPS: u8 = 3;

/// Distributed Routing Balancing on a mesh or torus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct DrbScheme {
    /// The radius of the supernodes, in hops. Range: 0…8.
    pub supernode_radius: u8,
    /// Paths of a source to a destination that are open at most. Range: 1…8.
    pub max_paths: u8,
    /// Thl, as a share of the canonical latency. Range: 0…16.
    pub threshold_low: U8F8,
    /// Thh, as a share of the canonical latency. Range: 0…16.
    pub threshold_high: U8F8,
    /// Tol, as a share of the canonical latency. Range: 0…16.
    pub tolerance: U8F8,
    /// Flits of an ACK, where packets have no reply that brings its news. Range: 1…1023.
    pub ack_flits: u16,
}

impl Default for DrbScheme {
    fn default() -> Self {
        Self {
            supernode_radius: 1,
            max_paths: 4,
            threshold_low: U8F8::ratio(3, 2),
            threshold_high: U8F8::ratio(7, 4),
            tolerance: U8F8::ratio(1, 4),
            ack_flits: 1,
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
}

impl Settings for DrbScheme {
    fn visit<V: Visit>(&mut self, visitor: &mut V) -> Result<(), V::Error> {
        visitor.whole("supernode_radius", 0..=8, &mut self.supernode_radius)?;
        visitor.whole("max_paths", 1..=8, &mut self.max_paths)?;
        let shares = U8F8::ZERO..=U8F8::ratio(16, 1);
        visitor.number("threshold_low", shares.clone(), &mut self.threshold_low)?;
        visitor.number("threshold_high", shares.clone(), &mut self.threshold_high)?;
        visitor.number("tolerance", shares, &mut self.tolerance)?;
        visitor.whole("ack_flits", 1..=1023, &mut self.ack_flits)
    }
}

impl Scheme for DrbScheme {
    const WORD: &'static str = "drb";
    const DRAWS: bool = true;
    type Routing<'m> = Drb;

    fn map(on: MapKind) -> Option<MapKind> {
        matches!(on, MapKind::Mesh | MapKind::Torus).then_some(on)
    }

    fn needs(&self, on: MapKind) -> Needs {
        match on {
            MapKind::Torus => Needs::between_routers(2 * STEPS, 0, "drb routing on a torus"),
            _ => Needs::between_routers(STEPS, 0, "drb routing"),
        }
    }

    fn default_vcs(&self) -> Vcs {
        Vcs { local: 2 * STEPS, ..Vcs { node: 4, local: 4, global: 4 } }
    }

    fn check(&self, map: &AnyMap<'_>) -> Result<(), Misfit> {
        let AnyMap::Grid(grid) = map else { return Ok(()) };
        let found = grid.address_bits();
        if found <= POINT_BITS {
            return Ok(());
        }
        Err(Misfit::Address { most: POINT_BITS as u8, found: found as u8 })
    }

    fn build<'m>(&self, map: &AnyMap<'m>, vcs: Vcs) -> Option<Drb> {
        let AnyMap::Grid(grid) = *map else { return None };
        Some(Drb { grid, vcs: vcs.local, radius: self.supernode_radius })
    }
}

/// Routing by multi-step paths.
#[derive(Clone, Copy, Debug)]
pub struct Drb {
    /// The map, of addresses of up to [`POINT_BITS`] bits.
    pub grid: Grid,
    /// VCs of each port between routers; at least 3, on a torus 6.
    pub vcs: u8,
    /// The radius of the supernodes that new packets draw from.
    pub radius: u8,
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

impl Drb {
    /// The first VC of a class; of one behind the last, the number of all VCs.
    const fn first_of(&self, class: u8) -> u8 {
        match self.vcs.wrapping_mul(class).checked_div(STEPS) {
            Some(first) => first,
            None => 0,
        }
    }

    /// The class of a VC.
    fn class(&self, vc: VcId) -> u8 {
        let is_below = |class: &u8| vc.number() < self.first_of(class.wrapping_add(1));
        (0..STEPS).find(is_below).unwrap_or(STEPS)
    }

    /// The next hop of a step on the VCs of a class; `from` is `None` where the packet has come on no VC of it.
    fn hop(&self, here: &Here, from: Option<Arrival>, to: u32, class: u8) -> Option<(PortSet, VcSet)> {
        let first = self.first_of(class);
        let vcs = self.first_of(class.wrapping_add(1)).wrapping_sub(first);
        // A packet that comes from another class enters a ring as one from a node does.
        let from = match from {
            Some(from) => Arrival { vc: VcId::new(from.vc.number().wrapping_sub(first)), ..from },
            None => Arrival { kind: PortClass::NODE, ..Arrival::default() },
        };
        let (ports, vcs) = DimensionOrder { grid: self.grid, vcs }.hop(here, from, to, 0)?;
        Some((ports, VcSet::from_bits(vcs.bits().wrapping_shl(first.into()))))
    }
}

// Not inlined: the other routings, in whose dispatch it would be, pay for its registers.
impl Route for Drb {
    #[inline(never)]
    fn offer(&self, here: &Here, from: Arrival, header: &Header) -> Result<Candidates, Full> {
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
        let classes = match from.kind {
            PortClass::NODE => 0..STEPS,
            _ if starts => self.class(from.vc).wrapping_add(1)..STEPS,
            _ => self.class(from.vc)..self.class(from.vc).wrapping_add(1),
        };
        let (mut ports, mut all) = (PortSet::EMPTY, VcSet::EMPTY);
        for class in classes.start..classes.end.min(STEPS.wrapping_sub(ahead.steps())) {
            if let Some((out, vcs)) = self.hop(here, (!starts).then_some(from), to, class) {
                (ports, all) = (out, all.union(vcs));
            }
        }
        Ok(Candidates::minimal(ports, all))
    }

    #[inline(never)]
    fn onward(&self, here: &Here, header: &Header, _out_kind: PortClass, _hop: HopKind) -> Header {
        let ahead = Ahead::of(header).at(here.router, via(header));
        Header { progress: ahead.onto(header.progress), ..*header }
    }

    fn launch(&self, here: &Here, to: Address, length: u16, draw: &mut impl Draw) -> Header {
        let mut draw = |centre| {
            let supernode = Supernode { grid: self.grid, centre, radius: self.radius };
            let number = draw.below(supernode.size() as u32);
            supernode.routers().nth(number as usize).unwrap_or(centre)
        };
        let path = MultiStep { first: draw(here.router), second: draw(to.router) };
        header(here.router, to, length, path)
    }

    /// The class leaves enough for the steps ahead.
    #[inline(never)]
    fn keeps_order(&self, _here: &Here, from: Arrival, header: &Header) -> bool {
        from.kind == PortClass::NODE || self.class(from.vc) < STEPS.wrapping_sub(Ahead::of(header).steps())
    }
}
