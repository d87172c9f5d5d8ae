//! Costs as tables for people.

use super::column::{COLUMNS, Column, is_ice40, is_liberty};
use super::{Report, Row};
use crate::{Cost, Line, Measured, Stretch};
use comfy_table::{CellAlignment, ContentArrangement, LineStyle, Table, TableStyle};

/// One rule, under the header.
const STYLE: TableStyle = TableStyle::new().header_separator(LineStyle::none().fill('─'));

/// What stands where nothing was measured.
const NOTHING: &str = "–";

/// Header and rows, of which the first cell is a name and the others are numbers.
pub(super) type Cells = Vec<Vec<String>>;

/// One line for each router.
#[must_use]
pub fn routers(report: &Report) -> String {
    text(&router_cells(report))
}

/// One line for each part of a router; below, where the slowest path goes.
#[must_use]
pub fn units(row: &Row) -> String {
    text(&unit_cells(row)) + &slowest_path(row)
}

/// Where the slowest path of a router goes, as a sentence; empty where that is not known.
fn slowest_path(row: &Row) -> String {
    let path = row.cost(is_liberty).map(Cost::slowest_path).unwrap_or_default();
    let stretch = |(line, stretch): &(&Line, &Stretch)| {
        format!("{} ({} cells, {:.0} ps)", line.part.unit.word(), stretch.cells, stretch.ps)
    };
    let stretches: Vec<String> = path.iter().map(stretch).collect();
    if stretches.is_empty() {
        String::new()
    } else {
        format!("\n\nSlowest path: {}.\n", stretches.join(" → "))
    }
}

/// Both tables in Markdown.
#[must_use]
pub fn markdown(report: &Report) -> String {
    let mut out = markdown_of(&router_cells(report));
    for row in &report.rows {
        out.push_str(&format!("\n## {}\n\n{}", row.name, markdown_of(&unit_cells(row))));
        out.push_str(&slowest_path(row));
    }
    out
}

/// The columns in which any router has a number.
fn shown(report: &Report) -> Vec<Column> {
    let any = |column: &Column| report.rows.iter().any(|row| (column.value)(row).is_some());
    COLUMNS.into_iter().filter(any).collect()
}

pub(super) fn router_cells(report: &Report) -> Cells {
    let columns = shown(report);
    let header = std::iter::once("router".to_owned()).chain(columns.iter().map(|c| c.heading.to_owned()));
    let row = |row: &Row| {
        let numbers = columns.iter().map(|column| number((column.value)(row), column.decimals));
        std::iter::once(row.name.clone()).chain(numbers).collect()
    };
    std::iter::once(header.collect()).chain(report.rows.iter().map(row)).collect()
}

/// A column of the table of parts: its heading, and the cell of the `n`th line.
type PartColumn<'r> = (&'static str, Box<dyn Fn(usize, &Line) -> String + 'r>);

pub(super) fn unit_cells(row: &Row) -> Cells {
    let Some(cost) = row.any_cost() else { return Vec::new() };
    let mut columns: Vec<PartColumn<'_>> = vec![
        ("unit", Box::new(|_, line| line.part.unit.word().to_owned())),
        ("part", Box::new(|_, line| line.name.clone())),
        ("number", Box::new(|_, line| line.part.count.to_string())),
    ];
    if let Some(cost) = row.cost(super::column::is_cells) {
        let all = cost.sum(Measured::transistors).max(1) as f64;
        columns.push(("cells each", Box::new(|_, line| whole(line.each.cell_count()))));
        columns.push(("FF each", Box::new(|_, line| whole(line.each.flip_flops()))));
        columns.push(("depth", Box::new(|_, line| whole(line.each.depth))));
        columns.push(("cells in use", Box::new(|_, line| whole(line.total().cell_count()))));
        columns.push(("transistors", Box::new(|_, line| whole(line.total().transistors()))));
        let share =
            move |_: usize, line: &Line| format!("{:.1} %", 100.0 * line.total().transistors() as f64 / all);
        columns.push(("share", Box::new(share)));
    }
    columns.push(("memory bits", Box::new(|_, line| whole(line.part.count * line.each.memory_bits()))));
    if let Some(cost) = row.cost(is_liberty) {
        columns.push(("µm² each", Box::new(|n, _| number(cost.lines.get(n).and_then(|l| l.each.area), 0))));
        columns.push(("ps", Box::new(|n, _| number(cost.lines.get(n).and_then(|l| l.each.delay), 0))));
    }
    if let Some(cost) = row.cost(is_ice40) {
        columns
            .push(("LUT4 each", Box::new(|n, _| number(cost.lines.get(n).map(|l| l.each.luts() as f64), 0))));
        columns.push(("MHz", Box::new(|n, _| number(cost.lines.get(n).and_then(|l| l.each.frequency), 1))));
    }
    let header = columns.iter().map(|(heading, _)| (*heading).to_owned()).collect();
    let line = |(n, line): (usize, &Line)| columns.iter().map(|(_, cell)| cell(n, line)).collect();
    std::iter::once(header).chain(cost.lines.iter().enumerate().map(line)).collect()
}

fn number(value: Option<f64>, decimals: usize) -> String {
    match value {
        None => NOTHING.to_owned(),
        Some(value) if decimals == 0 => whole(value.round() as u64),
        Some(value) => format!("{value:.decimals$}"),
    }
}

/// A number in groups of three digits.
fn whole(value: u64) -> String {
    indicatif::HumanCount(value).to_string()
}

/// Any table, its first row the header, for a terminal: numbers to the right.
#[must_use]
pub fn text(cells: &[Vec<String>]) -> String {
    let mut table = Table::new();
    table.load_style(STYLE).set_content_arrangement(ContentArrangement::Disabled);
    let Some((header, rows)) = cells.split_first() else { return String::new() };
    table.set_header(header);
    table.add_rows(rows);
    for (n, column) in table.column_iter_mut().enumerate() {
        if header.get(n).is_some_and(|heading| is_number(heading)) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table.to_string()
}

/// Any table, its first row the header, in Markdown.
#[must_use]
pub fn markdown_of(cells: &[Vec<String>]) -> String {
    let Some((header, rows)) = cells.split_first() else { return String::new() };
    let rule =
        header.iter().map(|heading| if is_number(heading) { "---:" } else { "---" }.to_owned()).collect();
    let line = |cells: &Vec<String>| format!("| {} |\n", cells.join(" | "));
    [header, &rule].into_iter().chain(rows).map(line).collect()
}

fn is_number(heading: &str) -> bool {
    !matches!(heading, "router" | "mechanism" | "unit" | "part")
}
