//! What a packet prefers among two outputs and the VCs behind them: every rule in every state of credits and holders, by the text of
//! `docs/scenarios.md`. The router is driven by its wires.
#![cfg(not(feature = "small"))]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use desvio_core::header::{Address, Flit, Header, Packet};
use desvio_core::links::{FlowControl, PortSizes};
use desvio_core::plan::Plan;
use desvio_core::route::{Arrival, CandidateSet, Candidates, Full, Here, HopKind, Route};
use desvio_core::router::{Router, Wires};
use desvio_core::select::{PortRule, Preference, VcRule};
use desvio_core::settings::Word as _;
use desvio_core::units::{Channel, PortClass, PortId, PortSet, VcId, VcSet};
use desvio_core::vc::Descriptor;
use std::collections::{BTreeMap, BTreeSet};

/// A port to a node, the two outputs, and two inputs whose packets use up what is behind them.
const PORTS: usize = 5;
/// Most VCs.
const VCS: usize = 3;
const OUTPUTS: [u8; 2] = [1, 2];

type Switch = Router<Vec<Descriptor>, PORTS, VCS>;
/// A port and a VC behind it.
type Way = (u8, u8);

fn channel((port, vc): Way) -> Channel {
    Channel::new(PortId::new(port), VcId::new(vc))
}

/// The routing of these tests: the address of a router is a place in this list.
struct Offers(Vec<Candidates>);

impl Route for Offers {
    fn offer(&self, _here: &Here, _from: Arrival, header: &Header) -> Result<Candidates, Full> {
        Ok(self.0[header.to.router as usize])
    }
}

/// Heads that have left.
#[derive(Default)]
struct Seen(Vec<Way>);

impl Wires for Seen {
    fn flit(&mut self, to: Channel, _at: u64, _flit: Flit) {
        self.0.push((to.port.number(), to.vc.number()));
    }

    fn credit(&mut self, _from: Channel) {}
}

/// Places that are left of a VC, and whether another packet holds it.
type State = BTreeMap<Way, (u16, bool)>;

/// Two rules, and the ways that they leave.
type Choice = (u8, u8, Vec<Way>);

/// Every state of VCs of this depth behind both outputs.
fn states(vcs: u8, depth: u16) -> impl Iterator<Item = State> {
    let ways: Vec<Way> = OUTPUTS.into_iter().flat_map(|port| (0..vcs).map(move |vc| (port, vc))).collect();
    let each = usize::from(depth + 1) * 2;
    (0..each.pow(ways.len() as u32)).map(move |number| {
        let digit = |at: usize| number / each.pow(at as u32) % each;
        let of = |at| ((digit(at) / 2) as u16, digit(at) % 2 == 1);
        ways.iter().enumerate().map(|(at, &way)| (way, of(at))).collect()
    })
}

struct Bench {
    plan: Plan<PORTS>,
    offers: Offers,
    depth: u16,
    cycle: u64,
}

impl Bench {
    fn new(vcs: u8, depth: u16) -> Self {
        let sizes = [PortSizes { vcs: 1, buffer: depth }, PortSizes { vcs, buffer: depth }];
        let mut plan = Plan::new(&[0, 1, 1, 1, 1].map(PortClass::new), &sizes).unwrap();
        plan.links.flow = FlowControl::Wormhole;
        let only =
            |(port, vc)| Candidates::minimal(PortSet::only(PortId::new(port)), VcSet::only(VcId::new(vc)));
        let ways = OUTPUTS.into_iter().flat_map(|port| (0..vcs).map(move |vc| (port, vc)));
        Self { plan, offers: Offers(ways.map(only).collect()), depth, cycle: 0 }
    }

    fn run(&mut self, switch: &mut Switch) -> Vec<Way> {
        let mut seen = Seen::default();
        for _ in 0..4 * VCS as u64 {
            switch.step(&self.plan, &self.offers, self.cycle, &mut seen);
            self.cycle += 1;
        }
        seen.0
    }

    fn send(&self, switch: &mut Switch, from: Way, to: usize, length: u16) {
        let header = Header { to: Address { router: to as u32, port: 0 }, length, ..Header::default() };
        let head = Flit::Head(Packet { header, tag: 0 });
        switch.handle_flit(&self.plan, &self.offers, channel(from), &head).unwrap();
    }

