//! Forwarding tables of a network: one output port for each router and destination. Read from files, computed, checked, written.

mod alternatives;
mod check;
mod csv;
mod error;
mod export;
mod layers;
mod opensm;
mod rows;
mod service_levels;
mod shortest;
#[cfg(test)]
mod tests;

use std::path::Path;

use router_core::map::forwarding::{Entry, VcRule};
use router_core::units::{PortId, VcSet};

use crate::bounded;
use crate::topology::{Fabric, Wiring};
pub(crate) use alternatives::Limits;
pub use error::{Flaw, TablesError};
pub use export::{ExportError, to_csv};
pub use rows::{Destinations, Rows};

/// The tables of all routers of a network, as `router-core` has them.
#[derive(Debug, Clone)]
pub struct Tables {
    /// Entry `router * destinations + destination`.
    pub entries: Vec<Entry>,
    /// As in [`router_core::map::forwarding::ForwardingTable::load`].
    pub first: Vec<u32>,
    /// Entry `source * destinations + destination`, where each node has layers of its own: the VCs of the first hop.
    pub layers: Vec<VcSet>,
    /// Which VC a hop takes.
    pub rule: VcRule,
    /// VCs between routers that the entries name, from 0 on.
    pub vcs: u32,
}

impl Tables {
    /// Reads the tables of a network from a file, and the service levels of its packets from another one.
    ///
    /// Where packets are `discarded` that the tables lead nowhere, entries may be missing, and their ports lead to no other router.
    ///
    /// The file is a CSV file, or what `dump_lfts` or OpenSM itself write; the latter needs the `fabric` that the wiring is of, as do
    /// service levels.
    ///
    /// # Errors
    /// The first thing that is wrong, by its line: entries that are missing, ports that lead nowhere, packets that would circle.
    pub(crate) fn read(
        file: &Path,
        service_levels: Option<&Path>,
        wiring: &Wiring,
        fabric: Option<&Fabric>,
        discarded: bool,
    ) -> Result<Self, TablesError> {
        let text = text(TABLES, file)?;
        let flaw =
            |line: Option<u32>, what| TablesError { key: TABLES, file: file.to_path_buf(), line, what };
        let mut rows = if opensm::is(&text) {
            let fabric = fabric.ok_or_else(|| flaw(None, Flaw::NoFabric))?;
            opensm::read(&text, wiring, fabric, discarded)
        } else {
            csv::read(&text, wiring, discarded)
        }
        .map_err(|(line, what)| flaw(line, what))?;
        check::check(&rows, wiring, discarded).map_err(|(line, what)| flaw(line, what))?;
        if let Some(levels) = service_levels {
            let flaw = |(line, what)| TablesError { key: LEVELS, file: levels.to_path_buf(), line, what };
            let fabric = fabric.ok_or_else(|| flaw((None, Flaw::NoFabric)))?;
            service_levels::read(&self::text(LEVELS, levels)?, wiring, fabric, &mut rows).map_err(flaw)?;
        }
        Ok(rows.into_tables())
    }

    /// Shortest routes, spread over the links, with a layer for each pair of routers, so that no layer's channel dependency graph has a
    /// cycle.
    ///
    /// # Errors
    /// When there are more routers than memory is meant for.
    pub(crate) fn layered(wiring: &Wiring) -> Result<Self, Flaw> {
        let mut rows = shortest::rows(wiring)?;
        let vcs = layers::assign(&mut rows, wiring);
        Ok(Self { vcs, ..rows.into_tables() })
    }
}

fn text(key: &'static str, file: &Path) -> Result<String, TablesError> {
    bounded::read_text(file, LARGEST).map_err(|source| TablesError {
        key,
        file: file.to_path_buf(),
        line: None,
        what: Flaw::Read(source.to_string()),
    })
}

/// A fault and its line, from 1, if it is of one.
type Fault = (Option<u32>, Flaw);

/// One VC.
fn only(vc: u8) -> VcSet {
    VcSet::only(router_core::units::VcId::new(vc))
}

/// A port by its number.
fn port_id(port: u8) -> PortId {
    PortId::new(port)
}

/// The keys of the files.
const TABLES: &str = "routing.tables";
const LEVELS: &str = "routing.service_levels";

/// A line has two dozen bytes: tens of millions of entries.
const LARGEST: u64 = 1 << 30;
