//! Forwarding tables while they are filled: what each row says, and where it was written.

use router_core::map::forwarding::{Entry, VcRule};
use router_core::units::VcSet;

use super::{Flaw, Tables, port_id};
use crate::topology::Wiring;

/// The part of an address by which packets differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Destinations {
    /// The router of their destination.
    Routers,
    /// Their destination, in the numbering of [`Rows`]: entry `router` is the first one at that router, its port 0; one entry more.
    Ports(Vec<u32>),
}

impl Destinations {
    /// By the port that leads to a node.
    #[must_use]
    pub fn ports(wiring: &Wiring) -> Self {
        let mut first = vec![0];
        for router in 0..wiring.routers() {
            let last = wiring.nodes_of(router).map(|node| wiring.attachment(node).1 as u32 + 1).max();
            first.push(first[router] + last.unwrap_or(0));
        }
        Self::Ports(first)
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self, wiring: &Wiring) -> usize {
        match self {
            Self::Routers => wiring.routers(),
            Self::Ports(first) => first.last().map_or(0, |&count| count as usize),
        }
    }

    /// That of a node.
    #[must_use]
    pub fn of(&self, wiring: &Wiring, node: usize) -> usize {
        let (router, port) = wiring.attachment(node);
        match self {
            Self::Routers => router,
            Self::Ports(first) => first[router] as usize + port,
        }
    }
}

/// What a router does with packets for a destination.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    /// The port by which they leave; 254 for one that no router has.
    pub port: u8,
    /// The VCs, by the rule of the tables.
    pub vcs: VcSet,
    /// The line that says so, from 1; 0 where no file does.
    pub line: u32,
}

/// The rows of all routers.
#[derive(Debug, Clone)]
pub struct Rows {
    /// What the destinations are.
    pub destinations: Destinations,
    /// Which VC a hop takes.
    pub rule: VcRule,
    count: usize,
    /// Entry `router * count + destination`.
    rows: Vec<Option<Row>>,
    /// Entry `source * count + destination`, where each node has layers of its own.
    layers: Vec<VcSet>,
}

impl Rows {
    /// No row yet.
    ///
    /// # Errors
    /// When there would be more than memory is meant for.
    pub fn new(wiring: &Wiring, destinations: Destinations) -> Result<Self, Flaw> {
        let count = destinations.count(wiring);
        let rows = wiring.routers() * count;
        if rows > MOST_ROWS {
            return Err(Flaw::TooLarge(rows));
        }
        Ok(Self { destinations, rule: VcRule::PerHop, count, rows: vec![None; rows], layers: Vec::new() })
    }

    /// How many destinations there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    /// What a router does with packets for a destination.
    #[must_use]
    pub fn get(&self, router: usize, destination: usize) -> Option<Row> {
        self.rows[router * self.count + destination]
    }

    /// The place of a row.
    pub fn at(&mut self, router: usize, destination: usize) -> &mut Option<Row> {
        &mut self.rows[router * self.count + destination]
    }

    /// Whether rows say nothing of VCs.
    pub(super) fn take_any_vc(&self) -> bool {
        self.rule == VcRule::PerHop && self.rows.iter().flatten().all(|row| row.vcs == ANY)
    }

    /// Gives each pair of destinations the VCs of its first hop, entry `source * count + destination`.
    pub(super) fn set_layers(&mut self, layers: Vec<VcSet>) {
        (self.rule, self.layers) = (VcRule::PerRoute, layers);
    }

    /// The tables.
    #[must_use]
    pub fn into_tables(self) -> Tables {
        let entry = |row: &Option<Row>| match *row {
            None => Entry::NONE,
            Some(Row { port: UNSUPPORTED, .. }) => Entry::UNSUPPORTED,
            Some(row) => Entry::new(port_id(row.port), row.vcs),
        };
        let named = self.rows.iter().flatten().map(|row| row.vcs).filter(|&vcs| vcs != ANY);
        let vcs = named
            .chain(self.layers.iter().copied())
            .flat_map(VcSet::iter)
            .map(|vc| u32::from(vc.number()) + 1)
            .max();
        Tables {
            entries: self.rows.iter().map(entry).collect(),
            first: match self.destinations {
                Destinations::Routers => Vec::new(),
                Destinations::Ports(first) => first,
            },
            layers: self.layers,
            rule: self.rule,
            vcs: vcs.unwrap_or(0),
            sl_to_vl: None,
        }
    }
}

/// A port that no router has.
pub(super) const UNSUPPORTED: u8 = 254;

/// Every VC.
pub(super) const ANY: VcSet = VcSet::from_bits(u8::MAX);

/// Most rows: 12 bytes each, 800 MiB while they are read.
pub(super) const MOST_ROWS: usize = 1 << 26;
