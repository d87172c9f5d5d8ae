//! A scenario's router as the RTL knows it: parameters of the module, and its configuration inputs.

mod kinds;
mod routing;
mod rows;
mod widths;
mod written;

use crate::thresholds::ThresholdBits;
use desvio_sim::blueprint::{Blueprint, BlueprintError};
use desvio_sim::scenario::{Options, RoutingScheme, Selection};
use desvio_sim::topology::PortClass;
use kinds::KindCounts;
use router_core::layout;
use router_core::links::descriptors;
use router_core::options::VisitRtl as _;
use router_core::plan::Plan;
use router_core::route::candidates::Packing;
use router_core::select::{PortRule, Preference, Thresholds, VcRule};
use router_core::settings::Choice;
use router_core::units::{PortId, VcId};
use routing::routing;
pub(crate) use rows::Rows;
pub use written::NotInRtl;
use written::{Parameters, scheme_in_rtl};

/// Most ports of a router in SystemVerilog.
pub(crate) const PORTS: usize = 64;

/// Flits of the longest packet that a header can tell of.
const LONGEST: u16 = (1 << layout::LENGTH_BITS) - 1;

/// Bits of a flit, unless others are chosen: a header, and 32 bits of payload.
const FLIT_WIDTH: u32 = layout::HEADER_BITS + u32::BITS;

/// What a router looks like to the RTL.
#[derive(Debug, Clone)]
pub struct Shape {
    /// Parameters of the module `router`, by name.
    pub parameters: Vec<(&'static str, u32)>,
    /// Ports, the unconnected ones included.
    pub ports: usize,
    /// The largest number of VCs of a port.
    pub vcs: usize,
    /// Internal cycles to a link cycle.
    pub speedup: u64,
    /// Bits of a contention counter.
    pub counter_width: u32,
    kinds: KindCounts,
    set_kinds: &'static [u32],
    plan: Plan<PORTS>,
    shortest: u16,
    /// Of any packet that may come, and of the scenario's.
    longest: u16,
    longest_of_scenario: u16,
    flit_width: u32,
    /// Internal cycles from one count of what a router tells its group to the next; 0 where it tells nothing.
    notice_cycles: u32,
}

impl Shape {
    /// The shape of all routers of a network.
    ///
    /// # Errors
    /// When the RTL cannot be like that, and where routers are of several classes: see [`Shape::of_router`].
    pub fn of(blueprint: &Blueprint) -> Result<Self, NotInRtl> {
        if blueprint.wiring().router_classes() > 1 {
            routing(blueprint, 0)?;
            return Err(NotInRtl::RouterClasses);
        }
        Self::of_router(blueprint, 0)
    }

    /// The shape of the routers of each class of a network.
    ///
    /// # Errors
    /// When the RTL cannot be like one of them.
    pub fn of_each_class(blueprint: &Blueprint) -> Result<Vec<Self>, NotInRtl> {
        let wiring = blueprint.wiring();
        let classes = 0..wiring.router_classes();
        let first =
            |class| (0..wiring.routers()).find(|&router| usize::from(wiring.router_class(router).0) == class);
        classes.filter_map(first).map(|router| Self::of_router(blueprint, router)).collect()
    }

    /// The shape of the routers of each class, for routers that run in a network, which does not drive the wires between those of a group.
    ///
    /// # Errors
    /// When the RTL cannot be like one of them, or one has such wires.
    pub fn of_network(blueprint: &Blueprint) -> Result<Vec<Self>, NotInRtl> {
        let shapes = Self::of_each_class(blueprint)?;
        if shapes.iter().any(|shape| shape.told() > 0) {
            return Err(NotInRtl::Notices);
        }
        Ok(shapes)
    }

