//! The setup of a router: sizes, rules, its place, its random seed.
//!
//! It holds what any scenario's router needs whose routing needs no table.

use crate::bytes::{Reader, TooShort, Writer};
pub use crate::error::SetupError;
use crate::settings::{
    read_choice, read_flag, read_settings, read_word, write_choice, write_settings, write_word,
};
use router_core::links::{Links, LinksError, PortSizes, VcOrder, descriptors};
use router_core::map::AnyMap;
use router_core::map::dragonfly::{Arrangement, Dragonfly};
use router_core::map::grid::Grid;
use router_core::options::Options;
use router_core::plan::{CountAt, Plan};
use router_core::route::{Here, Routing, RoutingScheme, Scheme, Vcs};
use router_core::select::{Preference, Selection};
use router_core::units::{PortClass, PortSet};

/// Most groups of a Dragonfly that a setup can describe.
pub const MAX_GROUPS: usize = 64;
/// Most dimensions of a grid that a setup can describe.
pub const MAX_DIMENSIONS: usize = 4;

/// Bytes that a setup takes at most.
pub const LONGEST: usize = 96;

/// The configuration of a router.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Setup {
    /// Ports of each kind, in this order on the router.
    pub nodes: u8,
    /// Ports to routers of the same group, or along dimensions.
    pub locals: u8,
    /// Ports to other groups.
    pub globals: u8,
    /// VCs and buffers at nodes,
    pub node: PortSizes,
    /// at local ports,
    pub local: PortSizes,
    /// at global ports.
    pub global: PortSizes,
    /// Flits of the buffer of each VC at local and at global ports that are kept for it: all of them where VCs share none.
    pub reserved: [u16; 2],
    /// Flits of the shortest packet.
    pub shortest: u16,
    /// What holds at all ports.
    pub options: Options,
    /// Labels on the wires.
    pub vc_order: VcOrder,
    /// When packets are counted.
    pub count_at: CountAt,
    /// Minimal or detour.
    pub selection: Selection,
    /// Which of several minimal outputs, and which of several VCs.
    pub preference: Preference,
    /// The routing.
    pub scheme: RoutingScheme,
    /// Its map.
    pub map: MapSetup,
    /// Where the router is.
    pub here: Here,
    /// The router's number, for its random sequence.
    pub number: u32,
    /// The seed of the run.
    pub seed: u64,
}

/// A map that needs no table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MapSetup {
    /// Of a Dragonfly.
    Dragonfly(DragonflyMap),
    /// Of a mesh or torus.
    Grid(GridMap),
}

/// A Dragonfly with equal groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DragonflyMap {
    /// Groups, up to [`MAX_GROUPS`].
    pub groups: u8,
    /// Routers of each.
    pub routers: u8,
    /// The order in which a group lists the others.
    pub arrangement: Arrangement,
}

/// A mesh or torus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GridMap {
    /// Routers along each dimension; 0 where there is no dimension.
    pub sizes: [u32; MAX_DIMENSIONS],
    /// Whether it is a torus.
    pub wraps: bool,
}

/// Routers of each group of a Dragonfly; empty for grids.
#[derive(Clone, Copy, Debug)]
pub struct Groups {
    sizes: [u8; MAX_GROUPS],
    groups: u8,
}

impl Groups {
    fn as_slice(&self) -> &[u8] {
        self.sizes.get(..usize::from(self.groups)).unwrap_or_default()
    }
}

impl Setup {
    /// Ports of the router.
    pub const fn radix(&self) -> usize {
        (self.nodes as usize).saturating_add(self.locals as usize).saturating_add(self.globals as usize)
    }

