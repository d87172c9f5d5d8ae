#![doc = include_str!("../README.md")]
#![cfg_attr(not(test), no_std)]

mod agent;
mod bits;
pub mod mad;
pub mod port;

pub use agent::{
    Agent, FIRST_GROUP, GROUPS, GROUPS_OF_BLOCK, Handled, Identity, Kind, LinkOrder, Onward,
    PORTS_OF_POSITION, Via,
};
pub use mad::Packet;
