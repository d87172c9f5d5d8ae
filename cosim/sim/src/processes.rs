//! Several processes that run one network together: each has some of its parts, on a machine of its own or beside the others.
//!
//! All of them run one program with one scenario. They meet where the threads of a single process meet, each look-ahead. The results are
//! those of a single process, to the byte.

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
    /// Processes that have found each other.
    pub(crate) fn new(transport: Box<dyn Transport>) -> Self {
        Self { transport, lost: Mutex::new(None) }
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
        // A process that has gone needs no end.
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

    /// What each process has, by its number; all of them call it.
    ///
    /// # Errors
    /// When another process has gone.
    pub(crate) fn try_gather<T: Serialize + DeserializeOwned>(&self, own: &T) -> Result<Vec<T>, Lost> {
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
