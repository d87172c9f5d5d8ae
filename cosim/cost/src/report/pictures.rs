//! Costs as pictures.

use super::{Report, Row};
use crate::error::{CostError, at};
use crate::{Measured, Target};
use desvio_report::{Growth, Stack, write_picture};
use std::path::Path;

/// Draws `area` (transistors by unit, stacked) and, where the routers differ in ports, VCs or buffers, `ports`, `vcs` or
/// `buffers` (area and depth against it), each as SVG and PNG.
///
/// # Errors
/// The first picture that cannot be drawn or written.
pub fn draw(report: &Report, dir: &Path) -> Result<(), CostError> {
    if report.rows.iter().any(|row| row.cost(is_cells).is_none()) {
        return Ok(());
    }
    std::fs::create_dir_all(dir).map_err(at(dir))?;
    picture(dir, "area", stack(&report.rows).svg())?;
    for (stem, caption, of) in QUANTITIES {
        if let Some(growth) = growth(&report.rows, stem, caption, of) {
            picture(dir, stem, growth.svg())?;
        }
    }
    Ok(())
}

type Quantity = fn(&Row) -> f64;

const QUANTITIES: [(&str, &str, Quantity); 3] = [
    ("ports", "Ports of the router", |row| row.ports as f64),
    ("vcs", "VCs of a port", |row| row.vcs as f64),
    ("buffers", "Flits of a local VC's buffer", |row| row.buffer_flits as f64),
];

fn is_cells(target: &Target) -> bool {
    *target == Target::Cells
}

fn stack(rows: &[Row]) -> Stack {
    let units = rows.first().into_iter().flat_map(Row::units);
    let transistors =
        |row: &Row, unit| row.cost(is_cells).map_or(0, |cost| cost.sum_of(unit, Measured::transistors));
    Stack {
        title: "Area by unit".to_owned(),
        subtitle: "transistors of gates and flip-flops, without memories".to_owned(),
        routers: rows.iter().map(|row| row.name.clone()).collect(),
        units: units
            .map(|unit| {
                let values = rows.iter().map(|row| transistors(row, unit) as f64).collect();
                (unit.word().to_owned(), values)
            })
            .collect(),
    }
}

/// The routers that differ in one quantity and not in the others.
fn growth(rows: &[Row], stem: &str, caption: &'static str, of: Quantity) -> Option<Growth> {
    let first = rows.first()?;
    // VCs and buffers are the same for routers of any size; what else changes with the ports is their network.
    let alike = |row: &&Row| QUANTITIES.iter().all(|(other, _, of)| *other == stem || of(row) == of(first));
    let point = |row: &Row| {
        let cost = row.cost(is_cells)?;
        Some((of(row), cost.sum(Measured::transistors) as f64, cost.depth? as f64))
    };
    let mut points: Vec<_> = rows.iter().filter(alike).filter_map(point).collect();
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    points.dedup_by(|a, b| a.0 == b.0);
    (points.len() > 1).then(|| Growth {
        title: "Area and depth".to_owned(),
        subtitle: "memories apart".to_owned(),
        caption,
        points,
    })
}

/// Writes a picture as SVG and PNG.
pub(crate) fn picture(
    dir: &Path,
    stem: &str,
    svg: Result<String, desvio_report::DrawError>,
) -> Result<(), CostError> {
    write_picture(dir, stem, svg).map(drop).map_err(CostError::Picture)
}
