//! Stage 2. Routing: every legal candidate of a packet. It knows the map and never a queue.
//!
//! To add a routing, write one file beside these and one line in the list below.

pub mod ladder;
#[macro_use]
mod scheme;

use crate::header::{Address, Header};
use crate::layout;
use crate::map::{AnyMap, MapKind};
use crate::units::{PackedPorts, PortClass, PortId, PortSet, VcId, VcSet};
use rand_core::Rng;
pub use scheme::{Needs, Scheme, Vcs};

/// What a hop is for.
#[repr(u8)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum HopKind {
    /// It follows the route the packet would take in an empty network.
    #[default]
    Minimal = layout::HOP_KIND_MINIMAL as u8,
    /// It leads through a group that is neither the origin nor the destination.
    GlobalMisroute = layout::HOP_KIND_GLOBAL_MISROUTE as u8,
    /// It is one extra hop inside a group.
    LocalMisroute = layout::HOP_KIND_LOCAL_MISROUTE as u8,
}

impl HopKind {
    /// All of them, by number.
    pub const ALL: [Self; 3] = [Self::Minimal, Self::GlobalMisroute, Self::LocalMisroute];
}

/// Candidates that differ in nothing but port and VC: any of `ports` on any of `vcs`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct CandidateSet {
    /// The output ports.
    pub ports: PortSet,
    /// The VCs at the next router.
    pub vcs: VcSet,
    /// What the hop is for.
    pub kind: HopKind,
}

/// One candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Candidate {
    /// The output port.
    pub port: PortId,
    /// The VC at the next router.
    pub vc: VcId,
    /// What the hop is for.
    pub kind: HopKind,
}

/// All candidates of one packet: at most one set of each kind, and each port in one of them at most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Candidates {
    /// Ports of hops that are minimal or, if they are also in `detours`, local misroutes.
    odd: PackedPorts,
    /// Ports of misroutes: of local ones, if they are also in `odd`, else of global ones.
    detours: PackedPorts,
    /// By kind.
    vcs: [VcSet; HopKind::ALL.len()],
    forced: bool,
}

impl Candidates {
    /// No candidate.
    pub const NONE: Self = Self {
        odd: PackedPorts::EMPTY,
        detours: PackedPorts::EMPTY,
        vcs: [VcSet::EMPTY; HopKind::ALL.len()],
        forced: false,
    };

    /// These minimal candidates only.
    #[must_use]
    #[inline]
    pub fn minimal(ports: PortSet, vcs: VcSet) -> Self {
        let mut one = Self::NONE;
        one.offer(CandidateSet { ports, vcs, kind: HopKind::Minimal });
        one
    }

    /// Adds a set; an empty one adds nothing. Ports that have been offered already stay what they are. A second set of a
    /// kind shares the VCs of the first.
    #[inline]
    pub fn offer(&mut self, set: CandidateSet) {
        let ports = set.ports.minus(self.ports());
        if ports.is_empty() || set.vcs.is_empty() {
            return;
        }
        if set.kind != HopKind::GlobalMisroute {
            self.odd = PackedPorts::new(self.odd.get().union(ports));
        }
        if set.kind != HopKind::Minimal {
            self.detours = PackedPorts::new(self.detours.get().union(ports));
        }
        if let Some(vcs) = self.vcs.get_mut(set.kind as usize) {
            *vcs = vcs.union(set.vcs);
        }
    }

    /// The same candidates, none of which is preferred: a detour is due, whatever the queues say.
    #[must_use]
    pub const fn forced(mut self) -> Self {
        self.forced = true;
        self
    }

    /// Whether a detour is due.
    #[inline(always)]
    pub const fn is_forced(&self) -> bool {
        self.forced
    }

    /// The VCs of all sets.
    #[inline(always)]
    pub(crate) fn all_vcs(&self) -> VcSet {
        self.vcs.iter().fold(VcSet::EMPTY, |all, &vcs| all.union(vcs))
    }

    #[inline(always)]
    fn set(&self, ports: PortSet, kind: HopKind) -> CandidateSet {
        CandidateSet { ports, vcs: self.vcs.get(kind as usize).copied().unwrap_or_default(), kind }
    }

    #[inline(always)]
    fn ports_of(&self, kind: HopKind) -> PortSet {
        let (odd, detours) = (self.odd.get(), self.detours.get());
        match kind {
            HopKind::Minimal => odd.minus(detours),
            HopKind::GlobalMisroute => detours.minus(odd),
            HopKind::LocalMisroute => detours.and(odd),
        }
    }

