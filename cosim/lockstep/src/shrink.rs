//! Making a failing stimulus smaller, in proptest's protocol: `simplify` after a run that still fails, `complicate` after one
//! that no longer does.
//!
//! Parts are taken away in halves, quarters, and so on down to single ones; then what is left is made plainer. A packet taken
//! out of the middle usually leaves the failure where it is, which proptest's own vectors, one element after the other, find
//! out much more slowly.

use super::stimulus::Stimulus;
use proptest::strategy::ValueTree;

/// A stimulus and the ways to make it smaller that have not been tried.
#[derive(Debug, Clone)]
pub struct Shrink {
    current: Stimulus,
    before: Stimulus,
    stage: usize,
    /// The place in the list that the stage goes through, and how many are taken at once.
    at: usize,
    chunk: usize,
}

/// Lists that parts are taken from, then what is made plainer.
const STAGES: [Stage; 8] = [
    Stage::Packets,
    Stage::Noise,
    Stage::Notices,
    Stage::Stalls,
    Stage::Plain,
    Stage::Earlier,
    Stage::Shorter,
    Stage::Packets,
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Packets,
    Noise,
    Notices,
    Stalls,
    /// No reset, no late credits, flits one after the other, settings as in the scenario.
    Plain,
    /// A packet as soon as the one before it.
    Earlier,
    /// A packet of as many flits as the shortest one.
    Shorter,
}

impl Stage {
    /// Whether parts are taken from a list.
    const fn is_a_list(self) -> bool {
        matches!(self, Self::Packets | Self::Noise | Self::Notices | Self::Stalls)
    }
}

impl Shrink {
    /// A stimulus, whole.
    pub fn new(stimulus: Stimulus) -> Self {
        let chunk = stimulus.packets.len();
        Self { before: stimulus.clone(), current: stimulus, stage: 0, at: 0, chunk }
    }

    /// Goes on from a stimulus that was found to fail, such as a shorter one.
    pub fn accept(&mut self, stimulus: Stimulus) {
        self.current = stimulus;
    }

    fn length(&self) -> usize {
        match STAGES.get(self.stage) {
            Some(Stage::Packets | Stage::Earlier | Stage::Shorter) => self.current.packets.len(),
            Some(Stage::Noise) => self.current.noise.len(),
            Some(Stage::Notices) => self.current.notices.len(),
            Some(Stage::Stalls) => self.current.stalls.len(),
            Some(Stage::Plain) => 5,
            None => 0,
        }
    }

    /// The next smaller stimulus, if this place of the stage has one.
    fn try_here(&self) -> Option<Stimulus> {
        if self.at >= self.length() {
            return None;
        }
        let mut smaller = self.current.clone();
        let range = self.at..(self.at + self.chunk).min(self.length());
        let packet = smaller.packets.get(self.at).copied();
        match STAGES.get(self.stage)? {
            Stage::Packets => drop(smaller.packets.drain(range)),
            Stage::Noise => drop(smaller.noise.drain(range)),
            Stage::Notices => drop(smaller.notices.drain(range)),
            Stage::Stalls => drop(smaller.stalls.drain(range)),
            Stage::Plain if self.at == 0 => smaller.reset_at = None,
            Stage::Plain if self.at == 1 => smaller.credit_delay = 0,
            Stage::Plain if self.at == 2 => smaller.pace = 1,
            Stage::Plain if self.at == 3 => smaller.settings.thresholds = None,
            Stage::Plain => smaller.settings.seed = None,
            Stage::Earlier => {
                let earlier = smaller
                    .packets
                    .iter()
                    .map(|other| other.at)
                    .filter(|&at| at < packet.map_or(0, |p| p.at));
                smaller.packets.get_mut(self.at)?.at = earlier.max()?;
            }
            Stage::Shorter => {
                let shortest = smaller.packets.iter().map(|other| other.length).min()?;
                smaller.packets.get_mut(self.at)?.length = shortest;
            }
        }
        (smaller != self.current).then_some(smaller)
    }

    fn advance(&mut self) {
        self.at += self.chunk.max(1);
        while self.at >= self.length() && self.stage < STAGES.len() {
            self.at = 0;
            let whole = STAGES[self.stage].is_a_list();
            if whole && self.chunk > 1 {
                self.chunk = self.chunk.div_ceil(2);
            } else {
                self.stage += 1;
                let halves = STAGES.get(self.stage).is_some_and(|stage| stage.is_a_list());
                self.chunk = if halves { self.length().max(1) } else { 1 };
            }
        }
    }
}

impl ValueTree for Shrink {
    type Value = Stimulus;

    fn current(&self) -> Stimulus {
        self.current.clone()
    }

    fn simplify(&mut self) -> bool {
        while self.stage < STAGES.len() {
            if let Some(smaller) = self.try_here() {
                self.before = std::mem::replace(&mut self.current, smaller);
                return true;
            }
            self.advance();
        }
        false
    }

    fn complicate(&mut self) -> bool {
        self.current = self.before.clone();
        self.advance();
        self.simplify()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stimulus::{PacketIn, Stall};

    fn packet(at: u32, port: usize) -> PacketIn {
        PacketIn { at, port, vc: 0, to_router: 0, to_port: 0, length: 8, progress: 0, via: None }
    }

    /// Shrinks as long as `fails` says so.
    fn shrunk(stimulus: Stimulus, fails: impl Fn(&Stimulus) -> bool) -> (Stimulus, u32) {
        let (mut tree, mut best, mut runs) = (Shrink::new(stimulus.clone()), stimulus, 0);
        let mut goes_on = tree.simplify();
        while goes_on {
            runs += 1;
            let current = tree.current();
            goes_on = if fails(&current) {
                best = current;
                tree.simplify()
            } else {
                tree.complicate()
            };
        }
        (best, runs)
    }

    #[test]
    fn two_packets_that_matter_are_all_that_is_left() {
        let packets = (0..1000).map(|n| packet(n, n as usize % 7)).collect();
        let stalls = vec![Stall { port: 1, from: 5, cycles: 9 }; 3];
        let whole =
            Stimulus { cycles: 2000, pace: 4, credit_delay: 50, packets, stalls, ..Stimulus::default() };
        let needs = |at: u32| move |stimulus: &Stimulus| stimulus.packets.iter().any(|p| p.at == at);
        let (best, runs) = shrunk(whole, |stimulus| needs(313)(stimulus) && needs(707)(stimulus));
        assert_eq!(best.packets, [packet(313, 313 % 7), packet(707, 707 % 7)]);
        assert_eq!((best.pace, best.credit_delay, best.stalls.len()), (1, 0, 0));
        assert!(runs < 120, "{runs} runs");
    }

    #[test]
    fn what_always_fails_ends_empty() {
        let whole = Stimulus { packets: vec![packet(3, 0), packet(9, 1)], ..Stimulus::default() };
        assert_eq!(shrunk(whole, |_| true).0.packets, []);
    }
}
