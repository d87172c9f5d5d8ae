//! Routing on a Dragonfly by the tables of `docs/olm.md` and `docs/rivals.md`: what is offered in every state that a packet can reach.

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

/// The rules of `docs/olm.md`.
fn olm_rule(scheme: &OlmScheme, seen: &Seen<'_>) -> Flat {
    use HopKind::{GlobalMisroute, LocalMisroute, Minimal};
    let progress = seen.header.progress;
    let (ports, class) = seen.minimal();
    let at_origin = !progress.left_origin();
    let abroad = seen.at.group != seen.to.group;
    let owns = !seen.owns().is_empty();
    // Rules a to e. In its origin group a packet in transit goes on VC 0 (e).
    let vcs = if at_origin && abroad && class == PortClass::LOCAL { vc(0) } else { seen.next(class) };
    let globals = each(seen.globals().minus(ports), vc(0), GlobalMisroute);
    if progress.must_leave() {
        // The next hop is global, whatever the queues say.
        let minimal = if class == PortClass::GLOBAL { each(ports, vcs, Minimal) } else { Vec::new() };
        let globals =
            each(seen.globals().minus(if owns { ports } else { PortSet::EMPTY }), vc(0), GlobalMisroute);
        return [minimal, globals].concat();
    }
    let mut all = each(ports, vcs, Minimal);
    if at_origin && abroad {
        let (injected, free) = (seen.is_injected(), scheme.rules == Rules::Free);
        let legal_global = injected || !owns || free;
        let legal_local = if free { injected || owns } else { !injected && owns };
        let (global, local) = match scheme.policy {
            Policy::Rrg => (true, true),
            Policy::Crg => (true, false),
            Policy::Nrg => (false, true),
            Policy::Mm => (injected, !injected),
        };
        if legal_global && global {
            all.extend(globals);
        }
        if legal_local && local {
            let exits = seen.here.group_exits;
            all.extend(each(seen.locals().minus(ports).and(exits), vc(0), LocalMisroute));
        }
        return all;
    }
    // Rules m and n.
    let allowed = seen.at.group == seen.to.group || !owns;
    if scheme.local_misrouting && allowed && progress.local_misroutes() < scheme.limit {
        let misroute = match seen.order() {
            -1 => 0,
            order if seen.from.kind == PortClass::LOCAL => order,
            order => order - 1,
        };
        all.extend(each(seen.locals().minus(ports), vc((misroute / 2) as u8), LocalMisroute));
    }
    all
}

fn olm_schemes() -> Vec<OlmScheme> {
    let mut schemes = Vec::new();
    for rules in [Rules::Restricted, Rules::Free] {
        for policy in [Policy::Rrg, Policy::Crg, Policy::Nrg, Policy::Mm] {
            for (local_misrouting, limit, scope) in [
                (false, 1, Scope::Group),
                (true, 0, Scope::Group),
                (true, 1, Scope::Group),
                (true, 2, Scope::Group),
                (true, 2, Scope::Route),
            ] {
                schemes.push(OlmScheme { rules, policy, local_misrouting, limit, scope });
            }
        }
    }
    schemes
}

/// Proves: OLM offers what rules a to n say, under all policies, limits and scopes.
#[test]
fn olm_offers_what_its_rules_say() {
    for shape in [(2, &[4; 9][..]), (2, &[4; 4]), (2, &[2, 5, 3])] {
        let shape = Shape {
            p: 1,
            h: shape.0,
            sizes: Box::leak(shape.1.to_vec().into_boxed_slice()),
            arrangement: Arrangement::Palmtree,
        };
        for scheme in olm_schemes() {
            let (net, routing) = (Net::of(&shape.map()), Olm { map: shape.map(), scheme });
            for step in agree(&shape, &routing, |seen| olm_rule(&scheme, seen)) {
                let State { router, from, header } = step.state;
                // Order index plus distance is at most 4.
                let distance = shape.map().distance(Place::of(router), Place::of(header.to.router)) as i8;
                assert!(ladder::order_index(from) + distance <= 4);
                assert!(routing.keeps_order(&net.here(router), from, &header));
            }
        }
    }
}

