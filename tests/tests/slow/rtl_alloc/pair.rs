//! An allocator in Rust beside one in RTL.

use super::bits::{Bits, index_bits, state_bits};
use super::{ALLOCATOR, build, design};
use router_core::alloc::AllocatorKind::Wavefront;
use router_core::alloc::{Allocation, Allocator, Requests};
use router_core::units::{PortId, PortSet, VcId};
use verilated::{Input, Model, Output};

/// What every VC of every input asks for: outputs, and a VC behind them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Asks<const P: usize, const V: usize> {
    pub(super) outputs: [[usize; V]; P],
    pub(super) out_vcs: [[usize; V]; P],
}

impl<const P: usize, const V: usize> Asks<P, V> {
    pub(super) const NONE: Self = Self { outputs: [[0; V]; P], out_vcs: [[0; V]; P] };

    pub(super) fn requests(&self) -> Requests<P, V> {
        let mut requests = Requests::new();
        for (n, input, vc) in (0..P * V).map(|n| (n, PortId::new((n / V) as u8), VcId::new((n % V) as u8))) {
            let out_vc = VcId::new(self.out_vcs[n / V][n % V] as u8);
            requests.add(input, vc, PortSet::from_bits(self.outputs[n / V][n % V]), out_vc);
        }
        requests
    }

    pub(super) fn pack(&self) -> [Bits; 2] {
        let [mut want, mut out_vcs] = [Bits::default(), Bits::default()];
        for n in 0..P * V {
            want.push(self.outputs[n / V][n % V] as u128, P);
            out_vcs.push(self.out_vcs[n / V][n % V] as u128, index_bits(V));
        }
        [want, out_vcs]
    }
}

/// The registers of an allocator, as the RTL names them.
pub(super) const REGISTERS: [&str; 5] =
    ["input_states", "out_vc_states", "input_of_out_vc_states", "choices", "turn"];

/// An allocator in Rust and one in RTL.
pub(super) struct AllocatorPair<const P: usize, const V: usize> {
    pub(super) allocation: Allocation,
    pub(super) golden: Allocator<P, V>,
    pub(super) model: Model,
    pub(super) clk: Input,
    pub(super) want: Input,
    pub(super) want_out_vc: Input,
    pub(super) grant_vc: Output,
    pub(super) grant_output: Output,
    pub(super) probes: [Output; 5],
    pub(super) cycles: u64,
    pub(super) grants: u64,
}

impl<const P: usize, const V: usize> AllocatorPair<P, V> {
    pub(super) fn new(allocation: Allocation, cycles: u64) -> Option<Self> {
        let probe = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/slow/rtl_alloc/probe.vlt");
        let design = design("allocator", &ALLOCATOR)
            .source(probe)
            .parameter("PORTS", P as u32)
            .parameter("VCS", V as u32)
            .parameter("ALLOCATOR", allocation.kind.rtl().unwrap())
            .parameter("ARBITER", allocation.arbiter.rtl().unwrap())
            .parameter("ITERATIONS", u32::from(allocation.iterations));
        let design =
            REGISTERS.iter().fold(design, |design, name| design.probe(format!("dsv_allocator.{name}")));
        let model = build(&design, cycles)?.model(1).unwrap();
        let [vc_state, port_state] = [V, P].map(|n| state_bits(allocation.arbiter, n));
        let turns = if allocation.kind.has_one_arbiter() { 1 } else { V };
        let widths = [P * vc_state, P * vc_state, P * turns * port_state, P * index_bits(P), index_bits(P)];
        let probed =
            |n: usize| model.probed(&format!("dsv_allocator.{}", REGISTERS[n]), widths[n] as u32).unwrap();
        let mut pair = Self {
            allocation,
            golden: Allocator::new(allocation, P as u8),
            clk: model.input("clk", 1).unwrap(),
            want: model.input("want", (P * V * P) as u32).unwrap(),
            want_out_vc: model.input("want_out_vc", (P * V * index_bits(V)) as u32).unwrap(),
            grant_vc: model.output("grant_vc", (P * V) as u32).unwrap(),
            grant_output: model.output("grant_output", (P * P) as u32).unwrap(),
            probes: std::array::from_fn(probed),
            model,
            cycles: 0,
            grants: 0,
        };
        let rst = pair.model.input("rst", 1).unwrap();
        pair.model.set(rst, 1);
        pair.model.cycle(pair.clk).unwrap();
        pair.model.set(rst, 0);
        assert_eq!(pair.registers(), pair.expected_registers(), "{allocation:?} after reset");
        Some(pair)
    }

