//! VL arbitration: each rule of the specification by itself, all of them against a literal reading, and shares of a link in a run.

#![allow(clippy::unwrap_used)]

use desvio_tests::matching::below;
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use router_core::alloc::vl_arbiter::{NO_LIMIT, VL_ENTRIES, VlArbiter, VlArbitration, VlEntry, VlTables};
use router_core::alloc::{AllocatorKind, ArbiterKind};
use router_core::header::{Address, Flit, Header, Packet};
use router_core::links::PortSizes;
use router_core::options::AllocationUnit;
use router_core::pins::{Bundle, FlitSignal, Pins, PortInputs};
use router_core::plan::Plan;
use router_core::route::{Arrival, Candidates, Full, Here, Route};
use router_core::router::Router;
use router_core::units::{PortClass, PortId, PortSet, VcId, VcSet};
use router_core::vc::Descriptor;
use std::collections::VecDeque;

/// A table of these VLs and weights.
fn table(entries: &[(u8, u8)]) -> [VlEntry; VL_ENTRIES] {
    core::array::from_fn(|at| {
        let (vl, weight) = entries.get(at).copied().unwrap_or_default();
        VlEntry { vl: VcId::new(vl), weight }
    })
}

fn tables(high: &[(u8, u8)], low: &[(u8, u8)], limit: u8) -> VlTables {
    VlTables { high: table(high), low: table(low), limit }
}

fn set(vls: &[u8]) -> VcSet {
    vls.iter().map(|&vl| VcId::new(vl)).collect()
}

/// The VLs of packets of `units` units each, where `vls` always have one.
fn sent(tables: &VlTables, management: &[u8], vls: &[u8], units: u16, packets: usize) -> Vec<u8> {
    let mut arbiter = VlArbiter::default();
    let one = |_| {
        let vl = arbiter.pick(tables, set(management), set(vls)).unwrap();
        arbiter.send(tables, set(management), vl, units);
        vl.number()
    };
    (0..packets).map(one).collect()
}

#[test]
fn an_entry_sends_its_weight_in_units_and_then_the_next() {
    let two = tables(&[], &[(0, 3), (1, 1)], 0);
    assert_eq!(sent(&two, &[], &[0, 1], 1, 8), [0, 0, 0, 1, 0, 0, 0, 1]);
    // A unit less would end the turn a packet earlier, one more later.
    let [less, exact, more] =
        [5, 6, 7].map(|weight| sent(&tables(&[], &[(0, weight), (1, 1)], 0), &[], &[0, 1], 3, 4));
    assert_eq!((less, exact, more), (vec![0, 0, 1, 0], vec![0, 0, 1, 0], vec![0, 0, 0, 1]));
}

/// The packet that is beyond the weight is sent as a whole, and the next turn has all of the weight again.
#[test]
fn what_goes_beyond_a_weight_is_not_carried_over() {
    let two = tables(&[], &[(0, 5), (1, 1)], 0);
    assert_eq!(sent(&two, &[], &[0, 1], 4, 6), [0, 0, 1, 0, 0, 1]);
    assert_eq!(sent(&two, &[], &[0, 1], 300, 4), [0, 1, 0, 1]);
}

#[test]
fn a_weight_of_0_is_skipped() {
    let all = tables(&[(2, 0)], &[(0, 0), (1, 1), (2, 0), (3, 1)], NO_LIMIT);
    assert_eq!(sent(&all, &[], &[0, 1, 2, 3], 1, 4), [1, 3, 1, 3]);
}

/// A VL may stand in a table several times: it has a turn at each.
#[test]
fn a_vl_has_a_turn_at_each_of_its_entries() {
    let all = tables(&[], &[(0, 1), (1, 1), (0, 2), (2, 1)], 0);
    assert_eq!(sent(&all, &[], &[0, 1, 2], 1, 10), [0, 1, 0, 0, 2, 0, 1, 0, 0, 2]);
    assert_eq!(sent(&all, &[], &[1, 2], 1, 4), [1, 2, 1, 2]);
    assert_eq!(sent(&all, &[], &[1], 1, 3), [1, 1, 1], "round the table to itself");
}

