//! Forwarding tables of a network: one output port for each router and destination. Read from files, computed, checked.

mod alternatives;
pub(crate) mod check;
mod csv;
mod error;
mod layers;
mod opensm;
mod rows;
mod service_levels;
mod shortest;
mod sl_to_vl;
mod smpquery;
pub(crate) mod steps;
#[cfg(test)]
mod tests;

use std::path::Path;

use router_core::map::forwarding::{Entry, VcRule};
use router_core::units::{PortId, VcSet};

use crate::bounded;
use crate::scenario::PerClass;
use crate::topology::{Fabric, LidFlaw, Wiring};
pub(crate) use alternatives::Limits;
pub(crate) use error::are;
pub use error::{Flaw, TablesError};
pub use rows::{Destinations, Rows};
pub use sl_to_vl::SlToVl;

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
    /// Where it, and not the entries, says the VC of a hop.
    pub sl_to_vl: Option<SlToVl>,
}

/// The files of forwarding tables.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Files<'f> {
    /// A CSV file, or what `dump_lfts` or OpenSM itself write.
    pub(crate) tables: &'f Path,
    /// A CSV file, or what `saquery PR` writes.
    pub(crate) service_levels: Option<&'f Path>,
    /// A CSV file, or what `smpquery sl2vl` writes of one switch after the other.
    pub(crate) sl_to_vl: Option<&'f Path>,
}

impl Tables {
    /// Reads the tables of a network from files. Those of LIDs need the `fabric` that the wiring is of; `vcs` are those of ports.
    ///
    /// Where packets are `discarded` that the tables lead nowhere, entries may be missing, and their ports lead to no other router.
    ///
    /// # Errors
    /// The first thing that is wrong, by its line: entries that are missing, ports that lead nowhere, packets that would circle.
    pub(crate) fn read(
        files: Files<'_>,
        wiring: &Wiring,
        fabric: Option<&Fabric>,
        vcs: &PerClass<u32>,
        discarded: bool,
    ) -> Result<Self, TablesError> {
        let at = |key, file: &Path| {
            let file = file.to_path_buf();
            move |(line, what)| TablesError { key, file: file.clone(), line, what }
        };
        let flaw = at(TABLES, files.tables);
        let text = text(TABLES, files.tables, wiring)?;
        let mut rows = if opensm::is(&text) {
            let fabric = with_lids(fabric).map_err(|what| flaw((None, what)))?;
            opensm::read(&text, wiring, fabric, discarded)
        } else {
            csv::read(&text, wiring, discarded)
        }
        .map_err(&flaw)?;
        check::check(&rows, wiring, discarded).map_err(&flaw)?;
        let levels = match files.service_levels {
            Some(file) => {
                let text = self::text(LEVELS, file, wiring)?;
                let levels = service_levels::read(&text, wiring, fabric, &rows).map_err(at(LEVELS, file))?;
                if files.sl_to_vl.is_none() {
                    rows.set_layers(
                        service_levels::layers(&levels, wiring, &rows).map_err(at(LEVELS, file))?,
                    );
                }
                levels
            }
            None => Vec::new(),
        };
        let Some(file) = files.sl_to_vl else { return Ok(rows.into_tables()) };
        let tables =
            sl_to_vl::read(&self::text(LANES, file, wiring)?, wiring, fabric).map_err(at(LANES, file))?;
        let found = SlToVl { tables, levels };
        sl_to_vl::check(&found, &rows, wiring, vcs).map_err(|fault| {
            // A lane that there could be.
            let is_of_vcs = matches!(fault.1, Flaw::NoLane { lane: 0..8, .. });
            at(if is_of_vcs { VCS } else { LANES }, file)(fault)
        })?;
        Ok(Self { sl_to_vl: Some(found), ..rows.into_tables() })
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

fn text(key: &'static str, file: &Path, wiring: &Wiring) -> Result<String, TablesError> {
    bounded::read_text(file, largest(wiring)).map_err(|source| TablesError {
        key,
        file: file.to_path_buf(),
        line: None,
        what: Flaw::Read(source.to_string()),
    })
}

/// The fabric whose LIDs are in a file.
///
/// # Errors
/// When there is none, or its LIDs do not tell its nodes apart.
fn with_lids(fabric: Option<&Fabric>) -> Result<&Fabric, Flaw> {
    let fabric = fabric.ok_or(Flaw::NoFabric)?;
    match fabric.flaw() {
        None => Ok(fabric),
        Some(LidFlaw::None(node)) => Err(Flaw::NoLids(node.clone())),
        Some(&LidFlaw::Twice(lid)) => Err(Flaw::TwoLids(lid)),
    }
}

/// A fault and its line, from 1, if it is of one.
type Fault = (Option<u32>, Flaw);

/// One VC.
fn only(vc: u8) -> VcSet {
    VcSet::only(router_core::units::VcId::new(vc))
}

/// A port by its number.
pub(crate) fn port_id(port: u8) -> PortId {
    PortId::new(port)
}

/// The keys of the files.
const TABLES: &str = "routing.tables";
const LEVELS: &str = "routing.service_levels";
const LANES: &str = "routing.sl_to_vl";
/// The key of what lanes are too many for.
const VCS: &str = "router.vcs";

/// The largest size of a file of a network. A pair of nodes has a path record of a KiB; a router and a node have up to eight LIDs with a
/// line of `dump_lfts` each. The limit is twice that, and some megabytes for comments and the lanes of a few routers.
fn largest(wiring: &Wiring) -> u64 {
    let ends = (wiring.routers() + wiring.nodes()) as u64;
    ((16 << 20) + (2 << 10) * ends * ends).min(bounded::LARGEST)
}