    /// A router in this state.
    fn in_state(&mut self, state: &State, seed: u64) -> Switch {
        let here = Here { wired: PortSet::first_n(PORTS), ..Here::default() };
        let store = vec![Descriptor::default(); self.plan.links.places()];
        let mut switch = Switch::new(&self.plan, here, store, 0, seed);
        for round in 1..=self.depth + 1 {
            for (number, (&(port, vc), &(left, held))) in state.iter().enumerate() {
                // The head of the packet that holds a VC takes a place, too.
                let used = self.depth - left;
                let others = if held { used.max(1) - 1 } else { used };
                let from = (port + 2, vc);
                if round <= others {
                    self.send(&mut switch, from, number, 1);
                } else if held && round == others + 1 {
                    self.send(&mut switch, from, number, 2);
                }
            }
            self.run(&mut switch);
        }
        for (&way, &(left, held)) in state {
            if held && left == self.depth {
                switch.handle_credit(&self.plan, channel(way)).unwrap();
            }
            let (port, vc) = (PortId::new(way.0), VcId::new(way.1));
            let is = (switch.output(port).unwrap().credits.left(vc), switch.owned(port).contains(vc));
            assert_eq!(is, (left, held), "{way:?}");
        }
        switch
    }

    /// What a packet with these candidates is counted for, and how it leaves, if it does.
    fn leave(&mut self, switch: &Switch, sets: &[Vec<Way>], length: u16) -> (u8, Option<Way>) {
        let mut all = Candidates::NONE;
        for set in sets {
            let ports = set.iter().map(|&(port, _)| PortId::new(port)).collect();
            let vcs = set.iter().fold(VcSet::EMPTY, |vcs, &(_, vc)| vcs.union(VcSet::only(VcId::new(vc))));
            all.offer(CandidateSet::new(ports, vcs, HopKind::Minimal)).unwrap();
        }
        let mut switch = switch.clone();
        self.offers.0.push(all);
        let counts = OUTPUTS.map(|port| switch.contention(PortId::new(port)));
        self.send(&mut switch, (0, 0), self.offers.0.len() - 1, length);
        let own = OUTPUTS.into_iter().zip(counts);
        let mut own = own.filter(|&(port, count)| switch.contention(PortId::new(port)) > count);
        let (own, _) = own.next().unwrap();
        let left = self.run(&mut switch);
        self.offers.0.pop();
        assert!(left.len() <= 1);
        (own, left.first().copied())
    }
}

/// The ways that the rules leave, by their text.
fn allowed(
    Preference { ports, vcs }: Preference,
    (state, sets, room): (&State, &[Vec<Way>], u16),
    own: u8,
) -> Vec<Way> {
    let is_open = |way: &Way| state[way].0 >= room && !state[way].1;
    let open: Vec<Vec<Way>> = sets.iter().map(|set| set.iter().copied().filter(is_open).collect()).collect();
    // At an output a packet takes a VC of the first set that has an open one there.
    let at = |port: u8| {
        let of = |set: &Vec<Way>| set.iter().copied().filter(|way| way.0 == port).collect::<Vec<_>>();
        open.iter().map(of).find(|set| !set.is_empty()).unwrap_or_default()
    };
    let is_there = |found: &[Way], port: u8| found.iter().any(|way| way.0 == port);
    let mut left: Vec<u8> = if ports == PortRule::Random && vcs != VcRule::LeastShared {
        OUTPUTS.into_iter().filter(|&port| !at(port).is_empty()).collect()
    } else {
        let first = open.iter().find(|set| !set.is_empty()).cloned().unwrap_or_default();
        OUTPUTS.into_iter().filter(|&port| is_there(&first, port)).collect()
    };
    let behind = |port: u8| state.iter().filter(move |(way, _)| way.0 == port).map(|(_, of)| *of);
    if vcs == VcRule::LeastShared {
        let held = |port: u8| behind(port).filter(|of| of.1).count();
        let least = left.iter().map(|&port| held(port)).min();
        left.retain(|&port| Some(held(port)) == least);
    }
    if ports == PortRule::MostCredits {
        let credits = |port: u8| behind(port).map(|of| of.0).sum::<u16>();
        let most = left.iter().map(|&port| credits(port)).max();
        left.retain(|&port| Some(credits(port)) == most);
    }
    if ports == PortRule::LowestDimension {
        left.truncate(1);
    } else if left.contains(&own) {
        left = vec![own];
    }
    let mut ways: Vec<Way> = left
        .into_iter()
        .flat_map(|port| {
            let mut there = at(port);
            if vcs != VcRule::Random {
                there.sort_unstable();
                there.truncate(1);
            }
            there
        })
        .collect();
    ways.sort_unstable();
    ways
}

