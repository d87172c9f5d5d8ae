//! Service levels of pairs of nodes, as `saquery PR` writes them, or as a CSV file.

use ::csv::{ReaderBuilder, Trim};
use router_core::map::sl_to_vl::LEVELS;
use router_core::units::VcSet;

use super::rows::{Destinations, MOST_ROWS, Rows};
use super::{Fault, Flaw, csv, only, with_lids};
use crate::topology::{Fabric, Wiring};

/// The fields of a path record that matter, and the line of its beginning.
#[derive(Debug, Default, Clone, Copy)]
struct Record {
    line: u32,
    from: Option<u32>,
    to: Option<u32>,
    level: Option<u32>,
}

/// Reads the service level of each pair of destinations: entry `source * destinations + destination`.
pub(super) fn read(
    text: &str,
    wiring: &Wiring,
    fabric: Option<&Fabric>,
    rows: &Rows,
) -> Result<Vec<u8>, Fault> {
    if !rows.take_any_vc() {
        return Err((None, Flaw::VcsTwice));
    }
    let count = rows.count();
    if count * count > MOST_ROWS {
        return Err((None, Flaw::TooLarge(count * count)));
    }
    let of = |from, to| rows.destinations.of(wiring, from) * count + rows.destinations.of(wiring, to);
    let mut levels: Vec<Option<u8>> = vec![None; count * count];
    each_pair(text, wiring, fabric, &mut |line, from, to, level| {
        let place = &mut levels[of(from, to)];
        if let Some(before) = place.filter(|&before| before != level) {
            return Err((Some(line), Flaw::TwoLevels { from, to, level, before }));
        }
        *place = Some(level);
        Ok(())
    })?;
    for (from, to) in pairs(wiring) {
        if levels[of(from, to)].is_none() {
            return Err((None, Flaw::NoLevel { from, to }));
        }
    }
    Ok(levels.into_iter().map(Option::unwrap_or_default).collect())
}

/// Where service level n is lane n: the VC of the first hop of each pair, for nodes alone.
pub(super) fn layers(levels: &[u8], wiring: &Wiring, rows: &Rows) -> Result<Vec<VcSet>, Fault> {
    if !matches!(rows.destinations, Destinations::Ports(_)) {
        return Err((None, Flaw::NoFabric));
    }
    let mut layers = vec![VcSet::EMPTY; levels.len()];
    for (from, to) in pairs(wiring) {
        let at = rows.destinations.of(wiring, from) * rows.count() + rows.destinations.of(wiring, to);
        let level = levels[at];
        layers[at] =
            Some(level).filter(|&level| level < 8).map(only).ok_or((None, Flaw::Level(level.into())))?;
    }
    Ok(layers)
}

/// Takes the line, both nodes and the level of a pair.
type Take<'t> = dyn FnMut(u32, usize, usize, u8) -> Result<(), Fault> + 't;

/// Hands over each pair that a text names: there may be millions.
fn each_pair(text: &str, wiring: &Wiring, fabric: Option<&Fabric>, take: &mut Take<'_>) -> Result<(), Fault> {
    let first = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#'));
    if first.is_some_and(|line| line.contains(',')) {
        return of_csv(text, wiring, take);
    }
    let fabric = with_lids(fabric).map_err(|flaw| (None, flaw))?;
    records(text, &mut |record| match pair(&record, fabric).map_err(|flaw| (Some(record.line), flaw))? {
        Some((from, to, level)) => take(record.line, from, to, level),
        None => Ok(()),
    })
}

/// `from,to,level`, a row for each pair of nodes.
fn of_csv(text: &str, wiring: &Wiring, take: &mut Take<'_>) -> Result<(), Fault> {
    const COLUMNS: [&str; 3] = ["from", "to", "level"];
    let mut reader = ReaderBuilder::new().comment(Some(b'#')).trim(Trim::All).from_reader(text.as_bytes());
    let header = reader.headers().map_err(csv::not_csv)?;
    if header.iter().ne(COLUMNS) {
        return Err((Some(1), Flaw::LevelColumns(header.iter().collect::<Vec<_>>().join(","))));
    }
    let (nodes, highest) = (wiring.nodes() - 1, LEVELS - 1);
    for record in reader.records() {
        let record = record.map_err(csv::not_csv)?;
        let line = record.position().map_or(0, |position| position.line() as u32);
        let number =
            |at: usize, most| csv::number(&record, at, COLUMNS[at], most).map_err(|flaw| (Some(line), flaw));
        take(line, number(0, nodes)?, number(1, nodes)?, number(2, highest)? as u8)?;
    }
    Ok(())
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
    let level =
        u8::try_from(level).ok().filter(|&level| usize::from(level) < LEVELS).ok_or(Flaw::Level(level))?;
    Ok(Some((from as usize, to as usize, level)))
}

/// Hands over the records of a text.
fn records(text: &str, take: &mut dyn FnMut(Record) -> Result<(), Fault>) -> Result<(), Fault> {
    let mut open: Option<Record> = None;
    for (line, number) in text.lines().zip(1..) {
        let fault = || (Some(number), Flaw::Expected("a path record, as saquery writes it"));
        let line = line.trim();
        if line.starts_with("PathRecord dump") {
            open.replace(Record { line: number, ..Record::default() }).map_or(Ok(()), &mut *take)?;
            continue;
        }
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let record = open.as_mut().ok_or_else(fault)?;
        let (key, value) = line.split_once("..").ok_or_else(fault)?;
        let field = match key {
            "slid" => &mut record.from,
            "dlid" => &mut record.to,
            "sl" => &mut record.level,
            _ => continue,
        };
        *field = Some(value_of(value).ok_or_else(fault)?);
    }
    open.map_or(Ok(()), take)
}

/// `....0x1` or `....17`
fn value_of(text: &str) -> Option<u32> {
    let text = text.trim_start_matches('.');
    text.strip_prefix("0x").map_or_else(|| text.parse().ok(), |digits| u32::from_str_radix(digits, 16).ok())
}