    /// The sets, by kind.
    #[inline(always)]
    pub fn sets(&self) -> impl Iterator<Item = CandidateSet> + '_ {
        HopKind::ALL.into_iter().filter_map(|kind| self.of_kind(kind))
    }

    /// The set of one kind, if offered.
    #[inline(always)]
    pub fn of_kind(&self, kind: HopKind) -> Option<CandidateSet> {
        let ports = self.ports_of(kind);
        if ports.is_empty() { None } else { Some(self.set(ports, kind)) }
    }

    /// The set that `port` was offered in.
    #[inline(always)]
    pub fn holding(&self, port: PortId) -> Option<CandidateSet> {
        let kind = match (self.odd.get().contains(port), self.detours.get().contains(port)) {
            (false, false) => return None,
            (true, false) => HopKind::Minimal,
            (false, true) => HopKind::GlobalMisroute,
            (true, true) => HopKind::LocalMisroute,
        };
        Some(self.set(self.ports_of(kind), kind))
    }

    /// All ports of all sets.
    #[inline(always)]
    pub const fn ports(&self) -> PortSet {
        self.odd.get().union(self.detours.get())
    }

    /// The ports by which the packet would leave in an empty network: the minimal ones, or all where a detour
    /// is due and none of them is minimal.
    #[inline(always)]
    pub fn preferred(&self) -> PortSet {
        let minimal = self.ports_of(HopKind::Minimal);
        if minimal.is_empty() { self.ports() } else { minimal }
    }

    /// Whether there is none.
    #[inline(always)]
    pub const fn is_empty(&self) -> bool {
        self.ports().is_empty()
    }

    /// Whether there is anything but minimal candidates.
    #[inline(always)]
    pub const fn has_detours(&self) -> bool {
        !self.detours.get().is_empty()
    }

    /// Every candidate, one by one.
    pub fn iter(&self) -> impl Iterator<Item = Candidate> + '_ {
        self.sets().flat_map(|set| {
            set.ports
                .iter()
                .flat_map(move |port| set.vcs.iter().map(move |vc| Candidate { port, vc, kind: set.kind }))
        })
    }
}

/// Where a router is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Here {
    /// The router's own address.
    pub router: u32,
    /// The ports that are connected.
    pub wired: PortSet,
    /// Those that lead to a router of the same group with a connected global port: all local ones in a full
    /// Dragonfly, fewer where links do not come out even.
    pub group_exits: PortSet,
}

/// How a packet came.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Arrival {
    /// The port it came by.
    pub port: PortId,
    /// What lies there.
    pub kind: PortClass,
    /// The VC it is in, in ascending order.
    pub vc: VcId,
}

/// A routing function.
pub trait Route {
    /// Every legal way on for a packet that came by `from`. Empty only if the header makes no sense here.
    fn offer(&self, here: &Here, from: Arrival, header: &Header) -> Candidates;

    /// The header as it leaves by `out`, a port of kind `out_kind`, on a hop of kind `hop`.
    fn onward(&self, _here: &Here, header: &Header, _out_kind: PortClass, _hop: HopKind) -> Header {
        *header
    }

    /// The header of a new packet of `length` flits, for a node at router `here`: picks an intermediate point
    /// where the routing uses one.
    fn launch(&self, _here: &Here, to: Address, length: u16, _random: &mut impl Rng) -> Header {
        Header { to, via: 0, length, progress: Default::default() }
    }

    /// Whether a packet in the buffer it came to keeps the order that excludes deadlock: `VC-ORDER`.
    fn keeps_order(&self, _here: &Here, _from: Arrival, _header: &Header) -> bool {
        true
    }
}

impl<R: Route> Route for &R {
    #[inline]
    fn offer(&self, here: &Here, from: Arrival, header: &Header) -> Candidates {
        R::offer(self, here, from, header)
    }
    #[inline]
    fn onward(&self, here: &Here, header: &Header, out_kind: PortClass, hop: HopKind) -> Header {
        R::onward(self, here, header, out_kind, hop)
    }
    fn launch(&self, here: &Here, to: Address, length: u16, random: &mut impl Rng) -> Header {
        R::launch(self, here, to, length, random)
    }
    #[inline]
    fn keeps_order(&self, here: &Here, from: Arrival, header: &Header) -> bool {
        R::keeps_order(self, here, from, header)
    }
}

