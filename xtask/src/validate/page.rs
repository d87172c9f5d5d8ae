//! The page: a table for each that is compared, with the difference in per cent and its cause.

use super::kept::{Kept, Outcome};
use super::table::{Cell, Measure, Program, Table};
use crate::step::Failure;
use std::fmt::Write as _;

/// From how many per cent on a difference needs a cause, and, of cycles of waiting, from how many cycles on.
const FAR: f64 = 5.0;
const FAR_CYCLES: f64 = 0.5;

/// All that is known.
pub(super) struct Results {
    pub(super) theirs: Vec<(Program, Kept)>,
    pub(super) ours: Kept,
}

impl Results {
    fn theirs(&self, cell: Cell<'_>, of: Program) -> Option<&Outcome> {
        let (_, kept) = self.theirs.iter().find(|(program, _)| *program == of)?;
        kept.run.get(&cell.key())
    }

    fn ours(&self, cell: Cell<'_>, plain: bool) -> Option<&Outcome> {
        self.ours.run.get(&key(cell, plain))
    }

    /// What is compared, of a program's run.
    fn figure<'r>(cell: Cell<'_>, of: impl Fn(Cell<'_>) -> Option<&'r Outcome>) -> Option<f64> {
        let outcome = of(cell)?;
        Some(match cell.table.measure {
            Measure::Accepted => outcome.accepted,
            Measure::Latency => outcome.latency,
            Measure::Waiting => outcome.latency - of(Cell { column: 0, ..cell })?.latency,
        })
    }
}

/// What one of our runs is called in the file of our results.
pub(super) fn key(cell: Cell<'_>, plain: bool) -> String {
    if plain { format!("{} (defaults)", cell.key()) } else { cell.key() }
}

/// How many of how many.
#[derive(Default)]
struct Count {
    near: usize,
    all: usize,
}

impl Count {
    fn add(&mut self, near: bool) {
        self.near += usize::from(near);
        self.all += 1;
    }
}

impl std::fmt::Display for Count {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} of {}", self.near, self.all)
    }
}

/// One line of a table.
struct Comparison<'t> {
    cell: Cell<'t>,
    theirs: f64,
    /// Of FOGSim with changes.
    changed: Option<f64>,
    ours: f64,
    plain: Option<f64>,
}

/// A difference in per cent; nothing where there is nothing to divide by.
fn far(ours: f64, theirs: f64) -> Option<f64> {
    (theirs.abs() > 1e-9).then(|| (ours / theirs - 1.0) * 100.0)
}

/// Whether a difference needs no cause.
fn is_near(table: &Table, ours: f64, theirs: f64) -> bool {
    far(ours, theirs).is_none_or(|far| far.abs() <= FAR)
        || table.measure == Measure::Waiting && (ours - theirs).abs() <= FAR_CYCLES
}

fn compare<'t>(table: &'t Table, results: &Results) -> Result<Vec<Comparison<'t>>, Failure> {
    let missing = |cell: Cell<'_>, whose: &str| Failure::new(format!("{}: no result of {whose}", cell.key()));
    // What waits in the first column is nothing.
    let wanted = |cell: &Cell<'_>| table.measure != Measure::Waiting || cell.column > 0;
    let one = |cell: Cell<'t>| {
        let of = |program| Results::figure(cell, |cell| results.theirs(cell, program));
        let changed = match table.changed {
            true => Some(of(Program::FogsimChanged).ok_or_else(|| missing(cell, "FOGSim, changed"))?),
            false => None,
        };
        let ours = Results::figure(cell, |cell| results.ours(cell, false));
        let plain = Results::figure(cell, |cell| results.ours(cell, true));
        Ok(Comparison {
            cell,
            theirs: of(table.program).ok_or_else(|| missing(cell, table.program.name()))?,
            changed,
            ours: ours.ok_or_else(|| missing(cell, "ours"))?,
            plain,
        })
    };
    table.cells().filter(wanted).map(one).collect()
}

