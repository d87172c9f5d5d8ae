#![doc = include_str!("../README.md")]

mod certificate;
mod channel;
mod checker;
mod error;
mod knot;
mod launches;
#[cfg(test)]
mod multicast;
mod network;
mod offers;
mod proof;
mod prove;
mod provoke;
mod rank;
mod walk;
mod witness;

pub use certificate::Certificate;
pub use channel::Channel;
pub use checker::{Refuted, check, check_of};
pub use error::ProveError;
pub use proof::{Fault, Holder, Proof, Ranks, Reach, Tie, Verdict};
pub use prove::{prove, prove_escape};
pub use provoke::{ProvokeError, Provoked};
