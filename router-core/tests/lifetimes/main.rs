//! Lifetime limits at one router's pins: a packet that waits, or is in the router, for too long is discarded, to the cycle, and nothing else is.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

mod bench;
mod packets;

use bench::*;
use desvio_core::discard::Discard;
use desvio_core::lifetime::{HeadLimit, Lifetimes, MOST_LIFETIME};
use desvio_core::links::FlowControl;
use desvio_core::options::Pipeline;
use desvio_core::plan::CountAt;
use desvio_core::units::{PortId, PortSet, VcId};
use desvio_core::vc::VcState;
use proptest::prelude::*;

/// In as many cycles as the limit it may be granted, and in the next it goes.
#[test]
fn a_packet_waits_as_long_as_its_outputs_limit() {
    let entries = entries();
    for setup in Setup::all(7, 0) {
        let mut bench = Bench::new(&entries, setup);
        bench.block(0);
        bench.send(2, 0, BY_3, 4, 1);
        let counted = bench.contention();
        assert_eq!(bench.waits(2), 7 * bench.speedup + 1, "{setup:?}");
        let input = bench.pins.router().input(PortId::new(2), VcId::new(0)).unwrap();
        assert_eq!(input.state(), VcState::Discarding { why: Discard::Lifetime }, "{setup:?}");
        assert_eq!((input.request(), bench.contention()), (PortSet::EMPTY, counted), "{setup:?}");
        bench.run(20);
        assert!(bench.is_empty() && bench.heads.is_empty(), "{setup:?}");
        assert_eq!(bench.discarded(), 1, "{setup:?}");
        assert_eq!(bench.credits_back, bench.flits_in, "{setup:?}");
    }
}

/// A credit that comes in time: the last cycle in which that is so, and the next, in which it is not.
#[test]
fn a_packet_leaves_just_in_time() {
    let entries = entries();
    for setup in Setup::all(7, 0) {
        let run = |credit_at: u64| {
            let mut bench = Bench::new(&entries, setup);
            bench.block(0);
            bench.send(2, 0, BY_3, LENGTH, 1);
            while bench.state(2, 0) != VcState::Waiting {
                bench.step();
            }
            bench.run(credit_at);
            bench.returns[3][0] = ALL;
            bench.run(40);
            assert!(bench.is_empty(), "{setup:?}, {credit_at}");
            (bench.heads.as_slice() == [1], bench.discarded())
        };
        let leaves: Vec<_> = (0..30).map(run).collect();
        let last = leaves.iter().rposition(|&(left, _)| left).unwrap();
        let before = leaves[..=last].iter().all(|&leaves| leaves == (true, 0));
        let after = leaves[last + 1..].iter().all(|&leaves| leaves == (false, 1));
        assert!(before && after, "{setup:?}: {leaves:?}");
        // Credits for two flits, one after the other on the wire, then counted; with registered requests another cycle.
        let late = if setup.pipeline == Pipeline::Five { 5 } else { 4 };
        assert_eq!(last, 7 * usize::from(setup.speedup) - late, "{setup:?}");
    }
}

#[test]
fn an_output_without_a_limit_keeps_its_packets() {
    let entries = entries();
    let mut bench = Bench::new(&entries, Setup::with(3, 1));
    bench.returns[2][0] = 0;
    (0..8).for_each(|tag| bench.send(1, 0, BY_2, LENGTH, tag));
    bench.run(500);
    assert_eq!((bench.heads.len(), bench.discarded()), (3, 0));
    assert_eq!(
        (bench.state(1, 0), bench.pins.router().age(PortId::new(1), VcId::new(0))),
        (VcState::Waiting, 0)
    );
    let mut off = Bench::new(&entries, Setup::with(0, 1));
    assert!(!off.plan.lifetimes.is_on());
    off.block(0);
    off.send(2, 0, BY_3, LENGTH, 1);
    off.run(500);
    assert_eq!((off.state(2, 0), off.discarded()), (VcState::Waiting, 0));
}

/// With wormhole flow control, the head has gone ahead: the rest waits.
#[test]
fn what_is_leaving_is_not_discarded() {
    let entries = entries();
    let mut bench = Bench::new(&entries, Setup { flow: FlowControl::Wormhole, ..Setup::with(5, 1) });
    bench.returns[3][0] = 0;
    bench.send(2, 0, BY_3, BUFFER + 3, 1);
    bench.run(200);
    assert_eq!((bench.heads.as_slice(), bench.discarded()), ([1].as_slice(), 0));
    assert!(matches!(bench.state(2, 0), VcState::Active { .. }));
    // Another one waits for the VC that it holds, and goes; its flits come later.
    bench.send(1, 0, BY_3, BUFFER + 3, 2);
    bench.run(40);
    assert_eq!((bench.discarded(), bench.state(1, 0)), (1, VcState::Idle));
    assert_eq!((bench.flits_out, bench.credits_back), (BUFFER.into(), bench.flits_in - 3));
}

