//! A scenario in which the packets of a deadlock meet.

use crate::proof::{Holder, Proof};
use desvio_sim::blueprint::{Blueprint, BlueprintError};
use desvio_sim::network::Violation;
use desvio_sim::run::{RunError, run};
use desvio_sim::scenario::{Loads, Pattern, PerClass, Scenario};
use desvio_sim::traffic::{Pairs, Uniform};
use rayon::prelude::*;
use thiserror::Error;

/// A scenario made for a deadlock, and what became of it.
#[derive(Debug, Clone)]
pub struct Provoked {
    /// The scenario.
    pub scenario: Scenario,
    /// The cycle in which its run was found stuck; `None`: it was not.
    pub deadlock: Option<u64>,
    /// The cycles of each run.
    pub cycles: u64,
}

/// Why a scenario cannot be run.
#[derive(Debug, Error)]
pub enum ProvokeError {
    /// It cannot be built.
    #[error(transparent)]
    Blueprint(#[from] BlueprintError),
    /// It cannot be run.
    #[error(transparent)]
    Run(#[from] RunError),
}

/// Cycles of a run.
const CYCLES: u64 = 20_000;
/// Runs, each with the next seed.
const SEEDS: u64 = 4;

impl Proof {
    /// The first scenario found that ends in a deadlock, at a load of 1. Three kinds of traffic are tried: just the deadlock's packets from
    /// their nodes, the scenario's own pattern, and uniform traffic. Each is tried with its buffers, with buffers of one packet, and with
    /// several seeds. `None` if there is no deadlock.
    #[must_use]
    pub fn provoke(&self) -> Option<Result<Provoked, ProvokeError>> {
        let holders = self.stuck();
        (holders.len() > 1).then(|| provoke(&self.scenario, holders))
    }
}

fn provoke(scenario: &Scenario, holders: &[Holder]) -> Result<Provoked, ProvokeError> {
    let own = || scenario.traffic.pattern.clone();
    let has_groups = holders.iter().any(|holder| holder.group.is_some());
    let patterns = [if has_groups { own() } else { pairs(holders) }, own(), Pattern::from(Uniform)];
    let kinds = patterns.iter().flat_map(|pattern| [(pattern, false), (pattern, true)]);
    let tries: Vec<_> = kinds.flat_map(|kind| (0..SEEDS).map(move |seed| (kind, seed))).collect();
    let run = |&((pattern, is_small), seed): &((&Pattern, bool), u64)| one(scenario, pattern, is_small, seed);
    let is_over = |provoked: &Result<Provoked, ProvokeError>| match provoked {
        Ok(provoked) => provoked.deadlock.is_some(),
        Err(_) => true,
    };
    match tries.par_iter().map(run).find_first(is_over) {
        Some(provoked) => provoked,
        None => one(scenario, &patterns[0], false, 0),
    }
}

/// Runs a scenario with this traffic, as much of it as possible.
fn one(scenario: &Scenario, pattern: &Pattern, is_small: bool, seed: u64) -> Result<Provoked, ProvokeError> {
    let scenario = with(scenario, pattern, is_small, seed);
    let outcome = run(&Blueprint::new(scenario.clone())?, 1.0, &|_| {})?;
    let deadlock = match outcome.violation {
        Some(Violation::Deadlock { cycle, .. }) => Some(cycle),
        _ => None,
    };
    Ok(Provoked { scenario, deadlock, cycles: CYCLES })
}

/// The packets of a deadlock as the only traffic; one of them where a node sends several.
fn pairs(holders: &[Holder]) -> Pattern {
    let mut pairs: Vec<(u32, u32)> = Vec::new();
    for holder in holders {
        if pairs.iter().all(|&(from, _)| from != holder.from) {
            pairs.push((holder.from, holder.to));
        }
    }
    Pattern::from(Pairs { pairs })
}

/// The scenario with a pattern, at a load of 1; with buffers of one packet if they are to be small.
fn with(scenario: &Scenario, pattern: &Pattern, is_small: bool, seed: u64) -> Scenario {
    let mut scenario = scenario.clone();
    scenario.traffic.pattern = pattern.clone();
    scenario.traffic.loads = Loads::List(vec![1.0]);
    scenario.run = scenario.run.with_cycles(0, CYCLES);
    scenario.run.limit_cycles = Some(CYCLES);
    scenario.run.seed = scenario.run.seed.wrapping_add(seed);
    if is_small {
        let packet = scenario.traffic.longest();
        let classes = scenario.topology.classes().len();
        scenario.router.buffer_flits = PerClass::all(classes, packet);
        scenario.router.depths = PerClass::all(classes, Default::default());
    }
    scenario
}
