//! The decisions of a network switch: the function that decides on a microcontroller is the function that is
//! compared with the RTL and the function that a million simulated packets run through.
//!
//! No heap, no `unsafe`, no panic: indexing, unwrapping and unchecked arithmetic are denied by lint. The modules
//! follow a packet:
//!
//! ```text
//! header → route → select (contention) → vc → alloc → credit, output
//! ```
//!
//! and [`router`] calls them in that order. Everything that all routers of a network share is in a
//! [`plan::Plan`] and a [`route::Routing`]; what one router remembers is in its [`router::Router`].
#![cfg_attr(not(test), no_std)]

pub mod event;
pub mod layout;
pub mod map;
pub mod per_port;
pub mod plan;
pub mod settings;
pub mod units;

pub mod alloc;
pub mod contention;
pub mod credit;
pub mod header;
pub mod output;
pub mod pins;
pub mod route;
pub mod router;
pub mod select;
pub mod vc;
mod vc_sets;

mod draw;
pub mod lfsr;

pub use units::PortClass;
