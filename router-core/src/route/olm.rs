//! On-the-fly local misrouting (OLM) on a Dragonfly with 3 local and 2 global VCs.
//!
//! Source: patent, rules a–o, listed in `docs/olm.md`; the policies are those of García et al.
//! (INA-OCMC 2013). Two things go beyond the text of the patent. A packet that took a local misroute in its
//! origin group *has to* leave it by its next hop (without this the channel dependency graph has cycles).
//! Sets of misroutes leave out the minimal ports (T7, T10) and the way back.

use super::in_transit::{passed_over, way_out};
use super::minimal::hop;
use super::{
    Arrival, CandidateSet, Candidates, Full, Here, HopKind, Needs, Route, Scheme, Vcs, consume, ladder,
};
use crate::header::Header;
use crate::layout;
use crate::map::dragonfly::{Dragonfly, Place, Towards};
use crate::map::{AnyMap, MapKind};
use crate::settings::{Settings, Visit};
use crate::units::{PortClass, PortSet, VcId, VcSet};

/// Which non-minimal hops are legal in the origin group.
#[repr(u8)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Rules {
    /// Rules i–l: global at injection; in transit, local where the router owns the minimal link, else global.
    #[default]
    Restricted = layout::RULES_RESTRICTED as u8,
    /// Rules f–h: local or global, except that a transit router without the minimal link goes global.
    Free = layout::RULES_FREE as u8,
}

/// Which of the legal misroutes is offered in the origin group to traffic for another group.
#[repr(u8)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Policy {
    /// Random-router global: a global port of any router of the group, the own one included.
    Rrg = layout::POLICY_RRG as u8,
    /// Current-router global: a global port of this router.
    Crg = layout::POLICY_CRG as u8,
    /// Neighbour-router global: a local hop, then a global port there.
    Nrg = layout::POLICY_NRG as u8,
    /// Mixed mode: current router at injection, neighbour router in transit.
    #[default]
    Mm = layout::POLICY_MM as u8,
}

/// What the limit of local misroutes counts in.
#[repr(u8)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Scope {
    /// Each group anew.
    #[default]
    Group = layout::SCOPE_GROUP as u8,
    /// The whole route.
    Route = layout::SCOPE_ROUTE as u8,
}

crate::words!(Rules {
    "restricted" => [Self::Restricted],
    "free" => [Self::Free],
});

crate::words!(Scope {
    "group" => [Self::Group],
    "route" => [Self::Route],
});

// One word names both what is offered in the origin group and whether the other groups misroute locally.
crate::words!((Policy, bool) {
    "RRG" => [(Policy::Rrg, false)],
    "CRG" => [(Policy::Crg, false)],
    "NRG" => [(Policy::Nrg, false)],
    "MM" => [(Policy::Mm, false)],
    "RRG+L" => [(Policy::Rrg, true)],
    "CRG+L" => [(Policy::Crg, true)],
    "NRG+L" => [(Policy::Nrg, true)],
    "MM+L" => [(Policy::Mm, true)],
});

/// On-the-fly local misrouting on a Dragonfly: its settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct OlmScheme {
    /// The legal non-minimal hops.
    pub rules: Rules,
    /// Those offered in the origin group.
    pub policy: Policy,
    /// Whether local misroutes are offered in the intermediate and the destination group (`+L`).
    pub local_misrouting: bool,
    /// Limit of local misroutes, 0…7.
    pub limit: u8,
    /// What it counts in.
    pub scope: Scope,
}

/// OLM routing.
#[derive(Clone, Copy, Debug)]
pub struct Olm<'t> {
    /// The map.
    pub map: Dragonfly<'t>,
    /// The settings.
    pub scheme: OlmScheme,
}

impl Default for OlmScheme {
    fn default() -> Self {
        Self {
            rules: Rules::default(),
            policy: Policy::default(),
            local_misrouting: true,
            limit: 1,
            scope: Scope::default(),
        }
    }
}

impl Settings for OlmScheme {
    fn visit<V: Visit>(&mut self, visitor: &mut V) -> Result<(), V::Error> {
        visitor.word("nonminimal", &mut self.rules)?;
        visitor.whole("local_misroutes", 0..=7, &mut self.limit)?;
        visitor.word("misroute_scope", &mut self.scope)?;
        let mut policy = (self.policy, self.local_misrouting);
        visitor.word("policy", &mut policy)?;
        (self.policy, self.local_misrouting) = policy;
        Ok(())
    }
}

