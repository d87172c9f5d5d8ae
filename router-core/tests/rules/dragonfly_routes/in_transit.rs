//! PAR and RLM.

use super::*;

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
