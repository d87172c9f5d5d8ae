//! One load of one scenario: warm up, measure, sum up.

mod join;
mod lacking;
mod link_series;
mod packets;
mod relaxation;
mod session;
mod stationary;
mod sum_up;
#[cfg(test)]
mod tests;

use crate::blueprint::{Blueprint, BlueprintError};
use crate::installed::Installed;
use crate::network::{Network, Partition, Spare, Violation};
use crate::processes::{Lost, Processes};
use crate::scenario::{OwnScheme, Pattern};
use crate::summary::Summary;
use crate::topology::WORD_PORTS;
use crate::traffic::{Traffic, TrafficError};
pub use join::{JoinError, can_join, join};
pub use lacking::lacking;
use router_core::route::{Route, Scheme};
use router_core::units::{Bits, VcSet};
use session::Session;
use thiserror::Error;

/// A load that could not be run.
#[derive(Debug, Error)]
pub enum RunError {
    /// The network.
    #[error(transparent)]
    Blueprint(#[from] BlueprintError),
    /// The traffic.
    #[error("traffic: {0}")]
    Traffic(#[from] TrafficError),
    /// Routers that are larger than those that the engine was compiled for.
    #[error("the network's routers have {ports} ports and {vcs} VCs; it is run with up to {} and {}", most.0, most.1)]
    Size {
        /// Ports of the widest router.
        ports: usize,
        /// VCs of the port that has most.
        vcs: u32,
        /// Most ports, and most VCs.
        most: (usize, usize),
    },
    /// Another process of the run.
    #[error("{0}; the loads that are finished are kept")]
    Lost(#[from] Lost),
}

/// What came of one load.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// What was measured, as far as it went.
    pub summary: Summary,
    /// The invariant that was found broken, if one was.
    pub violation: Option<Violation>,
}

/// How far a run is, for progress bars: cycles run, and the most it may take.
#[derive(Debug, Clone, Copy)]
pub struct Progress {
    /// Link cycles run.
    pub cycle: u64,
    /// Link cycles after which it ends at the latest.
    pub limit: u64,
}

/// Runs one load by the routing of its scenario, on one thread. `load` is in flits per node per cycle, above 0 and at
/// most 2.
///
/// # Errors
/// When the network or the traffic cannot be built. What goes wrong while it runs is part of the outcome.
pub fn run(blueprint: &Blueprint, load: f64, progress: &dyn Fn(Progress)) -> Result<Outcome, RunError> {
    run_sharing(blueprint, load, progress, &|| false)
}

/// Runs one load by a routing of another crate, on one thread, as one shard. `run_with::<8, 4, _>(…)` compiles the engine for that routing
/// and for routers with up to 8 ports and 4 VCs, in the crate that calls it. `P` is 1…64 and `V` 1…8; powers of two are fastest. `load` is
/// as for [`run`].
///
/// The addresses that the routing sees are those of the topology's map, if the blueprint comes from
/// [`Blueprint::without_routing`].
///
/// Neither the VCs of the routing nor its freedom from deadlock are known in advance. A network that is stuck ends with
/// [`Violation::Deadlock`], or with [`Violation::Stranded`] where a packet needs a VC that no output has.
///
/// # Errors
/// As [`run`]; also when the network's routers have more than `P` ports or `V` VCs.
pub fn run_with<const P: usize, const V: usize, R: Route + Sync>(
    blueprint: &Blueprint,
    routing: &R,
    load: f64,
    progress: &dyn Fn(Progress),
) -> Result<Outcome, RunError> {
    const { assert!(P > 0 && P <= WORD_PORTS && V > 0 && V <= VcSet::CAPACITY) };
    let (ports, vcs) = (blueprint.wiring().ports(), blueprint.scenario().router.vcs.highest());
    if ports > P || vcs as usize > V {
        return Err(RunError::Size { ports, vcs, most: (P, V) });
    }
    let one = Partition::with(blueprint, 1);
    in_shards::<P, V, _, usize>(blueprint, (routing, Vec::new()), load, progress, (&one, &|| false))
}

/// Runs one load, on all threads of the pool while `spare` says that they have nothing else to do. The outcome is that of
/// one thread.
///
/// # Errors
/// As [`run`].
pub fn run_sharing(
    blueprint: &Blueprint,
    load: f64,
    progress: &dyn Fn(Progress),
    spare: &(dyn Fn() -> bool + Sync),
) -> Result<Outcome, RunError> {
    if let Some(processes) = blueprint.processes() {
        processes.lead(load)?;
    }
    in_processes(blueprint, load, progress, spare)
}

/// Runs the loads that process 0 leads with, until it has no more: what the other processes of a scenario do after [`join`]. It uses all
/// threads of the pool.
///
/// # Errors
/// When another process has gone, or the network or the traffic cannot be built.
pub fn follow(blueprint: &Blueprint) -> Result<(), RunError> {
    while let Some(load) = blueprint.processes().map_or(Ok(None), Processes::next)? {
        in_processes(blueprint, load, &|_| (), &|| true)?;
    }
    Ok(())
}

/// One load, in this process or in all of them.
fn in_processes(
    blueprint: &Blueprint,
    load: f64,
    progress: &dyn Fn(Progress),
    spare: Spare<'_>,
) -> Result<Outcome, RunError> {
    match &blueprint.scenario().routing.own {
        Some(own) => {
            let runner = RUNNERS.all().iter().find(|runner| runner.word == own.word());
            let runner = runner.ok_or(BlueprintError::Unfit(own.word()))?;
            (runner.run)(own, blueprint, load, progress, spare)
        }
        #[cfg(not(target_family = "wasm"))]
        None if blueprint.is_wide() => {
            use router_core::units::{WideBits, WidePorts};
            let routing = || Ok((blueprint.wide_routing()?, blueprint.wide_routing_updates()?));
            sized::<{ WidePorts::CAPACITY }, 8, _, WideBits>(blueprint, &routing, load, progress, spare)
        }
        None => {
            let routing = || Ok((blueprint.routing()?, blueprint.routing_updates()?));
            of_any_size(blueprint, &routing, load, progress, spare)
        }
    }
}

/// How a routing that the program has registered is run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Runner {
    word: &'static str,
    run: RunOwn,
}

/// Runs one load by a registered routing.
type RunOwn = fn(&OwnScheme, &Blueprint, f64, &dyn Fn(Progress), Spare<'_>) -> Result<Outcome, RunError>;

/// Those of all registered routings.
pub(crate) static RUNNERS: Installed<Runner> = Installed::new();

impl Runner {
    pub(crate) fn of<S: Scheme + 'static>() -> Self
    where
        for<'m> S::Routing<'m>: Sync,
    {
        let run: RunOwn = |own, blueprint, load, progress, spare| {
            let scheme = own.downcast::<S>().ok_or(BlueprintError::Unfit(S::WORD))?;
            run_own(&scheme, blueprint, load, progress, spare)
        };
        Self { word: S::WORD, run }
    }
}

/// Runs one load by a scheme that the program has registered.
fn run_own<S: Scheme>(
    scheme: &S,
    blueprint: &Blueprint,
    load: f64,
    progress: &dyn Fn(Progress),
    spare: Spare<'_>,
) -> Result<Outcome, RunError>
where
    for<'m> S::Routing<'m>: Sync,
{
    let routing = || {
        let routing = scheme.build(&blueprint.map()?, blueprint.routing_vcs());
        Ok((routing.ok_or(BlueprintError::Unfit(S::WORD))?, Vec::new()))
    };
    of_any_size(blueprint, &routing, load, progress, spare)
}

/// A routing, and those that take its place while the network runs, each from a cycle on.
type Routings<R> = (R, Vec<(u64, R)>);

fn of_any_size<R: Route + Sync>(
    blueprint: &Blueprint,
    routing: &dyn Fn() -> Result<Routings<R>, BlueprintError>,
    load: f64,
    progress: &dyn Fn(Progress),
    spare: Spare<'_>,
) -> Result<Outcome, RunError> {
    let ports = blueprint.wiring().ports();
    let vcs = blueprint.scenario().router.vcs.highest();
    // The smallest compiled size that fits. Where debug assertions are on, three of them do: each takes seconds to compile. A page is
    // downloaded, and has two.
    match (ports, vcs) {
        (..=8, ..=4) => sized::<8, 4, R, usize>(blueprint, routing, load, progress, spare),
        #[cfg(not(target_family = "wasm"))]
        (..=16, ..=4) => sized::<16, 4, R, usize>(blueprint, routing, load, progress, spare),
        #[cfg(all(feature = "sizes", not(debug_assertions)))]
        (..=32, ..=4) => sized::<32, 4, R, usize>(blueprint, routing, load, progress, spare),
        #[cfg(all(feature = "sizes", not(debug_assertions)))]
        (_, ..=4) => sized::<64, 4, R, usize>(blueprint, routing, load, progress, spare),
        #[cfg(all(feature = "sizes", not(debug_assertions)))]
        (..=16, _) => sized::<16, 8, R, usize>(blueprint, routing, load, progress, spare),
        (_, _) => sized::<WORD_PORTS, 8, R, usize>(blueprint, routing, load, progress, spare),
    }
}

fn sized<const P: usize, const V: usize, R: Route<B> + Sync, B: Bits>(
    blueprint: &Blueprint,
    routing: &dyn Fn() -> Result<Routings<R>, BlueprintError>,
    load: f64,
    progress: &dyn Fn(Progress),
    spare: Spare<'_>,
) -> Result<Outcome, RunError> {
    let bytes = Network::<P, V, R, B>::router_bytes(blueprint)?;
    let threads = if spare() { rayon::current_num_threads() } else { 1 };
    let partition = match blueprint.processes() {
        Some(all) => {
            let threads = all.gather(threads).into_iter().sum();
            Partition::new(blueprint, threads, bytes).of_process(all.own(), all.count())
        }
        None => Partition::new(blueprint, threads, bytes),
    };
    let run = |partition: &Partition| {
        in_shards::<P, V, _, B>(blueprint, routing()?, load, progress, (partition, spare))
    };
    if blueprint.processes().is_some_and(|all| all.own() > 0) {
        return run(&partition);
    }
    let one = Partition::with(blueprint, 1);
    repeat_single_sharded((&partition, &one), run, |outcome| outcome.violation.as_ref())
}

/// Runs in many shards, and after a violation again in one. A shard may overrun a violation found by another one; a
/// single shard ends in the cycle of the first violation. A deadlock, or a packet that can never leave, is found at a barrier, by the network
/// as a whole: no repeat.
pub(crate) fn repeat_single_sharded<T, E>(
    (many, one): (&Partition, &Partition),
    run: impl Fn(&Partition) -> Result<T, E>,
    violation: impl Fn(&T) -> Option<&Violation>,
) -> Result<T, E> {
    let outcome = run(many)?;
    match violation(&outcome) {
        None | Some(Violation::Deadlock { .. } | Violation::Losses { .. } | Violation::Stranded { .. }) => {
            Ok(outcome)
        }
        Some(_) if many.shards() == 1 => Ok(outcome),
        Some(_) => run(one),
    }
}

fn in_shards<const P: usize, const V: usize, R: Route<B> + Sync, B: Bits>(
    blueprint: &Blueprint,
    (routing, updates): (R, Vec<(u64, R)>),
    load: f64,
    progress: &dyn Fn(Progress),
    (partition, spare): (&Partition, Spare<'_>),
) -> Result<Outcome, RunError> {
    let scenario = blueprint.scenario();
    let traffic = Traffic::new(&scenario.traffic, &blueprint.node_map(), load, scenario.run.seed)?;
    let mut network = Network::<P, V, _, B>::with(blueprint, routing, &traffic, partition, spare)?;
    network.update_later(updates);
    if let Pattern::SwitchAt { cycle, .. } = scenario.traffic.pattern {
        network.record_series(scenario.run.window_cycles, cycle);
    }
    let mut session = Session::new(network, blueprint, progress, traffic.active_nodes().count());
    session.warm_up();
    session.measure();
    if session.network.violation().is_none() {
        session.network.audit();
    }
    let state = session.state();
    let network = &mut session.network;
    let mut summary =
        sum_up::sum_up(network, &traffic, blueprint, load, state, &session.measured, session.start);
    if let (Some(links), Some(details)) = (session.links.take(), &mut summary.details) {
        details.over_time = links.into_windows();
    }
    // Without it the sums are not those of all.
    if let Some(lost) = blueprint.processes().and_then(Processes::lost) {
        return Err(lost.into());
    }
    Ok(Outcome { summary, violation: session.network.violation().cloned() })
}
