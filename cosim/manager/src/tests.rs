//! Each phase on small fabrics of real agents.

mod discover;
mod distribute;
mod groups;
mod lids;
mod losses;
mod mastership;
mod monitor;
mod network;
mod routes;