/// Sets that packets may have: all VCs; adaptive VCs with an escape VC behind one output; different VCs behind each.
fn layouts(vcs: u8) -> Vec<Vec<Vec<Way>>> {
    let of = |ports: &[u8], vcs: std::ops::Range<u8>| -> Vec<Way> {
        ports.iter().flat_map(|&port| vcs.clone().map(move |vc| (port, vc))).collect()
    };
    vec![
        vec![of(&OUTPUTS, 0..vcs)],
        vec![of(&OUTPUTS, 1..vcs), of(&[1], 0..1)],
        vec![of(&OUTPUTS, 1..vcs), of(&[2], 0..1)],
        vec![of(&[2], 0..vcs), of(&[1], 1..vcs)],
    ]
}

/// Proves each pair of rules in each state, for packets that need so many places.
fn each_state(vcs: u8, depth: u16, (flow, length): (FlowControl, u16)) {
    let mut bench = Bench::new(vcs, depth);
    // How often each choice came up, and which ways were taken.
    let mut taken: BTreeMap<Choice, (u32, BTreeSet<Way>)> = BTreeMap::new();
    for (number, state) in states(vcs, depth).enumerate() {
        let switch = bench.in_state(&state, number as u64);
        bench.plan.links.flow = flow;
        for sets in layouts(vcs) {
            for (&(_, ports), &(_, vcs)) in
                PortRule::WORDS.iter().flat_map(|ports| VcRule::WORDS.iter().map(move |vcs| (ports, vcs)))
            {
                let preference = Preference { ports, vcs };
                bench.plan.preference = preference;
                let (own, left) = bench.leave(&switch, &sets, length);
                let allowed = allowed(preference, (&state, &sets, length), own);
                let fits = left.map_or(allowed.is_empty(), |way| allowed.contains(&way));
                assert!(fits, "{preference:?} {own}: {left:?}, not {allowed:?}: {sets:?} {state:?}");
                let (times, ways) = taken.entry((ports.number(), vcs.number(), allowed)).or_default();
                *times += 1;
                ways.extend(left);
            }
        }
        bench.plan.links.flow = FlowControl::Wormhole;
    }
    // Where chance decides it takes every way.
    for ((ports, vcs, allowed), (times, ways)) in taken {
        assert!(times < 100 || allowed.len() == ways.len(), "{ports} {vcs} {allowed:?}: {ways:?} of {times}");
    }
}

#[test]
fn every_rule_in_every_state_of_two_vcs() {
    each_state(2, 2, (FlowControl::Wormhole, 1));
    each_state(2, 2, (FlowControl::Vct, 2));
}

#[test]
fn every_rule_in_every_state_of_three_vcs() {
    each_state(3, 1, (FlowControl::Wormhole, 1));
}

/// Packets of a VC take two outputs in turn, whatever is behind these; where one has no room, the other.
#[test]
fn outputs_take_turns() {
    let mut bench = Bench::new(1, 6);
    bench.plan.preference = Preference { ports: PortRule::Cyclic, vcs: VcRule::First };
    let both = Candidates::minimal(OUTPUTS.into_iter().map(PortId::new).collect(), VcSet::first_n(1));
    bench.offers.0.push(both);
    let here = Here { wired: PortSet::first_n(PORTS), ..Here::default() };
    let store = vec![Descriptor::default(); bench.plan.links.places()];
    let mut switch = Switch::new(&bench.plan, here, store, 0, 1);
    let mut left = Vec::new();
    for _ in 0..2 {
        // Behind each other in the buffer: selected ahead, and as they come.
        (0..3).for_each(|_| bench.send(&mut switch, (0, 0), bench.offers.0.len() - 1, 1));
        left.extend(bench.run(&mut switch).into_iter().map(|(port, _)| port));
    }
    assert!(left.len() == 6 && left.windows(2).all(|pair| pair[0] != pair[1]), "{left:?}");
    // Output 1 is full: output 2 has all turns.
    for _ in 0..3 {
        bench.send(&mut switch, (3, 0), 0, 1);
    }
    bench.run(&mut switch);
    (0..3).for_each(|_| bench.send(&mut switch, (0, 0), bench.offers.0.len() - 1, 1));
    assert_eq!(bench.run(&mut switch), [(2, 0); 3]);
}
