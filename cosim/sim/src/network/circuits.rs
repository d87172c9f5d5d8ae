//! What circuits need beside flits and credits: answers on their wires, and pauses of nodes whose probes have come back.

use super::constants::Constants;
use super::shard::Shard;
use super::wheel::End;
use super::wires::{OnWheel, Outside, Shared};
use super::{Router, Switch};
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro128PlusPlus;
use router_core::options::Pipeline;
use router_core::plan::Plan;
use router_core::route::Draw as _;
use router_core::router::{Answer, body_cycles};
use router_core::units::{Bits, Channel, VcId};
use std::collections::BTreeMap;

/// The longest pause of a node before it sends a probe again, in cycles. Chosen by hand.
const LONGEST_PAUSE: u32 = 64;

/// An answer on its way to a port of a router or to a node, for the packet in this VC of the link.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AnswerOnWire {
    pub(crate) to: End,
    pub(crate) vc: VcId,
    pub(crate) answer: Answer,
}

/// The answers on all wires, by the internal cycle in which they are written.
#[derive(Debug, Clone)]
pub(crate) struct Circuits {
    on_wires: BTreeMap<u64, Vec<AnswerOnWire>>,
    random: Xoshiro128PlusPlus,
    /// Probes that have come back to their nodes.
    #[cfg(test)]
    pub(crate) pauses: u64,
}

impl Circuits {
    pub(crate) fn new(seed: u64) -> Self {
        Self {
            on_wires: BTreeMap::new(),
            random: Xoshiro128PlusPlus::seed_from_u64(!seed),
            #[cfg(test)]
            pauses: 0,
        }
    }

    pub(crate) fn put(&mut self, when: u64, answer: AnswerOnWire) {
        self.on_wires.entry(when).or_default().push(answer);
    }

    /// Takes the answers of an internal cycle off their wires.
    pub(crate) fn take(&mut self, when: u64) -> Vec<AnswerOnWire> {
        self.on_wires.remove(&when).unwrap_or_default()
    }

    /// The next internal cycle in which an answer is written.
    pub(crate) fn next(&self) -> Option<u64> {
        self.on_wires.keys().next().copied()
    }

    /// Probes that are on their way back: each is a flit that is in no buffer.
    pub(crate) fn probes_on_wires(&self) -> u64 {
        let refused = |answer: &&AnswerOnWire| answer.answer != Answer::Established;
        self.on_wires.values().flatten().filter(refused).count() as u64
    }

    /// Where credits are on their way that come with a probe.
    pub(crate) fn credits(&self) -> impl Iterator<Item = (End, VcId)> + '_ {
        let with_place = |answer: &&AnswerOnWire| answer.answer == Answer::Refused { place: true };
        self.on_wires.values().flatten().filter(with_place).map(|answer| (answer.to, answer.vc))
    }

    /// Cycles until a node sends a probe again.
    pub(crate) fn pause(&mut self) -> u64 {
        #[cfg(test)]
        {
            self.pauses += 1;
        }
        1 + u64::from(self.random.below(LONGEST_PAUSE))
    }
}

#[cfg(test)]
impl Circuits {
    /// Loses a probe that is on its way back. Says whether there was one.
    pub(crate) fn lose_probe(&mut self) -> bool {
        self.on_wires.values_mut().any(|answers| {
            let at = answers.iter().position(|answer| answer.answer != Answer::Established);
            at.map(|at| answers.remove(at)).is_some()
        })
    }
}

impl<const P: usize, const V: usize, B: Bits> Shard<P, V, B> {
    /// Probes that have found no way on go back, and the answers that were on the wires in the internal cycle before are written. Says
    /// whether there were any.
    #[inline(never)]
    pub(super) fn write_answers<R>(&mut self, constants: &Constants<'_, P, R>, internal: u64) -> bool {
        if constants.flow.backtracks() {
            let next = self.cycle + 1;
            for at in 0..self.routers.len() {
                self.at_router(constants, internal, at, |router, plan, wires| {
                    router.turn_back(plan, next, wires);
                });
            }
        }
        let answers = self.circuits.as_mut().map(|circuits| circuits.take(internal)).unwrap_or_default();
        let some = !answers.is_empty();
        for answer in answers {
            match answer.to.as_node() {
                Some(node) => self.receive_answer(node, answer),
                None => self.write_answer(constants, answer, internal),
            }
        }
        some
    }

    fn write_answer<R>(&mut self, constants: &Constants<'_, P, R>, answer: AnswerOnWire, internal: u64) {
        let AnswerOnWire { to, vc, answer } = answer;
        let (at, port) = to.as_port::<P>();
        let to = Channel::new(port, vc);
        // It has been on the wire in the internal cycle before, and takes a router as long as a flit that follows another.
        let goes_on = (internal - 1) / constants.speedup
            + u64::from(body_cycles(Pipeline::Four, constants.speedup as u32));
        self.busy.insert(at);
        let written = self.at_router(constants, internal, at, |router, plan, wires| {
            router.handle_answer(plan, to, answer, goes_on, wires)
        });
        if let Err(error) = written {
            self.refused(at, to, error, "");
        }
    }

    /// Does something with a router that drives answers.
    fn at_router<R, T>(
        &mut self,
        constants: &Constants<'_, P, R>,
        internal: u64,
        at: usize,
        act: impl FnOnce(&mut Router<P, V, B>, &Plan<P>, &mut OnWheel<'_, '_, P>) -> T,
    ) -> T {
        let Self { routers, exits, down, wheel, packets, circuits, moved, .. } = self;
        let circuits = circuits.as_deref_mut();
        let outside = Outside {
            exits,
            down,
            outbox: &mut [],
            shadows: None,
            circuits,
            delays: None,
            reservations: None,
            waits: None,
            credits: None,
        };
        let Switch { router, plan, links } = &mut routers[at];
        let speedup = constants.speedup;
        let mut shared = Shared { wheel, packets, outside, speedup, internal, moved: *moved };
        let mut wires = OnWheel { router: at, links, shared: &mut shared };
        let done = act(router, plan, &mut wires);
        *moved = shared.moved;
        done
    }
}
