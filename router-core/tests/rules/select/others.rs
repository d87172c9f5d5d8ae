//! UGAL, never, always, and draws.

use super::*;
use desvio_core::links::VcAllocation;
use desvio_core::select::{Detour, Trigger as _};
use desvio_core::settings::Word as _;

/// Proves: UGAL takes the detour where queue times hops of the minimal way exceeds the detour's and the bias; at equality it does not.
#[test]
fn ugal_compares_queues_times_hops() {
    // Hops 2 and 3; a way without hops has one.
    let ways = [(two_ways(1, 3, HopKind::GlobalMisroute), 2, 3), {
        (candidates(&[set(&[1], 0, HopKind::Minimal, 0), set(&[3], 1, HopKind::GlobalMisroute, 0)]), 1, 1)
    }];
    for (all, minimal_hops, detour_hops) in ways {
        for bias in [0, 1, 4] {
            for queue in [Queue::Port, Queue::Vc, Queue::Packets] {
                let selection = Selection::Ugal(UgalTrigger { bias, queue });
                for (used, other, beside, far) in (0..=6)
                    .flat_map(|u| (0..=8).flat_map(move |o| [(u, o, 0, 0), (u, o, 2, 0), (u, o, 0, 3)]))
                {
                    let bench =
                        Bench::new().used(1, 0, used).used(1, 1, beside).used(3, 1, other).used(3, 0, far);
                    let bench = if queue == Queue::Packets {
                        bench.counted(1, used + 1).counted(3, other)
                    } else {
                        bench
                    };
                    let (minimal, detour) = match queue {
                        Queue::Port => (used + beside, other + far),
                        Queue::Vc => (used, other),
                        // The packet itself, which is counted, is no obstacle to itself.
                        Queue::Packets => (used, other),
                    };
                    let taken = minimal * minimal_hops > detour * detour_hops + bias;
                    let expected = [if taken { 3 } else { 1 }];
                    assert_eq!(
                        bench.choose(&selection, &all, 1, LENGTH),
                        expected,
                        "{queue:?} {bias}: {used} {beside} {other} {far}"
                    );
                }
            }
        }
    }
}

/// Proves: minimal hops alone, or every candidate with room; of several minimal outputs another one that has room where the own one has not.
#[test]
fn never_and_always_and_several_minimal_outputs() {
    let never = Selection::Never(never::NeverTrigger);
    let always = Selection::Always(always::AlwaysTrigger);
    assert!(never.is_never() && !always.is_never() && always.asks_any() && !never.asks_any());
    let all =
        candidates(&[set(&[1, 2], 0, HopKind::Minimal, 1), set(&[3, 4], 1, HopKind::GlobalMisroute, 2)]);
    let full = |numbers: &[u8]| Bench { full: ports(numbers), ..Bench::new() };
    assert_eq!(full(&[]).choose(&never, &all, 1, LENGTH), [1]);
    assert_eq!(full(&[]).choose(&never, &all, 2, LENGTH), [2]);
    assert_eq!(full(&[1]).choose(&never, &all, 1, LENGTH), [2]);
    assert_eq!(full(&[2]).choose(&never, &all, 2, LENGTH), [1]);
    assert_eq!(full(&[1, 2]).choose(&never, &all, 1, LENGTH), [1]);
    assert_eq!(full(&[]).used(1, 0, 4).choose(&never, &all, 1, LENGTH), [2]);
    assert_eq!(full(&[]).used(1, 0, 3).choose(&never, &all, 1, LENGTH), [1]);
    assert_eq!(full(&[]).used(1, 0, 4).used(2, 0, 4).choose(&never, &all, 1, LENGTH), [1]);
    assert_eq!(full(&[]).choose(&always, &all, 1, LENGTH), [1, 2, 3, 4]);
    assert_eq!(full(&[2, 3]).used(4, 1, 10).choose(&always, &all, 1, LENGTH), [1]);
    assert_eq!(full(&[1, 2, 3, 4]).choose(&always, &all, 2, LENGTH), [2]);
    let detours =
        candidates(&[set(&[3, 4], 1, HopKind::GlobalMisroute, 2), set(&[2], 1, HopKind::LocalMisroute, 2)]);
    assert_eq!(full(&[2, 3, 4]).choose(&always, &detours, 3, LENGTH), [2, 3, 4]);
    // No detour is taken by a packet without a minimal way unless it is due.
    assert_eq!(full(&[]).choose(&never, &detours, 3, LENGTH), Vec::<u8>::new());
    let mut chosen = [0; PORTS];
    for seed in 1..200 {
        let one = full(&[3]).choose_with(&never, &detours.forced(), 3, LENGTH, seed);
        assert_eq!(one.len(), 1);
        chosen[usize::from(one[0])] += 1;
    }
    assert!(chosen[3] == 0 && chosen[2] > 50 && chosen[4] > 50, "{chosen:?}");
    let bench = Bench { asks_one: true, ..Bench::new() };
    let mut chosen = [0; PORTS];
    for seed in 1..400 {
        let one = bench.choose_with(&always, &all, 1, LENGTH, seed);
        assert_eq!(one.len(), 1);
        chosen[usize::from(one[0])] += 1;
    }
    assert!(chosen[1..5].iter().all(|&times| times > 60), "{chosen:?}");
}