    pub(super) fn registers(&self) -> [Bits; 5] {
        self.probes.map(|probe| Bits::read(&self.model, probe))
    }

    /// What the RTL's registers should hold; those that a kind does without are 0 there.
    pub(super) fn expected_registers(&self) -> [Bits; 5] {
        registers(&self.golden, self.allocation)
    }

    /// One cycle: the same grants, and the same registers after it.
    pub(super) fn step(&mut self, asks: &Asks<P, V>) {
        let [want, out_vcs] = asks.pack();
        self.model.set_words(self.want, &want.words);
        self.model.set_words(self.want_out_vc, &out_vcs.words);
        self.model.set(self.clk, 0);
        self.model.eval().unwrap();
        let grants = self.golden.evaluate(&asks.requests());
        let [mut vcs, mut outputs] = [[0u128; P]; 2];
        for grant in grants.iter() {
            vcs[grant.input.index()] |= 1 << grant.vc.number();
            outputs[grant.input.index()] |= 1 << grant.output.number();
        }
        let [mut grant_vc, mut grant_output] = [Bits::default(), Bits::default()];
        for input in 0..P {
            grant_vc.push(vcs[input], V);
            grant_output.push(outputs[input], P);
        }
        let rtl = [self.grant_vc, self.grant_output].map(|from| Bits::read(&self.model, from));
        let (allocation, cycle) = (self.allocation, self.cycles);
        assert_eq!(
            rtl,
            [grant_vc, grant_output],
            "RTL (left) and Rust differ in grant_vc, grant_output: {allocation:?}, cycle {cycle}, {asks:?}"
        );
        self.model.set(self.clk, 1);
        self.model.eval().unwrap();
        self.golden.commit(&grants);
        assert_eq!(
            self.registers(),
            self.expected_registers(),
            "RTL (left) and Rust differ in {REGISTERS:?}: {allocation:?}, after cycle {cycle}, {asks:?}"
        );
        self.cycles += 1;
        self.grants += grants.len() as u64;
    }
}

/// The registers of an allocator, as the RTL has them.
pub(super) fn registers<const P: usize, const V: usize>(
    allocator: &Allocator<P, V>,
    allocation: Allocation,
) -> [Bits; 5] {
    let is_wavefront = allocation.kind == Wavefront;
    let [vc_state, port_state] = [V, P].map(|n| state_bits(allocation.arbiter, n));
    let separable = |value: u128| if is_wavefront { 0 } else { value };
    let mut all: [Bits; 5] = Default::default();
    for port in (0..P as u8).map(PortId::new) {
        all[0].push(allocator.input_arbiter(port).unwrap().registers(), vc_state);
        let of_out_vcs = allocator.out_vc_arbiter(port);
        all[1].push(separable(of_out_vcs.map_or(0, |arbiter| arbiter.registers())), vc_state);
        let out_vcs = (0..V as u8).map(VcId::new);
        for arbiter in out_vcs.filter_map(|out_vc| allocator.input_of_out_vc_arbiter(port, out_vc)) {
            all[2].push(separable(arbiter.registers()), port_state);
        }
        all[3].push(separable(u128::from(allocator.choice(port).number())), index_bits(P));
    }
    all[4].push(if is_wavefront { u128::from(allocator.turn()) } else { 0 }, index_bits(P));
    all
}
