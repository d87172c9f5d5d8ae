//! Maps: where a router is in its network, and which port leads where.
//!
//! A map is pure arithmetic on addresses. It knows no queue, and no packet but its destination.

pub mod dragonfly;
pub mod grid;
