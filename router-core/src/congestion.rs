//! Congestion control at the source: the part of a channel adapter in InfiniBand's congestion control (annex A10 of the specification).
//!
//! Routers mark packets ([`crate::mark`]). The destination of a marked packet sends a notification (BECN) to its source, in the
//! acknowledgement or in a packet of its own (CN). The source then waits longer between its packets, and less again with time.
//!
//! An adapter may also spread its packets over several paths: an [`Agent`] has a [`PathSet`] for each destination.
//!
//! A link that is slower than the source's own needs no marks: a [`TimeOut`] for each destination holds its packets back.
//!
//! An adapter has one [`Table`] and one [`AdapterSettings`] for each service level, and one [`Throttle`] for each flow that is held back on
//! its own: each service level, or each queue pair.

mod agent;
mod paths;
mod source;
mod table;
#[cfg(not(feature = "small"))]
mod time_out;

pub use agent::{Agent, lid_of, notification, with_lid};
pub use paths::{PATHS, PathSet, PathSettings};
pub use source::{AdapterSettings, Throttle};
pub use table::{Entry, Table, TableError};
#[cfg(not(feature = "small"))]
pub use time_out::TimeOut;

#[cfg(test)]
#[allow(clippy::arithmetic_side_effects)]
mod tests;
