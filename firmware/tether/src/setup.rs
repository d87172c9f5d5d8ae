//! What a router is told before it begins: sizes, rules, its place, its random seed.
//!
//! It holds what any scenario's router needs whose routing needs no table.

use crate::bytes::{Reader, TooShort, Writer};
use fixed::types::{U1F15, U8F8};
use router_core::alloc::{Allocation, AllocatorKind, ArbiterKind};
use router_core::map::dragonfly::{Arrangement, Dragonfly, MapError};
use router_core::map::grid::{Grid, GridError};
use router_core::plan::{CountAt, FlowControl, Plan, PlanError, PortSizes, VcOrder};
use router_core::route::dimension_order::DimensionOrder;
use router_core::route::minimal::Minimal;
use router_core::route::olm::{Olm, Policy, Rules, Scope};
use router_core::route::{Here, Routing};
use router_core::select::Selection;
use router_core::select::contention::{AverageTrigger, ContentionTrigger};
use router_core::select::occupancy::{GlobalRestriction, OccupancyTrigger};
use router_core::units::{PortKind, PortSet};

/// Most groups of a Dragonfly that a setup can describe.
pub const MAX_GROUPS: usize = 64;
/// Most dimensions of a grid that a setup can describe.
pub const MAX_DIMENSIONS: usize = 4;

/// Bytes that a setup takes at most.
pub const LONGEST: usize = 96;

/// Everything that a router is told.
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
    /// Flits of an output FIFO.
    pub output_flits: u16,
    /// Flits of the shortest packet.
    pub shortest: u16,
    /// Internal cycles to a link cycle.
    pub speedup: u8,
    /// When packets move.
    pub flow: FlowControl,
    /// Labels on the wires.
    pub vc_order: VcOrder,
    /// When packets are counted.
    pub count_at: CountAt,
    /// Minimal or detour.
    pub selection: Selection,
    /// Who gets an output.
    pub allocation: Allocation,
    /// The ways.
    pub ways: Ways,
    /// Where the router is.
    pub here: Here,
    /// The router's number, for its random sequence.
    pub number: u32,
    /// The seed of the run.
    pub seed: u64,
}

/// The routing function with its map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ways {
    /// Shortest routes on a Dragonfly.
    Minimal(DragonflyMap),
    /// On-the-fly local misrouting on a Dragonfly.
    Olm(DragonflyMap, OlmRules),
    /// One dimension after the other.
    DimensionOrder(GridMap),
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

/// What OLM is told besides the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OlmRules {
    /// The legal non-minimal hops.
    pub rules: Rules,
    /// Those offered in the origin group.
    pub policy: Policy,
    /// Whether local misroutes are offered in other groups.
    pub local_misrouting: bool,
    /// Limit of local misroutes.
    pub limit: u8,
    /// What it counts in.
    pub scope: Scope,
}

/// A mesh or torus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GridMap {
    /// Routers along each dimension; 0 where there is no dimension.
    pub sizes: [u32; MAX_DIMENSIONS],
    /// Whether it is a torus.
    pub wraps: bool,
}

/// Why there is no router with a setup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum SetupError {
    /// The bytes end too early.
    TooShort,
    /// A number that stands for no choice, or is out of range.
    Unknown,
    /// The sizes.
    Plan(PlanError),
    /// The map of a Dragonfly.
    Map(MapError),
    /// The map of a grid.
    Grid(GridError),
    /// The machine is compiled for fewer ports, VCs, descriptors or FIFO places.
    TooLarge,
}

impl From<TooShort> for SetupError {
    fn from(_: TooShort) -> Self {
        Self::TooShort
    }
}

impl From<PlanError> for SetupError {
    fn from(error: PlanError) -> Self {
        Self::Plan(error)
    }
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
    pub fn plan<const P: usize>(&self) -> Result<Plan<P>, PlanError> {
        let kind = |port: usize| match port {
            port if port < usize::from(self.nodes) => PortKind::Node,
            port if port < usize::from(self.nodes).saturating_add(self.locals.into()) => PortKind::Local,
            _ => PortKind::Global,
        };
        let kinds: [PortKind; P] = core::array::from_fn(kind);
        let kinds = kinds.get(..self.radix()).ok_or(PlanError::Ports)?;
        let mut plan = Plan::new(kinds, &[self.node, self.local, self.global])?.with_shortest(self.shortest);
        plan.output_flits = self.output_flits.into();
        plan.flow = self.flow;
        plan.vc_order = self.vc_order;
        plan.count_at = self.count_at;
        plan.selection = self.selection;
        plan.allocation = self.allocation;
        Ok(plan)
    }

