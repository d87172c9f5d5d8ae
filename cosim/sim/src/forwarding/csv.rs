//! Tables as a CSV file: `router,to_node,port`, a row for each router and destination.

use ::csv::{ReaderBuilder, StringRecord, Trim};
use router_core::map::forwarding::VcRule;

use super::error::To;
use super::rows::{ANY, Destinations, Row, Rows, UNSUPPORTED};
use super::{Fault, Flaw, check, only};
use crate::topology::Wiring;

/// Which columns there are, by their places.
struct Columns {
    router: usize,
    /// Whether destinations are nodes.
    to_node: bool,
    to: usize,
    /// Whether rows name the next router instead of a port.
    is_next: bool,
    way: usize,
    vc: Option<(usize, VcRule)>,
}

impl Columns {
    fn of(header: &StringRecord) -> Option<Self> {
        let place = |name: &str| header.iter().position(|column| column == name);
        let (to_node, to) = match (place("to_node"), place("to_router")) {
            (Some(to), None) => (true, to),
            (None, Some(to)) => (false, to),
            _ => return None,
        };
        let (is_next, way) = match (place("next"), place("port")) {
            (Some(way), None) => (true, way),
            (None, Some(way)) => (false, way),
            _ => return None,
        };
        let vc = match (place("vc"), place("layer")) {
            (None, None) => None,
            (Some(vc), None) => Some((vc, VcRule::PerHop)),
            (None, Some(layer)) => Some((layer, VcRule::PerRoute)),
            _ => return None,
        };
        let all = 3 + usize::from(vc.is_some());
        (header.len() == all).then_some(Self { router: place("router")?, to_node, to, is_next, way, vc })
    }
}

/// Reads the tables of a network; lines that begin with `#` say nothing.
pub(super) fn read(text: &str, wiring: &Wiring, discarded: bool) -> Result<Rows, Fault> {
    let mut reader = ReaderBuilder::new().comment(Some(b'#')).trim(Trim::All).from_reader(text.as_bytes());
    let header = reader.headers().map_err(not_csv)?;
    let written: Vec<&str> = header.iter().collect();
    let columns = Columns::of(header).ok_or_else(|| (Some(1), Flaw::Columns(written.join(","))))?;
    let destinations = if columns.to_node { Destinations::ports(wiring) } else { Destinations::Routers };
    let mut rows = Rows::new(wiring, destinations).map_err(|flaw| (None, flaw))?;
    rows.rule = columns.vc.map_or(VcRule::PerHop, |(_, rule)| rule);
    for record in reader.records() {
        let record = record.map_err(not_csv)?;
        let line = record.position().map_or(0, |position| position.line() as u32);
        row(&record, &columns, wiring, discarded, &mut rows, line).map_err(|flaw| (Some(line), flaw))?;
    }
    Ok(rows)
}

fn row(
    record: &StringRecord,
    columns: &Columns,
    wiring: &Wiring,
    discarded: bool,
    rows: &mut Rows,
    line: u32,
) -> Result<(), Flaw> {
    let routers = wiring.routers() - 1;
    let router = number(record, columns.router, "router", routers)?;
    let (to, destination, home) = if columns.to_node {
        let node = number(record, columns.to, "to_node", wiring.nodes() - 1)?;
        (To::Node(node), rows.destinations.of(wiring, node), wiring.attachment(node).0)
    } else {
        let there = number(record, columns.to, "to_router", routers)?;
        (To::Router(there), there, there)
    };
    if home == router {
        return Err(Flaw::Here { router, to });
    }
    let port = if columns.is_next {
        towards(wiring, router, number(record, columns.way, "next", routers)?)?
    } else {
        let most = if discarded { UNSUPPORTED.into() } else { wiring.ports() - 1 };
        number(record, columns.way, "port", most)?
    };
    if !discarded {
        check::next(wiring, router, port as u8).ok_or(Flaw::NoLink { router, port })?;
    }
    let port = if port < wiring.ports() { port as u8 } else { UNSUPPORTED };
    let vcs = match columns.vc {
        Some((at, rule)) => {
            let name = if rule == VcRule::PerHop { "vc" } else { "layer" };
            only(number(record, at, name, 7)? as u8)
        }
        None => ANY,
    };
    let place = rows.at(router, destination);
    match place {
        Some(Row { line, .. }) => Err(Flaw::Twice { router, to, line: *line }),
        None => {
            *place = Some(Row { port, vcs, line });
            Ok(())
        }
    }
}

/// The port of a router to another one.
fn towards(wiring: &Wiring, router: usize, next: usize) -> Result<usize, Flaw> {
    let mut links = wiring.neighbours(router).filter(|&(_, there)| there == next);
    match (links.next(), links.next()) {
        (Some((port, _)), None) => Ok(port),
        (None, _) => Err(Flaw::NoNeighbour { router, next }),
        (Some(_), Some(_)) => Err(Flaw::SeveralLinks { router, next }),
    }
}

pub(super) fn number(
    record: &StringRecord,
    at: usize,
    column: &'static str,
    most: usize,
) -> Result<usize, Flaw> {
    let found = record.get(at).unwrap_or_default();
    let number = found.parse().ok().filter(|&number| number <= most);
    number.ok_or_else(|| Flaw::Number { column, most, found: found.chars().take(40).collect() })
}

pub(super) fn not_csv(error: ::csv::Error) -> Fault {
    (error.position().map(|position| position.line() as u32), Flaw::Csv(error.to_string()))
}
