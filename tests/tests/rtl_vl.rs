//! VL arbitration of the RTL (`hdl/`) beside that of `router-core`: an allocator of three ports with four VCs, grants and registers in
//! every cycle, by drawn tables, requests and packets.
#![allow(clippy::unwrap_used)]

use desvio_tests::matching::below;
use desvio_tests::rtl::{hdl, source};
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use router_core::alloc::vl_arbiter::{NO_LIMIT, VL_ENTRIES, VlArbitration, VlEntry, VlTables};
use router_core::alloc::{Allocation, Allocator, AllocatorKind, ArbiterKind, Requests};
use router_core::layout::{VL_STATE_BITS, VL_TABLES_BITS};
use router_core::units::{PortId, PortSet, VcId, VcSet};
use verilated::{BuildError, Design, Input, Model, Output, Run};

const SOURCES: [&str; 13] = [
    "pkg",
    "arbiter_pick",
    "arbiter_state",
    "vl_turn",
    "vl_pick",
    "vl_state",
    "one_arbiter",
    "output_arbiter",
    "separable_input_first",
    "separable_output_first",
    "seized",
    "wavefront",
    "allocator",
];

const P: usize = 3;
const V: usize = 4;
const MANAGEMENT: VcSet = VcSet::from_bits(0b1000);
const STATES: &str = "dsv_allocator.vl_states";

