//! The whole router, made of the netlists of its parts: its longest path, and what of the parts is in use.
//!
//! A part alone is synthesised as if all that it offers were asked for. In a router it need not be: without a control plane nobody
//! reads the counters of errors, without a contention trigger nobody the contention counters.

use super::error::{CostError, at};
use super::part::Part;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// Writes the modules of all parts, under the names by which others know them, into one file.
pub(super) fn write_parts(parts: &[(&Part, &Path)], to: &Path) -> Result<(), CostError> {
    // Names that Yosys makes from here on begin beyond all that are in the netlists.
    let mut text = "autoidx 1000000000\n".to_owned();
    for (n, (part, netlist)) in parts.iter().enumerate() {
        let body = fs::read_to_string(netlist).map_err(at(netlist))?;
        let begins = body.find("attribute").map_or(0, |at| at);
        let body = body.get(begins..).unwrap_or_default();
        // Cells remember which part they come from.
        let body = body.replace("\n  cell $_", &format!("\n  attribute \\part \"{n}\"\n  cell $_"));
        for key in &part.stands_for {
            // An elaborated name begins with a dollar sign, one from the source with a backslash.
            let name = if key.starts_with('$') { key.clone() } else { format!("\\{key}") };
            let renamed = body.replace("module \\unit\n", &format!("module {name}\n"));
            let _ = writeln!(text, "{}", renamed.replace("attribute \\top 1\n", ""));
        }
    }
    fs::write(to, text).map_err(at(to))
}
