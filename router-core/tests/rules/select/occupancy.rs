//! The occupancy trigger.

use super::*;

/// Proves: the occupancy trigger compares the minimal output's buffer with its share, and the detour's with the minimal one's, at equality too.
#[test]
fn occupancies_are_compared_as_shares_of_their_depths() {
    // Shares in 2^-15 and 2^-8: 0, a half, 5/6 rounded, all; 0, 70 %, 1, 2.
    for share in [0, 1 << 14, (5 << 15) / 6, 1 << 15] {
        for relative in [0, 179, 256, 512] {
            let trigger = OccupancyTrigger {
                minimal_occupancy: U1F15::from_bits(share),
                relative_threshold: U8F8::from_bits(relative),
                global_restriction: None,
            };
            let selection = Selection::Occupancy(trigger);
            for (minimal, detour, kind) in [
                (1, 3, HopKind::GlobalMisroute),
                (3, 1, HopKind::LocalMisroute),
                (1, 2, HopKind::LocalMisroute),
            ] {
                let depth = |port| u64::from(if port < 3 { LOCAL_DEPTH } else { GLOBAL_DEPTH });
                let all = two_ways(minimal, detour, kind);
                for used in 0..=depth(minimal) {
                    for other in 0..=depth(detour) {
                        let bench = Bench::new().used(minimal, 0, used as u16).used(detour, 1, other as u16);
                        let blocked = depth(minimal) - used < u64::from(LENGTH);
                        let full_enough = used << 15 >= u64::from(share) * depth(minimal);
                        let good_enough =
                            other * depth(minimal) * 256 <= u64::from(relative) * used * depth(detour);
                        let has_room = depth(detour) - other >= u64::from(LENGTH);
                        let taken = blocked && full_enough && good_enough && has_room;
                        let expected = [if taken { detour } else { minimal }];
                        assert_eq!(
                            bench.choose(&selection, &all, minimal, LENGTH),
                            expected,
                            "{share} {relative} {minimal} {used} {other}"
                        );
                    }
                }
            }
        }
    }
}

/// Proves: a full FIFO blocks the minimal output whatever its credits, and a detour behind a full one is not taken.
#[test]
fn a_full_fifo_blocks_an_output() {
    let trigger = OccupancyTrigger {
        minimal_occupancy: U1F15::from_bits(0),
        relative_threshold: U8F8::from_bits(256),
        global_restriction: None,
    };
    let all = two_ways(1, 2, HopKind::LocalMisroute);
    let chosen = |full: &[u8]| {
        let bench = Bench { full: ports(full), ..Bench::new() };
        bench.choose(&Selection::Occupancy(trigger), &all, 1, LENGTH)[0]
    };
    assert_eq!([chosen(&[]), chosen(&[1]), chosen(&[1, 2]), chosen(&[2])], [1, 2, 1, 1]);
    // Where packets wait for detours a good one is taken though it has no room.
    let bench = Bench { full: ports(&[1, 2]), waits_for_detours: true, ..Bench::new() };
    assert_eq!(bench.choose(&Selection::Occupancy(trigger), &all, 1, LENGTH), [2]);
}

/// Proves: a global minimal output is avoided when it holds more than factor times the mean of the connected global ones and so many packets.
#[test]
fn a_global_output_has_to_be_fuller_than_its_siblings() {
    let all = two_ways(3, 1, HopKind::LocalMisroute);
    for (factor, packets) in [(384, 0), (256, 1), (256, 0), (0, 2), (512, 1)] {
        let restriction = GlobalRestriction { factor: U8F8::from_bits(factor), packets };
        let trigger = OccupancyTrigger {
            minimal_occupancy: U1F15::from_bits(0),
            relative_threshold: U8F8::from_bits(1024),
            global_restriction: Some(restriction),
        };
        for used in 10..=GLOBAL_DEPTH {
            for (one, other) in (0..=GLOBAL_DEPTH).flat_map(|one| [0, 3, 8, 12].map(|other| (one, other))) {
                // Port 6 is not connected: its credits do not count. VC 1 is another one.
                let bench = Bench::new()
                    .used(3, 0, used)
                    .used(4, 0, one)
                    .used(5, 0, other)
                    .used(6, 0, 12)
                    .used(4, 1, 5);
                let sum = u64::from(used + one + other);
                let lifts = u64::from(used) * 256 * 3
                    > u64::from(factor) * sum + u64::from(packets * LENGTH) * 256 * 3;
                let expected = [if lifts { 1 } else { 3 }];
                assert_eq!(
                    bench.choose(&Selection::Occupancy(trigger), &all, 3, LENGTH),
                    expected,
                    "{factor} {packets}: {used} {one} {other}"
                );
            }
        }
        // A local minimal output is not restricted.
        let bench = Bench::new().used(1, 0, 6);
        assert_eq!(
            bench.choose(&Selection::Occupancy(trigger), &two_ways(1, 2, HopKind::LocalMisroute), 1, LENGTH),
            [2]
        );
    }
}

/// Proves: a head needs room for its whole packet with cut-through and for a flit with wormhole, a misroute for all of it with both.
#[test]
fn room_is_what_flow_control_asks_for() {
    let never = Selection::Never(never::NeverTrigger);
    let all = candidates(&[set(&[1], 0, HopKind::Minimal, 1), set(&[2], 1, HopKind::LocalMisroute, 2)]);
    for (flow, needs) in
        [(FlowControl::Vct, LENGTH), (FlowControl::StoreAndForward, LENGTH), (FlowControl::Wormhole, 1)]
    {
        for free in 0..=LOCAL_DEPTH {
            let mut bench = Bench::new().used(1, 0, LOCAL_DEPTH - free).used(2, 1, LOCAL_DEPTH - free);
            bench.links.flow = flow;
            let outputs = bench.outputs();
            assert_eq!(outputs.is_open(PortId::new(1), &all, LENGTH), free >= needs, "{flow:?} {free}");
            assert_eq!(outputs.is_open(PortId::new(2), &all, LENGTH), free >= LENGTH, "{flow:?} {free}");
            assert_eq!(outputs.is_blocked(PortId::new(1), VcId::new(0), LENGTH), free < LENGTH);
            assert_eq!(outputs.occupancy(PortId::new(1), VcId::new(0)), LOCAL_DEPTH - free);
        }
    }
    // A VC that a packet holds is not open.
    let mut bench = Bench::new();
    bench.owned.set(PortId::new(1), VcSet::only(VcId::new(0)));
    assert!(!bench.outputs().is_open(PortId::new(1), &all, 1));
    assert!(!bench.outputs().is_blocked(PortId::new(1), VcId::new(0), 1));
    let far = candidates(&[set(&[6], 0, HopKind::Minimal, 1)]);
    assert_eq!(Bench::new().choose(&never, &far, 6, 1), [6]);
    assert_eq!(bench.outputs().open_ports(&all, 1), ports(&[2]));
    let outputs = Bench { full: ports(&[2]), ..Bench::new() };
    assert!(outputs.outputs().accepts(PortId::new(1)) && !outputs.outputs().accepts(PortId::new(2)));
    assert_eq!(
        outputs.outputs().open(PortId::new(1), &all, 1),
        (HopKind::Minimal, VcSet::only(VcId::new(0)))
    );
}
