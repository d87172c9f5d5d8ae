//! Service levels of pairs of nodes, as `saquery PR` writes them: the virtual lane of each packet, where service level n is lane n.

use router_core::map::forwarding::VcRule;
use router_core::units::VcSet;

use super::rows::{ANY, Destinations, MOST_ROWS, Rows};
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

/// Reads the service level of each pair of nodes.
pub(super) fn read(text: &str, wiring: &Wiring, fabric: &Fabric, rows: &mut Rows) -> Result<(), Fault> {
    if rows.rule == VcRule::PerRoute || any(rows).is_some_and(|vcs| vcs != ANY) {
        return Err((None, Flaw::VcsTwice));
    }
    let count = rows.count();
    if !matches!(rows.destinations, Destinations::Ports(_)) {
        return Err((None, Flaw::NoFabric));
    }
    if count * count > MOST_ROWS {
        return Err((None, Flaw::TooLarge(count * count)));
    }
    let of = |from, to| rows.destinations.of(wiring, from) * count + rows.destinations.of(wiring, to);
    let mut layers = vec![VcSet::EMPTY; count * count];
    for record in records(text)? {
        let found = pair(&record, fabric).map_err(|flaw| (Some(record.line), flaw))?;
        if let Some((from, to, level)) = found {
            layers[of(from, to)] = only(level);
        }
    }
    for (from, to) in pairs(wiring) {
        if layers[of(from, to)].is_empty() {
            return Err((None, Flaw::NoLevel { from, to }));
        }
    }
    rows.set_layers(layers);
    Ok(())
}

/// The VCs of some row.
fn any(rows: &Rows) -> Option<VcSet> {
    (0..rows.count()).find_map(|destination| rows.get(0, destination)).map(|row| row.vcs)
}

/// Nodes, and each that is not at the same router.
fn pairs(wiring: &Wiring) -> impl Iterator<Item = (usize, usize)> + '_ {
    let all = (0..wiring.nodes()).flat_map(|from| (0..wiring.nodes()).map(move |to| (from, to)));
    all.filter(|&(from, to)| wiring.attachment(from).0 != wiring.attachment(to).0)
}

/// Both nodes and the service level of a record; nothing of one between switches, which is about management.
fn pair(record: &Record, fabric: &Fabric) -> Result<Option<(usize, usize, u8)>, Flaw> {
    let (Some(from), Some(to), Some(level)) = (record.from, record.to, record.level) else {
        return Err(Flaw::Expected("`slid`, `dlid` and `sl` in each record"));
    };
    let (Some(from), Some(to)) = (fabric.node(from), fabric.node(to)) else { return Ok(None) };
    let level = u8::try_from(level).ok().filter(|&level| level < 8).ok_or(Flaw::Level(level))?;
    Ok(Some((from as usize, to as usize, level)))
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
