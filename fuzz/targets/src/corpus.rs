//! The inputs that others are made of.

use super::mutate::Mutator;
use super::outcome::Outcome;
use std::collections::HashSet;

/// Most inputs that are kept.
const MOST: usize = 4096;

/// The seeds, and one input for each outcome that no earlier one had.
pub(crate) struct Corpus {
    inputs: Vec<Vec<u8>>,
    seeds: usize,
    seen: HashSet<Outcome>,
}

impl Corpus {
    pub(crate) fn new(seeds: Vec<Vec<u8>>) -> Self {
        Self { seeds: seeds.len(), inputs: seeds, seen: HashSet::new() }
    }

    pub(crate) fn len(&self) -> usize {
        self.inputs.len()
    }

    /// Input number `number` of a run: the seeds first, then changed ones.
    pub(crate) fn input(&self, number: u64, mutator: &mut Mutator) -> Vec<u8> {
        if let Some(seed) = self.inputs[..self.seeds].get(number as usize) {
            return seed.clone();
        }
        let mut any = || self.inputs.get(mutator.below(self.inputs.len())).map_or(&[][..], Vec::as_slice);
        let (one, other) = (any(), any());
        mutator.change(one, other)
    }

    /// Keeps an input whose outcome is new.
    pub(crate) fn learn(&mut self, input: &[u8], outcome: Outcome) {
        if self.seen.insert(outcome)
            && self.inputs.len() < MOST
            && !self.inputs.iter().any(|known| known == input)
        {
            self.inputs.push(input.to_vec());
        }
    }
}
