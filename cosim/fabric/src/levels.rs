//! Service levels of packets, and the virtual lanes that switches give them.
//!
//! Source: InfiniBand Architecture Specification, volume 1, 15.2.5.16 (PathRecord) and 14.2.5.8 (SLtoVLMappingTable).

use crate::fabric::Fabric;
use crate::program::Program;
use desvio_sma::Packet;
use desvio_sma::mad::{BYTES, GET, attribute};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io;
use thiserror::Error;

/// The manager has no path for a pair of nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the subnet manager has no path from node {from} to node {to}")]
pub struct NoPath {
    /// Where it begins.
    pub from: usize,
    /// Where it ends.
    pub to: usize,
}

/// The service level of each pair of nodes, and the tables from levels to lanes of the switches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Levels {
    /// Entry `from * nodes + to`; 0 from a node to itself.
    pub levels: Vec<u8>,
    nodes: usize,
    /// By switch, input and output, as the switch numbers them: the lane of each level.
    tables: BTreeMap<(usize, u8, u8), [u8; 16]>,
}

impl Levels {
    /// Reads the tables of all switches, with the levels of all pairs of nodes.
    ///
    /// # Errors
    /// When an agent cannot be reached.
    pub(crate) fn read(fabric: &mut Fabric, levels: Vec<u8>, nodes: usize) -> io::Result<Self> {
        let mut tables = BTreeMap::new();
        for router in 0..fabric.routers() {
            let ports: Vec<_> = fabric.ports(router).collect();
            for (input, output) in
                ports.iter().flat_map(|&input| ports.iter().map(move |&output| (input, output)))
            {
                let which = u32::from(input) << 8 | u32::from(output);
                let data = fabric.read(router, attribute::SL_TO_VL_TABLE, which)?;
                let pairs = data.iter().flat_map(|pair| [pair >> 4, pair & 0xf]);
                let mut lanes = [0; 16];
                lanes.iter_mut().zip(pairs).for_each(|(lane, found)| *lane = found);
                tables.insert((router, input, output), lanes);
            }
        }
        Ok(Self { levels, nodes, tables })
    }

    /// As `routing.service_levels` reads them.
    #[must_use]
    pub fn levels_to_csv(&self) -> String {
        let mut text = String::from("from,to,level\n");
        for (pair, level) in self.levels.iter().enumerate() {
            let (from, to) = (pair / self.nodes, pair % self.nodes);
            if from != to {
                let _ = writeln!(text, "{from},{to},{level}");
            }
        }
        text
    }

    /// As `routing.sl_to_vl` reads them.
    #[must_use]
    pub fn tables_to_csv(&self) -> String {
        let mut text = String::from("router,input,output,lanes\n");
        for ((router, input, output), lanes) in &self.tables {
            let lanes = lanes.map(|lane| lane.to_string()).join(" ");
            let _ = writeln!(text, "{router},{},{},{lanes}", input - 1, output - 1);
        }
        text
    }

    /// Lanes between switches, by the levels that pairs have, from 0 on, and whether some packets change theirs on the way.
    #[must_use]
    pub fn used(&self, fabric: &Fabric, program: &Program, further: u16) -> (u8, bool) {
        let pairs = (0..self.nodes).flat_map(|from| (0..self.nodes).map(move |to| (from, to)));
        let all =
            pairs.filter(|(from, to)| from != to).map(|pair| self.follow(fabric, program, pair, further));
        all.fold((0, false), |(most, changes), lanes| {
            let count = lanes.iter().max().map_or(0, |lane| lane + 1);
            (most.max(count), changes | lanes.windows(2).any(|pair| pair[0] != pair[1]))
        })
    }

    /// The lanes of a route between switches.
    fn follow(
        &self,
        fabric: &Fabric,
        program: &Program,
        (from, to): (usize, usize),
        further: u16,
    ) -> Vec<u8> {
        let (lid, level) = (program.lids[to] + further, self.levels[from * self.nodes + to]);
        let mut at = fabric.behind((fabric.routers() + from, 1));
        let mut lanes = Vec::new();
        // The program has been checked: every packet arrives.
        while let Some((router, input)) = at {
            let Some(output) = program.port(router, lid) else { break };
            at = fabric.behind((router, output)).filter(|&(next, _)| next < fabric.routers());
            let table = self.tables.get(&(router, input, output));
            lanes.extend(at.and(table).map(|table| table[usize::from(level)]));
        }
        lanes
    }
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

const ADMINISTRATION: u8 = 3;
const PATH_RECORD: u16 = 0x35;
/// Where the record begins.
const RECORD: usize = 56;
/// What is given of it: destination, source, how many paths.
const BY_DLID: u64 = 1 << 4;
const BY_SLID: u64 = 1 << 5;
const BY_NUMBER: u64 = 1 << 12;
