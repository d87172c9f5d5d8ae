//! The RTL of all triggers beside their model.

use super::notes::{note_asked, note_said};
use super::sizes::Sizes;
use super::state::State;
use super::thresholds::Thresholds;
use super::{ALWAYS_ONE, OF_TWO_WAYS, P, TRIGGERS, V};
use crate::rtl_unit::bench::{Bench, Packed, Tally};
use router_core::route::{CandidateSet, Candidates, HopKind};
use router_core::select::{Outputs, Waiting};
use router_core::units::{Channel, PortId, PortSet, VcId, VcSet};
use verilated::{Input, Output};

/// The names of all inputs of `selections`, and their widths.
pub(super) struct Pins {
    pub(super) wired: Input,
    pub(super) set_ports: Input,
    pub(super) set_vcs: Input,
    pub(super) forced: Input,
    pub(super) minimal: Input,
    pub(super) length: Input,
    pub(super) tap: Input,
    pub(super) open: Input,
    pub(super) minimal_open: Input,
    pub(super) accepts: Input,
    pub(super) credits: Input,
    pub(super) counters: [Input; 4],
    pub(super) told: Input,
    pub(super) set_hops: Input,
    pub(super) counts: Input,
    pub(super) bias: Input,
    pub(super) minimal_occupancy: Input,
    pub(super) relative_threshold: Input,
    pub(super) restriction: Input,
    pub(super) restriction_factor: Input,
    pub(super) restriction_packets: Input,
    pub(super) requests: Output,
}

impl Pins {
    pub(super) fn new(bench: &Bench, sizes: &Sizes) -> Self {
        let (ports, vcs) = (sizes.ports(), sizes.most_vcs());
        let sets = sizes.hops.len();
        Self {
            wired: bench.input("wired", ports),
            set_ports: bench.input("set_ports", sets * ports),
            set_vcs: bench.input("set_vcs", sets * vcs),
            forced: bench.input("forced", 1),
            minimal: bench.input("minimal", ports),
            length: bench.input("length", 10),
            tap: bench.input("tap", 32),
            open: bench.input("open", ports),
            minimal_open: bench.input("minimal_open", ports),
            accepts: bench.input("accepts", ports),
            credits: bench.input("credits", ports * vcs * sizes.credit_bits()),
            counters: ["fixed_fires", "fixed_allows", "average_fires", "average_allows"]
                .map(|name| bench.input(name, ports)),
            told: bench.input("told", 1),
            set_hops: bench.input("set_hops", sets * 3),
            counts: bench.input("counts", ports * 8),
            bias: bench.input("bias", 16),
            minimal_occupancy: bench.input("minimal_occupancy", 16),
            relative_threshold: bench.input("relative_threshold", 16),
            restriction: bench.input("restriction", 1),
            restriction_factor: bench.input("restriction_factor", 16),
            restriction_packets: bench.input("restriction_packets", 16),
            requests: bench.output("requests", TRIGGERS.len() * 64),
        }
    }
}

pub(super) type Counts = Tally<67>;

/// The ports for which something holds, as bits.
pub(super) fn ports_where(sizes: &Sizes, holds: impl Fn(PortId) -> bool) -> u64 {
    (0..sizes.ports()).filter(|&port| holds(PortId::new(port as u8))).fold(0, |bits, port| bits | 1 << port)
}

/// The open ports of a set.
pub(super) fn open_of(set: &CandidateSet, length: u16, outputs: &Outputs<'_, P, V>) -> PortSet {
    outputs.open_ports(&Candidates::of([*set]), length)
}

pub(super) struct Pair {
    pub(super) sizes: Sizes,
    pub(super) bench: Bench,
    pub(super) pins: Pins,
    pub(super) tally: Counts,
}

impl Pair {
    pub(super) fn set_state(&mut self, state: &State) {
        let (sizes, outputs) = (self.sizes, state.view());
        let mut credits = Packed::default();
        for port in 0..sizes.ports() {
            let left = |vc: usize| {
                state
                    .ports
                    .get(PortId::new(port as u8))
                    .map_or(0, |out| out.credits.left(VcId::new(vc as u8)))
            };
            (0..sizes.most_vcs()).for_each(|vc| credits.push(u64::from(left(vc)), sizes.credit_bits()));
        }
        self.bench.set_packed(self.pins.credits, &credits);
        let mut counts = Packed::default();
        (0..sizes.ports())
            .for_each(|port| counts.push(state.contention.at(PortId::new(port as u8)).into(), 8));
        self.bench.set_packed(self.pins.counts, &counts);
        self.bench.set(self.pins.told, outputs.contention.notices.has_told(Channel::default()).into());
        self.bench.set(self.pins.wired, state.wired.bits() as u64);
        self.bench.set(self.pins.accepts, ports_where(&sizes, |port| outputs.accepts(port)));
    }

