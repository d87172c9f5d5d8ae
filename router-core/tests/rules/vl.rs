//! VL arbitration by the rules of `docs/infiniband.md`, written a second time, packet by packet over random tables.

use desvio_core::alloc::vl_arbiter::{VlArbiter, VlArbitration, VlEntry, VlTables};
use desvio_core::units::{PortId, VcId, VcSet};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro128PlusPlus;

/// The state of an output: of each table the entry that has the turn and what it has sent, and what high priority has.
#[derive(Clone, Debug, Default)]
struct Rules {
    high: (usize, u32),
    low: (usize, u32),
    sent: u32,
}

enum Table {
    High((usize, u32)),
    Low((usize, u32)),
}

/// Who has the turn: the entry goes on while it has sent fewer units than its weight and has a packet; else the next one with a packet.
fn turn(table: &[VlEntry], (at, spent): (usize, u32), vcs: VcSet) -> Option<(usize, u32)> {
    let has = |entry: &VlEntry| entry.weight > 0 && vcs.contains(entry.vl);
    if has(&table[at]) && spent < u32::from(table[at].weight) {
        return Some((at, spent));
    }
    (1..=table.len())
        .map(|step| (at + step) % table.len())
        .find(|&next| has(&table[next]))
        .map(|next| (next, 0))
}

impl Rules {
    fn served(&self, tables: &VlTables, vcs: VcSet) -> Option<Table> {
        let high = turn(&tables.high, self.high, vcs).map(Table::High);
        let low = turn(&tables.low, self.low, vcs).map(Table::Low);
        let is_over = match tables.limit {
            0 => self.sent > 0,
            255 => false,
            limit => self.sent >= u32::from(limit) * 64,
        };
        if is_over { low.or(high) } else { high.or(low) }
    }

    fn pick(&self, tables: &VlTables, management: VcSet, vcs: VcSet) -> Option<VcId> {
        if let Some(first) = vcs.and(management).first() {
            return Some(first);
        }
        match self.served(tables, vcs) {
            Some(Table::High((at, _))) => Some(tables.high[at].vl),
            Some(Table::Low((at, _))) => Some(tables.low[at].vl),
            None => vcs.first(),
        }
    }

    fn send(&mut self, tables: &VlTables, management: VcSet, vc: VcId, units: u32) {
        if management.contains(vc) {
            return;
        }
        let is_over = matches!((tables.limit, self.sent), (0, 1..))
            || !matches!(tables.limit, 0 | 255) && self.sent >= u32::from(tables.limit) * 64;
        match self.served(tables, VcSet::only(vc)) {
            Some(Table::High((at, spent))) => {
                // Low priority has been asked, and had nothing: the count begins anew.
                self.sent = if is_over { 0 } else { self.sent } + units;
                self.high = (at, spent + units);
            }
            Some(Table::Low((at, spent))) => {
                self.sent = 0;
                self.low = (at, spent + units);
            }
            None => {}
        }
    }
}

fn entries(random: &mut Xoshiro128PlusPlus, vls: u32) -> [VlEntry; 8] {
    std::array::from_fn(|_| {
        let weight = [0, 1, 2, 7, 64, 255][random.next_u32() as usize % 6];
        VlEntry { vl: VcId::new((random.next_u32() % vls) as u8), weight }
    })
}

/// Proves: weights, limits and management are served as the rules say, over random tables and packets.
#[test]
fn lanes_are_served_as_the_rules_say() {
    for seed in 0..400 {
        let mut random = Xoshiro128PlusPlus::seed_from_u64(seed);
        let tables = VlTables {
            high: entries(&mut random, 4),
            low: entries(&mut random, 5),
            limit: [0, 1, 2, 6, 254, 255][random.next_u32() as usize % 6],
        };
        let management = VcSet::from_bits(if seed % 3 == 0 { 0b1000_0000 } else { 0 });
        let (mut rules, mut arbiter) = (Rules::default(), VlArbiter::default());
        for packet in 0..300 {
            let wants = random.next_u32();
            let vcs = VcSet::from_bits(
                (if packet % 2 == 0 { wants } else { wants | wants >> 8 }) as u8
                    & if packet % 5 == 0 { 0xff } else { 0x1f },
            );
            let picked = arbiter.pick(&tables, management, vcs);
            assert_eq!(picked, rules.pick(&tables, management, vcs), "{tables:?} {rules:?} {vcs:?}");
            let Some(vc) = picked else { continue };
            let units = [1, 1, 2, 5, 33, 64, 256][random.next_u32() as usize % 7];
            arbiter.send(&tables, management, vc, units);
            rules.send(&tables, management, vc, units.into());
            // Of each table the entry, in 3 bits, and what it has sent, in 8; then what high priority has, where that has a limit.
            let turn = |(at, spent): (usize, u32)| at as u64 | u64::from(spent.min(255)) << 3;
            assert_eq!(arbiter.registers() & ((1 << 22) - 1), turn(rules.high) | turn(rules.low) << 11);
            if (1..255).contains(&tables.limit) {
                assert_eq!(arbiter.registers() >> 22, u64::from(rules.sent));
            }
        }
    }
}

