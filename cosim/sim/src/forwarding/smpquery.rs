//! Tables from service levels to virtual lanes as `smpquery sl2vl` writes them, of one switch and output after the other.

use super::{Fault, Flaw, sl_to_vl};
use crate::topology::{Fabric, Wiring};
use router_core::map::sl_to_vl::Lanes;

/// Whether a text is such a dump.
pub(super) fn is(text: &str) -> bool {
    text.lines().find(|line| !line.trim().is_empty()).is_some_and(|line| line.starts_with(TABLE))
}

/// Reads the tables. Those of channel adapters, and what goes to a switch's own management or comes from there, are of no use to packets of
/// nodes; ports that lead nowhere have none.
pub(super) fn read(text: &str, wiring: &Wiring, fabric: &Fabric) -> Result<Vec<Lanes>, Fault> {
    let ports = wiring.ports();
    let mut tables = vec![Lanes::MAX; wiring.routers() * ports * ports];
    let mut lines = vec![0; tables.len()];
    // The LID of the table, and its router: none of a channel adapter.
    let mut at = None;
    for (text, line) in text.lines().zip(1..) {
        let fault = |flaw| (Some(line), flaw);
        if let Some(rest) = text.strip_prefix(TABLE) {
            let lid = lid(rest).ok_or(fault(Flaw::Expected(LID)))?;
            let router = fabric.managed(lid);
            if router.or(fabric.node(lid)).is_none() && !fabric.leaves_out_lid(lid) {
                return Err(fault(Flaw::NoLid(lid)));
            }
            at = Some((lid, router));
        } else if let Some(rest) = text.strip_prefix("ports:") {
            let (lid, router) = at.ok_or(fault(Flaw::Expected("the head of a table before its lines")))?;
            let (input, output, lanes) = row(rest).ok_or(fault(Flaw::Expected(ROW)))?;
            let place = |number| router.and_then(|router| fabric.port(router, number)).map(usize::from);
            let (Some(router), Some(from), Some(to)) = (router, place(input), place(output)) else {
                continue;
            };
            let entry = (router as usize * ports + from) * ports + to;
            if lines[entry] != 0 && tables[entry] != lanes {
                let line = lines[entry];
                return Err(fault(Flaw::TwoLanes { lid, input, output, line }));
            }
            (tables[entry], lines[entry]) = (lanes, line);
        } else if !text.starts_with('#') && !text.trim().is_empty() {
            return Err(fault(Flaw::Expected(ROW)));
        }
    }
    Ok(tables)
}

/// ` Lid 16`
fn lid(text: &str) -> Option<u32> {
    text.trim().strip_prefix("Lid ")?.parse().ok()
}

/// ` in  4, out  2: | 2| 3| …|`
fn row(text: &str) -> Option<(u8, u8, Lanes)> {
    let (ports, lanes) = text.split_once(':')?;
    let (input, output) = ports.split_once(',')?;
    let number = |text: &str, word| text.trim().strip_prefix(word)?.trim().parse::<u8>().ok();
    let lanes = lanes.trim().strip_prefix('|')?.strip_suffix('|')?;
    let packed = sl_to_vl::packed(lanes.split('|').map(str::trim))?;
    Some((number(input, "in")?, number(output, "out")?, packed))
}

/// How the table of a switch begins.
const TABLE: &str = "# SL2VL table:";
const LID: &str = "the LID of a switch: smpquery asked by LID or by GUID, not along a route";
const ROW: &str = "`ports: in N, out N:` and 16 lanes, as smpquery sl2vl writes them";

#[cfg(test)]
mod tests;