    pub(super) fn set_thresholds(&mut self, thresholds: &Thresholds, outputs: &Outputs<'_, P, V>) {
        let Thresholds { occupancy, fixed, average, ugal } = thresholds;
        let counters = [
            ports_where(&self.sizes, |port| fixed.is_contended(port, outputs)),
            ports_where(&self.sizes, |port| !fixed.is_contended(port, outputs)),
            ports_where(&self.sizes, |port| average.is_crowded(port, outputs)),
            ports_where(&self.sizes, |port| !average.is_contended(port, outputs)),
        ];
        for (pin, value) in self.pins.counters.iter().zip(counters) {
            self.bench.set(*pin, value);
        }
        self.bench.set(self.pins.bias, ugal.bias.into());
        let restriction = occupancy.global_restriction;
        let of = |bits: u16| u64::from(bits);
        self.bench.set(self.pins.minimal_occupancy, of(occupancy.minimal_occupancy.to_bits()));
        self.bench.set(self.pins.relative_threshold, of(occupancy.relative_threshold.to_bits()));
        self.bench.set(self.pins.restriction, u64::from(restriction.is_some()));
        self.bench.set(self.pins.restriction_factor, restriction.map_or(0, |r| of(r.factor.to_bits())));
        self.bench.set(self.pins.restriction_packets, restriction.map_or(0, |r| of(r.packets)));
    }

    /// What all triggers ask for; `word` is the packet's random bits.
    pub(super) fn compare(
        &mut self,
        thresholds: &Thresholds,
        (packet, sets): (&Waiting<'_>, &[CandidateSet]),
        word: u32,
        outputs: &Outputs<'_, P, V>,
    ) {
        let (ports, vcs) = (self.sizes.ports(), self.sizes.most_vcs());
        let existing = VcSet::first_n(vcs);
        let (mut set_ports, mut set_vcs, mut set_hops) = (0, 0, 0);
        for set in sets.iter().rev() {
            let known = set.vcs.and(existing).bits();
            let is_empty = set.ports.is_empty();
            set_ports = set_ports << ports | set.ports.bits() as u64;
            set_vcs = set_vcs << vcs | if is_empty { 0 } else { u64::from(known) };
            set_hops = set_hops << 3 | if is_empty { 0 } else { u64::from(set.hops) };
        }
        self.bench.set(self.pins.set_ports, set_ports);
        self.bench.set(self.pins.set_vcs, set_vcs);
        self.bench.set(self.pins.set_hops, set_hops);
        let open_by = |wanted: &dyn Fn(HopKind) -> bool| {
            let wanted = sets.iter().filter(|set| wanted(set.kind));
            wanted.fold(PortSet::EMPTY, |all, set| all.union(open_of(set, packet.length, outputs)))
        };
        let open = open_by(&|_| true);
        let minimal_open = open_by(&|kind| kind == HopKind::Minimal);
        self.bench.set(self.pins.minimal_open, minimal_open.bits() as u64);
        self.bench.set(self.pins.forced, u64::from(packet.candidates.is_forced()));
        self.bench.set(self.pins.minimal, 1 << packet.minimal.number());
        self.bench.set(self.pins.length, u64::from(packet.length));
        self.bench.set(self.pins.tap, u64::from(word));
        self.bench.set(self.pins.open, open.bits() as u64);
        self.bench.eval();
        let requests = self.bench.places(self.pins.requests);
        for (at, (selection, rtl)) in thresholds.selections().iter().zip(requests).enumerate() {
            if self.sizes.has_two_ways() && !OF_TWO_WAYS.contains(&at) {
                continue;
            }
            let outputs = Outputs { asks_one: at == ALWAYS_ONE, ..*outputs };
            let rust = selection.choose(packet, &outputs);
            assert_eq!(
                rtl,
                rust.bits() as u64,
                "{}: RTL asks for {:?}, Rust for {rust:?}; {:?}: {selection:?}, \
                 {:?} counted at {:?}, {} flits, tap {word:#x}, open {open:?}",
                TRIGGERS[at],
                PortSet::from_bits(rtl as usize),
                self.sizes,
                packet.candidates,
                packet.minimal,
                packet.length,
            );
            note_asked(&mut self.tally, at, rust, packet, open);
        }
        note_said(&mut self.tally, thresholds, packet, outputs);
        self.tally.compared += TRIGGERS.len() as u64;
    }
}
