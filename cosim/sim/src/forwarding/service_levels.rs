//! Service levels of pairs of nodes, as `saquery PR` writes them: the virtual lane of each packet, where service level n is lane n.

use router_core::map::forwarding::VcRule;
use router_core::units::VcSet;

use super::rows::{ANY, Rows};
use super::{Fault, Flaw, only};
use crate::topology::{Fabric, Wiring};

/// The fields of a path record that matter, and the line of its beginning.
#[derive(Debug, Default, Clone, Copy)]
struct Record {
    line: u32,
    from: Option<u32>,
    to: Option<u32>,
    level: Option<u32>,
}

/// Reads the service level of each pair of nodes into the rows at the first router.
pub(super) fn read(text: &str, wiring: &Wiring, fabric: &Fabric, rows: &mut Rows) -> Result<(), Fault> {
    if rows.rule == VcRule::PerRoute || any(rows).is_some_and(|vcs| vcs != ANY) {
        return Err((None, Flaw::VcsTwice));
    }
    rows.rule = VcRule::PerRoute;
    let mut levels = vec![None; wiring.routers() * rows.count()];
    for record in records(text)? {
        put(&record, wiring, fabric, rows, &mut levels).map_err(|flaw| (Some(record.line), flaw))?;
    }
    for (from, node) in pairs(wiring) {
        let destination = rows.destinations.of(wiring, node);
        let level: Option<u8> = levels[from * rows.count() + destination];
        let level = level.ok_or((None, Flaw::NoLevel { router: from, to: node }))?;
        if let Some(row) = rows.at(from, destination) {
            row.vcs = only(level);
        }
    }
    Ok(())
}

/// The VCs of some row.
fn any(rows: &Rows) -> Option<VcSet> {
    (0..rows.count()).find_map(|destination| rows.get(0, destination)).map(|row| row.vcs)
}

/// Routers with nodes, and each node that is not at it.
fn pairs(wiring: &Wiring) -> impl Iterator<Item = (usize, usize)> + '_ {
    let routers = (0..wiring.routers()).filter(|&router| wiring.nodes_of(router).next().is_some());
    routers
        .flat_map(move |router| (0..wiring.nodes()).map(move |node| (router, node)))
        .filter(|&(router, node)| wiring.attachment(node).0 != router)
}

fn put(
    record: &Record,
    wiring: &Wiring,
    fabric: &Fabric,
    rows: &Rows,
    levels: &mut [Option<u8>],
) -> Result<(), Flaw> {
    let whole = (record.from, record.to, record.level);
    let (Some(from), Some(to), Some(level)) = whole else {
        return Err(Flaw::Expected("`slid`, `dlid` and `sl` in each record"));
    };
    // Records between switches are about management.
    let (Some(from), Some(to)) = (fabric.node(from), fabric.node(to)) else { return Ok(()) };
    let router = wiring.attachment(from as usize).0;
    if wiring.attachment(to as usize).0 == router {
        return Ok(());
    }
    let one = u8::try_from(level).ok().filter(|&level| level < 8).ok_or(Flaw::Level(level))?;
    let known = &mut levels[router * rows.count() + rows.destinations.of(wiring, to as usize)];
    match *known {
        Some(other) if other != one => Err(Flaw::Levels { router, to: to as usize, one: other, other: one }),
        _ => {
            *known = Some(one);
            Ok(())
        }
    }
}

/// The records of a text.
fn records(text: &str) -> Result<Vec<Record>, Fault> {
    let mut records: Vec<Record> = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        let fault = || (Some(number), Flaw::Expected("a path record, as saquery writes it"));
        let line = line.trim();
        if line.starts_with("PathRecord dump") {
            records.push(Record { line: number, ..Record::default() });
            continue;
        }
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let record = records.last_mut().ok_or_else(fault)?;
        let (key, value) = line.split_once("..").ok_or_else(fault)?;
        let field = match key {
            "slid" => &mut record.from,
            "dlid" => &mut record.to,
            "sl" => &mut record.level,
            _ => continue,
        };
        *field = Some(value_of(value).ok_or_else(fault)?);
    }
    Ok(records)
}

/// `....0x1` or `....17`
fn value_of(text: &str) -> Option<u32> {
    let text = text.trim_start_matches('.');
    text.strip_prefix("0x").map_or_else(|| text.parse().ok(), |digits| u32::from_str_radix(digits, 16).ok())
}
