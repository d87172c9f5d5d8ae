//! Service levels: which virtual lane packets from one node to another take, as the subnet manager says.
//!
//! Source: InfiniBand Architecture Specification, volume 1, 15.2.5.16 (PathRecord) and 14.2.5.8 (SLtoVLMappingTable).

use crate::fabric::Fabric;
use crate::program::Program;
use desvio_sma::Packet;
use desvio_sma::mad::{BYTES, GET, attribute};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io;
use thiserror::Error;

/// Why lanes cannot be followed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LaneError {
    /// The manager has no path for a pair of nodes.
    #[error("the subnet manager has no path from node {from} to node {to}")]
    NoPath {
        /// Where it begins.
        from: usize,
        /// Where it ends.
        to: usize,
    },
    /// The tables change the lane of a packet on its way.
    #[error(
        "packets from node {from} to node {to} (service level {level}) change from lane {lane} to {next} at router {router}: lanes that change on the way cannot be followed"
    )]
    Changes {
        /// Where it begins.
        from: usize,
        /// Where it ends.
        to: usize,
        /// The service level.
        level: u8,
        /// The lane so far.
        lane: u8,
        /// The next one.
        next: u8,
        /// Where it changes.
        router: usize,
    },
    /// A lane for management, or one that does not exist.
    #[error(
        "packets from node {from} to node {to} (service level {level}) get lane {lane}: up to 7 can be followed"
    )]
    Beyond {
        /// Where it begins.
        from: usize,
        /// Where it ends.
        to: usize,
        /// The service level.
        level: u8,
        /// The lane.
        lane: u8,
    },
    /// Nodes of one router that the tables cannot tell apart.
    #[error(
        "nodes of router {router} have different lanes to node {to}: such tables are run with one node per router"
    )]
    Differ {
        /// The router.
        router: usize,
        /// The destination.
        to: usize,
    },
}

/// The request for the path from one node to another.
pub(crate) fn path_request(
    program: &Program,
    (from, to): (usize, usize),
    further: u16,
    manager: u16,
) -> Packet {
    let mut packet = Packet { slid: program.lids[from], dlid: manager, mad: [0; BYTES] };
    let mad = &mut packet.mad;
    mad[..4].copy_from_slice(&[1, ADMINISTRATION, 2, GET]);
    mad[16..18].copy_from_slice(&PATH_RECORD.to_be_bytes());
    mad[48..56].copy_from_slice(&(BY_DLID | BY_SLID | BY_NUMBER).to_be_bytes());
    let dlid = program.lids[to] + further;
    mad[RECORD + 40..RECORD + 42].copy_from_slice(&dlid.to_be_bytes());
    mad[RECORD + 42..RECORD + 44].copy_from_slice(&program.lids[from].to_be_bytes());
    mad[RECORD + 49] = 1;
    packet
}

/// The service level that an answer says.
pub(crate) fn level(answer: &Packet) -> Option<u8> {
    let is_good = answer.status() == 0 && answer.attribute() == PATH_RECORD;
    is_good.then_some(answer.mad[RECORD + 53] & 0xf)
}

/// The lane of a service level along a route: one for all of its links between switches.
pub(crate) fn lane(
    fabric: &mut Fabric,
    known: &mut HashMap<(usize, u8, u8), [u8; 8]>,
    program: &Program,
    (from, to): (usize, usize),
    further: u16,
    level: u8,
) -> io::Result<Result<u8, LaneError>> {
    let lid = program.lids[to] + further;
    let Some((mut router, mut input)) = fabric.behind((fabric.routers() + from, 1)) else {
        return Ok(Err(LaneError::NoPath { from, to }));
    };
    let mut lane = None;
    // The program has been checked: every packet arrives.
    while let Some(output) = program.port(router, lid) {
        let Some((next, port)) = fabric.behind((router, output)) else { break };
        if next >= fabric.routers() {
            break;
        }
        let at = (router, input, output);
        let lanes = match known.entry(at) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(place) => {
                let which = u32::from(input) << 8 | u32::from(output);
                let data = fabric.read(router, attribute::SL_TO_VL_TABLE, which)?;
                *place.insert(data[..8].try_into().unwrap_or_default())
            }
        };
        let pair = lanes[usize::from(level / 2)];
        let here = if level.is_multiple_of(2) { pair >> 4 } else { pair & 0xf };
        let before = *lane.get_or_insert(here);
        if before != here {
            return Ok(Err(LaneError::Changes { from, to, level, lane: before, next: here, router }));
        }
        (router, input) = (next, port);
    }
    let lane = lane.unwrap_or(0);
    Ok(if lane < 8 { Ok(lane) } else { Err(LaneError::Beyond { from, to, level, lane }) })
}

const ADMINISTRATION: u8 = 3;
const PATH_RECORD: u16 = 0x35;
/// Where the record begins.
const RECORD: usize = 56;
/// What is given of it: destination, source, how many paths.
const BY_DLID: u64 = 1 << 4;
const BY_SLID: u64 = 1 << 5;
const BY_NUMBER: u64 = 1 << 12;