/// Proves: a local misroute counts, a global hop crosses out the duty to leave, and the count begins anew in each group or goes on along the route.
#[test]
fn olm_headers_say_what_a_packet_has_done() {
    use HopKind::{GlobalMisroute, LocalMisroute, Minimal};
    let shape = Shape { p: 2, h: 2, sizes: &[4; 9], arrangement: Arrangement::Palmtree };
    let here = Net::of(&shape.map()).here(5 << 6);
    let olm = |scope| Olm { map: shape.map(), scheme: OlmScheme { limit: 7, scope, ..OlmScheme::default() } };
    let to = |group: u32| Header {
        to: Address { router: group << 6 | 1, port: 0 },
        length: 3,
        ..Header::default()
    };
    for scope in [Scope::Group, Scope::Route] {
        let says = |header: &Header| {
            let progress = header.progress;
            (progress.local_misroutes(), progress.left_origin(), progress.must_leave())
        };
        let local = olm(scope).onward(&here, &to(3), PortClass::LOCAL, LocalMisroute);
        // In its origin group for another one: a duty to leave; inside its own group there is none.
        assert_eq!((says(&local).1, says(&local).2), (false, true));
        let inside = olm(scope).onward(&here, &to(5), PortClass::LOCAL, LocalMisroute);
        assert_eq!(says(&inside), (1, false, false));
        assert_eq!(says(&olm(scope).onward(&here, &to(3), PortClass::LOCAL, Minimal)), (0, false, false));
        for kind in [Minimal, GlobalMisroute] {
            let global = olm(scope).onward(&here, &local, PortClass::GLOBAL, kind);
            assert_eq!((says(&global).1, says(&global).2), (true, false));
            let kept = if scope == Scope::Route { says(&local).0 } else { 0 };
            assert_eq!(says(&global).0, kept, "{scope:?}");
            let later = olm(scope).onward(&here, &global, PortClass::LOCAL, LocalMisroute);
            assert_eq!(says(&later), (kept + 1, true, false));
            assert_eq!(
                says(&olm(scope).onward(&here, &later, PortClass::LOCAL, Minimal)),
                (kept + 1, true, false)
            );
            let next = olm(scope).onward(&here, &later, PortClass::GLOBAL, Minimal);
            assert_eq!(says(&next), (if scope == Scope::Route { kept + 1 } else { 0 }, true, false));
        }
    }
}

