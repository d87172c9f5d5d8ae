//! Networks of Desvio routers.
pub mod blueprint;
pub mod campaign;
pub mod conform;
pub mod control;
pub mod cost;
pub mod lockstep;
pub mod network;
pub mod report;
pub mod rtl;
pub mod run;
pub mod scenario;
mod stats;
pub mod summary;
pub mod topology;
pub mod traffic;
