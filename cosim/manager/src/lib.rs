#![doc = include_str!("../README.md")]

mod attribute;
mod contact;
mod discover;
mod distribute;
mod duty;
mod error;
mod groups;
mod lids;
mod limits;
mod manager;
mod mastership;
mod monitor;
mod requests;
mod route;
mod routes;
mod subnet;
#[cfg(test)]
mod tests;
mod transport;

pub use attribute::{NodeInfo, SmInfo, State};
pub use contact::Contact;
pub use distribute::Distributed;
pub use error::ManagerError;
pub use limits::{HeadLimit, Limits};
pub use manager::{Event, Manager, Programmed, Settings};
pub use requests::Counts;
pub use route::Route;
pub use routes::{Facts, Restricted};
pub use subnet::{End, Node, Subnet};
pub use transport::Transport;
