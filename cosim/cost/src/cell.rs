//! What the cells of a netlist count as.

/// Whether a cell is a flip-flop, of Yosys' own cells or of an FPGA.
pub(super) fn is_flip_flop(cell: &str) -> bool {
    ["$_DFF", "$_SDFF", "$_ALDFF", "$_DFFSR", "SB_DFF", "TRELLIS_FF"]
        .iter()
        .any(|start| cell.starts_with(start))
}

/// Whether a cell is a lookup table.
pub(super) fn is_lut(cell: &str) -> bool {
    matches!(cell, "SB_LUT4" | "LUT4")
}

/// Transistors of a cell in static CMOS, by Yosys' own numbers (`stat -tech cmos`). These know only the plain flip-flop: one with a
/// synchronous reset or an enable counts as a plain one with a gate (6) or a multiplexer (12) before it.
pub(super) fn transistors(cell: &str) -> u64 {
    match cell {
        "$_NOT_" => 2,
        "$_NAND_" | "$_NOR_" => 4,
        "$_AND_" | "$_OR_" | "$_ANDNOT_" | "$_ORNOT_" => 6,
        "$_MUX_" | "$_XOR_" | "$_XNOR_" => 12,
        _ if cell.starts_with("$_SDFFE_") || cell.starts_with("$_SDFFCE_") => 16 + 6 + 12,
        _ if cell.starts_with("$_SDFF_") => 16 + 6,
        _ if cell.starts_with("$_DFFE_") => 16 + 12,
        _ if cell.starts_with("$_DFF_") => 16,
        _ => 0,
    }
}
