//! For how long the switches keep packets, at the head of a queue and in all, as the manager has set them.
//!
//! Source: InfiniBand Architecture Specification, volume 1, 14.2.5.4 (SwitchInfo: LifeTimeValue) and 14.2.5.6 (PortInfo: HOQLife, VLStallCount).

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

/// Ports of one kind, or switches, that have different limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Mixed {
    /// Ports.
    #[error("ports {kind} have several: HOQLife {} and VLStallCount {} at one, {} and {} at port {port} of router {router}",
        first.life, first.stall_count, other.life, other.stall_count)]
    Ports {
        /// To nodes, or between switches.
        kind: &'static str,
        /// Of the first port of the kind.
        first: HeadOfQueue,
        /// Of another one:
        other: HeadOfQueue,
        /// of this router,
        router: usize,
        /// as the switch numbers it.
        port: u8,
    },
    /// Switches.
    #[error("switches have several: LifeTimeValue {first} at router 0, {other} at router {router}")]
    Switches {
        /// Of the first one.
        first: u8,
        /// Of another one:
        other: u8,
        /// this router.
        router: usize,
    },
}

/// The limits of all switches: of ports to nodes, and of ports to other switches; `None` where there are no such ports.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Lifetimes {
    /// Ports to nodes.
    pub to_nodes: Option<HeadOfQueue>,
    /// Ports to other switches.
    pub to_switches: Option<HeadOfQueue>,
    /// LifeTimeValue of the switches, 0 to 31, as HOQLife.
    pub in_switches: u8,
}

impl Lifetimes {
    /// Reads them out of the agents.
    ///
    /// # Errors
    /// When an agent cannot be reached; within, ports that differ.
    pub fn read(fabric: &mut Fabric) -> io::Result<Result<Self, Mixed>> {
        let mut found = Self::default();
        for router in 0..fabric.routers() {
            let other = fabric.read(router, attribute::SWITCH_INFO, 0)?[11] >> 3;
            let first = if router == 0 { other } else { found.in_switches };
            if first != other {
                return Ok(Err(Mixed::Switches { first, other, router }));
            }
            found.in_switches = other;
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
                    return Ok(Err(Mixed::Ports { kind, first, other, router, port }));
                }
            }
        }
        Ok(Ok(found))
    }
}