impl Scheme for OlmScheme {
    const WORD: &'static str = "olm";
    const DETOURS: &'static [HopKind] = &[HopKind::GlobalMisroute, HopKind::LocalMisroute];
    const COUNTS_GROUPS: bool = true;
    const RTL: Option<u32> = Some(layout::ROUTING_OLM);
    type Routing<'m> = Olm<'m>;

    fn map(on: MapKind) -> Option<MapKind> {
        (on == MapKind::Dragonfly).then_some(on)
    }

    fn needs(&self, _on: MapKind) -> Needs {
        Needs::between_routers(3, 2, "olm routing")
    }

    /// Behind a local misroute in the origin group comes a global hop.
    fn insists_on(&self, class: PortClass) -> bool {
        class == PortClass::GLOBAL && self.policy != Policy::Crg
    }

    fn default_vcs(&self) -> Vcs {
        Vcs { node: 3, local: 3, global: 2 }
    }

    fn build<'m>(&self, map: &AnyMap<'m>, _vcs: Vcs) -> Option<Olm<'m>> {
        let AnyMap::Dragonfly(map) = *map else { return None };
        Some(Olm { map, scheme: *self })
    }

    fn rtl_parameters(&self, put: &mut impl FnMut(&'static str, u32)) {
        put("RULES", self.rules as u32);
        put("POLICY", self.policy as u32);
        put("LOCAL_MISROUTING", self.local_misrouting.into());
        put("LIMIT", self.limit.into());
        put("SCOPE", self.scope as u32);
    }
}

/// The highest order index, and what order index plus distance never exceed (patent, claim 1).
pub const LAST_ORDER_INDEX: i8 = 4;

/// Hops of the longest shortest route: local, global, local.
const LONGEST: i8 = 3;

/// The second set, where there are no global misroutes: minimal hops, global and local misroutes are offered in this order.
const NO_GLOBAL: CandidateSet = CandidateSet::new(PortSet::EMPTY, VcSet::EMPTY, HopKind::GlobalMisroute);

