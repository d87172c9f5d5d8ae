//! The register map as a package of SystemVerilog.

use super::{Map, SOURCE};
use std::fmt::Write as _;

pub(super) fn verilog(map: &Map) -> String {
    let mut text = format!(
        "// Written from {SOURCE} by `cargo xtask generate`: do not edit.\n\npackage dsv_registers_pkg;\n"
    );
    let version = &map.version;
    let mut constant = |bits: u32, name: String, value: u32| {
        let _ = writeln!(text, "  localparam logic [{}:0] {name} = {bits}'h{value:x};", bits - 1);
    };
    constant(16, "MAGIC".to_owned(), version.magic.into());
    constant(8, "MAJOR".to_owned(), version.major.into());
    constant(8, "MINOR".to_owned(), version.minor.into());
    constant(16, "FRAME_POLYNOMIAL".to_owned(), map.frame.polynomial.into());
    constant(16, "FRAME_INITIAL".to_owned(), map.frame.initial.into());
    constant(8, "FRAME_READ".to_owned(), map.frame.read.into());
    constant(8, "FRAME_WRITE".to_owned(), map.frame.write.into());
    for answer in &map.answer {
        constant(8, format!("ANSWER_{}", answer.name.to_uppercase()), answer.code.into());
    }
    for (number, outcome) in (0..).zip(&map.outcome) {
        constant(4, format!("OUTCOME_{}", outcome.name.to_uppercase()), number);
    }
    for register in &map.register {
        let upper = register.name.to_uppercase();
        constant(16, format!("AT_{upper}"), register.address.into());
        if let Some(in_use) = register.in_use {
            constant(16, format!("IN_USE_{upper}"), in_use.into());
        }
        if register.access == super::Access::Write && register.index.is_empty() {
            constant(32, format!("RESET_{upper}"), register.reset);
        }
    }
    text.push_str("\n  // Lowest bits and widths of fields; places of the dimensions of arrays.\n");
    for register in &map.register {
        let upper = register.name.to_uppercase();
        for field in &register.fields {
            let name = format!("{upper}_{}", field.name.to_uppercase());
            let _ = writeln!(text, "  localparam int unsigned {name}_AT = {};", field.at);
            let _ = writeln!(text, "  localparam int unsigned {name}_BITS = {};", field.bits);
        }
        for index in &register.index {
            let name = format!("{upper}_{}", index.name.to_uppercase());
            let _ = writeln!(text, "  localparam int unsigned {name}_PLACES = {};", index.count);
        }
    }
    text.push_str("endpackage\n");
    text
}
