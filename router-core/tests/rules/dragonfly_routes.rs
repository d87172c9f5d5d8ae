//! Routing on a Dragonfly by the tables of `docs/olm.md` and `docs/rivals.md`: what is offered in every state that a packet can reach.

mod in_transit;
mod olm;

use super::dragonfly::{Shape, shapes};
use super::explore::{Net, State, Step, each, explore, flat, injected, longest, sorted, vc};
use desvio_core::header::{Address, Header};
use desvio_core::map::dragonfly::{Arrangement, Place};
use desvio_core::route::candidates::Packing;
use desvio_core::route::minimal::Minimal;
use desvio_core::route::olm::{Olm, OlmScheme, Policy, Rules, Scope};
use desvio_core::route::par::{LocalMisrouting, Par};
use desvio_core::route::rlm::Rlm;
use desvio_core::route::{Arrival, Here, HopKind, Route, ladder};
use desvio_core::units::{PortClass, PortId, PortSet, VcSet};

type Flat = Vec<(u8, u8, HopKind)>;

/// What a rule sees.
struct Seen<'s> {
    shape: &'s Shape,
    net: &'s Net,
    at: Place,
    to: Place,
    from: Arrival,
    header: Header,
    here: Here,
}

impl Seen<'_> {
    /// Position in the order of VCs: −1 at a node, local VCs 0, 2, 4, global ones 1, 3.
    fn order(&self) -> i8 {
        match self.from.kind {
            PortClass::NODE => -1,
            PortClass::LOCAL => 2 * self.from.vc.number() as i8,
            _ => 2 * self.from.vc.number() as i8 + 1,
        }
    }

    /// `next`: two up to a port of the same type, one up to the other; injection counts as global. As the VC of its type.
    fn next(&self, to: PortClass) -> VcSet {
        let is_same = match self.from.kind {
            PortClass::NODE => to == PortClass::GLOBAL,
            kind => kind == to,
        };
        let order = self.order() + if is_same { 2 } else { 1 };
        vc(if to == PortClass::LOCAL { order / 2 } else { (order - 1) / 2 } as u8)
    }

    fn owns(&self) -> PortSet {
        self.shape.own(self.at, self.to.group)
    }

    /// Ports and class of the minimal hop, rules b to e.
    fn minimal(&self) -> (PortSet, PortClass) {
        if self.at.group == self.to.group {
            return (PortSet::only(self.shape.local(self.at.index, self.to.index)), PortClass::LOCAL);
        }
        let own = self.owns();
        if own.is_empty() {
            (self.shape.exits(self.at, self.to.group), PortClass::LOCAL)
        } else {
            (own, PortClass::GLOBAL)
        }
    }

    fn class_ports(&self, class: PortClass) -> PortSet {
        self.net
            .ports()
            .filter(|&port| {
                self.net.class(self.at.address(), port) == class && self.here.wired.contains(port)
            })
            .collect()
    }

    fn locals(&self) -> PortSet {
        self.class_ports(PortClass::LOCAL).minus(PortSet::only(self.from.port))
    }

    fn globals(&self) -> PortSet {
        self.class_ports(PortClass::GLOBAL)
    }

    fn is_injected(&self) -> bool {
        self.from.kind == PortClass::NODE
    }
}

/// Packets for routers of a network, for all where it is small.
fn headers(shape: &Shape) -> impl Iterator<Item = Header> + '_ {
    let far = if shape.sizes.len() > 5 { 11 } else { 1 };
    shape.places().into_iter().step_by(far).map(|to| Header {
        to: Address { router: to.address(), port: shape.p - 1 },
        length: 4,
        ..Header::default()
    })
}

/// Compares what is offered with a rule, in every state on the way to each destination.
fn agree(shape: &Shape, routing: &impl Route, rule: impl Fn(&Seen<'_>) -> Flat) -> Vec<Step> {
    let net = Net::of(&shape.map());
    let mut all = Vec::new();
    for header in headers(shape) {
        let from = |&router: &u32| [0, 2].map(|vc| State { router, from: injected(0, vc), header });
        for step in explore(&net, routing, net.routers.iter().flat_map(from).collect()) {
            let State { router, from, header } = step.state;
            let (at, to, here) = (Place::of(router), Place::of(header.to.router), net.here(router));
            let seen = Seen { shape, net: &net, at, to, from, header, here };
            let expected = if at == to {
                each(PortSet::only(PortId::new(header.to.port)), VcSet::from_bits(u8::MAX), HopKind::Minimal)
            } else {
                rule(&seen)
            };
            assert_eq!(
                flat(&step.offered),
                sorted(expected),
                "{shape:?} {at:?} to {to:?}: {from:?} {header:?}"
            );
            // Minimal hops, global and local misroutes are offered in this order, in places of their own. Where the next hop has to be a global one,
            // none is preferred.
            let packing = Packing { ports: 16, vcs: 8 };
            let packed = packing.pack(&step.offered);
            for (place, kind) in
                [HopKind::Minimal, HopKind::GlobalMisroute, HopKind::LocalMisroute].into_iter().enumerate()
            {
                let ports = step.offered.ports_of(kind).bits() as u64;
                assert_eq!(packing.ports_of(packed, place as u32), ports, "{kind:?} of {:?}", step.offered);
            }
            assert_eq!(
                (step.offered.is_forced(), packing.pack(&step.offered) & 1 == 1),
                (header.progress.must_leave(), header.progress.must_leave())
            );
            all.push(step);
        }
    }
    all
}

/// Proves: minimal routing is rules a to e, and its longest route is local, global, local.
#[test]
fn minimal_routing_is_rules_a_to_e() {
    for shape in shapes() {
        let steps = agree(&shape, &Minimal { map: shape.map() }, |seen| {
            let (ports, class) = seen.minimal();
            each(ports, seen.next(class), HopKind::Minimal)
        });
        assert!(longest(&steps_of(&shape, &Minimal { map: shape.map() })) <= 3 && !steps.is_empty());
    }
}

/// All states on the way to one destination.
fn steps_of(shape: &Shape, routing: &impl Route) -> Vec<Step> {
    let net = Net::of(&shape.map());
    let header = headers(shape).last().unwrap();
    let start = |&router: &u32| State { router, from: injected(0, 0), header };
    explore(&net, routing, net.routers.iter().map(start).collect())
}

/// Proves: a packet for a router or a port that is not there is offered nothing by any routing of a Dragonfly.
#[test]
fn nothing_is_offered_to_what_is_not_there() {
    let shape = Shape { p: 2, h: 2, sizes: &[4; 9], arrangement: Arrangement::Palmtree };
    let (map, net) = (shape.map(), Net::of(&shape.map()));
    let here = net.here(0);
    for (router, port) in [(4, 0), (9 << 6, 0), (0, 2), (1, 2), (8 << 6, 6)] {
        let header = Header { to: Address { router, port }, length: 1, ..Header::default() };
        let offered = [
            Minimal { map }.offer(&here, injected(0, 0), &header),
            Olm { map, scheme: OlmScheme::default() }.offer(&here, injected(0, 0), &header),
            Par { map, local_misrouting: LocalMisrouting::All }.offer(&here, injected(0, 0), &header),
            Rlm { map }.offer(&here, injected(0, 0), &header),
        ];
        assert!(offered.iter().all(|offered| offered.unwrap().is_empty()), "{router} {port}");
    }
}
