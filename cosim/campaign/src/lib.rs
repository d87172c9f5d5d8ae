#![doc = include_str!("../README.md")]

mod collect;
mod error;
mod estimate;
mod expand;
mod file;
mod identity;
mod plan;
mod record;
mod script;
mod segment;
mod shard;
mod shelf;
mod store;
#[cfg(test)]
mod tests;
mod verify;
mod work;
mod workshop;

pub use collect::{Columns, Table, collect, details, summary, table};
pub use error::CampaignError;
pub use estimate::Estimate;
pub use file::{Campaign, Choice};
pub use identity::PointId;
pub use plan::{Plan, Point};
pub use record::{Came, Record};
pub use script::{Engine, Script};
pub use segment::{Disk, Segment};
pub use shard::Shard;
pub use shelf::{Shelf, Subject};
pub use store::{Damage, Found, Store};
pub use verify::{Difference, Metric, sample, verify};
pub use work::{Observer, Tally, missing, run, scatter};
