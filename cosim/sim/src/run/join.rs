//! Several processes join for the runs of one scenario.

#[cfg(test)]
mod tests;

use crate::blueprint::Blueprint;
use crate::network::Partition;
use crate::processes::{Lost, Processes, Transport};
use thiserror::Error;

/// A scenario that its processes cannot run together.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum JoinError {
    /// It is not one in parts.
    #[error("{what} runs in one process: {why}")]
    Whole {
        /// What of the scenario.
        what: String,
        /// Why.
        why: &'static str,
    },
    /// More processes than parts.
    #[error("{processes} processes for a network of {parts} parts that stay whole (groups, or routers)")]
    TooMany {
        /// Processes.
        processes: usize,
        /// Parts.
        parts: usize,
    },
    /// Another process has read something else.
    #[error("process {process} runs another scenario, or another build of the program")]
    Differs {
        /// Its number.
        process: usize,
    },
    /// Another process has gone.
    #[error(transparent)]
    Lost(#[from] Lost),
}

/// Lets a scenario's loads be run by several processes together. Each of them calls it, with one `identity` of scenario, files and program
/// in all. After that process 0 runs loads as ever, and the others [`follow`](super::follow) it.
///
/// # Errors
/// When the scenario cannot be cut into as many parts, or another process has another one, or has gone.
pub fn join(
    blueprint: &mut Blueprint,
    transport: impl Transport + 'static,
    identity: &str,
) -> Result<(), JoinError> {
    can_join(blueprint, transport.count())?;
    let processes = Processes::new(Box::new(transport));
    let all = processes.try_gather(&identity.to_owned())?;
    if let Some(process) = all.iter().position(|other| other != identity) {
        return Err(JoinError::Differs { process });
    }
    blueprint.set_processes(processes);
    Ok(())
}

/// Whether so many processes can run a scenario's loads together.
///
/// # Errors
/// When it cannot be cut into as many parts.
pub fn can_join(blueprint: &Blueprint, processes: usize) -> Result<(), JoinError> {
    if processes == 1 {
        return Ok(());
    }
    whole(blueprint).map_or(Ok(()), Err)?;
    match Partition::with(blueprint, processes).shards() {
        parts if parts < processes => Err(JoinError::TooMany { processes, parts }),
        _ => Ok(()),
    }
}

/// What of a scenario needs all routers in one process.
fn whole(blueprint: &Blueprint) -> Option<JoinError> {
    let whole = |what: &str, why| Some(JoinError::Whole { what: what.to_owned(), why });
    let scenario = blueprint.scenario();
    if let Some(what) = Partition::is_whole(blueprint) {
        return whole(what, "its parts share more than links");
    }
    if Partition::draws_together(blueprint) {
        let word = format!("routing `{}`, as it is set,", scenario.routing.word());
        return whole(&word, "its sources draw numbers of one sequence");
    }
    if !scenario.links.down.is_empty() {
        return whole("a network whose links go down", "what is lost is counted at both ends");
    }
    None
}
