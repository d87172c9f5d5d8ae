//! What waits for what: the dependencies between the buffers of a network.

use super::{Hop, Network, Place, Reach};

/// Which buffer may have to wait for which: packets in the first want to go on to the second.
#[derive(Debug)]
pub struct Dependencies {
    after: Vec<Vec<u32>>,
}

impl Dependencies {
    /// None between the buffers of `network`.
    #[must_use]
    pub fn new(network: &Network) -> Self {
        Self { after: vec![Vec::new(); network.channels()] }
    }

    /// Packets in buffer `from` want to go on to buffer `to`.
    pub fn add(&mut self, from: usize, to: usize) {
        if !self.after[from].contains(&(to as u32)) {
            self.after[from].push(to as u32);
        }
    }

    /// Adds what the hops of `reach` tell that `counts` lets through.
    pub fn add_all(&mut self, network: &Network, reach: &Reach, counts: impl Fn(&Place, &Hop) -> bool) {
        for (number, place) in reach.places.iter().enumerate() {
            let Some(from) = network.channel_of(place) else { continue };
            for hop in reach.hops(number).iter().filter(|hop| counts(place, hop)) {
                if let Some(to) = network.channel_of(&reach.places[hop.to]) {
                    self.add(from, to);
                }
            }
        }
    }

    /// How many dependencies there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.after.iter().map(Vec::len).sum()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether no circle of buffers waits for itself (Kahn: take away what nothing leads to, until nothing is left).
    #[must_use]
    pub fn are_acyclic(&self) -> bool {
        let mut into = vec![0_u32; self.after.len()];
        self.after.iter().flatten().for_each(|&to| into[to as usize] += 1);
        let mut ready: Vec<usize> = (0..into.len()).filter(|&buffer| into[buffer] == 0).collect();
        let mut gone = 0;
        while let Some(buffer) = ready.pop() {
            gone += 1;
            for &to in &self.after[buffer] {
                into[to as usize] -= 1;
                if into[to as usize] == 0 {
                    ready.push(to as usize);
                }
            }
        }
        gone == into.len()
    }
}
