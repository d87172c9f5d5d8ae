#![doc = include_str!("../README.md")]

pub mod campaign;
pub mod conform;
pub mod control;
pub mod rtl;

mod case;
pub mod compare;
pub mod coverage;
pub mod driver;
pub mod frame;
pub mod generator;
mod lifetimes;
mod marks;
pub mod mcu;
mod mcu_follower;
pub mod model;
pub mod offers;
pub(crate) mod payload;
pub mod places;
pub mod record;
mod registers;
pub mod replay;
pub mod session;
pub mod settings;
mod shadow;
mod shape;
pub mod shrink;
pub mod soak;
pub mod stepper;
pub mod stimulus;
pub mod structural;
mod switch;
pub mod thresholds;
pub mod trail;
pub mod twin;
mod vl_tables;
