//! Triggers by contention counters.

use super::*;

/// Proves: from so many packets on an output is contended, and a detour is taken by which fewer packets want to go.
#[test]
fn contention_begins_at_its_threshold() {
    let all = two_ways(1, 3, HopKind::GlobalMisroute);
    for threshold in 1..=4 {
        let selection = Selection::Contention(ContentionTrigger { threshold });
        for (minimal, detour) in (0..7).flat_map(|minimal| (0..7).map(move |detour| (minimal, detour))) {
            let bench = Bench::new().counted(1, minimal).counted(3, detour);
            let taken = minimal >= threshold && detour < threshold;
            assert_eq!(
                bench.choose(&selection, &all, 1, LENGTH),
                [if taken { 3 } else { 1 }],
                "{threshold}: {minimal} {detour}"
            );
        }
        // Not if there is no room behind it.
        let bench = Bench::new().counted(1, 5).used(3, 1, GLOBAL_DEPTH - LENGTH + 1);
        assert_eq!(bench.choose(&selection, &all, 1, LENGTH), [1]);
        let bench = Bench::new().counted(1, 5).used(3, 1, GLOBAL_DEPTH - LENGTH);
        assert_eq!(bench.choose(&selection, &all, 1, LENGTH), [3]);
    }
    let mut bench = Bench::new().counted(1, 2).counted(3, 4);
    assert_eq!(
        (bench.contention.at(PortId::new(1)), bench.contention.at(PortId::new(3)), bench.contention.total()),
        (2, 4, 6)
    );
    bench.contention.fall(PortId::new(3));
    assert_eq!(
        (bench.contention.at(PortId::new(1)), bench.contention.at(PortId::new(3)), bench.contention.total()),
        (2, 3, 5)
    );
}

/// Proves: an output is contended above so many times the mean of the counters of all connected ports, by more than the packet itself.
#[test]
fn contention_is_compared_with_the_mean() {
    let all = two_ways(1, 3, HopKind::GlobalMisroute);
    for factor in [0, 256, 384, 1024] {
        let selection = Selection::ContentionAverage(AverageTrigger { factor: U8F8::from_bits(factor) });
        for (minimal, detour, others) in
            (1..7).flat_map(|m| (0..7).flat_map(move |d| [0, 4, 9].map(|o| (m, d, o))))
        {
            let bench = Bench::new().counted(1, minimal).counted(3, detour).counted(4, others);
            // Six ports are connected.
            let above = |count: u16| {
                u64::from(count) * 6 * 256 > u64::from(factor) * u64::from(minimal + detour + others)
            };
            let taken = minimal > 1 && above(minimal) && !above(detour);
            assert_eq!(
                bench.choose(&selection, &all, 1, LENGTH),
                [if taken { 3 } else { 1 }],
                "{factor}: {minimal} {detour} {others}"
            );
        }
    }
}

/// Proves: with registered requests the mean is that of three cycles before: added, multiplied, divided.
#[test]
fn a_late_mean_is_three_cycles_old() {
    let all = two_ways(1, 3, HopKind::GlobalMisroute);
    let factor = U8F8::from_bits(384);
    let selection = Selection::ContentionAverage(AverageTrigger { factor });
    let totals = [9, 30, 12, 7, 0, 0, 0, 0];
    let mut bench = Bench::new();
    bench.contention = Contention::new(true);
    let mut bench = bench.counted(1, 3);
    for (cycle, total) in totals.into_iter().enumerate() {
        // Whole packets of 1.5 times the mean of six ports, three cycles before.
        let mean = cycle.checked_sub(3).map_or(0, |at| totals[at] * 384 / (6 * 256));
        assert_eq!(bench.contention.late_mean.unwrap().packets(), mean as u32, "{cycle}");
        assert_eq!(bench.choose(&selection, &all, 1, LENGTH), [if 3 > mean { 3 } else { 1 }]);
        let late = bench.contention.late_mean.unwrap();
        bench.contention.late_mean = Some(late.next(Some(factor), total as u32, 6));
    }
}

