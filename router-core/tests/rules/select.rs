//! Triggers by `docs/scenarios.md` and `docs/olm.md`: when a detour is considered and which one is good enough, at every occupancy and count of
//! a small router, by fractions of whole numbers.

mod counters;
mod occupancy;
mod others;

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
use desvio_core::select::{Outputs, PortRule, Preference, Selection, VcRule, Waiting, always, never};
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
    preference: Preference,
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
            preference: Preference::RANDOM,
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
            preference: self.preference,
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
