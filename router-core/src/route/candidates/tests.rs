use super::*;
use proptest::prelude::*;

fn set(ports: usize, vcs: u8, kind: HopKind) -> CandidateSet {
    CandidateSet::new(PortSet::from_bits(ports), VcSet::from_bits(vcs), kind)
}

fn ways(all: &Candidates) -> Vec<(u8, u8)> {
    all.iter().map(|one| (one.port.number(), one.vc.number())).collect()
}

/// Duato's protocol on a mesh: adaptive VC 1 on both minimal ports, escape VC 0 on the one of dimension order.
#[test]
fn an_escape_channel_beside_an_adaptive_one_survives_in_both_orders() {
    let adaptive = set(0b110, 0b10, HopKind::Minimal);
    let escape = set(0b010, 0b01, HopKind::Minimal);
    assert_eq!(ways(&Candidates::of([adaptive, escape])), [(1, 1), (2, 1), (1, 0)]);
    assert_eq!(ways(&Candidates::of([escape, adaptive])), [(1, 0), (1, 1), (2, 1)]);
    for all in [Candidates::of([adaptive, escape]), Candidates::of([escape, adaptive])] {
        assert_eq!(all.preferred(), PortSet::from_bits(0b110));
        assert!(!all.has_detours());
    }
}

#[test]
fn two_equally_good_ports_both_survive() {
    let found: Candidates = Candidates::minimal(PortSet::range(5, 7), VcSet::first_n(1));
    assert_eq!(found.iter().map(|c| c.port.number()).collect::<Vec<_>>(), [5, 6]);
}

#[test]
fn a_set_too_many_is_refused_by_name_and_changes_nothing() {
    let mut all = Candidates::NONE;
    // An empty set keeps its place: that a routing offers too many does not depend on the packet.
    for number in 0..SETS {
        assert_eq!(all.offer(set(number & 1, 1, HopKind::Minimal)), Ok(()));
    }
    let before = all;
    assert_eq!(all.offer(set(2, 1, HopKind::Minimal)), Err(Full));
    assert_eq!(all, before);
    assert_eq!(
        Full.to_string(),
        format!("the routing offers more sets of candidates than the {SETS} that fit")
    );
}

#[test]
fn as_much_as_it_is_worth() {
    let ports = if cfg!(feature = "small") { size_of::<u16>() } else { size_of::<usize>() };
    let bytes = (SETS * (ports + 1) + size_of::<Kinds>() + size_of::<Hops>()).next_multiple_of(ports);
    assert_eq!(size_of::<Candidates>(), bytes);
}

#[cfg(not(feature = "small"))]
#[test]
fn an_escape_is_the_last_set_beside_which_the_others_are_as_they_were() {
    let (minimal, local) = (set(0b110, 0b11, HopKind::Minimal), set(0b1000, 0b11, HopKind::LocalMisroute));
    for others in [Candidates::of([minimal, local]), Candidates::minimal(minimal.ports, minimal.vcs)] {
        for enters in [false, true] {
            let all = others.escaping(PortSet::from_bits(0b10), VcSet::from_bits(0b100), enters);
            assert_eq!((all.enters(), all.is_special(), all.is_forced()), (enters, true, false));
            let (escape, ports) = (PortId::new(1), all.ports_of(HopKind::Escape));
            assert_eq!(all.beside_escape(), Some((others, ports)));
            assert_eq!(ports, PortSet::only(escape));
            assert_eq!(all.preferred(), minimal.ports, "an escape is not preferred");
            assert_eq!(all.misroutes()[0], PortSet::only(escape), "which is why they are drawn beside it");
            // A packet takes a VC of the others where one is open.
            assert_eq!(all.first_at(escape, |vcs, _| vcs), (HopKind::Minimal, minimal.vcs));
            let ring = |vcs: VcSet, kind| if kind == HopKind::Escape { vcs } else { VcSet::EMPTY };
            assert_eq!(all.first_at(escape, ring), (HopKind::Escape, VcSet::from_bits(0b100)));
            let without = all.without(escape);
            assert_eq!((without.beside_escape(), without.is_special()), (None, false));
            let mut more = all;
            let result = (0..SETS).map(|_| more.offer(local)).last();
            assert_eq!(result, Some(Err(Full)), "what comes later does not take its place");
            assert_eq!(more.ports_of(HopKind::Escape), ports);
        }
    }
    let nothing = Candidates::NONE.escaping(PortSet::from_bits(0b10), VcSet::from_bits(0b100), false);
    let (others, _) = nothing.beside_escape().unwrap();
    assert!(others.is_forced() && others.is_empty() && !nothing.is_empty());
    assert_eq!(<Candidates>::NONE.escaping(PortSet::EMPTY, VcSet::from_bits(1), true), Candidates::NONE);
}

fn any_set() -> impl Strategy<Value = CandidateSet> {
    let kinds =
        prop_oneof![Just(HopKind::Minimal), Just(HopKind::GlobalMisroute), Just(HopKind::LocalMisroute)];
    (0usize..1 << 7, 0u8..1 << 4, kinds, 0u8..32)
        .prop_map(|(ports, vcs, kind, hops)| CandidateSet { hops, ..set(ports, vcs, kind) })
}

