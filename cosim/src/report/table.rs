//! Results as a table for people.

use comfy_table::presets::UTF8_HORIZONTAL_ONLY;
use comfy_table::{Cell, CellAlignment, Color, ContentArrangement, Table};

use super::Curve;
use crate::summary::{State, Summary};

/// The table on standard output: as wide as the terminal allows, coloured only where there is one.
pub fn table(curves: &[Curve]) -> String {
    build(curves).to_string()
}

/// The same, at most `width` characters wide and without colours.
pub fn table_of_width(curves: &[Curve], width: u16) -> String {
    build(curves).force_no_tty().set_width(width).to_string()
}

/// What stands where there is nothing meaningful to say.
const NOTHING: &str = "–";

fn build(curves: &[Curve]) -> Table {
    let several = curves.len() > 1;
    let mut table = Table::new();
    table.load_style(UTF8_HORIZONTAL_ONLY).set_content_arrangement(ContentArrangement::Dynamic);
    let mut header = vec!["load", "accepted", "latency", "p99", "hops", "misrouted", "min node", "state"];
    if several {
        header.insert(0, "scenario");
    }
    table.set_header(header);
    for curve in curves {
        for point in curve.by_load() {
            let name = several.then(|| Cell::new(&curve.name));
            table.add_row(name.into_iter().chain(cells(point)));
        }
    }
    let numbers = table.column_iter_mut().skip(usize::from(several)).take(7);
    numbers.for_each(|column| column.set_cell_alignment(CellAlignment::Right));
    table
}

fn cells(p: &Summary) -> Vec<Cell> {
    let stationary = !matches!(p.state, State::Saturated | State::Deadlock);
    let if_stationary = |text: String| if stationary { text } else { NOTHING.to_owned() };
    let delivered = |text: String| if p.packets_measured > 0 { text } else { NOTHING.to_owned() };
    vec![
        Cell::new(fixed(p.load, 3)),
        Cell::new(interval(p.accepted, p.accepted_ci95, 4)),
        Cell::new(if_stationary(interval(p.latency_mean, p.latency_ci95, 1))),
        Cell::new(if_stationary(delivered(p.latency_p99.to_string()))),
        Cell::new(fixed(p.hops_mean, 2)),
        Cell::new(percent(p.misrouted_share)),
        Cell::new(fixed(p.accepted_min_node, 4)),
        state(p),
    ]
}

/// A lost packet is an error of the simulator or of the RTL: it is told beside the state.
fn state(p: &Summary) -> Cell {
    let colour = match p.state {
        _ if p.packets_lost > 0 => Some(Color::Red),
        State::Deadlock => Some(Color::Red),
        State::Saturated => Some(Color::Yellow),
        State::Fixed | State::Converged | State::Limit => None,
    };
    let text = match p.packets_lost {
        0 => p.state.word().to_owned(),
        lost => format!("{}, {lost} lost", p.state.word()),
    };
    colour.into_iter().fold(Cell::new(text), Cell::fg)
}

fn interval(value: f64, ci95: f64, decimals: usize) -> String {
    match (value.is_finite(), ci95.is_finite()) {
        (true, true) => format!("{value:.decimals$} ±{ci95:.decimals$}"),
        _ => fixed(value, decimals),
    }
}

fn percent(share: f64) -> String {
    let text = fixed(100.0 * share, 1);
    if text == NOTHING { text } else { text + " %" }
}

fn fixed(value: f64, decimals: usize) -> String {
    if value.is_finite() { format!("{value:.decimals$}") } else { NOTHING.to_owned() }
}
