//! The packets of one node.

use super::Traffic;
use super::pattern::Phase;
use super::process::{Clock, Memory};
use crate::random::{Stream, stream};

/// The packets of one node, drawn one after the other from its own random numbers.
#[derive(Debug, Clone)]
pub struct Generator {
    rng: Stream,
    clock: Clock,
    node: u32,
    /// The phase of the pattern the last packet was generated in; past the last one, the node is done.
    phase: u32,
}

/// A packet that a node generates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Generated {
    /// The cycle of its generation.
    pub at: u64,
    /// The node it is for, never the sender; of a group its number, added to that of all nodes.
    pub to: u32,
    /// Its flits.
    pub flits: u16,
}

impl Generator {
    /// The generator of `node`, before its first packet.
    pub(super) fn new(traffic: &Traffic, node: u32) -> Self {
        let phases = &traffic.phases;
        let phase = phases.iter().position(|phase| phase.targets.sends(node)).unwrap_or(phases.len());
        let start = phases[..phase].last().map_or(0, |silent| silent.end);
        let mut rng = stream(traffic.seed, node.into());
        let clock = Clock::start(&traffic.process, &traffic.lengths, start, &mut rng);
        Self { rng, clock, node, phase: phase as u32 }
    }

    /// The node's next packet, in time order; `None`: it never sends again. `traffic` must be the one that made
    /// this generator.
    #[inline]
    pub fn next(&mut self, traffic: &Traffic) -> Option<Generated> {
        let mut phase = traffic.phases.get(self.phase as usize)?;
        while self.clock.at >= phase.end {
            self.phase += 1;
            phase = traffic.phases.get(self.phase as usize)?;
            self.enter(phase, traffic);
        }
        let at = self.clock.at;
        let to = match self.clock.memory {
            Memory::Destination(to) => to,
            Memory::Nothing | Memory::Fraction(_) => phase.targets.draw(self.node, &mut self.rng),
        };
        let flits = traffic.lengths.draw(&mut self.rng);
        self.clock.advance(&traffic.process, to, flits, &mut self.rng);
        Some(Generated { at, to, flits })
    }

    /// From now on the pattern is that of `phase`. The process goes on, unless its next packet falls into a phase in which the node sends
    /// nothing. Then it starts anew at the end of that phase, instead of drawing packets that are never sent. (For a process without
    /// memory, as Bernoulli and exponential, both are equal.)
    fn enter(&mut self, phase: &Phase, traffic: &Traffic) {
        self.clock.forget_destination();
        if self.clock.at < phase.end && !phase.targets.sends(self.node) {
            self.clock = Clock::start(&traffic.process, &traffic.lengths, phase.end, &mut self.rng);
        }
    }
}