/// Proves: of global and local detours the own router's are drawn once in as many times as there are routers behind local ports and one.
#[test]
fn detours_are_drawn_by_routers() {
    let all = candidates(&[
        set(&[5], 0, HopKind::Minimal, 1),
        set(&[3, 4], 1, HopKind::GlobalMisroute, 2),
        set(&[1, 2], 0, HopKind::LocalMisroute, 2),
    ]);
    let selection = Selection::Contention(ContentionTrigger { threshold: 1 });
    let bench = Bench::new().counted(5, 1);
    let mut chosen = [0u32; PORTS];
    let runs = 6000;
    for seed in 1..=runs {
        chosen[usize::from(bench.choose_with(&selection, &all, 5, LENGTH, seed)[0])] += 1;
    }
    // A third for each of the own router and the two others; the own one has two global links.
    for (port, share) in [(1, 3.0), (2, 3.0), (3, 6.0), (4, 6.0)] {
        let (seen, expected) = (f64::from(chosen[port]), runs as f64 / share);
        assert!((seen - expected).abs() < 5.0 * expected.sqrt(), "{chosen:?}");
    }
    assert_eq!(chosen[1..5].iter().sum::<u32>(), runs as u32);
}

/// Proves: of three minimal outputs that a rule leaves, the own one is requested where it is one of them, else each other one at some time.
/// Where none has room it is the own one.
#[test]
fn chance_decides_where_a_rule_leaves_several_outputs() {
    let never = Selection::Never(never::NeverTrigger);
    let all = candidates(&[set(&[3, 4, 5], 0, HopKind::Minimal, 1)]);
    let rules = [
        Preference { ports: PortRule::MostCredits, vcs: VcRule::Random },
        Preference { ports: PortRule::Random, vcs: VcRule::LeastShared },
    ];
    for preference in rules {
        // A packet holds the other VC behind port 3, and a flit of it is there.
        let mut bench = Bench { preference, ..Bench::new().used(3, 1, 1) };
        bench.owned.set(PortId::new(3), VcSet::only(VcId::new(1)));
        for seed in 1..=20 {
            assert_eq!(bench.choose_with(&never, &all, 4, LENGTH, seed), [4]);
            assert_eq!(bench.choose_with(&never, &all, 5, LENGTH, seed), [5]);
        }
        let mut drawn: Vec<_> =
            (1..=20).map(|seed| bench.choose_with(&never, &all, 3, LENGTH, seed)).collect();
        drawn.sort_unstable();
        drawn.dedup();
        assert_eq!(drawn, [[4], [5]], "{preference:?}");
    }
    for (&(_, ports), &(_, vcs)) in
        PortRule::WORDS.iter().flat_map(|ports| VcRule::WORDS.iter().map(move |vcs| (ports, vcs)))
    {
        let none =
            Bench { preference: Preference { ports, vcs }, full: PortSet::first_n(PORTS), ..Bench::new() };
        for own in [3, 4, 5] {
            assert_eq!(none.choose(&never, &all, own, LENGTH), [own]);
        }
    }
}

/// Proves: an escape is requested where it has room and the other ways have none: room for two packets where the packet comes on to a ring with
/// bubbles, else for one. Where nothing has room the minimal way is requested, and the escape where there is no other.
#[test]
fn an_escape_is_requested_where_no_other_way_has_room() {
    let never = Selection::Never(never::NeverTrigger);
    let minimal = candidates(&[set(&[1], 0, HopKind::Minimal, 1)]);
    for (allocation, enters) in [VcAllocation::NonAtomic, VcAllocation::Bubble]
        .into_iter()
        .flat_map(|one| [(one, false), (one, true)])
    {
        let is_bubble = allocation == VcAllocation::Bubble && enters;
        for (used, beyond) in
            (0..=LOCAL_DEPTH).flat_map(|used| (0..=GLOBAL_DEPTH).map(move |beyond| (used, beyond)))
        {
            let mut bench = Bench::new().used(1, 0, used).used(3, 1, beyond);
            bench.links.vc_allocation = allocation;
            let escaping = |all: Candidates| all.escaping(ports(&[3]), VcSet::only(VcId::new(1)), enters);
            let has_room = LOCAL_DEPTH - used >= LENGTH;
            let escape_has = GLOBAL_DEPTH - beyond >= if is_bubble { 2 * LENGTH } else { LENGTH };
            let expected = [if !has_room && escape_has { 3 } else { 1 }];
            let found = bench.choose(&never, &escaping(minimal), 1, LENGTH);
            assert_eq!(found, expected, "{allocation:?} {enters} {used} {beyond}");
            assert_eq!(bench.choose(&never, &escaping(Candidates::NONE), 3, LENGTH), [3]);
            let open = bench.outputs().open(PortId::new(3), &escaping(minimal), LENGTH);
            assert_eq!(!open.1.is_empty(), escape_has, "{allocation:?} {enters} {beyond}");
        }
    }
}

/// Proves: by itself this trigger calls for each detour, and the other one for none.
#[test]
fn always_and_never_do_not_look() {
    let (bench, all) = (Bench::new(), two_ways(1, 3, HopKind::GlobalMisroute));
    let (at, tap) = (Channel::new(PortId::new(0), VcId::new(0)), Lfsr::new(1, 0).tap(0, 0));
    let packet = Waiting { at, candidates: &all, minimal: PortId::new(1), length: LENGTH, tap };
    let detour = Detour { port: PortId::new(3), kind: HopKind::GlobalMisroute };
    let outputs = bench.outputs();
    let (always, never) = (always::AlwaysTrigger, never::NeverTrigger);
    assert!(always.fires(&packet, &outputs) && always.allows(&packet, detour, &outputs));
    assert!(!never.fires(&packet, &outputs));
}
