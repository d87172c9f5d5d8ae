#![doc = include_str!("../README.md")]

mod board;
mod error;
mod fabric;
mod levels;
mod lifetimes;
mod managed;
mod opensm;
mod program;
mod record;
#[cfg(target_os = "linux")]
mod server;

pub use board::Board;
pub use error::FabricError;
pub use fabric::{Counts, Fabric, node_guid, router_guid, switch_identity};
pub use levels::{Levels, NoPath};
pub use lifetimes::{HeadOfQueue, Lifetimes, Mixed};
pub use managed::Managed;
pub use opensm::{Engine, OpenSm, client_library};
pub use program::{Program, Unprogrammed};
#[cfg(target_os = "linux")]
pub use server::{Seat, Server};