#[test]
fn a_turn_waits_for_no_packet() {
    let two = tables(&[], &[(0, 4), (1, 4)], 0);
    let mut arbiter = VlArbiter::default();
    let mut next = |vls: &[u8]| {
        let vl = arbiter.pick(&two, VcSet::EMPTY, set(vls)).unwrap();
        arbiter.send(&two, VcSet::EMPTY, vl, 1);
        vl.number()
    };
    // VL 0 has no packet in the middle of its turn: what is left of it is lost.
    assert_eq!([next(&[0, 1]), next(&[0, 1]), next(&[1])], [0, 0, 1]);
    assert_eq!([next(&[0, 1]), next(&[0, 1]), next(&[0, 1]), next(&[0, 1])], [1, 1, 1, 0]);
}

/// 64 units of 64 bytes are 4096 bytes. Limits of 1, 2 and 254 steps are 64, 128 and 16,256 units between two packets of low priority.
#[test]
fn the_limit_counts_4096_bytes_of_high_priority() {
    for (limit, units, high) in [
        (1, 1, 64),
        (1, 63, 2),
        (1, 64, 1),
        (1, 65, 1),
        (2, 1, 128),
        (2, 64, 2),
        (254, 64, 254),
        (254, 65_472, 1),
    ] {
        let both = tables(&[(0, 255)], &[(1, 1)], limit);
        let all = sent(&both, &[], &[0, 1], units, 3 * (high + 1));
        let runs: Vec<_> = all.split(|&vl| vl == 1).map(<[u8]>::len).collect();
        assert_eq!(runs, [high, high, high, 0], "limit {limit}, packets of {units} units");
    }
}

#[test]
fn a_limit_of_0_is_one_packet_and_255_is_none() {
    for units in [1, 64, 500] {
        let one = sent(&tables(&[(0, 255)], &[(1, 1)], 0), &[], &[0, 1], units, 6);
        assert_eq!(one, [0, 1, 0, 1, 0, 1]);
        let all = sent(&tables(&[(0, 1)], &[(1, 1)], NO_LIMIT), &[], &[0, 1], units, 1_000);
        assert!(all.iter().all(|&vl| vl == 0), "{units}: the low table starves");
    }
}

/// Low priority that has no packet when it is asked has been asked: the count begins anew.
#[test]
fn low_priority_without_a_packet_loses_its_opportunity() {
    let both = tables(&[(0, 255)], &[(1, 1)], 1);
    let mut arbiter = VlArbiter::default();
    let mut next = |vls: &[u8], units| {
        let vl = arbiter.pick(&both, VcSet::EMPTY, set(vls)).unwrap();
        arbiter.send(&both, VcSet::EMPTY, vl, units);
        vl.number()
    };
    assert_eq!([next(&[0], 64), next(&[0], 32), next(&[0, 1], 31)], [0, 0, 0]);
    assert_eq!([next(&[0, 1], 1), next(&[0, 1], 1), next(&[0, 1], 1)], [0, 1, 0]);
}

/// While high priority may send, the VL is high priority's, and the low table's turn does not move; then it is the low table's.
#[test]
fn a_vl_in_both_tables_is_charged_where_it_is_served() {
    let both = tables(&[(0, 255)], &[(0, 2), (1, 2)], 0);
    assert_eq!(sent(&both, &[], &[0, 1], 1, 9), [0, 0, 0, 0, 0, 1, 0, 1, 0]);
    // Alone it sends by both in turns, and low priority still has its turn where it was.
    let mut arbiter = VlArbiter::default();
    for _ in 0..3 {
        arbiter.send(&both, VcSet::EMPTY, VcId::new(0), 1);
    }
    assert_eq!(
        arbiter.pick(&both, VcSet::EMPTY, set(&[0, 1])),
        Some(VcId::new(0)),
        "the low table, whose turn is VL 0's"
    );
}

