//! What a subnet manager has programmed: identifiers of the nodes, and a port for each of them at every switch.

use crate::fabric::Fabric;
use desvio_sma::mad::{DATA, attribute};
use desvio_sma::port::PortState;
use std::fmt::Write as _;
use std::io;
use thiserror::Error;

/// What a fabric lacks before its nodes can send.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Unprogrammed {
    /// A node has no LID.
    #[error("node {0} has no LID")]
    NoLid(usize),
    /// Two nodes have the same.
    #[error("node {0} and node {1} have a LID in common")]
    SameLid(usize, usize),
    /// A link between what has LIDs is not active.
    #[error("port {port} of {name} is not active")]
    NotActive {
        /// `router 3` or `node 5`.
        name: String,
        /// As the switch or the adapter numbers it.
        port: u8,
    },
    /// A switch has no way to a node.
    #[error("router {router} has no port for node {node} (LID {lid})")]
    NoEntry {
        /// The router.
        router: usize,
        /// The node.
        node: usize,
        /// Its LID.
        lid: u16,
    },
    /// A switch sends packets for a node where they cannot arrive.
    #[error(
        "router {router} sends packets for node {node} (LID {lid}) to port {port}, which leads nowhere now"
    )]
    NoLink {
        /// The router.
        router: usize,
        /// The node.
        node: usize,
        /// Its LID.
        lid: u16,
        /// The port, as the switch numbers it.
        port: u8,
    },
    /// Packets go round for ever.
    #[error("packets from router {router} for node {node} (LID {lid}) never arrive")]
    Circle {
        /// Where they begin.
        router: usize,
        /// The node.
        node: usize,
        /// Its LID.
        lid: u16,
    },
}

/// What a subnet manager has programmed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// By node: its first LID.
    pub lids: Vec<u16>,
    /// Each node has 2 to the power of this many LIDs.
    pub lmc: u8,
    /// By router: the port for each LID, as the switch numbers it; 255 for none.
    pub tables: Vec<Vec<u8>>,
}

impl Program {
    /// Reads it out of the agents.
    ///
    /// # Errors
    /// When an agent cannot be reached; within, what is missing.
    pub fn read(fabric: &mut Fabric) -> io::Result<Result<Self, Unprogrammed>> {
        let (routers, all) = (fabric.routers(), fabric.len());
        let (mut lids, mut lmc) = (Vec::new(), 0);
        for node in routers..all {
            let info = fabric.read(node, attribute::PORT_INFO, 1)?;
            let lid = u16::from_be_bytes([info[16], info[17]]);
            if lid == 0 {
                return Ok(Err(Unprogrammed::NoLid(node - routers)));
            }
            lmc = lmc.max(info[34] & 7);
            lids.push(lid);
        }
        if let Some(same) = same(&lids, lmc) {
            return Ok(Err(same));
        }
        if let Some(port) = inactive(fabric)? {
            return Ok(Err(port));
        }
        let last = lids.iter().max().map_or(0, |&lid| usize::from(lid) + (1 << lmc));
        let mut tables = vec![Vec::new(); routers];
        for (router, table) in tables.iter_mut().enumerate() {
            for block in 0..last.div_ceil(DATA) {
                table.extend(fabric.read(router, attribute::LINEAR_FORWARDING_TABLE, block as u32)?);
            }
        }
        let program = Self { lids, lmc, tables };
        Ok(program.check(fabric).map(|()| program))
    }

    /// Follows packets from every switch to every node, for each of its LIDs, over the links that are up.
    ///
    /// # Errors
    /// The first that does not arrive.
    pub fn check(&self, fabric: &Fabric) -> Result<(), Unprogrammed> {
        for (node, &first) in self.lids.iter().enumerate() {
            for lid in first..first + (1 << self.lmc) {
                (0..self.tables.len()).try_for_each(|router| self.follow(fabric, router, node, lid))?;
            }
        }
        Ok(())
    }

    fn follow(&self, fabric: &Fabric, from: usize, node: usize, lid: u16) -> Result<(), Unprogrammed> {
        let mut router = from;
        for _ in 0..=self.tables.len() {
            let port = self.port(router, lid).ok_or(Unprogrammed::NoEntry { router, node, lid })?;
            match fabric.behind((router, port)) {
                Some((place, _)) if place == fabric.routers() + node => return Ok(()),
                Some((next, _)) if next < fabric.routers() => router = next,
                _ => return Err(Unprogrammed::NoLink { router, node, lid, port }),
            }
        }
        Err(Unprogrammed::Circle { router: from, node, lid })
    }

    /// The port of a switch for a LID.
    #[must_use]
    pub fn port(&self, router: usize, lid: u16) -> Option<u8> {
        self.tables[router].get(usize::from(lid)).copied().filter(|&port| port != 255)
    }

    /// The tables as `routing.tables` reads them, of the first LID of each node or of one `further`, up to 2 to the power of the LMC: a
    /// row for each router and node of another router. `home` is the router of a node.
    pub fn to_csv(&self, home: impl Fn(usize) -> usize, further: u16) -> String {
        let mut text = String::from("router,to_node,port\n");
        for router in 0..self.tables.len() {
            for (to, &lid) in self.lids.iter().enumerate().filter(|&(node, _)| home(node) != router) {
                if let Some(port) = self.port(router, lid + further % (1 << self.lmc)) {
                    let _ = writeln!(text, "{router},{to},{}", port - 1);
                }
            }
        }
        text
    }
}

/// The first link that is up, and not active.
fn inactive(fabric: &mut Fabric) -> io::Result<Option<Unprogrammed>> {
    let routers = fabric.routers();
    for place in 0..fabric.len() {
        let ports: Vec<_> = fabric.ports(place).collect();
        for port in ports {
            if fabric.state((place, port))? != PortState::Active as u8 {
                let name = if place < routers {
                    format!("router {place}")
                } else {
                    format!("node {}", place - routers)
                };
                return Ok(Some(Unprogrammed::NotActive { name, port }));
            }
        }
    }
    Ok(None)
}

/// Two nodes whose ranges of LIDs overlap.
fn same(lids: &[u16], lmc: u8) -> Option<Unprogrammed> {
    let mut order: Vec<_> = lids.iter().copied().zip(0..).collect();
    order.sort_unstable();
    let is_same = |pair: &&[(u16, usize)]| pair[1].0 - pair[0].0 < 1 << lmc;
    order
        .windows(2)
        .find(is_same)
        .map(|pair| Unprogrammed::SameLid(pair[0].1.min(pair[1].1), pair[0].1.max(pair[1].1)))
}
