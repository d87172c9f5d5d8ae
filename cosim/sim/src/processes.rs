//! Several processes that run one network together: each has some of its parts, on a machine of its own or beside the others.
//!
//! All of them run one program with one scenario. They meet where the threads of a single process meet, each look-ahead. The results are
//! those of a single process, to the byte.

#[cfg(test)]
mod tests;

use crate::blueprint::Blueprint;
use crate::network::Partition;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::sync::{Mutex, PoisonError};
use thiserror::Error;

/// How the processes of a run reach each other.
pub trait Transport: Send + Sync {
    /// How many there are, this one included.
    fn count(&self) -> usize;
    /// The number of this one, from 0 on. Process 0 writes the results.
    fn own(&self) -> usize;
    /// Sends entry `n` to process `n`, and waits until each of the others has sent its own: entry `n` is from process `n`. The own entries
    /// are not looked at.
    ///
    /// # Errors
    /// When another process has gone.
    fn exchange(&self, outgoing: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, Lost>;
}

/// A process that has gone, or that cannot take part.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("process {process} is lost: {why}")]
pub struct Lost {
    /// Its number.
    pub process: usize,
    /// How that was seen.
    pub why: String,
}

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

/// The processes that run a scenario's loads together.
pub struct Processes {
    transport: Box<dyn Transport>,
    /// The first one that was seen to have gone. Nothing is exchanged after that.
    lost: Mutex<Option<Lost>>,
}

impl std::fmt::Debug for Processes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "process {} of {}", self.own(), self.count())
    }
}

impl Processes {
    /// Processes that have found each other; all of them call it, each with its blueprint, and with an `identity` of scenario and program.
    ///
    /// # Errors
    /// When the scenario cannot be cut into as many parts, or another process has another one.
    pub(crate) fn join(
        transport: Box<dyn Transport>,
        blueprint: &Blueprint,
        identity: &str,
    ) -> Result<Self, JoinError> {
        let processes = Self { transport, lost: Mutex::new(None) };
        whole(blueprint).map_or(Ok(()), Err)?;
        let (count, parts) = (processes.count(), Partition::with(blueprint, processes.count()).shards());
        if parts < count {
            return Err(JoinError::TooMany { processes: count, parts });
        }
        let own = identity.to_owned();
        let all = processes.try_gather(&own)?;
        match all.iter().position(|other| *other != own) {
            Some(process) => Err(JoinError::Differs { process }),
            None => Ok(processes),
        }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.transport.count()
    }

    /// The number of this one.
    pub fn own(&self) -> usize {
        self.transport.own()
    }

    /// The process that has gone, if one has.
    pub fn lost(&self) -> Option<Lost> {
        self.lost.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Process 0 begins a load, with the others.
    pub(crate) fn lead(&self, load: f64) -> Result<(), Lost> {
        self.try_gather(&Some(load)).map(drop)
    }

    /// Process 0 has no more loads.
    pub fn end(&self) {
        // Who has gone needs not be told that this is the end.
        let _ = self.try_gather(&None::<f64>);
    }

    /// The next load of process 0; nothing where there is none.
    pub(crate) fn next(&self) -> Result<Option<f64>, Lost> {
        Ok(self.try_gather(&None::<f64>)?.first().copied().flatten())
    }

    /// What each process has, by its number; all of them call it. Only the own part where another one has gone.
    pub(crate) fn gather<T: Serialize + DeserializeOwned>(&self, own: T) -> Vec<T> {
        self.try_gather(&own).unwrap_or_else(|_| vec![own])
    }

    fn try_gather<T: Serialize + DeserializeOwned>(&self, own: &T) -> Result<Vec<T>, Lost> {
        let bytes = pack(own);
        self.exchange(vec![bytes.clone(); self.count()], bytes)
    }

    /// Sends entry `n` to process `n`; what each has sent to this one, which keeps `own`.
    pub(crate) fn exchange<T: DeserializeOwned>(
        &self,
        outgoing: Vec<Vec<u8>>,
        own: Vec<u8>,
    ) -> Result<Vec<T>, Lost> {
        if let Some(lost) = self.lost() {
            return Err(lost);
        }
        let came = self.transport.exchange(outgoing).and_then(|mut came| {
            if let Some(place) = came.get_mut(self.own()) {
                *place = own;
            }
            let read = |(process, bytes): (usize, Vec<u8>)| {
                postcard::from_bytes(&bytes)
                    .map_err(|error| Lost { process, why: format!("what it sent makes no sense: {error}") })
            };
            came.into_iter().enumerate().map(read).collect()
        });
        if let Err(lost) = &came {
            *self.lost.lock().unwrap_or_else(PoisonError::into_inner) = Some(lost.clone());
        }
        came
    }
}

/// A value as bytes.
pub(crate) fn pack<T: Serialize>(value: &T) -> Vec<u8> {
    // Only a value whose own serialisation fails is refused, and none of ours does.
    postcard::to_stdvec(value).unwrap_or_default()
}

/// What of a scenario needs all routers in one process.
fn whole(blueprint: &Blueprint) -> Option<JoinError> {
    let whole = |what: &str, why| Some(JoinError::Whole { what: what.to_owned(), why });
    let scenario = blueprint.scenario();
    if Partition::draws_together(blueprint) {
        let word = format!("routing `{}`", scenario.routing.word());
        return whole(&word, "its sources draw numbers of one sequence");
    }
    if !scenario.links.down.is_empty() {
        return whole("a network whose links go down", "what is lost is counted at both ends");
    }
    None
}
