//! Costs as files, with the scripts and logs that they come from beside them.

use super::column::COLUMNS;
use super::table::markdown;
use super::{Report, Row};
use crate::error::at;
use crate::{CostError, Line, Target};
use desvio_report::text_cell;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Writes `cost.csv` (a line for each router), `units.csv` (a line for each part of each router and target), `cost.json` (both, with the
/// programs' versions) and `cost.md`. `logs/` gets scripts and logs of each part, of its place and route, and of the whole.
///
/// # Errors
/// The first file that cannot be written.
pub fn write(report: &Report, dir: &Path) -> Result<(), CostError> {
    fs::create_dir_all(dir).map_err(at(dir))?;
    replace(&dir.join("cost.csv"), &csv(report))?;
    replace(&dir.join("units.csv"), &units_csv(report))?;
    replace(
        &dir.join("cost.json"),
        &(serde_json::to_string_pretty(&document(report)).unwrap_or_default() + "\n"),
    )?;
    replace(&dir.join("cost.md"), &markdown(report))?;
    copy_logs(report, &dir.join("logs"))
}

/// Writes a file in one step: a reader sees the old text or the new one.
///
/// # Errors
/// When it cannot be written.
pub fn replace(path: &Path, text: &str) -> Result<(), CostError> {
    let draft = path.with_extension(format!("{}.tmp", std::process::id()));
    fs::write(&draft, text).and_then(|()| fs::rename(&draft, path)).map_err(at(path))
}

/// Exactly the number; empty where nothing was measured.
fn plain(value: Option<f64>) -> String {
    value.map(|value| format!("{value}")).unwrap_or_default()
}

fn csv(report: &Report) -> String {
    let header =
        std::iter::once("router".to_owned()).chain(COLUMNS.iter().map(|column| column.key.to_owned()));
    let row = |row: &Row| {
        std::iter::once(text_cell(&row.name)).chain(COLUMNS.iter().map(|c| plain((c.value)(row)))).collect()
    };
    records(header.collect(), report.rows.iter().map(row))
}

const UNIT_COLUMNS: [&str; 18] = [
    "router",
    "target",
    "unit",
    "module",
    "parameters",
    "number",
    "cells",
    "flip_flops",
    "transistors",
    "depth",
    "memory_bits",
    "area_um2",
    "delay_ps",
    "luts",
    "mhz",
    "cells_in_use",
    "flip_flops_in_use",
    "transistors_in_use",
];

fn units_csv(report: &Report) -> String {
    let header = UNIT_COLUMNS.map(str::to_owned).to_vec();
    records(
        header,
        lines(report).map(|(row, target, line)| {
            let each = &line.each;
            let parameters = line.part.parameters.iter().map(|(key, value)| format!("{key}={value}"));
            vec![
                text_cell(&row.name),
                target.word().to_owned(),
                line.part.unit.word().to_owned(),
                line.part.module.clone(),
                parameters.collect::<Vec<_>>().join(" "),
                line.part.count.to_string(),
                each.cell_count().to_string(),
                each.flip_flops().to_string(),
                each.transistors().to_string(),
                each.depth.to_string(),
                each.memory_bits().to_string(),
                plain(each.area),
                plain(each.delay),
                each.luts().to_string(),
                plain(each.frequency),
                line.total().cell_count().to_string(),
                line.total().flip_flops().to_string(),
                line.total().transistors().to_string(),
            ]
        }),
    )
}

fn lines(report: &Report) -> impl Iterator<Item = (&Row, &Target, &Line)> {
    report.rows.iter().flat_map(|row| {
        row.costs
            .iter()
            .flat_map(move |(target, cost)| cost.lines.iter().map(move |line| (row, target, line)))
    })
}

fn document(report: &Report) -> Value {
    let router = |row: &Row| {
        let numbers = COLUMNS.iter().map(|column| (column.key.to_owned(), json!((column.value)(row))));
        let units = lines(report).filter(|(other, ..)| other.name == row.name).map(|(_, target, line)| {
            json!({ "target": target.word(), "part": line.part, "measured": line.each, "in_use": line.live, "log": log_name(&line.folder),
                    "placed": line.placed.as_deref().map(log_name) })
        });
        let wholes = row.costs.iter().filter_map(|(target, cost)| {
            let path = cost.slowest_path().into_iter().map(|(line, stretch)| {
                json!({ "unit": line.part.unit.word(), "part": line.name, "cells": stretch.cells, "ps": stretch.ps })
            });
            let log = log_name(cost.folder.as_deref()?);
            Some(json!({ "target": target.word(), "log": log, "slowest_path": path.collect::<Vec<_>>() }))
        });
        let software = row.software.iter().map(|on| {
            json!({ "target": on.target, "instructions": on.instructions, "ram": on.ram, "flash": on.flash })
        });
        json!({
            "name": row.name,
            "software": software.collect::<Vec<_>>(),
            "settings": row.settings.iter().cloned().collect::<std::collections::BTreeMap<_, _>>(),
            "numbers": numbers.collect::<Map<_, _>>(),
            "parts": units.collect::<Vec<_>>(),
            "wholes": wholes.collect::<Vec<_>>(),
        })
    };
    json!({ "tools": report.tools, "routers": report.rows.iter().map(router).collect::<Vec<_>>() })
}

/// The folder of a part's script and log, in `logs/`.
fn log_name(folder: &Path) -> String {
    folder.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn copy_logs(report: &Report, to: &Path) -> Result<(), CostError> {
    let of_parts = lines(report).flat_map(|(_, _, line)| std::iter::once(&line.folder).chain(&line.placed));
    let costs = report.rows.iter().flat_map(|row| &row.costs);
    let of_wholes = costs.filter_map(|(_, cost)| cost.folder.as_ref());
    let folders: BTreeSet<&PathBuf> = of_parts.chain(of_wholes).collect();
    for folder in folders {
        let place = to.join(log_name(folder));
        fs::create_dir_all(&place).map_err(at(&place))?;
        for name in LOGS {
            let from = folder.join(name);
            if from.is_file() {
                fs::copy(&from, place.join(name)).map_err(at(&from))?;
            }
        }
    }
    Ok(())
}

/// What is kept of a synthesis beside the results.
const LOGS: [&str; 8] = [
    "script.ys",
    "yosys.log",
    "cells.json",
    "memories.txt",
    "depth.txt",
    "area.txt",
    "clock.json",
    "nextpnr.log",
];

/// A header and its rows, with quotes where a field needs them.
pub(crate) fn records(header: Vec<String>, rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut writer = ::csv::Writer::from_writer(Vec::new());
    // Writing to memory cannot fail, nor can what began as text not be text.
    let _ = writer.write_record(header);
    for row in rows {
        let _ = writer.write_record(row);
    }
    String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
}
