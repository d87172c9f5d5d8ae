//! The columns of the tables, each in one place: name, heading, number.

use super::Row;
use crate::{Cost, Measured, SoftwareCost, Target};

/// A number of a router.
#[derive(Debug, Clone, Copy)]
pub struct Column {
    /// In CSV and JSON. Scripts rely on it: new ones go to the end.
    pub key: &'static str,
    /// In tables for people.
    pub heading: &'static str,
    /// Digits behind the point.
    pub decimals: usize,
    /// The number, where it was measured.
    pub value: fn(&Row) -> Option<f64>,
}

/// All columns behind the name.
pub const COLUMNS: [Column; 20] = [
    column("ports", "ports", 0, |row| Some(row.ports as f64)),
    column("vcs", "VCs", 0, |row| Some(row.vcs as f64)),
    column("cells", "cells", 0, |row| cells(row, Measured::cell_count)),
    column("flip_flops", "flip-flops", 0, |row| cells(row, Measured::flip_flops)),
    column("transistors", "transistors", 0, |row| cells(row, Measured::transistors)),
    column("depth", "depth", 0, |row| row.cost(is_cells)?.depth.map(|depth| depth as f64)),
    column("memory_bits", "memory bits", 0, |row| Some(row.any_cost()?.sum(Measured::memory_bits) as f64)),
    column("area_um2", "area µm²", 0, |row| row.cost(is_liberty)?.area()),
    column("gate_equivalents", "GE", 0, |row| row.cost(is_liberty)?.gate_equivalents()),
    column("delay_ps", "slowest unit ps", 0, |row| largest(row.cost(is_liberty)?, |each| each.delay)),
    column("ice40_luts", "iCE40 LUT4", 0, |row| luts(row.cost(is_ice40)?)),
    column("ice40_flip_flops", "iCE40 FF", 0, |row| {
        Some(row.cost(is_ice40)?.sum(Measured::flip_flops) as f64)
    }),
    column("ice40_mhz", "slowest unit MHz", 1, |row| smallest(row.cost(is_ice40)?, |each| each.frequency)),
    column("ecp5_luts", "ECP5 LUT4", 0, |row| luts(row.cost(is_ecp5)?)),
    column("ecp5_flip_flops", "ECP5 FF", 0, |row| Some(row.cost(is_ecp5)?.sum(Measured::flip_flops) as f64)),
    column("software_instructions", "M4 instructions", 0, |row| Some(software(row)?.instructions)),
    column("software_ram_bytes", "M4 RAM", 0, |row| Some(software(row)?.ram)),
    column("software_flash_bytes", "M4 flash", 0, |row| software(row)?.flash),
    column("clock_mhz", "clock MHz", 0, |row| row.cost(is_liberty)?.megahertz()),
    column("period_fo4", "period FO4", 0, |row| row.cost(is_liberty)?.fo4s()),
];

const fn column(
    key: &'static str,
    heading: &'static str,
    decimals: usize,
    value: fn(&Row) -> Option<f64>,
) -> Column {
    Column { key, heading, decimals, value }
}

pub(super) fn is_cells(target: &Target) -> bool {
    matches!(target, Target::Cells)
}

pub(super) fn is_liberty(target: &Target) -> bool {
    matches!(target, Target::Liberty(_))
}

pub(super) fn is_ice40(target: &Target) -> bool {
    matches!(target, Target::Ice40)
}

fn is_ecp5(target: &Target) -> bool {
    matches!(target, Target::Ecp5)
}

/// On the one microcontroller that has a column; the JSON has all of them.
fn software(row: &Row) -> Option<&SoftwareCost> {
    row.software.iter().find(|cost| cost.target.starts_with("thumbv7em"))
}

fn cells(row: &Row, of: fn(&Measured) -> u64) -> Option<f64> {
    Some(row.cost(is_cells)?.sum(of) as f64)
}

fn luts(cost: &Cost) -> Option<f64> {
    Some(cost.sum(Measured::luts) as f64)
}

fn largest(cost: &Cost, of: fn(&Measured) -> Option<f64>) -> Option<f64> {
    cost.lines.iter().filter_map(|line| of(&line.each)).reduce(f64::max)
}

fn smallest(cost: &Cost, of: fn(&Measured) -> Option<f64>) -> Option<f64> {
    cost.lines.iter().filter_map(|line| of(&line.each)).reduce(f64::min)
}