/// The page. Fails where a result is missing, or a difference has no cause.
pub(super) fn page(tables: &[Table], results: &Results) -> Result<String, Failure> {
    let mut text = INTRODUCTION.to_owned();
    for (program, kept) in &results.theirs {
        let _ = writeln!(text, "| {} | {} | `{}` |", program.name(), kept.version, kept.command);
    }
    let mut body = String::new();
    let (mut count, mut count_changed, mut uncaused) = (Count::default(), Count::default(), Vec::new());
    for table in tables {
        let compared = compare(table, results)?;
        for one in &compared {
            let near_theirs = is_near(table, one.ours, one.theirs);
            count.add(near_theirs);
            let near_changed = one.changed.map(|changed| is_near(table, one.ours, changed));
            near_changed.inspect(|&near| count_changed.add(near));
            let needs_cause = !near_theirs || near_changed == Some(false);
            if needs_cause && !table.cause.iter().any(|cause| cause.holds(one.cell)) {
                let changed =
                    one.changed.map(|changed| format!(", changed {changed:.4}")).unwrap_or_default();
                uncaused.push(format!(
                    "{}: {:.4}, theirs {:.4}{changed}",
                    one.cell.key(),
                    one.ours,
                    one.theirs
                ));
            }
        }
        body.push_str(&section(table, &compared));
    }
    text.push_str(CHANGES);
    let _ = write!(
        text,
        "\n{count} figures are within {FAR} % of the other program's; in the tables that have a column *FOGSim, changed*, {count_changed} are within {FAR} % of it.\n{body}"
    );
    if uncaused.is_empty() {
        return Ok(text);
    }
    Err(Failure::new(format!("no cause is given for\n  {}", uncaused.join("\n  "))))
}

