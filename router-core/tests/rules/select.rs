//! Triggers by `docs/scenarios.md` and `docs/olm.md`: when a detour is considered and which one is good enough, at every occupancy and count of
//! a small router, by fractions of whole numbers.

use desvio_core::contention::Contention;
use desvio_core::fixed::{U1F15, U8F8};
use desvio_core::lent::Lent;
use desvio_core::lfsr::Lfsr;
use desvio_core::links::{FlowControl, Links, PortSizes};
use desvio_core::output::OutputPort;
use desvio_core::per_port::PerPort;
use desvio_core::route::{CandidateSet, Candidates, HopKind};
use desvio_core::select::contention::ContentionTrigger;
use desvio_core::select::contention_average::AverageTrigger;
use desvio_core::select::ectn::EctnTrigger;
use desvio_core::select::hybrid::HybridTrigger;
use desvio_core::select::occupancy::{GlobalRestriction, OccupancyTrigger};
use desvio_core::select::ugal::{Queue, UgalTrigger};
use desvio_core::select::{Outputs, Selection, Waiting, always, never};
use desvio_core::units::{Channel, PortClass, PortId, PortSet, VcId, VcSet};

const PORTS: usize = 8;
const VCS: usize = 2;
/// Port 0 leads to a node, 1 and 2 are local links, 3 to 5 global ones; port 6 is a global one that is not connected.
const LOCAL_DEPTH: u16 = 6;
const GLOBAL_DEPTH: u16 = 12;

/// A router as its outputs show it.
struct Bench {
    links: Links<PORTS>,
    ports: PerPort<OutputPort<VCS>, PORTS>,
    owned: PerPort<VcSet, PORTS>,
    lent: Lent<PORTS, VCS>,
    contention: Contention<PORTS>,
    full: PortSet,
    asks_one: bool,
    waits_for_detours: bool,
}

impl Bench {
    fn new() -> Self {
        let classes = [0, 1, 1, 2, 2, 2, 2].map(PortClass::new);
        let sizes = [4, LOCAL_DEPTH, GLOBAL_DEPTH].map(|buffer| PortSizes { vcs: VCS as u8, buffer });
        let links = Links::new(&classes, &sizes).unwrap();
        let ports = PerPort::from_fn(|port| OutputPort::new(links.buffer(PortId::new(port as u8))));
        Self {
            links,
            ports,
            owned: PerPort::default(),
            lent: Lent::NONE,
            contention: Contention::new(false),
            full: PortSet::EMPTY,
            asks_one: false,
            waits_for_detours: false,
        }
    }

    /// With so many places in use behind a VC.
    fn used(mut self, port: u8, vc: u8, flits: u16) -> Self {
        let out = self.ports.get_mut(PortId::new(port)).unwrap();
        (0..flits).for_each(|_| out.credits.take(VcId::new(vc)));
        self
    }

    /// With so many packets counted at a port.
    fn counted(mut self, port: u8, packets: u16) -> Self {
        (0..packets).for_each(|_| self.contention.rise(PortId::new(port)));
        self
    }

    fn outputs(&self) -> Outputs<'_, PORTS, VCS> {
        Outputs {
            links: &self.links,
            ports: &self.ports,
            owned: &self.owned,
            lent: &self.lent,
            contention: &self.contention,
            wired: PortSet::first_n(6),
            waits_for_detours: self.waits_for_detours,
            asks_one: self.asks_one,
            full: self.full,
            held: PortSet::EMPTY,
        }
    }

    /// What a packet of `length` flits at the node's VC requests.
    fn choose(&self, selection: &Selection, candidates: &Candidates, minimal: u8, length: u16) -> Vec<u8> {
        self.choose_with(selection, candidates, minimal, length, 1)
    }

    fn choose_with(
        &self,
        selection: &Selection,
        candidates: &Candidates,
        minimal: u8,
        length: u16,
        seed: u64,
    ) -> Vec<u8> {
        let at = Channel::new(PortId::new(0), VcId::new(0));
        let tap = Lfsr::new(seed, 0).tap(0, 0);
        let packet = Waiting { at, candidates, minimal: PortId::new(minimal), length, tap };
        selection.choose(&packet, &self.outputs()).iter().map(PortId::number).collect()
    }
}

fn ports(numbers: &[u8]) -> PortSet {
    numbers.iter().map(|&number| PortId::new(number)).collect()
}

fn set(numbers: &[u8], vc: u8, kind: HopKind, hops: u8) -> CandidateSet {
    CandidateSet { ports: ports(numbers), vcs: VcSet::only(VcId::new(vc)), kind, hops }
}

fn candidates(sets: &[CandidateSet]) -> Candidates {
    let mut all = Candidates::NONE;
    sets.iter().for_each(|set| all.offer(*set).unwrap());
    all
}

/// A minimal hop and a detour, of one port each, on VC 0 behind the first and VC 1 behind the other.
fn two_ways(minimal: u8, detour: u8, kind: HopKind) -> Candidates {
    candidates(&[set(&[minimal], 0, HopKind::Minimal, 2), set(&[detour], 1, kind, 3)])
}

const LENGTH: u16 = 3;

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
