#![doc = include_str!("../README.md")]

mod certificate;
mod channel;
mod error;
mod knot;
mod launches;
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
pub use error::ProveError;
pub use proof::{Finding, Holder, Proof, Ranks, Reach, Verdict};
pub use prove::prove;
pub use provoke::{ProvokeError, Provoked};
