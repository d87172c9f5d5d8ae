//! Every new packet: of each length that matters, with each draw of its launch.

use super::{Checker, Packet};
use desvio_sim::scenario::Scenario;
use router_core::header::Address;
use router_core::plan::Plan;
use router_core::route::{Draw, Route};
use router_core::units::{Bits, PortId};
use std::collections::HashMap;

impl<R: Route<B>, B: Bits, const P: usize> Checker<'_, R, B, P> {
    /// Every new packet for a node, or of each member for its group.
    pub(super) fn injected(&self, node: usize) -> Vec<Packet> {
        let group = node.checked_sub(self.wiring.nodes()).zip(self.blueprint.groups());
        let to = match group {
            Some((group, groups)) => Address { router: groups.first() + group as u32, port: 0 },
            None => self.blueprint.address(node),
        };
        let sends = |from: &usize| match self.members(node) {
            Some(members) => members.contains(&(*from as u32)),
            None => *from != node,
        };
        let mut packets = Vec::new();
        for from in (0..self.wiring.nodes()).filter(sends) {
            let (router, port) = self.wiring.attachment(from);
            for &length in &self.lengths {
                let mut script = Script { draws: Vec::new(), next: 0 };
                loop {
                    let mut header = self.routing.launch(&self.heres[router], to, length, &mut script);
                    let level = self.routing.level(self.blueprint.address(from), to);
                    header.carried = header.carried.with_level(level);
                    for vc in self.plans[router].links.vcs(PortId::new(port as u8)) {
                        packets.push(((router, port as u8, vc.number()), header));
                    }
                    if !script.advance() {
                        break;
                    }
                }
            }
        }
        packets
    }
}

/// The packets that differ in what buffers they fit into: the longest of each kind.
pub(super) fn lengths<const P: usize>(scenario: &Scenario, plans: &[Plan<P>]) -> Vec<u16> {
    let mut longest: HashMap<Vec<bool>, u16> = HashMap::new();
    for length in scenario.packet_lengths().into_iter().map(|length| length as u16) {
        let ports = |plan: &Plan<P>| {
            plan.links.channels().map(|at| length <= plan.links.depth(at)).collect::<Vec<_>>()
        };
        let fits = plans.iter().flat_map(ports).collect();
        longest.entry(fits).and_modify(|known| *known = length.max(*known)).or_insert(length);
    }
    longest.into_values().collect()
}

/// Draws as a script says, and the lowest number beyond its end.
struct Script {
    draws: Vec<(u32, u32)>,
    next: usize,
}

impl Draw for Script {
    fn below(&mut self, n: u32) -> u32 {
        if self.next == self.draws.len() {
            self.draws.push((0, n));
        }
        self.next += 1;
        self.draws[self.next - 1].0
    }
}

impl Script {
    /// The next script; false after the last one.
    fn advance(&mut self) -> bool {
        self.next = 0;
        while self.draws.last().is_some_and(|&(drawn, n)| drawn + 1 >= n) {
            self.draws.pop();
        }
        self.draws.last_mut().map(|last| last.0 += 1).is_some()
    }
}