    /// The shape of all routers of the class that router number `number` of a network is of.
    ///
    /// # Errors
    /// When the RTL cannot be like that.
    pub fn of_router(blueprint: &Blueprint, number: usize) -> Result<Self, NotInRtl> {
        let routing = routing(blueprint, number)?;
        let plan = blueprint.plan::<PORTS>(number).map_err(BlueprintError::from)?;
        let detours_by_any_port =
            matches!(plan.selection, Selection::Ugal(_) | Selection::Never(_) | Selection::Always(_));
        if matches!(blueprint.scenario().routing.scheme, RoutingScheme::UgalDragonfly(_))
            && !detours_by_any_port
        {
            return Err(NotInRtl::Detours(plan.selection.word()));
        }
        let router = &blueprint.scenario().router;
        let kinds = KindCounts::of(blueprint, number)?;
        let vcs = router.vcs.highest();
        let shortest = blueprint.scenario().shortest_packet();
        let counter_width = kinds.counter_width(&plan, shortest);
        if !blueprint.scenario().routing.updates.is_empty() {
            return Err(NotInRtl::Updates);
        }
        if blueprint.scenario().links.down.iter().any(|link| link.discards) {
            return Err(NotInRtl::Discards);
        }
        if router.has_any_depths() {
            return Err(NotInRtl::Depths);
        }
        if !blueprint.slowest().is_full() {
            return Err(NotInRtl::Rates);
        }
        if blueprint.scenario().links.credit_flits > 1 {
            return Err(NotInRtl::CreditFlits);
        }
        let lanes = plan.vl_arbitration.as_ref();
        // A VC whose port shares no places has them all.
        let reserved = |class| if router.shares(class) { router.reserved_flits[class] } else { 0 };
        let shares_places =
            [PortClass::LOCAL, PortClass::GLOBAL].into_iter().any(|class| router.shares(class));
        // A class that no port is of has sizes, too.
        let mut parameters = vec![
            ("NODES", kinds.nodes),
            ("LOCALS", kinds.locals),
            ("GLOBALS", kinds.globals),
            ("VCS", vcs),
            ("NODE_VCS", router.vcs[PortClass::NODE].max(1)),
            ("LOCAL_VCS", router.vcs[PortClass::LOCAL].max(1)),
            ("GLOBAL_VCS", router.vcs[PortClass::GLOBAL].max(1)),
            ("NODE_FLITS", router.buffer_flits[PortClass::NODE].max(1)),
            ("LOCAL_FLITS", router.buffer_flits[PortClass::LOCAL].max(1)),
            ("GLOBAL_FLITS", router.buffer_flits[PortClass::GLOBAL].max(1)),
            ("LOCAL_RESERVED", reserved(PortClass::LOCAL)),
            ("GLOBAL_RESERVED", reserved(PortClass::GLOBAL)),
            ("SHORTEST", shortest),
            ("LONGEST", u32::from(LONGEST)),
            ("FLIT_WIDTH", FLIT_WIDTH),
            ("COUNTER_WIDTH", counter_width),
            ("VC_ORDER", plan.links.vc_order as u32),
            ("COUNT_AT", plan.count_at as u32),
            ("TRIGGER", scheme_in_rtl("selection.trigger", plan.selection, Selection::rtl)?),
            ("MARKING", plan.marking.is_on().into()),
            ("LIFETIME", plan.lifetimes.width()),
            ("VL_ARBITRATION", plan.vl_arbitration.is_some().into()),
            ("MANAGEMENT_VCS", lanes.map_or(0, |lanes| lanes.management.bits().into())),
            ("FLIT_BYTES", lanes.map_or(layout::TINY.flit_bytes, |lanes| lanes.flit_bytes.into())),
        ];
        let synchronous_buffers = router.options.synchronous_buffers || shares_places;
        let options = Options { synchronous_buffers, ..router.options };
        options.visit_rtl(&mut Parameters(&mut parameters))?;
        let Preference { ports: port_rule, vcs: vc_rule } = plan.preference;
        let mut rules = Parameters(&mut parameters);
        let port_rule = rules.word("selection.ports", port_rule, PortRule::rtl)?;
        let vc_rule = rules.word("selection.vcs", vc_rule, VcRule::rtl)?;
        parameters.extend([("PORT_RULE", port_rule), ("VC_RULE", vc_rule)]);
        let notice_period = match plan.selection {
            Selection::Ectn(trigger) if trigger.counters_per_flit > 0 => return Err(NotInRtl::InBand),
            Selection::Ectn(trigger) => u32::from(trigger.period),
            _ => 0,
        };
        if let Selection::Ugal(trigger) = plan.selection {
            parameters.push(("UGAL_QUEUE", trigger.queue as u32));
        }
        if let Some(rule) = plan.flags {
            parameters.extend([
                ("PIGGYBACK_FACTOR", rule.factor.to_bits().into()),
                ("PIGGYBACK_FLITS", rule.flits),
            ]);
        }
        if notice_period > 0 {
            parameters.push(("NOTICE_PERIOD", notice_period));
        }
        parameters.extend(routing);
        let number = parameters.iter().find(|(name, _)| *name == "ROUTING").map_or(0, |&(_, number)| number);
        Ok(Self {
            parameters,
            ports: blueprint.wiring().ports(),
            vcs: vcs as usize,
            speedup: u64::from(options.speedup),
            counter_width,
            kinds,
            set_kinds: layout::ROUTING_KINDS[number as usize],
            shortest: shortest as u16,
            longest: LONGEST,
            longest_of_scenario: blueprint.scenario().longest_packet() as u16,
            flit_width: FLIT_WIDTH,
            notice_cycles: notice_period * options.speedup,
            plan,
        })
    }

