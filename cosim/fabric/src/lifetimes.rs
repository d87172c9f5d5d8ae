//! For how long the switches keep packets at the head of a queue, as the manager has told them.
//!
//! Source: InfiniBand Architecture Specification, volume 1, 14.2.5.6 (PortInfo: HOQLife, VLStallCount).

use crate::fabric::Fabric;
use desvio_sma::mad::attribute;
use std::io;
use thiserror::Error;

/// What a port of a switch has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeadOfQueue {
    /// HOQLife, 0 to 31: the limit is 4.096 µs times two to the power of it, from 20 on there is none.
    pub life: u8,
    /// VLStallCount, 0 to 7.
    pub stall_count: u8,
}

/// Ports of one kind that have different limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("ports {kind} have several: HOQLife {} and VLStallCount {} at one, {} and {} at port {port} of router {router}",
    first.life, first.stall_count, other.life, other.stall_count)]
pub struct Mixed {
    kind: &'static str,
    first: HeadOfQueue,
    other: HeadOfQueue,
    router: usize,
    /// As the switch numbers it.
    port: u8,
}

/// The limits of all switches: of ports to nodes, and of ports to other switches; `None` where there are no such ports.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Lifetimes {
    /// Ports to nodes.
    pub to_nodes: Option<HeadOfQueue>,
    /// Ports to other switches.
    pub to_switches: Option<HeadOfQueue>,
}

impl Lifetimes {
    /// Reads them out of the agents.
    ///
    /// # Errors
    /// When an agent cannot be reached; within, ports that differ.
    pub fn read(fabric: &mut Fabric) -> io::Result<Result<Self, Mixed>> {
        let mut found = Self::default();
        for router in 0..fabric.routers() {
            let ports: Vec<_> = fabric.ports(router).collect();
            for port in ports {
                let byte = fabric.read(router, attribute::PORT_INFO, port.into())?[42];
                let other = HeadOfQueue { life: byte & 31, stall_count: byte >> 5 };
                let is_link = fabric.behind((router, port)).is_some_and(|(at, _)| at < fabric.routers());
                let (kind, place) = match is_link {
                    true => ("between switches", &mut found.to_switches),
                    false => ("to nodes", &mut found.to_nodes),
                };
                let first = *place.get_or_insert(other);
                if first != other {
                    return Ok(Err(Mixed { kind, first, other, router, port }));
                }
            }
        }
        Ok(Ok(found))
    }
}