#[test]
fn management_goes_first_and_costs_nothing() {
    let both = tables(&[(0, 1), (3, 9)], &[(1, 2), (2, 1)], 0);
    assert_eq!(sent(&both, &[3], &[0, 1, 2, 3], 64, 5), [3; 5], "whatever the tables say of it");
    let mut arbiter = VlArbiter::default();
    let mut seen = Vec::new();
    for packet in 0..8 {
        let vls: &[u8] = if packet % 2 == 0 { &[0, 1, 2, 3] } else { &[0, 1, 2] };
        let vl = arbiter.pick(&both, set(&[3]), set(vls)).unwrap();
        arbiter.send(&both, set(&[3]), vl, 1);
        seen.push(vl.number());
    }
    assert_eq!(seen, [3, 0, 3, 1, 3, 0, 3, 1], "the others as without it");
}

#[test]
fn a_vl_in_no_table_is_late_and_never_stuck() {
    let some = tables(&[(0, 1)], &[(1, 1)], NO_LIMIT);
    let mut arbiter = VlArbiter::default();
    assert_eq!(arbiter.pick(&some, VcSet::EMPTY, set(&[1, 2, 3])), Some(VcId::new(1)));
    assert_eq!(arbiter.pick(&some, VcSet::EMPTY, set(&[2, 3])), Some(VcId::new(2)));
    let before = arbiter;
    arbiter.send(&some, VcSet::EMPTY, VcId::new(2), 9);
    assert_eq!(arbiter, before, "nothing is charged");
    assert_eq!(arbiter.pick(&VlTables::NONE, VcSet::EMPTY, set(&[5, 6])), Some(VcId::new(5)));
    assert_eq!(arbiter.pick(&some, VcSet::EMPTY, VcSet::EMPTY), None);
}

/// A packet counts its bytes rounded up to whole units.
#[test]
fn units_are_64_bytes_rounded_up() {
    let units = |bytes, flits| VlArbitration::<1>::new(bytes, VcSet::EMPTY).units(flits);
    assert_eq!([units(64, 1), units(64, 1023), units(16, 4), units(16, 5), units(1, 1)], [1, 1023, 1, 2, 1]);
    assert_eq!(
        [units(32, 3), units(100, 2), units(4096, 1023), units(63, 64), units(65, 63)],
        [2, 4, 65_472, 63, 64]
    );
}

/// The specification's procedure, word by word, with a list of entries that turns and weights that are counted down. It is not the
/// program's: there is no function of the winner, no count upwards, no saturation.
struct Literal {
    /// Each table's entries, the one whose turn it is in front, and what is left of its weight.
    high: (VecDeque<(u8, i64)>, i64),
    low: (VecDeque<(u8, i64)>, i64),
    /// HighPriCounter, in units of 64 bytes; nothing where it has no limit.
    limit: Option<i64>,
    counter: i64,
}

impl Literal {
    fn new(tables: &VlTables) -> Self {
        let list = |table: [VlEntry; VL_ENTRIES]| {
            let list: VecDeque<_> = table.iter().map(|e| (e.vl.number(), i64::from(e.weight))).collect();
            let left = list[0].1;
            (list, left)
        };
        let limit = match tables.limit {
            255 => None,
            steps => Some(i64::from(steps) * 4096 / 64),
        };
        Self { high: list(tables.high), low: list(tables.low), limit, counter: limit.unwrap_or(0) }
    }

    /// Inspects the current entry, and the ones after it until all have been inspected: sends, and takes the units off.
    fn table((list, left): &mut (VecDeque<(u8, i64)>, i64), ready: &[bool], units: i64) -> Option<u8> {
        let (mut turned, mut now) = (list.clone(), *left);
        for _ in 0..=list.len() {
            let (vl, _) = turned[0];
            if now > 0 && ready[usize::from(vl)] {
                (*list, *left) = (turned, now - units);
                return Some(vl);
            }
            turned.rotate_left(1);
            now = turned[0].1;
        }
        None
    }