/// Two in succession: then each goes at once, for eight limits; then the limit is what it was.
#[test]
fn a_lane_is_stalled() {
    let entries = entries();
    for setup in Setup::all(7, 2) {
        let mut bench = Bench::new(&entries, setup);
        let limit = 7 * bench.speedup;
        bench.block(0);
        (0..4).for_each(|tag| bench.send(2, 0, BY_3, LENGTH, tag));
        assert_eq!((bench.waits(2), bench.late(0), bench.stalled_for(0)), (limit + 1, 1, 0), "{setup:?}");
        assert_eq!((bench.waits(2), bench.late(0)), (limit + 1, 0), "{setup:?}");
        let stalled_at = bench.cycle;
        // The rest of the link cycle in which the second one goes is one of them.
        let stalled_for = bench.stalled_for(0);
        assert_eq!(stalled_for, 56 - u64::from(bench.pins.phase() == 0), "{setup:?}");
        assert_eq!((bench.waits(2), bench.waits(2)), (1, 1), "{setup:?}");
        assert_eq!((bench.stalled_for(1), bench.late(0), bench.discarded()), (0, 0, 4), "{setup:?}");
        // A router without a flit sleeps; the time goes on.
        while bench.stalled_for(0) > 0 {
            bench.step();
        }
        let from = (stalled_at - 1) / bench.speedup;
        assert_eq!(bench.cycle, (from + 56) * bench.speedup, "{setup:?}");
        bench.send(2, 0, BY_3, LENGTH, 5);
        assert_eq!((bench.waits(2), bench.late(0)), (limit + 1, 1), "{setup:?}");
        bench.run(20);
        assert_eq!((bench.discarded(), bench.credits_back), (5, bench.flits_in), "{setup:?}");
    }
}

/// A head that leaves by the lane, in between: no succession.
#[test]
fn a_packet_that_leaves_sets_the_count_back() {
    let entries = entries();
    let mut bench = Bench::new(&entries, Setup::with(7, 2));
    bench.block(0);
    bench.send(2, 0, BY_3, LENGTH, 1);
    bench.run(40);
    assert_eq!((bench.discarded(), bench.late(0)), (1, 1));
    bench.send(2, 1, BY_3_IN_1, LENGTH, 2);
    bench.run(20);
    assert_eq!((bench.heads.as_slice(), bench.late(0)), ([2].as_slice(), 1), "by another lane");
    bench.returns[3][0] = LENGTH;
    bench.send(2, 0, BY_3, LENGTH, 3);
    bench.run(20);
    assert_eq!((bench.heads.as_slice(), bench.late(0)), ([2, 3].as_slice(), 0));
    bench.send(2, 0, BY_3, LENGTH, 4);
    bench.run(40);
    assert_eq!((bench.discarded(), bench.late(0), bench.stalled_for(0)), (2, 1, 0));
}

/// While VC 0 is stalled, packets for VC 1 leave, and those for either.
#[test]
fn a_stalled_lane_is_no_other() {
    let entries = entries();
    let mut bench = Bench::new(&entries, Setup::with(20, 1));
    bench.block(0);
    bench.send(2, 0, BY_3, LENGTH, 1);
    bench.run(30);
    assert!(bench.stalled_for(0) > 0 && bench.stalled_for(1) == 0);
    bench.send(2, 0, BY_3_IN_1, LENGTH, 2);
    bench.send(2, 1, BY_3_IN_ANY, LENGTH, 3);
    bench.run(10);
    assert_eq!((bench.heads.as_slice(), bench.discarded()), ([2, 3].as_slice(), 1));
    // One for either waits for both, and its time counts for that which is not stalled.
    bench.heads.clear();
    bench.block(1);
    bench.send(2, 0, BY_3_IN_ANY, LENGTH, 5);
    assert_eq!((bench.waits(2), bench.discarded()), (21, 2));
    assert!(bench.stalled_for(0) > 0 && bench.stalled_for(0) < bench.stalled_for(1));
    // Now both are stalled, so that the next one goes at once.
    bench.send(2, 0, BY_3_IN_ANY, LENGTH, 6);
    assert_eq!((bench.waits(2), bench.stalled_for(0) > 0), (1, true));
}

