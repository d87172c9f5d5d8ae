//! The description of a routing, and the closed lists of routings and of their schemes.

use super::{HopKind, Route};
use crate::map::{AnyMap, MapKind};
use crate::settings::Settings;
use crate::units::PortClass;

/// A routing before it knows its network: its settings, and what it needs of a network.
///
/// One file beside this one defines a routing completely: its settings with their keys, ranges and defaults, its word, and the maps that it
/// fits. It also has the VCs that it needs, its constructor, and the RTL's parameters for it.
pub trait Scheme: Settings {
    /// Its word.
    const WORD: &'static str;

    /// The non-minimal hops that it offers. Where there are none, the trigger is `never` unless another is chosen; where
    /// there are local misroutes, every local buffer has to hold a whole packet.
    const DETOURS: &'static [HopKind] = &[];

    /// The word of the trigger that decides about its non-minimal hops unless another is chosen.
    const TRIGGER: &'static str = "occupancy";

    /// Whether the routers of a group count together which group its packets leave for ([`Route::leaves_for`]).
    const COUNTS_GROUPS: bool = false;

    /// Whether it has an escape ring, which is free of deadlock with [`VcAllocation::Bubble`](crate::links::VcAllocation::Bubble) alone.
    const BUBBLES: bool = false;

    /// Of how many shortest routes, one after the other, each hop takes the next VC: the network needs as many VCs as that many
    /// longest shortest routes have hops. 0: VCs do not follow hops.
    const VC_PER_HOP_OF: u32 = 0;

    /// Whether [`Route::launch`] draws at random, whatever the settings.
    const DRAWS: bool = false;

    /// The number of the RTL's parameter `ROUTING`; nothing where the RTL has no such routing.
    const RTL: Option<u32> = None;

    /// Whether the RTL has this routing on a map of kind `on`, if it has it at all.
    fn rtl_on(_on: MapKind) -> bool {
        true
    }

    /// The routing itself.
    type Routing<'m>: Route + Copy + core::fmt::Debug;

    /// The map by which it finds its way on a topology that has a map of kind `on`; nothing where it does not fit.
    fn map(on: MapKind) -> Option<MapKind>;

    /// The VCs that it needs on a map.
    fn needs(&self, _on: MapKind) -> Needs {
        Needs::NOTHING
    }

    /// Whether a head may move only where its whole packet has room: it deadlocks with wormhole flow control.
    fn whole_packets(&self) -> bool {
        false
    }

    /// Whether a packet may come to where its only ways on are detours by ports of this class. A detour needs room for the whole packet,
    /// so that such a packet is stranded where no buffer of the class holds it.
    fn insists_on(&self, _class: PortClass) -> bool {
        false
    }

    /// The VCs that it needs where the longest shortest route has so many hops.
    fn vcs_for(&self, hops: u32) -> u32 {
        hops.saturating_mul(Self::VC_PER_HOP_OF)
    }

    /// The dimensions that a grid must have; nothing where it may have any number of them.
    fn dimensions(&self) -> Option<u8> {
        None
    }

    /// The VCs of a router when no others are chosen.
    fn default_vcs(&self) -> Vcs {
        Vcs { node: 4, local: 4, global: 4 }
    }

    /// Whether [`Route::launch`] draws at random with these settings.
    fn draws(&self) -> bool {
        Self::DRAWS
    }

    /// What keeps it from a network although the network has a map of the right kind.
    ///
    /// # Errors
    /// When there is something.
    fn check(&self, _map: &AnyMap<'_>) -> Result<(), Misfit> {
        Ok(())
    }

    /// The routing on a map, for routers with so many VCs; nothing on a map that it does not fit.
    fn build<'m>(&self, map: &AnyMap<'m>, vcs: Vcs) -> Option<Self::Routing<'m>>;

    /// Gives `put` the name and the value of each of the RTL's parameters that its settings are.
    fn rtl_parameters(&self, _put: &mut impl FnMut(&'static str, u32)) {}
}

/// VCs of each kind of port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Vcs {
    /// Of ports to nodes.
    pub node: u8,
    /// Of ports inside a group, and of all ports between routers where there are no groups.
    pub local: u8,
    /// Of ports between groups.
    pub global: u8,
}

