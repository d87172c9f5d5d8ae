//! `desvio cost --model`: a router that is too large to be synthesised, from smaller ones.

use super::super::failure::Failure;
use super::display::Display;
use super::{Arguments, row, shape, show, stem, synthesis};
use desvio_cost::model::{DepthFit, Fit, powers};
use desvio_cost::{Cost, Measured, Row, Target, Unit, memory_bits};

/// A number of a part, and what it is called.
type Quantity = (&'static str, fn(&Measured) -> u64);

/// What is fitted.
const QUANTITIES: [Quantity; 3] = [
    ("cells", Measured::cell_count),
    ("flip-flops", Measured::flip_flops),
    ("transistors", Measured::transistors),
];

/// Fits a model to balanced Dragonflies of these sizes and asks it for each scenario's router.
pub(super) fn model(sizes: &[u32], arguments: &Arguments) -> Result<(), Failure> {
    let mut sizes = sizes.to_vec();
    sizes.sort_unstable();
    sizes.dedup();
    if sizes.len() < 3 || arguments.targets != [Target::Cells] {
        return Err(Failure::Input(
            "error: --model needs three sizes or more, and --target cells".to_owned(),
        ));
    }
    let synthesis = synthesis(arguments, &arguments.targets)?;
    let display = Display::new(arguments.quiet);
    for file in &arguments.files {
        let (_, asked) = shape(file, &arguments.sets)?;
        let mut rows = Vec::new();
        for h in &sizes {
            let sized =
                [format!("topology.p={h}"), format!("topology.a={}", 2 * h), format!("topology.h={h}")];
            let sets: Vec<String> = arguments.sets.iter().cloned().chain(sized).collect();
            let (blueprint, shape) = shape(file, &sets)?;
            rows.push(row(&format!("h={h}"), &blueprint, &shape, &synthesis, arguments, &display)?);
        }
        display.end();
        let table = table(&rows, asked.ports, memory_bits(&asked));
        let name = match arguments.files.as_slice() {
            [_] => "model.md".to_owned(),
            _ => format!("model-{}.md", stem(file)),
        };
        show(&table, &name, arguments)?;
    }
    Ok(())
}

/// For each unit and the whole: what is predicted, and how well the largest synthesised router is predicted from the others.
fn table(rows: &[Row], ports: usize, memory_bits: u64) -> Vec<Vec<String>> {
    let largest = rows.last().map_or(0, |row| row.ports);
    let mut table = vec![
        [
            "unit",
            "number",
            &format!("{largest} ports, synthesised"),
            "predicted from smaller",
            "error",
            &format!("{ports} ports, predicted"),
            "powers of ports",
        ]
        .map(str::to_owned)
        .to_vec(),
    ];
    for (name, of) in QUANTITIES {
        table.extend(lines(rows, ports, name, of));
    }
    table.push(depth_line(rows, ports));
    let known = rows.last().map(|row| cost(row).sum(Measured::memory_bits)).unwrap_or_default();
    table.push(
        ["router", "memory bits", &known.to_string(), "counted", "0", &memory_bits.to_string(), "exact"]
            .map(str::to_owned)
            .to_vec(),
    );
    table
}

fn cost(row: &Row) -> Cost {
    row.costs.first().map(|(_, cost)| cost.clone()).unwrap_or_default()
}

fn lines(rows: &[Row], ports: usize, name: &str, of: fn(&Measured) -> u64) -> Vec<Vec<String>> {
    let mut sums = (0.0, 0.0, 0.0);
    let mut lines = Vec::new();
    for unit in Unit::ALL {
        let points: Vec<(f64, f64)> =
            rows.iter().map(|row| (row.ports as f64, cost(row).sum_of(unit, of) as f64)).collect();
        let Some((&(most, is), smaller)) = points.split_last() else { continue };
        if is == 0.0 {
            continue;
        }
        let powers = powers(unit);
        let (held_out, fit) = (Fit::with(powers, smaller).at(most), Fit::with(powers, &points));
        let predicted = fit.at(ports as f64);
        sums = (sums.0 + is, sums.1 + held_out, sums.2 + predicted);
        let shown = format!("{}, {}", fit.powers.0, fit.powers.1);
        lines.push(line(unit.word(), name, is, held_out, predicted, &shown));
    }
    lines.push(line("router", name, sums.0, sums.1, sums.2, "sum"));
    lines
}

fn depth_line(rows: &[Row], ports: usize) -> Vec<String> {
    let points: Vec<(f64, f64)> =
        rows.iter().filter_map(|row| Some((row.ports as f64, cost(row).depth? as f64))).collect();
    let Some((&(most, is), smaller)) = points.split_last() else { return Vec::new() };
    let (held_out, predicted) = (DepthFit::of(smaller).at(most), DepthFit::of(&points).at(ports as f64));
    line("router", "depth", is, held_out, predicted, "logarithm")
}

fn line(unit: &str, number: &str, is: f64, held_out: f64, predicted: f64, powers: &str) -> Vec<String> {
    let error = format!("{:+.1} %", 100.0 * (held_out / is - 1.0));
    vec![
        unit.to_owned(),
        number.to_owned(),
        format!("{is:.0}"),
        format!("{held_out:.0}"),
        error,
        format!("{predicted:.0}"),
        powers.to_owned(),
    ]
}