/// The RTL's allocator; nothing and a message without Verilator, unless `DESVIO_REQUIRE_TOOLS=1`.
fn model() -> Option<Model> {
    let design = Design::new(format!("{}allocator", desvio_hdl::PREFIX));
    let design = SOURCES.iter().fold(design, |design, noun| design.source(source(&hdl(), noun)));
    let design = design
        .source(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/slow/rtl_alloc/probe.vlt"))
        .parameter("PORTS", P as u32)
        .parameter("VCS", V as u32)
        .parameter("ALLOCATOR", AllocatorKind::SeparableOutputFirst.rtl().unwrap())
        .parameter("ARBITER", ArbiterKind::Matrix.rtl().unwrap())
        .parameter("ITERATIONS", 2)
        .parameter("VL_ARBITRATION", 1)
        .parameter("MANAGEMENT_VCS", u32::from(MANAGEMENT.bits()))
        .probe(STATES);
    match design.run(Run::of_cycles(100_000)).build() {
        Ok(library) => Some(library.model(1).unwrap()),
        Err(BuildError::VerilatorMissing { command, reason })
            if std::env::var_os("DESVIO_REQUIRE_TOOLS").is_none_or(|value| value != "1") =>
        {
            println!("skipped: no Verilator ({command}: {reason}); nothing was compared");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

/// Bits, the first the lowest, in words of 32.
fn words(bits: impl IntoIterator<Item = bool>) -> Vec<u32> {
    let mut words = Vec::new();
    for (at, bit) in bits.into_iter().enumerate() {
        words.resize(at / 32 + 1, 0);
        words[at / 32] |= u32::from(bit) << (at % 32);
    }
    words
}

fn table(random: &mut Xoshiro256PlusPlus) -> [VlEntry; VL_ENTRIES] {
    let sparse = below(4, random);
    core::array::from_fn(|_| {
        let weights = [0, 1, 2, 255, below(6, random), below(256, random)];
        let weight = if below(4, random) < sparse { 0 } else { weights[below(6, random)] };
        VlEntry {
            vl: VcId::new(below(if below(6, random) == 0 { 8 } else { V }, random) as u8),
            weight: weight as u8,
        }
    })
}

fn drawn(random: &mut Xoshiro256PlusPlus) -> VlArbitration<P> {
    let mut lanes = VlArbitration::new(64, MANAGEMENT);
    for port in (0..P as u8).map(PortId::new) {
        let limits = [0, 1, 2, 3, NO_LIMIT - 1, NO_LIMIT, below(256, random) as u8];
        let limit = limits[below(7, random)];
        lanes.set_tables(port, VlTables { high: table(random), low: table(random), limit });
    }
    lanes
}

struct Pins {
    clk: Input,
    rst: Input,
    vl_tables: Input,
    sends: [Input; 3],
    want: [Input; 2],
    grant: [Output; 2],
    states: Output,
}

impl Pins {
    fn of(model: &Model) -> Self {
        let input = |name, bits: usize| model.input(name, bits as u32).unwrap();
        let output = |name, bits: usize| model.output(name, bits as u32).unwrap();
        Self {
            clk: input("clk", 1),
            rst: input("rst", 1),
            vl_tables: input("vl_tables", P * VL_TABLES_BITS as usize),
            sends: [input("sends", P), input("sends_vc", P * 2), input("sends_units", P * 16)],
            want: [input("want", P * V * P), input("want_out_vc", P * V * 2)],
            grant: [output("grant_vc", P * V), output("grant_output", P * P)],
            states: model.probed(STATES, P as u32 * VL_STATE_BITS).unwrap(),
        }
    }
}

/// The registers of all outputs, in words of 32 bits.
fn registers(allocator: &Allocator<P, V>) -> Vec<u32> {
    let each = (0..P as u8).map(|port| allocator.vl_arbiter(PortId::new(port)).unwrap().registers());
    words(each.flat_map(|value| (0..VL_STATE_BITS).map(move |bit| value >> bit & 1 == 1)))
}

/// Runs with one set of tables each, from reset on. In each cycle any VC requests one output and any VC behind it. Any output may send the
/// head of a packet of any size for any VC, granted or not: its effect depends on no request.
#[test]
fn outputs_pick_lanes_as_the_rtl_does() {
    let Some(mut model) = model() else { return };
    let pins = Pins::of(&model);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
    let allocation =
        Allocation { kind: AllocatorKind::SeparableOutputFirst, arbiter: ArbiterKind::Matrix, iterations: 2 };
    let (mut grants_seen, mut saturated) = (0, 0);
    for run in 0..400 {
        let lanes = drawn(&mut random);
        let tables = (0..P as u8).flat_map(|port| lanes.tables(PortId::new(port)).bits().collect::<Vec<_>>());
        model.set_words(pins.vl_tables, &words(tables));
        model.set(pins.rst, 1);
        model.set(pins.sends[0], below(1 << P, &mut random) as u64);
        model.cycle(pins.clk).unwrap();
        model.set(pins.rst, 0);
        let mut golden = Allocator::<P, V>::new(allocation, P as u8);
        let most = [2, 20, 300, 65_536][run % 4];
        for cycle in 0..150 {
            let often = 1 + below(8, &mut random);
            let (mut want, mut out_vcs, mut requests) = (0u64, 0u64, Requests::new());
            for n in 0..P * V {
                let (output, out_vc) = (below(P, &mut random), below(V, &mut random));
                out_vcs |= (out_vc as u64) << (2 * n);
                if below(8, &mut random) < often {
                    want |= 1 << (n * P + output);
                    let (input, vc) = (PortId::new((n / V) as u8), VcId::new((n % V) as u8));
                    requests.add(input, vc, PortSet::from_bits(1 << output), VcId::new(out_vc as u8));
                }
            }
            let sends: [_; P] = std::array::from_fn(|_| {
                (
                    below(3, &mut random) > 0,
                    below(V, &mut random) as u8,
                    1 + below(most - 1, &mut random) as u16,
                )
            });
            let packed = |of: &dyn Fn(&(bool, u8, u16)) -> u64, bits: usize| {
                sends.iter().enumerate().fold(0, |all, (at, one)| all | of(one) << (at * bits))
            };
            model.set(pins.want[0], want);
            model.set(pins.want[1], out_vcs);
            model.set(pins.sends[0], packed(&|one| one.0.into(), 1));
            model.set(pins.sends[1], packed(&|one| one.1.into(), 2));
            model.set(pins.sends[2], packed(&|one| one.2.into(), 16));
            model.set(pins.clk, 0);
            model.eval().unwrap();
            let grants = golden.evaluate_by(&requests, Some(&lanes));
            let (mut vcs, mut outputs) = (0u64, 0u64);
            for grant in grants.iter() {
                vcs |= 1 << (grant.input.index() * V + grant.vc.index());
                outputs |= 1 << (grant.input.index() * P + grant.output.index());
            }
            let rtl = pins.grant.map(|pin| model.get(pin));
            assert_eq!(rtl, [vcs, outputs], "run {run}, cycle {cycle}: {lanes:?}");
            model.set(pins.clk, 1);
            model.eval().unwrap();
            golden.commit(&grants);
            for (at, &(is_sent, vc, units)) in sends.iter().enumerate() {
                if is_sent {
                    golden.send_units(&lanes, PortId::new(at as u8), VcId::new(vc), units);
                }
            }
            let mut states = vec![0; (P * VL_STATE_BITS as usize).div_ceil(32)];
            model.get_words(pins.states, &mut states);
            let expected = registers(&golden);
            assert_eq!(states, expected, "run {run}, after cycle {cycle}: {lanes:?}, {sends:?}");
            grants_seen += grants.len();
            saturated += usize::from(expected[1] & 0x3f == 0x3f);
        }
    }
    assert!(grants_seen > 100_000, "{grants_seen}");
    assert!(saturated > 0, "no count came to its end");
}
