//! On-the-fly local misrouting.

use super::*;

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