proptest! {
    /// A list of sets, of which nothing is ever taken away.
    #[test]
    fn candidates_are_a_list(offered in proptest::collection::vec(any_set(), 0..7), forced: bool, port in 0u8..8) {
        let (mut all, port) = (Candidates::NONE, PortId::new(port));
        for (nth, &set) in offered.iter().enumerate() {
            prop_assert_eq!(all.offer(set), if nth < SETS { Ok(()) } else { Err(Full) });
        }
        if forced {
            all = all.forced();
        }
        let list: Vec<_> = offered.iter().take(SETS).filter(|set| !set.is_empty()).copied().collect();
        let ports = |sets: &[CandidateSet]| sets.iter().fold(0, |bits, set| bits | set.ports.bits());
        let vcs = |sets: &[CandidateSet]| sets.iter().fold(0, |bits, set| bits | set.vcs.bits());
        let of = |kind| list.iter().filter(|set| set.kind == kind).copied().collect::<Vec<_>>();
        prop_assert_eq!(all.sets().collect::<Vec<_>>(), list.clone());
        prop_assert_eq!(all.ports().bits(), ports(&list));
        prop_assert_eq!(all.minimal_ports(), all.ports_of(HopKind::Minimal));
        prop_assert_eq!(all.is_empty(), list.is_empty());
        prop_assert_eq!(all.is_forced(), forced);
        let minimal = of(HopKind::Minimal);
        let preferred = if minimal.is_empty() { &list } else { &minimal };
        prop_assert_eq!(all.preferred().bits(), ports(preferred));
        prop_assert_eq!(all.has_detours(), minimal.len() < list.len());
        prop_assert_eq!(all.all_vcs().bits(), vcs(&list));
        let here: Vec<_> = list.iter().filter(|set| set.ports.contains(port)).copied().collect();
        prop_assert_eq!(all.holding(port).collect::<Vec<_>>(), here.clone());
        let minimal_here: Vec<_> = here.iter().filter(|set| set.kind == HopKind::Minimal).copied().collect();
        prop_assert_eq!(all.vcs_at(port).bits(), vcs(&here));
        prop_assert_eq!(all.minimal_vcs_at(port).bits(), vcs(&minimal_here));
        let only = if here.len() == 1 { Some(here[0].kind) } else { None };
        prop_assert_eq!(all.only_kind(port), if all.has_detours() { only } else { Some(HopKind::Minimal) });
        for (open, minimal_only) in [(0b0011, false), (0b1010, true), (0, false)] {
            let open = VcSet::from_bits(open);
            let is_open = |set: &&CandidateSet| {
                !set.vcs.and(open).is_empty() && (set.kind == HopKind::Minimal || !minimal_only)
            };
            let first = here.iter().find(is_open).map(|set| (set.kind, set.vcs.and(open)));
            let found = all.first_at(port, |vcs, kind| {
                if kind == HopKind::Minimal || !minimal_only { vcs.and(open) } else { VcSet::EMPTY }
            });
            prop_assert_eq!(found, first.unwrap_or((HopKind::Minimal, VcSet::EMPTY)));
        }
        let [_, global, local, _] = HopKind::ALL.map(|kind| ports(&of(kind)));
        prop_assert_eq!(all.misroutes().map(PortSet::bits), [global, local]);
        for kind in HopKind::ALL {
            prop_assert_eq!(all.of_kind(kind).collect::<Vec<_>>(), of(kind));
            prop_assert_eq!(all.ports_of(kind).bits(), ports(&of(kind)));
            let first = here.iter().find(|set| set.kind == kind).copied().or(of(kind).first().copied());
            prop_assert_eq!(all.vcs_of(kind, port), first.map_or(VcSet::EMPTY, |set| set.vcs));
        }
        let one_by_one: usize = list.iter().map(|set| set.ports.len() * set.vcs.len()).sum();
        prop_assert_eq!(all.iter().count(), one_by_one);
    }

    #[test]
    fn what_is_packed_is_read(offered in proptest::collection::vec(any_set(), 0..SETS + 1), forced: bool) {
        let packing = Packing { ports: 7, vcs: 3 };
        let mut all = Candidates::NONE;
        offered.iter().for_each(|&set| assert_eq!(all.offer(set), Ok(())));
        let packed = packing.pack(&if forced { all.forced() } else { all });
        prop_assert_eq!(packed >> packing.bits(offered.len() as u32), 0);
        prop_assert_eq!(packing.is_forced(packed), forced);
        for (nth, set) in (0..).zip(&offered) {
            let ports = if set.is_empty() { 0 } else { set.ports.bits() as u64 };
            prop_assert_eq!(packing.ports_of(packed, nth), ports);
            let vcs = (packed >> packing.bits(nth)) as u8 & 0b111;
            prop_assert_eq!(vcs, if set.is_empty() { 0 } else { set.vcs.bits() & 0b111 });
        }
    }
}