    /// The shape built for packets of the scenario's lengths, as a product would be: admission compares no lengths where packets have few,
    /// and what counts flits is as narrow as they are short.
    #[must_use]
    pub fn for_own_packets(mut self) -> Self {
        self.longest = self.longest_of_scenario;
        if let Some((_, longest)) = self.parameters.iter_mut().find(|(name, _)| *name == "LONGEST") {
            *longest = self.longest.into();
        }
        self
    }

    /// Most bits of a flit.
    pub const WIDEST_FLIT: u32 = 4096;

    /// The shape with flits of so many bits; nothing where a header does not fit, and beyond [`Shape::WIDEST_FLIT`].
    #[must_use]
    pub fn with_flit_width(mut self, bits: u32) -> Option<Self> {
        let (_, width) = self.parameters.iter_mut().find(|(name, _)| *name == "FLIT_WIDTH")?;
        (*width, self.flit_width) = (bits, bits);
        (layout::HEADER_BITS..=Self::WIDEST_FLIT).contains(&bits).then_some(self)
    }
}

/// Widths of the RTL's registers.
impl Shape {
    /// Ports to nodes, which come first.
    pub(crate) fn nodes(&self) -> usize {
        self.kinds.nodes as usize
    }

    /// VCs of a port.
    pub(crate) fn vcs_of(&self, at: usize) -> usize {
        self.plan.links.vcs(port(at)).len()
    }

    /// Places of each VC of a port.
    pub(crate) fn depth_of(&self, at: usize) -> u16 {
        self.plan.links.buffer(port(at))
    }

    /// Those of them that the VCs of a port share.
    pub(crate) fn shared_of(&self, at: usize) -> u16 {
        self.plan.links.shared(port(at))
    }

    /// Packets that each VC of a port has room for.
    pub(crate) fn places_of(&self, at: usize) -> u16 {
        descriptors(self.depth_of(at), self.shortest)
    }

    pub(crate) fn plan(&self) -> &Plan<PORTS> {
        &self.plan
    }

    /// Bits of a flit.
    pub fn flit_width(&self) -> u32 {
        self.flit_width
    }

    /// What of the lowest 32 bits of a flit fits beside a header.
    pub(crate) fn payload_mask(&self) -> u32 {
        let bits = self.flit_width - layout::HEADER_BITS;
        u32::MAX.checked_shl(bits).map_or(u32::MAX, |above| !above)
    }

    /// The parameter `TRIGGER`.
    pub(crate) fn trigger(&self) -> u32 {
        self.parameter("TRIGGER").unwrap_or(0)
    }

    /// Whether it has registers for these thresholds.
    pub(crate) fn takes(&self, bits: &ThresholdBits) -> bool {
        Thresholds::from(*bits).fit(self.trigger()) && bits.contention.unwrap_or(0) <= self.highest_count()
    }

    /// What a contention counter can hold; no count is that high.
    pub(crate) fn highest_count(&self) -> u16 {
        u16::MAX >> (u16::BITS - self.counter_width)
    }

    /// The name on the wire of a VC of a port.
    pub(crate) fn label(&self, at: usize, vc: usize) -> u8 {
        let port = port(at);
        self.plan.links.relabel(port, VcId::new(vc as u8)).number()
    }

    /// Flits of the shortest packet.
    pub(crate) fn shortest(&self) -> u16 {
        self.shortest
    }

    /// Those of these lengths that a packet may have, in flits. A router for its own packets takes no others, and gets all of their
    /// range; one for any length takes those that are too short for its descriptors, too.
    pub(crate) fn lengths_of(&self, lengths: &[u16]) -> Vec<u16> {
        if self.longest == LONGEST {
            return lengths.to_vec();
        }
        let legal = lengths.iter().copied().filter(|length| (self.shortest..=self.longest).contains(length));
        legal.chain([self.longest]).collect()
    }

    /// Whether a packet of so many flits may come.
    pub(crate) fn takes_length(&self, flits: u16) -> bool {
        self.lengths_of(&[flits]).contains(&flits)
    }

    /// The value of a parameter of the module, if it is given one.
    pub(crate) fn parameter(&self, name: &str) -> Option<u32> {
        self.parameters.iter().find(|(other, _)| *other == name).map(|&(_, value)| value)
    }

    /// How candidates are packed into one register.
    pub fn packing(&self) -> Packing {
        Packing { ports: self.ports as u32, vcs: self.vcs as u32 }
    }

    /// The kinds of hop of the sets that its routing offers, in offer order.
    pub(crate) fn set_kinds(&self) -> &'static [u32] {
        self.set_kinds
    }
}

/// The number of a port, for lists of ports.
fn port(number: usize) -> PortId {
    PortId::new(number as u8)
}