/// Makes the closed list of routings, and sends each call to the one in use.
macro_rules! routings {
    ($($(#[$about:meta])* $name:ident($module:ident::$scheme:ident)),* $(,)?) => {
        $(pub mod $module;)*

        schemes! { $($(#[$about])* $name($module::$scheme)),* }

        /// The routing in use: one for all routers of a network.
        #[derive(Clone, Copy, Debug)]
        pub enum Routing<'m> {
            $(
                $(#[$about])*
                #[doc = ""]
                #[doc = concat!("See [`", stringify!($module), "::", stringify!($scheme), "`].")]
                $name(<$module::$scheme as Scheme>::Routing<'m>)
            ),*
        }

        impl Route for Routing<'_> {
            #[inline]
            fn offer(&self, here: &Here, from: Arrival, header: &Header) -> Candidates {
                match self { $(Self::$name(routing) => routing.offer(here, from, header)),* }
            }
            #[inline]
            fn onward(&self, here: &Here, header: &Header, out_kind: PortClass, hop: HopKind) -> Header {
                match self { $(Self::$name(routing) => routing.onward(here, header, out_kind, hop)),* }
            }
            fn launch(&self, here: &Here, to: Address, length: u16, random: &mut impl Rng) -> Header {
                match self { $(Self::$name(routing) => routing.launch(here, to, length, random)),* }
            }
            #[inline]
            fn keeps_order(&self, here: &Here, from: Arrival, header: &Header) -> bool {
                match self { $(Self::$name(routing) => routing.keeps_order(here, from, header)),* }
            }
        }
    };
}

routings! {
    /// Shortest routes on a Dragonfly.
    Minimal(minimal::MinimalScheme),
    /// Through a random intermediate group or router of a Dragonfly.
    Valiant(valiant::ValiantScheme),
    /// On-the-fly local misrouting on a Dragonfly.
    Olm(olm::OlmScheme),
    /// One dimension after the other, on a mesh or torus.
    DimensionOrder(dimension_order::DimensionOrderScheme),
    /// Every shortest route, from a table.
    Table(table::TableScheme),
    /// Up, then down, in a fat tree.
    UpDown(up_down::UpDownScheme),
}

/// The candidates at the destination router: the node's port, on any VC, if there is such a port and it is connected.
#[inline]
pub fn consume(here: &Here, to: Address) -> Candidates {
    let ports = if usize::from(to.port) < PortSet::CAPACITY {
        PortSet::only(PortId::new(to.port)).and(here.wired)
    } else {
        PortSet::EMPTY
    };
    Candidates::minimal(ports, VcSet::from_bits(u8::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_has_its_set_and_each_port_its_kind() {
        let set = |from, to, vcs, kind| CandidateSet {
            ports: PortSet::range(from, to),
            vcs: VcSet::first_n(vcs),
            kind,
        };
        let sets = [
            set(0, 1, 1, HopKind::Minimal),
            set(1, 4, 2, HopKind::GlobalMisroute),
            set(4, 6, 3, HopKind::LocalMisroute),
        ];
        for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2]] {
            let mut found = Candidates::NONE;
            order.into_iter().for_each(|n: usize| found.offer(sets[n]));
            assert_eq!(found.sets().collect::<Vec<_>>(), sets);
            for set in sets {
                assert_eq!(found.of_kind(set.kind), Some(set));
                assert!(set.ports.iter().all(|port| found.holding(port) == Some(set)));
            }
            assert_eq!(found.holding(PortId::new(6)), None);
            assert_eq!((found.ports(), found.preferred()), (PortSet::first_n(6), PortSet::first_n(1)));
            // A port has one kind, the first that was offered.
            found.offer(set(0, 4, 8, HopKind::LocalMisroute));
            assert_eq!(found.sets().collect::<Vec<_>>(), sets);
        }
    }

    #[test]
    fn only_a_connected_node_gets_its_packets() {
        let here = Here { router: 0, wired: PortSet::range(1, 4), group_exits: PortSet::EMPTY };
        let consumed = |port: u8| consume(&here, Address { router: 0, port });
        assert_eq!(consumed(1).ports(), PortSet::only(PortId::new(1)));
        assert!(consumed(0).is_empty());
        // Higher than any set can hold: not port 1 once more.
        assert!(consumed(PortSet::CAPACITY as u8 + 1).is_empty());
    }

    #[test]
    fn two_equally_good_ports_both_survive() {
        let found = Candidates::minimal(PortSet::range(5, 7), VcSet::first_n(1));
        assert_eq!(found.iter().map(|c| c.port.number()).collect::<Vec<_>>(), [5, 6]);
    }
}