    /// The VL that sends a packet, of those that have one; all packets have so many units.
    fn send(&mut self, management: &[u8], ready: &[bool], units: i64) -> Option<u8> {
        if let Some(&vl) = management.iter().find(|&&vl| ready[usize::from(vl)]) {
            return Some(vl);
        }
        // "Only a single packet" of a limit of 0: the counter has not expired before that packet.
        let fresh = self.limit == Some(0) && self.counter == 0;
        let expired = self.limit.is_some() && self.counter <= 0 && !fresh;
        let count = |counter: &mut i64, from: i64| *counter = from - units;
        if !expired && let Some(vl) = Self::table(&mut self.high, ready, units) {
            let from = self.counter;
            count(&mut self.counter, from);
            return Some(vl);
        }
        // High priority has no packet, or its counter has expired: the counter is reset, and low priority is active.
        let reset = self.limit.unwrap_or(0);
        if let Some(vl) = Self::table(&mut self.low, ready, units) {
            self.counter = reset;
            return Some(vl);
        }
        if let Some(vl) = Self::table(&mut self.high, ready, units) {
            count(&mut self.counter, reset);
            return Some(vl);
        }
        (0..8).find(|&vl| ready[usize::from(vl)])
    }
}

/// Drawn tables, limits, packets and lanes that have some: what is sent is what the literal reading sends.
#[test]
fn arbitration_is_what_the_specification_says() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(17);
    let (mut sent, mut seen) = (0u32, [0u32; 8]);
    for _ in 0..2_000 {
        let mut below = |n: usize| below(n, &mut random);
        let entries = below(9);
        let mut list = || -> Vec<(u8, u8)> {
            let weight = |kind: usize, any: usize| [0, 1, any as u8 % 8, any as u8, 255][kind];
            (0..entries).map(|_| (below(8) as u8, weight(below(5), below(256)))).collect()
        };
        let (high, low) = (list(), list());
        let limit = [0, 1, 2, 3, 254, 255][below(6)];
        let management: Vec<u8> = if below(4) == 0 { vec![below(8) as u8] } else { Vec::new() };
        let tables = tables(&high, &low, limit);
        let (mut literal, mut arbiter) = (Literal::new(&tables), VlArbiter::default());
        let most = [2, 70, 300][below(3)];
        for _ in 0..300 {
            let ready: Vec<bool> = (0..8).map(|_| below(3) > 0).collect();
            let units = 1 + below(most) as u16;
            let vls: Vec<u8> = (0..8).filter(|&vl| ready[usize::from(vl)]).collect();
            let picked = arbiter.pick(&tables, set(&management), set(&vls)).map(VcId::number);
            let expected = literal.send(&management, &ready, units.into());
            assert_eq!(picked, expected, "{tables:?}, {management:?}, {vls:?}, {units} units");
            if let Some(vl) = picked {
                arbiter.send(&tables, set(&management), VcId::new(vl), units);
                (sent, seen[usize::from(vl)]) = (sent + 1, seen[usize::from(vl)] + 1);
            }
        }
    }
    assert!(sent > 500_000 && seen.iter().all(|&vl| vl > 30_000), "{sent}: {seen:?}");
}

/// The way up.
const UP: PortId = PortId::new(4);

/// All packets go up, each by the VC that it came by.
struct Lanes;

impl Route for Lanes {
    fn offer(&self, _: &Here, from: Arrival, _: &Header) -> Result<Candidates, Full> {
        Ok(Candidates::minimal(PortSet::only(UP), VcSet::only(from.vc)))
    }
}