/// The VCs that a routing needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Needs {
    /// As many as these.
    pub vcs: Vcs,
    /// Which routing needs them, for a sentence such as "… needs at least 2 local VCs".
    pub whose: &'static str,
}

impl Needs {
    /// Any number of VCs will do.
    pub const NOTHING: Self = Self::between_routers(0, 0, "this routing");

    /// So many VCs between routers, any number at nodes.
    pub const fn between_routers(local: u8, global: u8, whose: &'static str) -> Self {
        Self { vcs: Vcs { node: 0, local, global }, whose }
    }
}

/// Why a routing does not fit a network that has a map of the right kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Misfit {
    /// It is for tori whose sides are even.
    OddSide {
        /// Routers along a side.
        size: u32,
    },
    /// It goes by way of a third group, and there are two.
    NoThirdGroup,
    /// It escapes by a ring through all routers, and there is none.
    NoRing,
    /// It asks about the one link between two groups, and they have several.
    SeveralLinks {
        /// The word of what it asks for.
        knowledge: &'static str,
    },
    /// It has no route from one leaf to another.
    Apart {
        /// From here.
        here: u32,
        /// To there.
        there: u32,
    },
    /// Its headers carry whole routes.
    Route {
        /// Bits of a route that there is room for.
        most: u8,
        /// Bits of the longest route of the network.
        found: u32,
    },
    /// Its headers name two intermediate routers.
    Address {
        /// Bits of an address that there is room for.
        most: u8,
        /// Bits of the addresses of the network.
        found: u8,
    },
    /// Its supernodes are subtopologies, and the network has no dimensions.
    NoSubtopology,
    /// Its ACKs have VCs of their own, and the network has no dimensions.
    NoAckLane,
}

impl core::fmt::Display for Misfit {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::OddSide { size } => {
                write!(
                    f,
                    "is for tori with even numbers of routers along each side; this one has {size} along one"
                )
            }
            Self::NoThirdGroup => {
                f.write_str("goes by way of a third group, which a network of two groups does not have")
            }
            Self::NoRing => f.write_str(
                "escapes by a ring through all routers, which the links between the groups of this network do not close",
            ),
            Self::SeveralLinks { knowledge } => write!(
                f,
                "with `knowledge = \"{knowledge}\"` asks about the one link between two groups, of which some have several in this network"
            ),
            Self::Apart { here, there } => write!(f, "has no route from router {here} to {there}"),
            Self::Route { most, found } => {
                write!(
                    f,
                    "carries the whole route in a header, which has {most} bits for it; the longest route of this network takes {found}"
                )
            }
            Self::Address { most, found } => {
                write!(
                    f,
                    "names two intermediate routers in a header, by {most} bits each; the addresses of this network have {found}"
                )
            }
            Self::NoAckLane => f.write_str("has virtual channels for ACKs on meshes and tori alone: `ack_priority` must be false"),
            Self::NoSubtopology => f.write_str(
                "has subtopologies as supernodes on meshes and tori alone, since they are cubes of fewer routers or dimensions",
            ),
        }
    }
}

impl core::error::Error for Misfit {}