/// Proves: the hybrid trigger takes a detour for either reason, and for the one that allows it.
#[test]
fn hybrid_is_occupancy_or_contention() {
    let all = two_ways(1, 2, HopKind::LocalMisroute);
    let occupancy = OccupancyTrigger {
        minimal_occupancy: U1F15::from_bits(0),
        relative_threshold: U8F8::from_bits(128),
        global_restriction: None,
    };
    let selection =
        Selection::Hybrid(HybridTrigger { occupancy, contention: ContentionTrigger { threshold: 3 } });
    for (used, other) in (0..=6u16).flat_map(|used| (0..=6u16).map(move |other| (used, other))) {
        for (minimal, detour) in (1..5).flat_map(|minimal| (0..5).map(move |detour| (minimal, detour))) {
            let bench =
                Bench::new().used(1, 0, used).used(2, 1, other).counted(1, minimal).counted(2, detour);
            let by_occupancy = 6 - used < LENGTH && 2 * other <= used;
            let by_contention = minimal >= 3 && detour < 3;
            let taken = (by_occupancy || by_contention) && 6 - other >= LENGTH;
            assert_eq!(
                bench.choose(&selection, &all, 1, LENGTH),
                [if taken { 2 } else { 1 }],
                "{used} {other} {minimal} {detour}"
            );
        }
    }
}

/// Proves: ECtN is contention by the router's own counters where no notice has come, and its sums count from the threshold on.
#[test]
fn ectn_begins_at_its_thresholds() {
    let trigger = EctnTrigger {
        contention: ContentionTrigger { threshold: 3 },
        combined_threshold: 10,
        period: 100,
        counters_per_flit: 20,
    };
    let all = two_ways(1, 3, HopKind::GlobalMisroute);
    for (minimal, detour) in (0..6).flat_map(|minimal| (0..6).map(move |detour| (minimal, detour))) {
        let bench = Bench::new().counted(1, minimal).counted(3, detour);
        let taken = minimal >= 3 && detour < 3;
        assert_eq!(bench.choose(&Selection::Ectn(trigger), &all, 1, LENGTH), [if taken { 3 } else { 1 }]);
        let channel = Channel::new(PortId::new(0), VcId::new(0));
        let mut told = bench;
        told.contention.notices.replace([4].into_iter());
        told.contention.notices.heed(channel, Some(4));
        assert!(told.contention.notices.has_told(channel));
        assert_eq!(told.choose(&Selection::Ectn(trigger), &all, 1, LENGTH), [if detour < 3 { 3 } else { 1 }]);
        told.contention.notices.heed(channel, Some(5));
        assert_eq!(told.choose(&Selection::Ectn(trigger), &all, 1, LENGTH), [if taken { 3 } else { 1 }]);
        // UGAL follows notices of its group, too.
        let ugal = Selection::Ugal(UgalTrigger { bias: 900, queue: Queue::Packets });
        told.contention.notices.heed(channel, Some(4));
        assert_eq!(told.choose(&ugal, &all, 1, LENGTH), [3]);
        told.contention.notices.heed(channel, None);
        assert_eq!(told.choose(&ugal, &all, 1, LENGTH), [1]);
    }
    assert_eq!(
        [8, 9, 10, 11, 70_000].map(|packets| trigger.is_contended(packets)),
        [false, false, true, true, true]
    );
    // 20 counters in a flit: 8 other groups take one, 20 one, 21 two; without a number they go by wires.
    assert_eq!([0, 1, 8, 20, 21, 40, 41].map(|groups| trigger.flits(groups)), [0, 1, 1, 1, 2, 2, 3]);
    assert_eq!(EctnTrigger { counters_per_flit: 0, ..trigger }.flits(8), 0);
}