/// A router with a way up, and four nodes with a lane each that all send up: the heads that leave, by VL.
fn up(lanes: VlTables, (flits, flit_bytes): (u16, u16), speedup: u8, cycles: u32) -> Vec<u8> {
    const PORTS: usize = 6;
    let sizes = PortSizes { vcs: 4, buffer: 64 };
    let node = PortClass::NODE;
    let classes = [node, node, node, node, PortClass::LOCAL, PortClass::LOCAL];
    let mut plan = Plan::<PORTS>::new(&classes, &[sizes; 2]).unwrap();
    plan.options.output_flits = 4;
    plan.options.allocator = AllocatorKind::SeparableOutputFirst;
    plan.options.arbiter = ArbiterKind::Matrix;
    plan.options.allocation_unit = AllocationUnit::Packet;
    let mut all = VlArbitration::new(flit_bytes, VcSet::EMPTY);
    all.set_tables(UP, lanes);
    plan.vl_arbitration = Some(all);
    let here = Here { router: 1, wired: PortSet::first_n(PORTS), ..Here::default() };
    let store = vec![Descriptor::default(); plan.links.places()];
    let mut pins = Pins::<_, PORTS, 4, 4>::new(Router::new(&plan, here, store, 1, 1), speedup);
    let (mut left, mut credits, mut back, mut heads) = ([0u16; 4], [64u16; 4], None, Vec::new());
    for _ in 0..cycles * u32::from(speedup) {
        let mut inputs = Bundle::<PORTS>::default();
        let opens = pins.phase() == 0;
        for vl in 0..4usize {
            let mut flit = None;
            if opens && (left[vl] > 0 || credits[vl] >= flits) {
                let header =
                    Header { to: Address { router: 2, port: 0 }, length: flits, ..Header::default() };
                flit = Some(match left[vl] {
                    0 => Flit::Head(Packet { header, tag: 0 }),
                    left => Flit::Body { tail: left == 1 },
                });
                left[vl] = if left[vl] == 0 { flits - 1 } else { left[vl] - 1 };
                credits[vl] -= 1;
            }
            let flit = flit.map(|flit| FlitSignal { vc: VcId::new(vl as u8), flit });
            inputs.set(PortId::new(vl as u8), PortInputs { flit, credit: None });
        }
        inputs.set(UP, PortInputs { flit: None, credit: back.take() });
        let (outputs, result) = pins.step(&plan, &Lanes, &inputs);
        result.unwrap();
        for (vl, credits) in credits.iter_mut().enumerate() {
            *credits += u16::from(outputs.at(PortId::new(vl as u8)).credit.is_some());
        }
        if let Some(FlitSignal { vc, flit }) = outputs.at(UP).flit {
            back = Some(vc);
            if matches!(flit, Flit::Head(_)) {
                heads.push(vc.number());
            }
        }
    }
    heads
}

/// Saturated lanes share a link as their weights: packet for packet, whatever the size of a flit, at a full link.
#[test]
fn saturated_lanes_share_a_link_by_their_weights() {
    for (flits, bytes, speedup) in [(4, 64, 1), (4, 64, 2), (8, 32, 2), (5, 50, 2)] {
        // Packets of 4 units, weights of 1, 2, 3 and 4 of them.
        let lanes = tables(&[], &[(0, 4), (1, 8), (2, 12), (3, 16)], 0);
        let heads = up(lanes, (flits, bytes), speedup, 4_000);
        assert!(heads.len() * usize::from(flits) > 3_900, "{} packets of {flits} flits", heads.len());
        // From when all lanes have something on: round after round.
        let settled = &heads[20..];
        let start = settled.windows(2).position(|pair| pair == [3, 0]).unwrap() + 1;
        for round in settled[start..].chunks_exact(10) {
            assert_eq!(round, [0, 1, 1, 2, 2, 2, 3, 3, 3, 3], "{flits} flits of {bytes} bytes");
        }
    }
}

/// High priority with a limit of 4096 bytes leaves one packet of low priority for each 64 units.
#[test]
fn a_limit_divides_a_link_between_high_and_low_priority() {
    let lanes = tables(&[(3, 255)], &[(0, 1), (1, 1), (2, 1)], 1);
    let heads = up(lanes, (16, 64), 2, 20_000);
    for (at, five) in heads[10..].chunks_exact(5).enumerate() {
        assert_eq!(five.iter().filter(|&&vl| vl == 3).count(), 4, "{at}: {five:?}");
    }
    let of = |vl| heads.iter().filter(|&&other| other == vl).count();
    assert!(of(0).abs_diff(of(1)) <= 1 && of(1).abs_diff(of(2)) <= 1, "{heads:?}");
}
