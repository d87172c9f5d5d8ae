//! What a routing can offer at a router, and so which cases a lockstep of it can never see.

use super::case::{Case, Offer, discard_case, route_case};
use crate::shape::Shape;
use router_core::discard::{self, Discard};
use router_core::event::ProtocolError;
use router_core::header::{Address, Header, Progress};
use router_core::layout;
use router_core::route::ugal_dragonfly::UgalDragonfly;
use router_core::route::{Arrival, Candidates, Here, Route, Routing};
use router_core::units::{Channel, VcId};

/// Why a case can never be seen.
type Reason = Option<&'static str>;

/// What a routing can offer at a router.
#[derive(Clone, Debug, Default)]
pub struct Offers {
    routes: Vec<Case>,
    global: bool,
    local: bool,
    several: bool,
    /// Why packets are discarded.
    discards: Vec<Discard>,
    /// Every node of the network.
    pub(super) nodes: Vec<Address>,
}

impl Offers {
    /// Everything that a routing offers in any of these places to any packet for any of `nodes` in any VC of any port.
    pub fn of(routing: &Routing<'_>, places: &[Here], shape: &Shape, nodes: &[Address]) -> Self {
        let mut found = Self { nodes: nodes.to_vec(), ..Self::default() };
        for (here, port) in places.iter().flat_map(|here| here.wired.iter().map(move |port| (here, port))) {
            for vc in 0..shape.vcs_of(port.index()) {
                let from = Arrival { port, kind: shape.plan().links.class(port), vc: VcId::new(vc as u8) };
                for header in headers(routing, nodes) {
                    let Ok(candidates) = routing.offer(here, from, &header) else { continue };
                    found.discard(shape, here, Channel::new(port, from.vc), header.to, &candidates);
                    found.add(&Offer::new(shape.packing().pack(&candidates), 0, shape), shape);
                }
            }
        }
        found
    }

    fn discard(&mut self, shape: &Shape, here: &Here, from: Channel, to: Address, candidates: &Candidates) {
        let why = || discard::why(shape.plan(), here, from, here.router == to.router, candidates.ports());
        if let Some(why) = shape.plan().options.discards.then(why).flatten()
            && !self.discards.contains(&why)
        {
            self.discards.push(why);
        }
    }

    fn add(&mut self, offer: &Offer, shape: &Shape) {
        let all = offer.minimal | offer.global | offer.local;
        let case = route_case(offer, shape);
        if all != 0 && !self.routes.contains(&case) {
            self.routes.push(case);
        }
        if !offer.forced {
            self.several |= all.count_ones() > 1;
            self.global |= offer.global != 0;
            self.local |= offer.local != 0;
        }
    }

