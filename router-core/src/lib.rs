#![doc = include_str!("../README.md")]
#![cfg_attr(not(test), no_std)]

pub mod drb;
pub mod event;
pub mod fixed;
pub mod layout;
pub mod lent;
pub mod links;
pub mod map;
pub mod options;
pub mod per_port;
pub mod plan;
pub mod settings;
pub mod units;

pub mod absolute_credits;
pub mod alloc;
pub mod congestion;
pub mod contention;
pub mod credit;
pub mod discard;
pub mod exchange;
pub mod header;
pub mod mark;
pub mod notice;
pub mod output;
pub mod piggyback;
pub mod pins;
#[cfg(not(feature = "small"))]
pub mod rate;
pub mod reservation;
pub mod route;
pub mod router;
pub mod select;
pub mod state;
pub mod vc;
mod vc_sets;

mod draw;
pub mod lfsr;
pub mod lifetime;

pub use units::PortClass;

/// Whether this is built with the feature `small`, for routers of microcontrollers.
pub const IS_SMALL: bool = cfg!(feature = "small");