    /// What all routers of the network have in common.
    ///
    /// # Errors
    /// When the router has more than `P` ports, or sizes of 0.
    pub fn plan<const P: usize>(&self) -> Result<Plan<P>, LinksError> {
        let kind = |port: usize| match port {
            port if port < usize::from(self.nodes) => PortClass::NODE,
            port if port < usize::from(self.nodes).saturating_add(self.locals.into()) => PortClass::LOCAL,
            _ => PortClass::GLOBAL,
        };
        let kinds: [PortClass; P] = core::array::from_fn(kind);
        let kinds = kinds.get(..self.radix()).ok_or(LinksError::Ports)?;
        let mut links =
            Links::new(kinds, &[self.node, self.local, self.global])?.with_shortest(self.shortest);
        for (class, reserved) in [PortClass::LOCAL, PortClass::GLOBAL].into_iter().zip(self.reserved) {
            links = links.with_reserved(class, reserved);
        }
        links.vc_order = self.vc_order;
        let mut plan = Plan::of(links).with_options(self.options);
        plan.count_at = self.count_at;
        plan.selection = self.selection;
        plan.preference = self.preference;
        Ok(plan)
    }

    /// Whether it needs what the feature `small` of `router-core` leaves out: VCs that share places or have more than 255 packets, an escape
    /// ring, preferences among outputs or VCs, hops for a trigger that compares lengths of routes.
    pub fn is_beyond_small(&self) -> bool {
        let [local, global] = self.reserved;
        let shares = local < self.local.buffer || global < self.global.buffer;
        // Nothing is compared by the hops of Duato's routing, but they are a register.
        let has_hops = matches!((self.selection, self.scheme), (Selection::Ugal(_), RoutingScheme::Duato(_)));
        let prefers = !self.preference.is_random();
        shares || has_hops || prefers || self.has_long_vcs() || self.scheme.bubbles()
    }

    /// Whether a VC has more packets than a byte counts.
    fn has_long_vcs(&self) -> bool {
        const MOST: u16 = u8::MAX as u16;
        let packets =
            |ports: u8, size: PortSizes| if ports > 0 { descriptors(size.buffer, self.shortest) } else { 0 };
        packets(self.nodes, self.node) > MOST
            || packets(self.locals, self.local) > MOST
            || packets(self.globals, self.global) > MOST
    }

    /// The groups that the routing function refers to.
    pub const fn groups(&self) -> Groups {
        match self.map {
            MapSetup::Dragonfly(map) => Groups { sizes: [map.routers; MAX_GROUPS], groups: map.groups },
            MapSetup::Grid(_) => Groups { sizes: [0; MAX_GROUPS], groups: 0 },
        }
    }

    /// The routing function.
    ///
    /// # Errors
    /// When the map makes no sense, the routing does not fit it, or the router needs what `small` leaves out.
    pub fn routing<'g>(&self, groups: &'g Groups) -> Result<Routing<'g>, SetupError> {
        self.scheme.build(&self.map(groups)?, self.vcs()).ok_or(SetupError::Unfit)
    }

    /// The routing function of a switch that knows no other than `S`, and is spared their code.
    ///
    /// # Errors
    /// As [`routing`](Self::routing), or when the setup is for another one.
    #[inline]
    pub fn only<'g, S: Scheme + TryFrom<RoutingScheme>>(
        &self,
        groups: &'g Groups,
    ) -> Result<S::Routing<'g>, SetupError> {
        let scheme = S::try_from(self.scheme).map_err(|_| SetupError::Unfit)?;
        scheme.build(&self.map(groups)?, self.vcs()).ok_or(SetupError::Unfit)
    }

    const fn vcs(&self) -> Vcs {
        Vcs { node: self.node.vcs, local: self.local.vcs, global: self.global.vcs }
    }

    #[inline]
    fn map<'g>(&self, groups: &'g Groups) -> Result<AnyMap<'g>, SetupError> {
        if router_core::IS_SMALL && self.is_beyond_small() {
            return Err(SetupError::LeftOut);
        }
        match self.map {
            MapSetup::Dragonfly(map) => {
                Dragonfly::new(self.nodes, self.globals, groups.as_slice(), map.arrangement)
                    .map(AnyMap::Dragonfly)
                    .map_err(SetupError::Map)
            }
            MapSetup::Grid(map) => {
                let used = map.sizes.iter().position(|&size| size == 0).unwrap_or(MAX_DIMENSIONS);
                let sizes = map.sizes.get(..used).unwrap_or_default();
                Grid::new(sizes, self.nodes, map.wraps).map(AnyMap::Grid).map_err(SetupError::Grid)
            }
        }
    }
}