    /// The groups that the routing function refers to.
    pub const fn groups(&self) -> Groups {
        match self.ways {
            Ways::Minimal(map) | Ways::Olm(map, _) => {
                Groups { sizes: [map.routers; MAX_GROUPS], groups: map.groups }
            }
            Ways::DimensionOrder(_) => Groups { sizes: [0; MAX_GROUPS], groups: 0 },
        }
    }

    /// The routing function.
    ///
    /// # Errors
    /// When the map makes no sense.
    pub fn routing<'g>(&self, groups: &'g Groups) -> Result<Routing<'g>, SetupError> {
        Ok(match self.ways {
            Ways::Minimal(map) => Routing::Minimal(Minimal { map: self.dragonfly(map, groups)? }),
            Ways::Olm(..) => Routing::Olm(self.olm(groups)?),
            Ways::DimensionOrder(_) => Routing::DimensionOrder(self.dimension_order()?),
        })
    }

    fn dragonfly<'g>(&self, map: DragonflyMap, groups: &'g Groups) -> Result<Dragonfly<'g>, SetupError> {
        Dragonfly::new(self.nodes, self.globals, groups.as_slice(), map.arrangement).map_err(SetupError::Map)
    }

    /// The routing function of a switch that knows no other than OLM, and is spared their code.
    ///
    /// # Errors
    /// When the setup is for another, or its map makes no sense.
    pub fn olm<'g>(&self, groups: &'g Groups) -> Result<Olm<'g>, SetupError> {
        let Ways::Olm(map, rules) = self.ways else { return Err(SetupError::Unknown) };
        Ok(Olm {
            map: self.dragonfly(map, groups)?,
            rules: rules.rules,
            policy: rules.policy,
            local_misrouting: rules.local_misrouting,
            limit: rules.limit,
            scope: rules.scope,
        })
    }

    /// The same for dimension order.
    ///
    /// # Errors
    /// When the setup is for another, or its map makes no sense.
    pub fn dimension_order(&self) -> Result<DimensionOrder, SetupError> {
        let Ways::DimensionOrder(map) = self.ways else { return Err(SetupError::Unknown) };
        let used = map.sizes.iter().position(|&size| size == 0).unwrap_or(MAX_DIMENSIONS);
        let sizes = map.sizes.get(..used).unwrap_or_default();
        let grid = Grid::new(sizes, self.nodes, map.wraps).map_err(SetupError::Grid)?;
        Ok(DimensionOrder { grid, vcs: self.local.vcs })
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
        to.u16(self.output_flits);
        to.u16(self.shortest);
        to.bytes(&[self.speedup, self.flow as u8, self.vc_order as u8, self.count_at as u8]);
        write_selection(to, &self.selection);
        let Allocation { kind, arbiter, iterations } = self.allocation;
        to.bytes(&[kind as u8, arbiter as u8, iterations]);
        self.ways.write(to);
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
            output_flits: from.u16()?,
            shortest: from.u16()?,
            speedup: from.u8()?,
            flow: choice(
                from,
                [FlowControl::Vct, FlowControl::Wormhole, FlowControl::StoreAndForward],
                |f| f as u8,
            )?,
            vc_order: choice(from, [VcOrder::Ascending, VcOrder::Descending], |o| o as u8)?,
            count_at: choice(from, [CountAt::Head, CountAt::Arrival], |c| c as u8)?,
            selection: read_selection(from)?,
            allocation: Allocation {
                kind: choice(
                    from,
                    [
                        AllocatorKind::SeparableInputFirst,
                        AllocatorKind::SeparableOutputFirst,
                        AllocatorKind::Wavefront,
                    ],
                    |k| k as u8,
                )?,
                arbiter: choice(from, [ArbiterKind::RoundRobin, ArbiterKind::Matrix], |a| a as u8)?,
                iterations: from.u8()?,
            },
            ways: Ways::read(from)?,
            here: Here {
                router: from.u32()?,
                wired: PortSet::from_bits(from.u32()? as usize),
                group_exits: PortSet::from_bits(from.u32()? as usize),
            },
            number: from.u32()?,
            seed: from.u64()?,
        })
    }
}

/// The choice that a number stands for.
fn choice<T: Copy, const N: usize>(
    from: &mut Reader<'_>,
    all: [T; N],
    number: impl Fn(T) -> u8,
) -> Result<T, SetupError> {
    let wanted = from.u8()?;
    all.into_iter().find(|&one| number(one) == wanted).ok_or(SetupError::Unknown)
}