    /// Why this router can never see a case, if so.
    pub(super) fn excludes(&self, case: Case, shape: &Shape) -> Reason {
        let selection = &shape.plan().selection;
        let fires = || unless(!selection.is_never(), "the trigger never fires");
        let global = || unless(self.global, "the routing offers no global misroutes here");
        let local = || unless(self.local, "the routing offers no local misroutes here");
        let flits = shape.plan().options.output_flits;
        let slow = "at speedup 1 no output FIFO holds more than one flit";
        match case {
            Case::RouteConsume
            | Case::RouteMinimalOnly
            | Case::RouteMinimalAndGlobal
            | Case::RouteMinimalAndLocal
            | Case::RouteMinimalAndBoth
            | Case::RouteForcedWithOwnLink
            | Case::RouteForcedWithoutOwnLink => {
                unless(self.routes.contains(&case), "the routing never offers this here")
            }
            Case::SelectGlobalMisroute => fires().or_else(global),
            Case::SelectLocalMisroute => fires().or_else(local),
            Case::SelectSeveral => {
                let asks = || unless(self.several, "the routing offers one port at a time");
                let why = "only the trigger \"always\" asks for several, and with a pipeline of 4 alone";
                unless(shape.plan().asks_all(), why).or_else(asks)
            }
            Case::SelectForced => {
                let forced = [Case::RouteForcedWithOwnLink, Case::RouteForcedWithoutOwnLink];
                let forces = forced.iter().any(|case| self.routes.contains(case));
                unless(forces, "the routing forces nothing")
            }
            Case::SelectContendedDetoured | Case::SelectContendedNoDetour | Case::SelectNotContended => {
                let counts = selection.thresholds().contention.is_some();
                let detours = || unless(self.global || self.local, "the routing offers no detours here");
                unless(counts, "the trigger has no contention threshold").or_else(detours)
            }
            Case::SelectToldDetoured => unless(shape.groups() > 0, "the routers of a group do not count together"),
            Case::NoticeHeard | Case::NoticeTold => {
                unless(shape.told() > 0, "the routers of a group tell each other nothing")
            }
            Case::VcDiscardingIdle | Case::VcDiscardingWaiting => {
                let plan = shape.plan();
                unless(plan.options.discards || plan.lifetimes.is_on(), "the router discards no packets")
            }
            Case::VcWaitingDiscarding | Case::DiscardLifetime => {
                unless(shape.plan().lifetimes.is_on(), "packets may wait for as long as they like")
            }
            Case::LifetimeInRouter | Case::LifetimeOldAtFront | Case::LifetimeOldLeaves => {
                unless(shape.plan().lifetimes.limits_packets(), "packets may be here for as long as they like")
            }
            Case::LifetimeJustInTime
            | Case::LifetimeSeveral
            | Case::LifetimeStalls
            | Case::LifetimeStalledLane
            | Case::LifetimeStallEnds
            | Case::LifetimeSetBack => {
                unless(shape.plan().lifetimes.limits_heads(), "packets may wait for as long as they like")
            }
            Case::VcIdleDiscarding
            | Case::VcActiveDiscarding
            | Case::VcDiscardingDiscarding
            // An address outside of the network is in no table.
            | Case::DiscardNotInTable => unless(shape.plan().options.discards, "the router discards no packets"),
            Case::DiscardInvalidPort | Case::DiscardInputPort | Case::DiscardManagementPort => {
                let is_seen = self.discards.iter().any(|&why| discard_case(why) == case);
                unless(is_seen, "no table leads packets there here")
            }
            Case::VlLimitReached | Case::VlLowBehindLimit => {
                unless(shape.plan().vl_arbitration.is_some(), "outputs have no tables of lanes")
            }
            Case::VlOneFlitPackets => {
                let has = shape.plan().vl_arbitration.is_some() && shape.takes_length(1) && shape.vcs > 1;
                unless(has, "no packet of one flit passes a table of lanes")
            }
            Case::VlManagementServed => {
                let lanes = shape.plan().vl_arbitration.as_ref();
                unless(lanes.is_some_and(|lanes| !lanes.management.is_empty()), "no lane is that of management")
            }
            Case::VcWaitingIdle | Case::VcWaitingWaiting | Case::OutputOneFlitPacket => {
                unless(shape.takes_length(1), "no packet has one flit")
            }
            Case::HeaderPayload => unless(shape.payload_mask() != 0, "a flit has no bits beside the header"),
            Case::AllocateRivals => unless(shape.vcs > 1, "one VC per port"),
            Case::OutputFull => unless(shape.speedup > 1 || flits == 1, slow),
            Case::OutputSeveral => unless(shape.speedup > 1 && flits > 1, slow),
            _ => None,
        }
    }
}

/// A header for each destination and each progress. Before its intermediate point a packet goes by that point, and by no destination.
fn headers(routing: &Routing<'_>, nodes: &[Address]) -> Vec<Header> {
    let header = |to, progress, via| Header { to, progress, via, length: 1, ..Header::default() };
    let all = (0..1 << layout::PROGRESS_BITS).map(Progress::from_bits);
    let mut found: Vec<_> =
        all.flat_map(|progress| nodes.iter().map(move |&to| header(to, progress, 0))).collect();
    let valiant = match routing {
        Routing::Valiant(valiant) | Routing::UgalDragonfly(UgalDragonfly { valiant, .. }) => Some(valiant),
        _ => None,
    };
    if let (Some(valiant), Some(&to)) = (valiant, nodes.first()) {
        let ahead = Progress::default().with_via_ahead(true);
        found.extend(nodes.iter().map(|node| header(to, ahead, valiant.point(node.router))));
    }
    found
}

/// Why a router of this shape can never see a protocol error, if so.
pub(super) fn excludes(error: ProtocolError, shape: &Shape) -> Reason {
    let mut ports = 0..shape.ports;
    match error {
        ProtocolError::TooManyPackets => {
            let tight = ports.any(|port| shape.places_of(port) < shape.depth_of(port));
            let short = || {
                unless(shape.takes_length(shape.shortest() - 1), "no packet is too short for its descriptors")
            };
            unless(tight, "there is room for as many packets as flits").or_else(short)
        }
        ProtocolError::NoRoute if shape.plan().options.discards => {
            Some("packets without a route are discarded")
        }
        ProtocolError::TooManySets => Some("the routings of the RTL offer as many sets as it has"),
        ProtocolError::NoSuchVc => {
            let all = ports.all(|port| shape.vcs_of(port) == 1 << shape.vc_bits());
            unless(!all, "every VC that a wire can name exists")
        }
        _ => None,
    }
}

fn unless(possible: bool, why: &'static str) -> Reason {
    if possible { None } else { Some(why) }
}