impl Olm<'_> {
    /// Whether global and local misroutes are legal for inter-group traffic in its origin group (rules g–l).
    fn legal_at_origin(&self, injected: bool, owns_link: bool) -> (bool, bool) {
        match self.scheme.rules {
            Rules::Restricted if injected => (true, false),
            Rules::Restricted => (!owns_link, owns_link),
            Rules::Free => (true, injected || owns_link),
        }
    }

    /// Whether the policy offers global and local misroutes there.
    fn offered_at_origin(&self, injected: bool) -> (bool, bool) {
        match self.scheme.policy {
            Policy::Rrg => (true, true),
            Policy::Crg => (true, false),
            Policy::Nrg => (false, true),
            Policy::Mm => (injected, !injected),
        }
    }

    /// Global and local misroutes of inter-group traffic in its origin group.
    fn detours_at_origin(
        &self,
        here: &Here,
        from: Arrival,
        minimal: PortSet,
        owns_link: bool,
    ) -> [CandidateSet; 2] {
        let injected = from.kind == PortClass::NODE;
        let (global_legal, local_legal) = self.legal_at_origin(injected, owns_link);
        let (global_offered, local_offered) = self.offered_at_origin(injected);
        let first = VcSet::only(VcId::new(0));
        let when = |yes: bool| if yes { first } else { VcSet::EMPTY };
        [
            CandidateSet::new(
                self.map.global_detours(here.wired, minimal),
                when(global_legal && global_offered),
                HopKind::GlobalMisroute,
            ),
            // The packet has to leave the group from there: not every router can.
            CandidateSet::new(
                self.map.local_detours(here.wired, from.port, minimal).and(here.group_exits),
                when(local_legal && local_offered),
                HopKind::LocalMisroute,
            ),
        ]
    }

    /// A local misroute in the destination group (rule m) or an intermediate one (rule n).
    fn local_detour(&self, here: &Here, from: Arrival, header: &Header, minimal: PortSet) -> CandidateSet {
        let OlmScheme { local_misrouting, limit, .. } = self.scheme;
        let allowed = local_misrouting && header.progress.local_misroutes() < limit;
        let vcs = if allowed { VcSet::only(ladder::misroute(from)) } else { VcSet::EMPTY };
        CandidateSet::new(self.map.local_detours(here.wired, from.port, minimal), vcs, HopKind::LocalMisroute)
    }

    /// A packet in the group of its destination: rule b, and rule m.
    fn in_destination_group(
        &self,
        here: &Here,
        from: Arrival,
        header: &Header,
        minimal: PortSet,
    ) -> Candidates {
        let local = self.local_detour(here, from, header, minimal);
        Candidates::of([hop(from, minimal, PortClass::LOCAL), NO_GLOBAL, local])
    }

    /// A packet that has to leave its origin group now, by whatever global link.
    fn leaving(&self, here: &Here, from: Arrival, own: PortSet) -> Candidates {
        let first = VcSet::only(VcId::new(0));
        let global =
            CandidateSet::new(self.map.global_detours(here.wired, own), first, HopKind::GlobalMisroute);
        Candidates::of([hop(from, own, PortClass::GLOBAL), global]).forced()
    }

    /// A packet on its way to another group.
    fn towards_another_group(
        &self,
        here: &Here,
        from: Arrival,
        header: &Header,
        at: Place,
        group: u32,
    ) -> Candidates {
        let at_origin = !header.progress.left_origin();
        let towards = self.map.towards_group(at, group);
        let (minimal, owns_link) = match towards {
            Towards::Link(own) => (own, true),
            Towards::Exit(exits) => (exits, false),
        };
        if header.progress.must_leave() {
            return self.leaving(here, from, if owns_link { minimal } else { PortSet::EMPTY });
        }
        // Rule e asks for the first VC at the origin, which is the next one: only an injected packet gets there.
        let next = hop(from, minimal, if owns_link { PortClass::GLOBAL } else { PortClass::LOCAL });
        if at_origin {
            let [global, local] = self.detours_at_origin(here, from, minimal, owns_link);
            Candidates::of([next, global, local])
        } else if owns_link {
            Candidates::of([next])
        } else {
            Candidates::of([next, NO_GLOBAL, self.local_detour(here, from, header, minimal)])
        }
    }
}

impl Route for Olm<'_> {
    #[inline(never)] // once in a router's code is enough
    fn offer(&self, here: &Here, from: Arrival, header: &Header) -> Result<Candidates, Full> {
        let at = Place::of(here.router);
        let to = Place::of(header.to.router);
        Ok(if !self.map.has(header.to) {
            Candidates::NONE
        } else if at == to {
            consume(here, header.to)
        } else if at.group == to.group {
            let minimal = self.map.local_ports_to(at.index, to.index);
            self.in_destination_group(here, from, header, minimal)
        } else {
            self.towards_another_group(here, from, header, at, to.group)
        })
    }

    fn passed_over(&self, here: &Here, header: &Header) -> PortSet {
        passed_over(&self.map, here, header)
    }

    fn onward(&self, here: &Here, header: &Header, out_kind: PortClass, hop: HopKind) -> Header {
        let mut progress = header.progress;
        if hop == HopKind::LocalMisroute {
            progress = progress.with_local_misroute();
            let leaves = Place::of(here.router).group != Place::of(header.to.router).group;
            if leaves && !progress.left_origin() {
                progress = progress.with_duty_to_leave();
            }
        }
        if out_kind == PortClass::GLOBAL {
            progress = progress.with_origin_left();
            if self.scheme.scope == Scope::Group {
                progress = progress.without_local_misroutes();
            }
        }
        Header { progress, ..*header }
    }

    fn leaves_for(&self, here: &Here, from: Arrival, header: &Header) -> Option<u32> {
        way_out(here, from, header)
    }

    /// Order index plus distance to the destination is at most 4 in every buffer (`VC-ORDER`).
    fn keeps_order(&self, here: &Here, from: Arrival, header: &Header) -> bool {
        let room = LAST_ORDER_INDEX.wrapping_sub(ladder::order_index(from));
        let distance = || self.map.distance(Place::of(here.router), Place::of(header.to.router));
        room >= LONGEST || room >= 0 && distance() <= u32::from(room.unsigned_abs())
    }
}
