//! Tables from service levels to virtual lanes: what `smpquery sl2vl` writes, or a CSV file `router,input,output,lanes`, the lanes of levels 0 to
//! 15 with spaces between them.

use ::csv::{ReaderBuilder, StringRecord, Trim};
use router_core::map::sl_to_vl::{LANE_BITS, LEVELS, Lanes};
use router_core::units::VcSet;

use super::rows::Rows;
use super::{Fault, Flaw, check, csv, smpquery, with_lids};
use crate::scenario::PerClass;
use crate::topology::{Fabric, Wiring};

/// The tables of all routers, and the level of each pair of destinations.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SlToVl {
    /// Entry `(router * ports + input) * ports + output`; all bits where no line names it.
    pub tables: Vec<Lanes>,
    /// Entry `source * destinations + destination`; empty where all are 0.
    pub levels: Vec<u8>,
}

const COLUMNS: [&str; 4] = ["router", "input", "output", "lanes"];

/// Stands for every router, input or output.
const ALL: &str = "*";

/// Reads the tables of a network. Those of LIDs need the `fabric` that the wiring is of. In a CSV file a later line stands above one before it,
/// and lines that begin with `#` say nothing.
pub(super) fn read(text: &str, wiring: &Wiring, fabric: Option<&Fabric>) -> Result<Vec<Lanes>, Fault> {
    if smpquery::is(text) {
        return smpquery::read(text, wiring, with_lids(fabric).map_err(|flaw| (None, flaw))?);
    }
    let mut reader = ReaderBuilder::new().comment(Some(b'#')).trim(Trim::All).from_reader(text.as_bytes());
    let header = reader.headers().map_err(csv::not_csv)?;
    if header.iter().ne(COLUMNS) {
        let found = header.iter().collect::<Vec<_>>().join(",");
        return Err((Some(1), Flaw::LaneColumns(found)));
    }
    let ports = wiring.ports();
    let mut tables = vec![Lanes::MAX; wiring.routers() * ports * ports];
    for record in reader.records() {
        let record = record.map_err(csv::not_csv)?;
        let line = record.position().map_or(0, |position| position.line() as u32);
        let fault = |flaw| (Some(line), flaw);
        let routers = range(&record, 0, wiring.routers()).map_err(fault)?;
        let [inputs, outputs] = [1, 2].map(|at| range(&record, at, ports));
        let (inputs, outputs) = (inputs.map_err(fault)?, outputs.map_err(fault)?);
        let lanes = lanes(record.get(3).unwrap_or_default()).map_err(fault)?;
        for router in routers {
            for input in inputs.clone() {
                let row = (router * ports + input) * ports;
                tables[row + outputs.start..row + outputs.end].fill(lanes);
            }
        }
    }
    Ok(tables)
}

/// A number, or all of so many.
fn range(record: &StringRecord, at: usize, count: usize) -> Result<std::ops::Range<usize>, Flaw> {
    if record.get(at) == Some(ALL) {
        return Ok(0..count);
    }
    let number = csv::number(record, at, COLUMNS[at], count - 1)?;
    Ok(number..number + 1)
}

/// The lanes of all levels.
fn lanes(text: &str) -> Result<Lanes, Flaw> {
    let flaw = || Flaw::Lanes(text.chars().take(60).collect());
    packed(text.split_whitespace()).ok_or_else(flaw)
}

/// The lanes of all levels, one word each.
pub(super) fn packed<'t>(words: impl Iterator<Item = &'t str>) -> Option<Lanes> {
    let number = |word: &str| word.parse().ok().filter(|&lane: &Lanes| lane < 1 << LANE_BITS);
    let numbers: Vec<Lanes> = words.map(number).collect::<Option<_>>()?;
    (numbers.len() == LEVELS).then(|| numbers.iter().rev().fold(0, |all, lane| all << LANE_BITS | lane))
}

/// The lane of a level.
fn lane(lanes: Lanes, level: u8) -> VcSet {
    router_core::map::sl_to_vl::lane(lanes, level)
}

/// Follows the packets between all pairs of nodes, each by its level.
///
/// # Errors
/// The first that comes to an output which has not its lane.
pub(super) fn check(found: &SlToVl, rows: &Rows, wiring: &Wiring, vcs: &PerClass<u32>) -> Result<(), Fault> {
    for to in 0..wiring.nodes() {
        for from in (0..wiring.nodes()).filter(|&from| from != to) {
            follow(found, rows, wiring, vcs, (from, to)).map_err(|flaw| (None, flaw))?;
        }
    }
    Ok(())
}

fn follow(
    found: &SlToVl,
    rows: &Rows,
    wiring: &Wiring,
    vcs: &PerClass<u32>,
    (from, to): (usize, usize),
) -> Result<(), Flaw> {
    let ports = wiring.ports();
    let of = |node| rows.destinations.of(wiring, node);
    let level = found.levels.get(of(from) * rows.count() + of(to)).copied().unwrap_or(0);
    let (home, exit) = wiring.attachment(to);
    let (mut router, mut input) = wiring.attachment(from);
    loop {
        let output = match rows.get(router, of(to)) {
            _ if router == home => exit,
            Some(row) => row.port.into(),
            // Discarded.
            None => return Ok(()),
        };
        let next = check::behind(wiring, router, output);
        if next.is_none() && router != home {
            return Ok(());
        }
        let lanes = found.tables[(router * ports + input) * ports + output];
        let there = vcs[wiring.class(router, output)];
        if lane(lanes, level).and(VcSet::first_n(there as usize)).is_empty() {
            let lane = (lanes >> (u32::from(level) * LANE_BITS)) as u8 % (1 << LANE_BITS);
            return Err(Flaw::NoLane { router, input, output, level, lane, vcs: there });
        }
        match next {
            Some((next, port)) if router != home => (router, input) = (next, port),
            _ => return Ok(()),
        }
    }
}
