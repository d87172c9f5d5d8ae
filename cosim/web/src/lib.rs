#![doc = include_str!("../README.md")]

pub mod exports;
mod session;

pub use session::{Session, measure, start};
