//! For how long a packet may be in the router.

use super::bench::*;
use desvio_core::lifetime::{Lifetimes, MOST_LIFETIME};
use desvio_core::links::FlowControl;
use desvio_core::options::Pipeline;
use desvio_core::plan::CountAt;
use desvio_core::vc::VcState;

/// One that packets come to, and no limit at the head of a queue.
fn limited(packet_limit: u32) -> impl Iterator<Item = Setup> {
    Setup::all(0, 0).map(move |setup| Setup { packet_limit, ..setup })
}

/// The internal cycle, the first `4` behind `written` but one in which a link cycle begins that a tick comes before.
fn fourth_tick(written: u64, tick: u64, speedup: u64) -> u64 {
    // The first link cycle is number 1.
    let begins = |link_cycle: u64| (link_cycle - 1) * speedup;
    (1..).map(|n| begins(n * tick)).filter(|&at| at > written + 1).nth(3).unwrap()
}

/// The internal cycle in which the head in VC 0 of a port is written.
fn written(bench: &mut Bench<'_>, port: u8) -> u64 {
    while bench.state(port, 0) == VcState::Idle {
        bench.step();
    }
    bench.cycle - 1
}

/// Whenever it comes: at the fourth tick, and so not before three quarters of the limit, and not after it.
#[test]
fn a_packet_is_discarded_as_it_has_seen_four_ticks() {
    let entries = entries();
    let all = |limit| Setup::all(0, 0).map(move |setup| (limit, setup));
    for (limit, setup) in [4, 8, 28].into_iter().flat_map(all) {
        for later in 0..u64::from(limit) {
            let mut bench = Bench::new(&entries, setup);
            let speedup = bench.speedup;
            bench.block(0);
            bench.plan.lifetimes.set_packet_limit(limit);
            bench.run(later * speedup);
            bench.send(2, 0, BY_3, LENGTH, 1);
            let written = written(&mut bench, 2);
            while bench.state(2, 0) == VcState::Waiting {
                bench.step();
            }
            let (asked, cycles) = (bench.cycle - 1 - written - 1, u64::from(limit) * speedup);
            assert_eq!(
                bench.cycle - 1,
                fourth_tick(written, u64::from(limit) / 4, speedup),
                "{later}: {setup:?}"
            );
            assert!((cycles * 3 / 4..=cycles).contains(&asked), "{asked} of {cycles}: {setup:?}");
            bench.run(20);
            assert_eq!((bench.discarded(), bench.late(0), bench.heads.len()), (1, 0, 0), "{setup:?}");
            assert!(bench.is_empty() && bench.credits_back == bench.flits_in, "{setup:?}");
            // A router without a packet sleeps; what comes then has its own time.
            bench.run(1000 + later);
            bench.returns[3][0] = ALL;
            bench.send(2, 0, BY_3, LENGTH, 2);
            bench.run(if limit < 8 { 0 } else { 40 });
            assert_eq!(bench.heads.len(), usize::from(limit >= 8), "{setup:?}");
        }
    }
}

/// Those behind it came later, by less than a tick or by more; they go as they come to the front, or when it is their time.
#[test]
fn each_packet_of_a_queue_has_its_own_time() {
    let entries = entries();
    for setup in limited(120) {
        for apart in [0, 30] {
            let mut bench = Bench::new(&entries, setup);
            bench.block(0);
            let speedup = bench.speedup;
            let came: Vec<_> = (0..3)
                .map(|tag| {
                    bench.send(2, 0, BY_3, LENGTH, tag);
                    // The head of an empty VC is written in the second cycle behind that in which it is sent.
                    let came = if tag == 0 { written(&mut bench, 2) } else { bench.cycle + 1 };
                    bench.run(apart * speedup);
                    came
                })
                .collect();
            let apart_in_ticks = came.iter().map(|&came| fourth_tick(came, 30, speedup)).collect::<Vec<_>>();
            for (nth, &due) in (1..).zip(&apart_in_ticks) {
                while bench.discarded() < nth {
                    bench.step();
                }
                let late = bench.cycle - 1 - due;
                assert!(if apart == 0 { late <= 8 } else { late == 0 }, "{nth}: {late}: {setup:?}");
            }
            bench.run(20);
            assert!(bench.is_empty() && bench.heads.is_empty(), "{setup:?}");
        }
    }
}

/// With wormhole flow control, the head has gone ahead: the rest waits, and what is behind it has grown too old as it comes to the front.
#[test]
fn what_is_leaving_is_not_discarded_and_what_is_behind_it_is() {
    let entries = entries();
    for pipeline in [Pipeline::Four, Pipeline::Five] {
        let setup = Setup { flow: FlowControl::Wormhole, packet_limit: 40, pipeline, ..Setup::with(0, 0) };
        for count_at in [CountAt::Head, CountAt::Arrival] {
            let mut bench = Bench::new(&entries, Setup { count_at, ..setup });
            bench.returns[3][0] = 0;
            bench.send(2, 0, BY_3, BUFFER + 2, 1);
            bench.send(2, 0, BY_2, LENGTH, 2);
            bench.run(500);
            assert_eq!((bench.heads.as_slice(), bench.discarded()), ([1].as_slice(), 0));
            assert!(matches!(bench.state(2, 0), VcState::Active { .. }));
            bench.returns[3][0] = ALL;
            bench.run(40);
            assert_eq!((bench.heads.as_slice(), bench.discarded()), ([1].as_slice(), 1));
            assert!(bench.is_empty() && bench.credits_back == bench.flits_in);
            assert_eq!(bench.contention(), 0);
        }
    }
}

#[test]
fn limits_are_whole_ticks() {
    let mut lifetimes = Lifetimes::<PORTS>::new(2);
    assert!(!lifetimes.limits_packets() && lifetimes.ticks(9) == 0);
    for (cycles, kept) in
        [(0, 0), (1, 4), (4, 4), (7, 4), (MOST_LIFETIME, MOST_LIFETIME - 3), (u32::MAX, MOST_LIFETIME - 3)]
    {
        lifetimes.set_packet_limit(cycles);
        assert_eq!((lifetimes.packet_limit(), lifetimes.limits_packets()), (kept, kept > 0), "{cycles}");
    }
    assert!(lifetimes.is_on() && !lifetimes.limits_heads() && lifetimes.width() == 0);
    lifetimes.set_packet_limit(12);
    assert_eq!([0, 2, 3, 8, 9].map(|cycle| lifetimes.ticks(cycle)), [0, 0, 1, 2, 3]);
}