/// Proves: lanes that always have a packet share a link packet for packet as their weights.
#[test]
fn shares_are_the_weights() {
    let entry = |vl, weight| VlEntry { vl: VcId::new(vl), weight };
    let mut tables = VlTables::NONE;
    (tables.low[0], tables.low[1], tables.low[3]) = (entry(0, 16), entry(1, 48), entry(2, 2));
    let mut arbiter = VlArbiter::default();
    let mut sent = [0; 3];
    for _ in 0..33 * 10 {
        let vc = arbiter.pick(&tables, VcSet::EMPTY, VcSet::first_n(3)).unwrap();
        sent[vc.index()] += 1;
        // Packets of two units: 8, 24 and 1 in a round.
        arbiter.send(&tables, VcSet::EMPTY, vc, 2);
    }
    assert_eq!(sent, [80, 240, 10]);
}

/// Proves: a packet counts its bytes, rounded up to units of 64.
#[test]
fn bytes_are_rounded_up_to_units() {
    for (flit_bytes, flits, units) in [
        (1, 1, 1),
        (1, 64, 1),
        (1, 65, 2),
        (3, 21, 1),
        (3, 22, 2),
        (64, 5, 5),
        (65, 1, 2),
        (4096, 2, 128),
        (4096, 1024, u16::MAX),
        (4096, 1023, 65472),
    ] {
        assert_eq!(
            VlArbitration::<2>::new(flit_bytes, VcSet::EMPTY).units(flits),
            units,
            "{flits} of {flit_bytes}"
        );
    }
}

/// Proves: rows of the table memory hold for each entry the VL in 3 bits and the weight in 8, high priority first, then the limit.
#[test]
fn rows_have_vl_and_weight_high_priority_first() {
    let mut random = Xoshiro128PlusPlus::seed_from_u64(1);
    let tables = VlTables { high: entries(&mut random, 8), low: entries(&mut random, 8), limit: 0xa5 };
    let mut expected = Vec::new();
    for entry in tables.high.iter().chain(&tables.low) {
        expected.extend((0..3).map(|bit| entry.vl.number() >> bit & 1 == 1));
        expected.extend((0..8).map(|bit| entry.weight >> bit & 1 == 1));
    }
    expected.extend((0..8).map(|bit| 0xa5_u8 >> bit & 1 == 1));
    assert_eq!(expected.len(), 184);
    assert_eq!(tables.bits().collect::<Vec<_>>(), expected);
    // Each output has its own, an output that is not there none; lanes that no VC can be are left out.
    let mut all = VlArbitration::<3>::new(8, VcSet::first_n(1));
    all.set_tables(PortId::new(1), tables);
    assert_eq!(
        (*all.tables(PortId::new(1)), *all.tables(PortId::new(0)), *all.tables(PortId::new(9))),
        (tables, VlTables::default(), VlTables::NONE)
    );
    let narrow = all.narrowed::<2>();
    assert_eq!(
        (*narrow.tables(PortId::new(1)), narrow.flit_bytes, narrow.management),
        (tables, 8, VcSet::first_n(1))
    );
    assert_eq!(*all.narrowed::<5>().tables(PortId::new(1)), tables);
    let mut beyond = tables;
    beyond.low[3] = VlEntry { vl: VcId::new(8), weight: 3 };
    beyond.high[2] = VlEntry { vl: VcId::new(7), weight: 3 };
    all.set_tables(PortId::new(2), beyond);
    let kept = all.tables(PortId::new(2));
    assert_eq!((kept.low[3], kept.high[2], kept.low[2]), (VlEntry::default(), beyond.high[2], beyond.low[2]));
}