fn flag(from: &mut Reader<'_>) -> Result<bool, SetupError> {
    choice(from, [false, true], u8::from)
}

impl DragonflyMap {
    fn write(self, to: &mut Writer<'_>) {
        to.bytes(&[self.groups, self.routers, self.arrangement as u8]);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, SetupError> {
        let [groups, routers] = from.take()?;
        if usize::from(groups) > MAX_GROUPS {
            return Err(SetupError::Unknown);
        }
        let all = [Arrangement::Palmtree, Arrangement::Consecutive, Arrangement::Absolute];
        Ok(Self { groups, routers, arrangement: choice(from, all, |a| a as u8)? })
    }
}

impl Ways {
    fn write(self, to: &mut Writer<'_>) {
        match self {
            Self::Minimal(map) => {
                to.u8(0);
                map.write(to);
            }
            Self::Olm(map, OlmRules { rules, policy, local_misrouting, limit, scope }) => {
                to.u8(1);
                map.write(to);
                to.bytes(&[rules as u8, policy as u8, local_misrouting.into(), limit, scope as u8]);
            }
            Self::DimensionOrder(GridMap { sizes, wraps }) => {
                to.u8(2);
                sizes.iter().for_each(|&size| to.u32(size));
                to.u8(wraps.into());
            }
        }
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, SetupError> {
        Ok(match from.u8()? {
            0 => Self::Minimal(DragonflyMap::read(from)?),
            1 => {
                let map = DragonflyMap::read(from)?;
                let rules = OlmRules {
                    rules: choice(from, [Rules::Restricted, Rules::Free], |r| r as u8)?,
                    policy: choice(from, [Policy::Rrg, Policy::Crg, Policy::Nrg, Policy::Mm], |p| p as u8)?,
                    local_misrouting: flag(from)?,
                    limit: from.u8()?,
                    scope: choice(from, [Scope::Group, Scope::Route], |s| s as u8)?,
                };
                Self::Olm(map, rules)
            }
            2 => {
                let mut sizes = [0; MAX_DIMENSIONS];
                for size in &mut sizes {
                    *size = from.u32()?;
                }
                Self::DimensionOrder(GridMap { sizes, wraps: flag(from)? })
            }
            _ => return Err(SetupError::Unknown),
        })
    }
}

fn write_selection(to: &mut Writer<'_>, selection: &Selection) {
    match selection {
        Selection::Never => to.u8(0),
        Selection::Occupancy(trigger) => {
            to.u8(1);
            write_occupancy(to, trigger);
        }
        Selection::Contention(trigger) => {
            to.u8(2);
            to.u16(trigger.threshold);
        }
        Selection::ContentionAverage(trigger) => {
            to.u8(3);
            to.u16(trigger.factor.to_bits());
        }
        Selection::Hybrid(occupancy, contention) => {
            to.u8(4);
            write_occupancy(to, occupancy);
            to.u16(contention.threshold);
        }
        Selection::Always => to.u8(5),
    }
}

fn write_occupancy(to: &mut Writer<'_>, trigger: &OccupancyTrigger) {
    to.u16(trigger.minimal_occupancy.to_bits());
    to.u16(trigger.relative_threshold.to_bits());
    to.u8(trigger.global_restriction.is_some().into());
    if let Some(GlobalRestriction { factor, packets }) = trigger.global_restriction {
        to.u16(factor.to_bits());
        to.u16(packets);
    }
}

fn read_selection(from: &mut Reader<'_>) -> Result<Selection, SetupError> {
    Ok(match from.u8()? {
        0 => Selection::Never,
        1 => Selection::Occupancy(read_occupancy(from)?),
        2 => Selection::Contention(ContentionTrigger { threshold: from.u16()? }),
        3 => Selection::ContentionAverage(AverageTrigger { factor: U8F8::from_bits(from.u16()?) }),
        4 => Selection::Hybrid(read_occupancy(from)?, ContentionTrigger { threshold: from.u16()? }),
        5 => Selection::Always,
        _ => return Err(SetupError::Unknown),
    })
}

fn read_occupancy(from: &mut Reader<'_>) -> Result<OccupancyTrigger, SetupError> {
    let minimal_occupancy = U1F15::from_bits(from.u16()?);
    let relative_threshold = U8F8::from_bits(from.u16()?);
    let global_restriction = if flag(from)? {
        Some(GlobalRestriction { factor: U8F8::from_bits(from.u16()?), packets: from.u16()? })
    } else {
        None
    };
    Ok(OccupancyTrigger { minimal_occupancy, relative_threshold, global_restriction })
}