/// What PAR and RLM say: the first VC in each group, and whether a second hop is on the next one.
struct InTransit {
    local_vc: fn(&Seen<'_>, LocalMisrouting) -> u8,
    misrouting: LocalMisrouting,
    is_restricted: bool,
}

/// In mixed mode: `docs/rivals.md`, misrouting in transit.
fn in_transit_rule(rules: &InTransit, seen: &Seen<'_>) -> Flat {
    use HopKind::{GlobalMisroute, LocalMisroute, Minimal};
    let progress = seen.header.progress;
    let (left, own) = (progress.left_origin(), seen.owns());
    let abroad = seen.at.group != seen.to.group;
    let (locals, global_vc) = (vc((rules.local_vc)(seen, rules.misrouting)), vc(left.into()));
    if progress.must_leave() {
        // By any global link: the own ones are the minimal hop.
        let others = each(seen.globals().minus(own), global_vc, GlobalMisroute);
        return [each(own, global_vc, Minimal), others].concat();
    }
    let index = |port: PortId| {
        (0..64)
            .find(|&index| index != seen.at.index && seen.shape.local(seen.at.index, index) == port)
            .unwrap()
    };
    let came = (seen.from.kind == PortClass::LOCAL).then(|| index(seen.from.port));
    let pair = |from: u32, through: u32, to: u32| is_listed(from, through, to);
    let follows =
        |port: PortId| !rules.is_restricted || came.is_none_or(|came| pair(came, seen.at.index, index(port)));
    if abroad && !own.is_empty() {
        let mut all = each(own, global_vc, Minimal);
        if !left && seen.is_injected() {
            all.extend(each(seen.globals().minus(own), global_vc, GlobalMisroute));
        } else if !left {
            // One local hop more, to where a global link is.
            let ports =
                seen.locals().and(seen.here.group_exits).iter().filter(|&port| follows(port)).collect();
            all.extend(each(ports, locals, LocalMisroute));
        }
        return all;
    }
    let (goals, _) = seen.minimal();
    let mut all = each(goals.iter().filter(|&port| follows(port)).collect(), locals, Minimal);
    if abroad && !left {
        if seen.is_injected() {
            all.extend(each(seen.globals(), global_vc, GlobalMisroute));
        }
        return all;
    }
    // The first hop in a later group, or in the own one for traffic inside it.
    let is_allowed = match rules.misrouting {
        LocalMisrouting::None => false,
        LocalMisrouting::Intermediate => abroad,
        LocalMisrouting::All => true,
    };
    if seen.from.kind != PortClass::LOCAL && is_allowed {
        let leads_on = |&port: &PortId| {
            !rules.is_restricted
                || goals.iter().any(|goal| goal != port && pair(seen.at.index, index(port), index(goal)))
        };
        let ports = seen.locals().minus(goals).iter().filter(leads_on).collect();
        all.extend(each(ports, locals, LocalMisroute));
    }
    all
}

/// The nine pairs of `docs/rivals.md`: any before −odd, −even and +odd before +even and +odd, +even before +odd.
fn is_listed(from: u32, through: u32, to: u32) -> bool {
    let hop = |from: u32, to: u32| {
        (if to > from { '+' } else { '-' }, if from.abs_diff(to) % 2 == 1 { 'o' } else { 'e' })
    };
    matches!(
        (hop(from, through), hop(through, to)),
        (_, ('-', 'o')) | (('-', 'e') | ('+', 'o'), ('+', _)) | (('+', 'e'), ('+', 'o'))
    )
}

/// Proves: which pairs of local hops may follow each other is the table of `docs/rivals.md`.
#[test]
fn the_nine_pairs_are_those_of_the_table() {
    for (from, through, to) in (0..8).flat_map(|a| (0..8).flat_map(move |b| (0..8).map(move |c| (a, b, c)))) {
        if from != through && through != to {
            let allowed = desvio_core::route::parity_sign::is_allowed(from, through, to);
            assert_eq!(allowed, is_listed(from, through, to), "{from} {through} {to}");
        }
    }
}

fn in_transit_shapes() -> Vec<Shape> {
    let kinds: [(u8, &'static [u8]); 4] =
        [(2, &[4; 9]), (2, &[4; 4]), (2, &[2, 5, 3]), (4, &[4, 2, 3, 4, 1])];
    kinds.map(|(h, sizes)| Shape { p: 1, h, sizes, arrangement: Arrangement::Consecutive }).into()
}

/// Proves: PAR offers what mixed mode says, on a VC more with each hop of its longest route.
#[test]
fn par_misroutes_in_mixed_mode_and_rises() {
    use LocalMisrouting::{All, Intermediate, None};
    // l0 l1 g0 l2 (l3) g1, and then the next two.
    let local_vc = |seen: &Seen<'_>, misrouting| {
        let second = u8::from(seen.from.kind == PortClass::LOCAL);
        let first = match (seen.from.kind, seen.header.progress.left_origin(), seen.from.vc.number()) {
            (PortClass::LOCAL, _, vc) => vc,
            (_, false, _) => 0,
            (_, true, 0) => 2,
            _ => {
                if misrouting == None {
                    3
                } else {
                    4
                }
            }
        };
        first + second
    };
    for shape in in_transit_shapes() {
        for (misrouting, locals) in [(None, 4), (Intermediate, 5), (All, 6)] {
            let routing = Par { map: shape.map(), local_misrouting: misrouting };
            let rules = InTransit { local_vc, misrouting, is_restricted: false };
            let steps = agree(&shape, &routing, |seen| in_transit_rule(&rules, seen));
            let vcs = steps.iter().flat_map(|step| &step.hops).map(|(hop, _)| hop.vc.number()).max().unwrap();
            assert!(vcs < locals);
            for step in &steps {
                assert!(routing.keeps_order(&step_here(&shape, step), step.state.from, &step.state.header));
            }
        }
    }
}

fn step_here(shape: &Shape, step: &Step) -> Here {
    Here { router: step.state.router, wired: PortSet::first_n(usize::from(shape.p) + 8), ..Here::default() }
}

/// Proves: RLM is PAR with misroutes in all groups, on one VC for each group of a route and by the nine pairs alone.
#[test]
fn rlm_takes_one_vc_in_a_group_and_allowed_pairs() {
    let local_vc = |seen: &Seen<'_>, _| match (
        seen.from.kind,
        seen.header.progress.left_origin(),
        seen.from.vc.number(),
    ) {
        (PortClass::LOCAL, _, vc) => vc,
        (_, false, _) => 0,
        (_, true, vc) => vc + 1,
    };
    for shape in in_transit_shapes() {
        let rules = InTransit { local_vc, misrouting: LocalMisrouting::All, is_restricted: true };
        let routing = Rlm { map: shape.map() };
        for step in agree(&shape, &routing, |seen| in_transit_rule(&rules, seen)) {
            assert!(routing.keeps_order(&step_here(&shape, &step), step.state.from, &step.state.header));
        }
    }
}