/// Makes the closed list of schemes, and sends each call to the one in use.
macro_rules! schemes {
    ($($(#[$about:meta])* $name:ident($module:ident::$type:ident)),* $(,)?) => {
        $crate::settings::choice! {
            /// A scheme of routing: one for all routers of a network.
            RoutingScheme: Scheme { $($(#[$about])* $name($module::$type)),* }
        }

        impl RoutingScheme {
            /// The non-minimal hops that it offers.
            pub const fn detours(&self) -> &'static [HopKind] {
                match self { $(Self::$name(_) => <$module::$type as Scheme>::DETOURS),* }
            }

            /// The word of the trigger that decides about its non-minimal hops unless another is chosen.
            pub const fn trigger(&self) -> &'static str {
                match self { $(Self::$name(_) => <$module::$type as Scheme>::TRIGGER),* }
            }

            /// Whether the routers of a group count together which group its packets leave for.
            pub const fn counts_groups(&self) -> bool {
                match self { $(Self::$name(_) => <$module::$type as Scheme>::COUNTS_GROUPS),* }
            }

            /// Whether it has an escape ring, which is free of deadlock with bubble flow control alone.
            pub const fn bubbles(&self) -> bool {
                match self { $(Self::$name(_) => <$module::$type as Scheme>::BUBBLES),* }
            }

            /// Of how many shortest routes, one after the other, each hop takes the next VC.
            pub const fn vc_per_hop_of(&self) -> u32 {
                match self { $(Self::$name(_) => <$module::$type as Scheme>::VC_PER_HOP_OF),* }
            }

            /// The VCs that it needs where the longest shortest route has so many hops.
            pub fn vcs_for(&self, hops: u32) -> u32 {
                match self { $(Self::$name(scheme) => scheme.vcs_for(hops)),* }
            }

            /// Whether a head may move only where its whole packet has room.
            pub fn whole_packets(&self) -> bool {
                match self { $(Self::$name(scheme) => scheme.whole_packets()),* }
            }

            /// Whether a packet may come to where its only ways on are detours by ports of this class.
            pub fn insists_on(&self, class: PortClass) -> bool {
                match self { $(Self::$name(scheme) => scheme.insists_on(class)),* }
            }

            /// Whether new packets draw at random.
            pub fn draws(&self) -> bool {
                match self { $(Self::$name(scheme) => scheme.draws()),* }
            }

            /// What keeps it from a network although the network has a map of the right kind.
            ///
            /// # Errors
            /// When there is something.
            pub fn check(&self, map: &AnyMap<'_>) -> Result<(), Misfit> {
                match self { $(Self::$name(scheme) => scheme.check(map)),* }
            }

            /// The number of the RTL's parameter `ROUTING`, if the RTL has this routing.
            pub const fn rtl(&self) -> Option<u32> {
                match self { $(Self::$name(_) => <$module::$type as Scheme>::RTL),* }
            }

            /// Whether the RTL has this routing on a map of kind `on`, if it has it at all.
            pub fn rtl_on(&self, on: MapKind) -> bool {
                match self { $(Self::$name(_) => <$module::$type as Scheme>::rtl_on(on)),* }
            }

            /// The map by which it finds its way on a topology with a map of kind `on`; nothing where it does not fit.
            pub fn map(&self, on: MapKind) -> Option<MapKind> {
                match self { $(Self::$name(_) => <$module::$type as Scheme>::map(on)),* }
            }

            /// The VCs that it needs on a map.
            pub fn needs(&self, on: MapKind) -> Needs {
                match self { $(Self::$name(scheme) => scheme.needs(on)),* }
            }

            /// The dimensions that a grid must have; nothing where it may have any number of them.
            pub fn dimensions(&self) -> Option<u8> {
                match self { $(Self::$name(scheme) => scheme.dimensions()),* }
            }

            /// The VCs of a router when no others are chosen.
            pub fn default_vcs(&self) -> Vcs {
                match self { $(Self::$name(scheme) => scheme.default_vcs()),* }
            }

            /// The routing on a map, for routers with so many VCs; nothing on a map that it does not fit.
            pub fn build<'m>(&self, map: &AnyMap<'m>, vcs: Vcs) -> Option<Routing<'m>> {
                match self { $(Self::$name(scheme) => scheme.build(map, vcs).map(Routing::$name)),* }
            }

            /// Gives `put` the name and the value of each of the RTL's parameters that its settings are.
            pub fn rtl_parameters(&self, put: &mut impl FnMut(&'static str, u32)) {
                match self { $(Self::$name(scheme) => scheme.rtl_parameters(put)),* }
            }
        }
    };
}
