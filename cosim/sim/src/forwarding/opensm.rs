//! Linear forwarding tables as `dump_lfts` writes them, or OpenSM itself: of each switch the output port for each LID.

use super::rows::{ANY, Destinations, Row, Rows, UNSUPPORTED};
use super::{Fault, Flaw, check};
use crate::topology::{Fabric, Wiring};
use router_core::discard::MANAGEMENT_PORT;

/// Whether a text is such a dump.
pub(super) fn is(text: &str) -> bool {
    text.lines().find(|line| !line.trim().is_empty()).is_some_and(|line| line.starts_with(TABLE))
}

/// Reads the tables. Entries for switches, whose LIDs are for management, are of no use to nodes; those for further LIDs of a node
/// (LMC above 0) belong to routes that its first LID does not take.
pub(super) fn read(text: &str, wiring: &Wiring, fabric: &Fabric, discarded: bool) -> Result<Rows, Fault> {
    let mut rows = Rows::new(wiring, Destinations::ports(wiring)).map_err(|flaw| (None, flaw))?;
    let mut seen = vec![false; wiring.routers()];
    // The switch of the table; nothing where it is left out of the network.
    let mut at: Option<Option<(u32, u64)>> = None;
    for (line, number) in text.lines().zip(1..) {
        let fault = |flaw| (Some(number), flaw);
        if line.starts_with(TABLE) {
            let guid = guid(line).ok_or(fault(Flaw::Expected("the GUID of a switch")))?;
            let Some(router) = fabric.router(guid) else {
                if fabric.leaves_out(guid) {
                    at = Some(None);
                    continue;
                }
                return Err(fault(Flaw::NoSwitch(guid)));
            };
            if std::mem::replace(&mut seen[router as usize], true) {
                return Err(fault(Flaw::TwoTables(guid)));
            }
            at = Some(Some((router, guid)));
        } else if line.starts_with("0x") {
            let switch = at.ok_or(fault(Flaw::Expected("the head of a switch's table")))?;
            let Some((router, guid)) = switch else { continue };
            let (lid, port) = entry(line).ok_or(fault(Flaw::Expected("a LID and a port")))?;
            put(&mut rows, wiring, fabric, discarded, (router, guid), (lid, port), number).map_err(fault)?;
        } else if !is_ignored(line) {
            return Err(fault(Flaw::Expected("a LID and a port, as dump_lfts writes them")));
        }
    }
    Ok(rows)
}

fn put(
    rows: &mut Rows,
    wiring: &Wiring,
    fabric: &Fabric,
    discarded: bool,
    (router, guid): (u32, u64),
    (lid, number): (u32, u8),
    line: u32,
) -> Result<(), Flaw> {
    let Some(node) = fabric.node(lid).filter(|_| number != UNREACHED) else { return Ok(()) };
    let port = fabric.port(router, number);
    let (home, own) = wiring.attachment(node as usize);
    if home == router as usize {
        let port = port.ok_or(Flaw::NoSuchPort { guid, port: number })?;
        let is_right = own == usize::from(port);
        return if is_right { Ok(()) } else { Err(Flaw::WrongNode { lid, node, port: number }) };
    }
    let port = match port {
        _ if discarded && number == MANAGEMENT => MANAGEMENT_PORT.number(),
        Some(port) if !discarded || check::next(wiring, router as usize, port).is_some() => port,
        _ if discarded => UNSUPPORTED,
        _ => return Err(Flaw::NoSuchPort { guid, port: number }),
    };
    let destination = rows.destinations.of(wiring, node as usize);
    *rows.at(router as usize, destination) = Some(Row { port, vcs: ANY, line });
    Ok(())
}

/// `… guid 0x000000000020000a (S22):`
fn guid(line: &str) -> Option<u64> {
    let digits = line.split_once("guid 0x")?.1;
    let end = digits.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(digits.len());
    u64::from_str_radix(&digits[..end], 16).ok()
}

/// `0x0001 001 : (…)` or `0x0001 001 # …`
fn entry(line: &str) -> Option<(u32, u8)> {
    let mut words = line.split_whitespace();
    let lid = u32::from_str_radix(words.next()?.strip_prefix("0x")?, 16).ok()?;
    let port = words.next()?.parse().ok()?;
    Some((lid, port))
}

fn is_ignored(line: &str) -> bool {
    let line = line.trim();
    line.is_empty()
        || line.starts_with('#')
        || line.starts_with("Lid")
        || line.starts_with("Port")
        || line.starts_with("***")
        || line.ends_with("lids dumped")
}

/// How the table of a switch begins.
const TABLE: &str = "Unicast lids";

/// The port of a LID that the switch has no way to.
const UNREACHED: u8 = 255;

/// The port of a switch that leads to its own management.
const MANAGEMENT: u8 = 0;