/// As bytes.
impl Setup {
    /// Writes it.
    pub fn write(&self, to: &mut Writer<'_>) {
        to.bytes(&[self.nodes, self.locals, self.globals]);
        for sizes in [self.node, self.local, self.global] {
            to.u8(sizes.vcs);
            to.u16(sizes.buffer);
        }
        self.reserved.iter().for_each(|&flits| to.u16(flits));
        to.u16(self.shortest);
        write_settings(to, self.options);
        write_word(to, self.vc_order);
        write_word(to, self.count_at);
        write_choice(to, self.selection);
        write_settings(to, self.preference);
        write_choice(to, self.scheme);
        self.map.write(to);
        to.u32(self.here.router);
        to.u32(self.here.wired.bits() as u32);
        to.u32(self.here.group_exits.bits() as u32);
        to.u32(self.number);
        to.u64(self.seed);
    }

    /// Reads it.
    ///
    /// # Errors
    /// When the bytes end within it, or a number stands for no choice.
    pub fn read(from: &mut Reader<'_>) -> Result<Self, SetupError> {
        let [nodes, locals, globals] = from.take()?;
        let mut sizes =
            || -> Result<PortSizes, TooShort> { Ok(PortSizes { vcs: from.u8()?, buffer: from.u16()? }) };
        let (node, local, global) = (sizes()?, sizes()?, sizes()?);
        Ok(Self {
            nodes,
            locals,
            globals,
            node,
            local,
            global,
            reserved: [from.u16()?, from.u16()?],
            shortest: from.u16()?,
            options: read_settings(from)?,
            vc_order: read_word(from)?,
            count_at: read_word(from)?,
            selection: read_choice(from)?,
            preference: read_settings(from)?,
            scheme: read_choice(from)?,
            map: MapSetup::read(from)?,
            here: Here {
                router: from.u32()?,
                wired: PortSet::from_bits(from.u32()? as usize),
                group_exits: PortSet::from_bits(from.u32()? as usize),
                ..Here::default()
            },
            number: from.u32()?,
            seed: from.u64()?,
        })
    }
}

impl MapSetup {
    fn write(self, to: &mut Writer<'_>) {
        match self {
            Self::Dragonfly(DragonflyMap { groups, routers, arrangement }) => {
                to.bytes(&[DRAGONFLY, groups, routers]);
                write_word(to, arrangement);
            }
            Self::Grid(GridMap { sizes, wraps }) => {
                to.u8(GRID);
                sizes.iter().for_each(|&size| to.u32(size));
                to.u8(wraps.into());
            }
        }
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, SetupError> {
        match from.u8()? {
            DRAGONFLY => {
                let [groups, routers] = from.take()?;
                if usize::from(groups) > MAX_GROUPS {
                    return Err(SetupError::Unknown);
                }
                Ok(Self::Dragonfly(DragonflyMap { groups, routers, arrangement: read_word(from)? }))
            }
            GRID => {
                let mut sizes = [0; MAX_DIMENSIONS];
                for size in &mut sizes {
                    *size = from.u32()?;
                }
                Ok(Self::Grid(GridMap { sizes, wraps: read_flag(from)? }))
            }
            _ => Err(SetupError::Unknown),
        }
    }
}

/// The number of a Dragonfly's map.
const DRAGONFLY: u8 = 0;
/// The number of a grid's.
const GRID: u8 = 1;