fn section(table: &Table, compared: &[Comparison<'_>]) -> String {
    let has_plain = compared.iter().any(|one| one.plain.is_some());
    let has_recorded = compared.iter().any(|one| one.cell.recorded().is_some());
    let mut heads = vec!["", "", table.program.name()];
    if has_recorded {
        heads.push("recorded");
    }
    heads.extend(["Desvio", "%"]);
    if table.changed {
        heads.extend(["FOGSim, changed", "%"]);
    }
    if has_plain {
        heads.extend(["our defaults", "%"]);
    }
    heads.push("cause");
    let mut text = format!("\n## {}\n\n", table.title);
    let _ = writeln!(text, "| {} |\n|{}", heads.join(" | "), "---|".repeat(heads.len()));
    let mut row = usize::MAX;
    for one in compared {
        let name = if row == one.cell.row { "" } else { one.cell.row() };
        row = one.cell.row;
        let mut fields = vec![name.to_owned(), one.cell.column().clone(), figure(table, one.theirs)];
        if has_recorded {
            fields.push(one.cell.recorded().map_or("–".to_owned(), |recorded| figure(table, recorded)));
        }
        fields.extend([
            figure(table, one.ours),
            per_cent(one.ours, one.theirs, !is_near(table, one.ours, one.theirs)),
        ]);
        if let Some(changed) = one.changed {
            fields.push(figure(table, changed));
            fields.push(per_cent(one.ours, changed, !is_near(table, one.ours, changed)));
        }
        if has_plain {
            fields.push(one.plain.map_or("–".to_owned(), |plain| figure(table, plain)));
            fields.push(one.plain.map_or("–".to_owned(), |plain| per_cent(plain, one.theirs, false)));
        }
        let causes = table.cause.iter().zip('a'..).filter(|(cause, _)| cause.holds(one.cell));
        fields.push(causes.map(|(_, letter)| letter.to_string()).collect::<Vec<_>>().join(" "));
        let _ = writeln!(text, "| {} |", fields.join(" | "));
    }
    for line in differences(table, compared, has_plain, has_recorded) {
        let _ = writeln!(text, "| {line} |");
    }
    if !table.cause.is_empty() {
        text.push('\n');
    }
    for (cause, letter) in table.cause.iter().zip('a'..) {
        let _ = writeln!(text, "- *{letter}*: {}", cause.text);
    }
    text
}

/// The rows that are differences of others: an absolute figure hides what a small part of it is.
fn differences(
    table: &Table,
    compared: &[Comparison<'_>],
    has_plain: bool,
    has_recorded: bool,
) -> Vec<String> {
    let mut lines = Vec::new();
    for difference in &table.difference {
        let of = |row: &str| compared.iter().filter(|one| one.cell.row() == row).collect::<Vec<_>>();
        for (at, (row, minus)) in of(&difference.row).into_iter().zip(of(&difference.minus)).enumerate() {
            let less = |a: f64, b: f64| figure(table, a - b);
            let both =
                |a: Option<f64>, b: Option<f64>| a.zip(b).map_or("–".to_owned(), |(a, b)| less(a, b));
            let name = if at == 0 { difference.name.as_str() } else { "" };
            let mut fields = vec![name.to_owned(), row.cell.column().clone(), less(row.theirs, minus.theirs)];
            fields.extend(has_recorded.then(|| "–".to_owned()));
            fields.extend([less(row.ours, minus.ours), String::new()]);
            if table.changed {
                fields.extend([both(row.changed, minus.changed), String::new()]);
            }
            if has_plain {
                fields.extend([both(row.plain, minus.plain), String::new()]);
            }
            fields.push(String::new());
            lines.push(fields.join(" | "));
        }
    }
    lines
}

fn figure(table: &Table, value: f64) -> String {
    match table.measure {
        Measure::Accepted => format!("{value:.4}").trim_start_matches('0').to_owned(),
        Measure::Latency | Measure::Waiting => format!("{value:.1}"),
    }
}

fn per_cent(ours: f64, theirs: f64, is_far: bool) -> String {
    match far(ours, theirs) {
        None => "–".to_owned(),
        Some(far) if is_far => format!("**{far:+.1}**"),
        Some(far) => format!("{far:+.1}"),
    }
}

const INTRODUCTION: &str = "\
# Beside other simulators

Written by `cargo xtask validate --update`, never by hand; `cargo xtask validate` runs our side again and fails where a figure differs.

Each cell of a table is one scenario (`scenarios/validation`). The configuration of the other program is made from it. Its results are kept as text
(`scenarios/validation/kept`) with a hash of that configuration, so that a changed scenario is noticed. Where it is installed, it is run again:

```text
cargo xtask validate                                  # our side; the others' results are those that are kept
cargo xtask validate --fogsim PROGRAM --booksim PROGRAM   # theirs, too; or DESVIO_FOGSIM and DESVIO_BOOKSIM
cargo xtask validate --fogsim-changed PROGRAM             # FOGSim with the changes below; or DESVIO_FOGSIM_CHANGED
```

*Desvio* is the scenario with the options that make it like the other program, *our defaults* the scenario without them: the difference is the
effect of the options. *Recorded* are earlier figures of the program, measured elsewhere. A difference of more than 5 %, and half a cycle of waiting, is
bold, and has a cause below its table: *tested* where an experiment that changes nothing else removes the difference. One seed each. *free*: `routing.nonminimal = \"free\"`, in both columns of ours,
without which RRG and NRG do not misroute to a neighbour as a packet is injected.

| program | version | command |
|---|---|---|
";

const CHANGES: &str = "
*FOGSim, changed* is a clone of the same commit with four changes of a few lines each, which are not committed. They mend faults that no option of ours imitates:

1. *An output to a node.* FOGSim grants it only in cycles in which the node receives nothing, whatever is in the crossbar on its way there. So the link idles while the
   first packet crosses, and several inputs are granted the output in the meantime. Changed: it is granted when the packet before it is in the output queue,
   as other outputs are (`outputArbiter::checkPort` asks `nextPortCanReceiveFlit`, not `checkConsume`).
2. *OLM: a local hop after a local misroute in the origin group* takes the next VC. FOGSim takes the misroute's VC again (the last condition of `oppVcMngmt::nextChannel`): the
   first VCs of a group's routers can wait for each other in a circle, and both hops fill one VC, where here they fill two.
3. *Contention counters.* FOGSim queues the ends of transfers in the order in which they began, and removes an end only when it is the first
   (`caHandler::update_sending_end_cycle_queues`). A transfer that ends before an earlier one (at speedup 2 one takes from 4 to 8 cycles) counts too long, so that a VC can count twice, for the packet that
   has left and for the next one. Changed: every end that has passed is removed, from the counters of ports and from those of groups.
4. *PB compares lengths of routes.* FOGSim computes them for another arrangement of global links than the palm tree that is wired (`generatorModule::determinePaths`). Changed: the hops
   that packets take, to the destination, and to it by the intermediate group.
";
