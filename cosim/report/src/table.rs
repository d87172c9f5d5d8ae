//! Results as a table for people.

use comfy_table::{Cell, CellAlignment, Color, ContentArrangement, LineStyle, Table, TableStyle};

use super::Curve;
use desvio_sim::summary::{Discards, State, Summary};

/// The table for standard output: as wide as the terminal allows, coloured only where there is one.
pub fn table(curves: &[Curve]) -> String {
    let width = Table::new().width();
    fitting(width, |columns| build(curves, columns).to_string())
}

/// The table without colours, `width` characters wide: columns that matter less are left out where there is no room.
pub fn table_of_width(curves: &[Curve], width: u16) -> String {
    fitting(Some(width), |columns| build(curves, columns).force_no_tty().to_string())
}

/// The columns, and how soon each goes where there is no room for all: 0 stays.
const COLUMNS: [(&str, u8); 8] = [
    ("load", 0),
    ("accepted", 0),
    ("latency", 0),
    ("p99", 3),
    ("hops", 2),
    ("misrouted", 4),
    ("min node", 1),
    ("state", 0),
];

/// The rank up to which columns can go.
const LEAST: u8 = 4;

/// One rule, under the header.
const STYLE: TableStyle = TableStyle::new().header_separator(LineStyle::none().fill('─'));

/// What stands where there is nothing meaningful to say.
const NOTHING: &str = "–";

/// The widest of the tables that has no line above `width`; the narrowest where even that is too wide. Says what was left out.
fn fitting(width: Option<u16>, table: impl Fn(u8) -> String) -> String {
    let Some(width) = width.map(usize::from) else { return table(0) };
    let fits = |text: &str| text.lines().next().is_none_or(|line| line.chars().count() <= width);
    let tables = (0..=LEAST).map(|dropped| (dropped, table(dropped)));
    let (dropped, text) =
        tables.into_iter().find(|(_, text)| fits(text)).unwrap_or_else(|| (LEAST, table(LEAST)));
    let hidden = COLUMNS.iter().filter(|&&(_, rank)| rank > 0 && rank <= dropped).map(|&(name, _)| name);
    match hidden.collect::<Vec<_>>().join(", ") {
        hidden if hidden.is_empty() => text,
        hidden => format!("{}\nleft out: {hidden}", text.trim_end()),
    }
}

/// Without the columns whose rank is 1…`dropped`.
fn build(curves: &[Curve], dropped: u8) -> Table {
    let several = curves.len() > 1;
    let kept = |rank: u8| rank == 0 || rank > dropped;
    let mut table = Table::new();
    table.load_style(STYLE).set_content_arrangement(ContentArrangement::Disabled);
    let names = COLUMNS.iter().filter(|&&(_, rank)| kept(rank)).map(|&(name, _)| name);
    table.set_header(several.then_some("scenario").into_iter().chain(names));
    for curve in curves {
        for point in curve.by_load() {
            let name = several.then(|| Cell::new(&curve.name));
            let cells = cells(point).into_iter().zip(COLUMNS).filter(|&(_, (_, rank))| kept(rank));
            table.add_row(name.into_iter().chain(cells.map(|(cell, _)| cell)));
        }
    }
    let last = table.column_count().saturating_sub(1);
    for (n, column) in table.column_iter_mut().enumerate() {
        if n < last && !(several && n == 0) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

fn cells(p: &Summary) -> [Cell; 8] {
    let stationary = p.state != State::Saturated && !p.state.is_broken();
    let if_stationary = |text: String| if stationary { text } else { NOTHING.to_owned() };
    let delivered = |text: String| if p.packets_measured > 0 { text } else { NOTHING.to_owned() };
    [
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

/// A lost packet is an error of the simulator or of the RTL: it is shown beside the state, as is what congestion control did.
fn state(p: &Summary) -> Cell {
    let colour = match p.state {
        _ if p.packets_lost > 0 => Some(Color::Red),
        State::Deadlock | State::Losses | State::Violation => Some(Color::Red),
        State::Starved | State::Saturated => Some(Color::Yellow),
        State::Fixed | State::Converged | State::Limit => None,
    };
    let text = match p.packets_lost {
        0 => p.state.word().to_owned(),
        lost => format!("{}, {lost} lost", p.state.word()),
    };
    let text = match p.flits_lost_by_links {
        0 => text,
        lost => format!("{text}, {lost} flits lost by links"),
    };
    let text = match p.flits_killed {
        0 => text,
        killed => format!("{text}, {killed} dead flits"),
    };
    let text = match p.discards.and_then(discarded) {
        Some(discarded) => format!("{text}, {discarded}"),
        None => text,
    };
    let text = match p.congestion {
        Some(congestion) => format!("{text}, {} marked", percent(congestion.marked_share)),
        None => text,
    };
    colour.into_iter().fold(Cell::new(text), Cell::fg)
}

/// How many packets were discarded, if any, and why.
fn discarded(Discards { packets, has_lifetime, .. }: Discards) -> Option<String> {
    let [no_entry, invalid, back, management, late] = packets;
    let by_table = format!(
        "{no_entry} not in table, {invalid} invalid port, {back} input port, {management} management port"
    );
    let has_others = packets.iter().sum::<u64>() > late;
    let late = format!("{late} lifetime");
    let why = match (has_lifetime, has_others) {
        (false, _) => by_table,
        (true, false) => late,
        (true, true) => format!("{by_table}, {late}"),
    };
    let all = packets.iter().sum::<u64>();
    (all > 0).then(|| format!("{all} discarded ({why})"))
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