/// A packet for either lane that goes while lane 0 is stalled counts for lane 1 alone; from the cycle on in which that ends, for both.
#[test]
fn a_stall_ends_in_the_cycle_that_it_says() {
    let entries = entries();
    let mut ends = [0, 0];
    for later in 100..170 {
        let mut bench = Bench::new(&entries, Setup::with(20, 1));
        bench.block(0);
        bench.block(1);
        bench.send(2, 0, BY_3, LENGTH, 1);
        assert_eq!((bench.waits(2), bench.stalled_for(1)), (21, 0));
        let from = bench.cycle;
        bench.run(later);
        bench.send(2, 0, BY_3_IN_ANY, LENGTH, 2);
        assert_eq!((bench.waits(2), bench.discarded()), (21, 2), "{later}");
        let counts = bench.stalled_for(0) == bench.stalled_for(1);
        assert_eq!(counts, bench.cycle - from >= 8 * 20, "{later} cycles later");
        ends[usize::from(counts)] += 1;
    }
    assert!(ends.iter().all(|&end| end > 10), "{ends:?}");
}

/// Of several inputs in one cycle: once. In one cycle after the other: each.
#[test]
fn those_of_one_cycle_count_once() {
    let entries = entries();
    let run = |apart: u64| {
        let mut bench = Bench::new(&entries, Setup::with(9, 7));
        bench.block(0);
        for port in 0..3 {
            bench.send(port, 0, BY_3, LENGTH, 1);
            bench.run(apart);
        }
        bench.run(30);
        assert_eq!(bench.discarded(), 3);
        assert_eq!((bench.contention(), bench.credits_back), (0, bench.flits_in));
        bench.late(0)
    };
    assert_eq!((run(0), run(1)), (1, 3));
}

#[test]
fn limits_have_their_highest_values() {
    let mut lifetimes = Lifetimes::<PORTS>::new(8);
    assert!(!lifetimes.is_on() && lifetimes.width() == 0);
    lifetimes.set_limit(PortId::new(1), HeadLimit { cycles: u32::MAX, stall_count: u8::MAX });
    let limit = lifetimes.limit(PortId::new(1));
    assert_eq!(limit, HeadLimit { cycles: MOST_LIFETIME, stall_count: 7 });
    assert_eq!(lifetimes.internal_cycles(PortId::new(1)), Some(8 * MOST_LIFETIME));
    assert_eq!((lifetimes.internal_cycles(PortId::new(0)), lifetimes.width()), (None, 28));
    assert!(limit.bits(28).all(|bit| bit));
    assert_eq!(limit.bits(28).count(), 31);
    let bits: Vec<_> = HeadLimit { cycles: 5, stall_count: 4 }.bits(4).map(u8::from).collect();
    assert_eq!(bits, [1, 0, 1, 0, 0, 0, 1]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    /// Whatever comes and however credits return, each flit that came has left or was discarded, and no packet stays.
    #[test]
    fn nothing_is_lost_and_nothing_stays(
        packets in proptest::collection::vec((0u8..3, 0u8..2, 1u32..5, 1u16..=BUFFER), 1..40),
        blocks in proptest::collection::vec((0u64..40, any::<bool>(), any::<bool>()), 1..30),
        cycles in 0u32..20,
        packet_limit in 0u32..60,
        stall_count in 0u8..4,
        speedup in 1u8..4,
        five: bool,
        wormhole: bool,
        arrival: bool,
    ) {
        let entries = entries();
        let setup = Setup {
            speedup,
            pipeline: if five { Pipeline::Five } else { Pipeline::Four },
            flow: if wormhole { FlowControl::Wormhole } else { FlowControl::Vct },
            count_at: if arrival { CountAt::Arrival } else { CountAt::Head },
            packet_limit: if cycles == 0 { packet_limit.max(4) } else { packet_limit },
            ..Setup::with(cycles, stall_count)
        };
        let mut bench = Bench::new(&entries, setup);
        let all: u64 = packets.iter().map(|&(.., length)| u64::from(length)).sum();
        for (tag, &(port, vc, router, length)) in (0..).zip(&packets) {
            bench.send(port, vc, router, length, tag);
        }
        for &(cycles, first, second) in &blocks {
            bench.returns[3] = [first, second].map(|all| if all { ALL } else { 0 });
            bench.run(cycles);
        }
        bench.returns[3] = [ALL; 2];
        bench.run(2000);
        prop_assert!(bench.is_empty());
        prop_assert_eq!((bench.flits_in, bench.credits_back), (all, all));
        prop_assert_eq!(bench.heads.len() + bench.discarded() as usize, packets.len());
        for port in 0..PORTS as u8 {
            prop_assert_eq!(bench.pins.router().contention(PortId::new(port)), 0);
        }
    }
}
