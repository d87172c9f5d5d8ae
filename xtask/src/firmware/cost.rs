//! The table of costs: compared with the committed one, or written anew.

use super::board::{BOARDS, Board, Measurement};
use super::folder;
use crate::step::Failure;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;

/// How far a number may be from the committed one, in per cent: another compiler, not another program.
const TOLERANCE: u64 = 2;

/// For people.
const TABLE: &str = "COST.md";
/// For programs.
const LIST: &str = "cost.csv";

const HEAD: &str = "target,ports,what,number";

const INTRODUCTION: &str = "# What a router costs on a microcontroller

Written by `cargo xtask firmware --update`, never by hand; `cargo xtask firmware` fails when a number is more than 2 % from
the one here. Instructions are counted by the emulator, not timed: they are the same in each run.

Five ports: a router of a mesh, dimension order, 2 VCs. Seven: one of the Dragonfly `paper`; fifteen: of `wide`; both OLM
with the contention trigger, 3 VCs. All have buffers of 32 flits for packets of 8, output FIFOs of 4, two iterations of a
separable allocator with matrix arbiters.

*Select*, *heads leave* and *busy* are the first three steps of a packet, alone or at all ports at once; *all VCs full* is 512
steps in which every VC of every input has packets to random outputs. A *cycle* is a step with the registers on the wires,
and everything that came in. A step *with nothing to send* has one flit, whose output's FIFO is full. Stack is measured with
paint, on the cores whose runtime has it.
";

/// Numbers by (ports, what), in the order of measuring, for each target.
#[derive(Debug, Default)]
pub(super) struct Costs {
    rows: Vec<(u32, String)>,
    numbers: BTreeMap<(String, u32, String), u64>,
}

impl Costs {
    /// What was measured on a board.
    pub(super) fn add(&mut self, board: &Board, measured: &[Measurement]) {
        for (ports, what, number) in measured {
            let row = (*ports, what.clone());
            if !self.rows.contains(&row) {
                self.rows.push(row);
            }
            self.numbers.insert((board.target.to_owned(), *ports, what.clone()), *number);
        }
    }

    /// Writes the table, or compares it with the committed one.
    pub(super) fn settle(&self, update: bool) -> Result<(), Failure> {
        let failed = |name: &str, error: &std::io::Error| Failure::new(format!("firmware/{name}: {error}"));
        if update {
            for (name, text) in [(LIST, self.list()), (TABLE, self.table())] {
                fs::write(folder().join(name), text).map_err(|error| failed(name, &error))?;
                println!("wrote firmware/{name}");
            }
            return Ok(());
        }
        let committed = fs::read_to_string(folder().join(LIST)).map_err(|error| failed(LIST, &error))?;
        let shown = fs::read_to_string(folder().join(TABLE)).map_err(|error| failed(TABLE, &error))?;
        let mut wrong = self.differences(&committed);
        if Self::parse(&committed).is_none_or(|costs| costs.table() != shown) {
            wrong.push(format!("{TABLE} does not show what {LIST} says"));
        }
        if wrong.is_empty() {
            println!("costs: {} numbers within {TOLERANCE} % of firmware/{LIST}", self.numbers.len());
            return Ok(());
        }
        Err(Failure::new(format!(
            "costs have changed: run `cargo xtask firmware --update` and look at the difference\n  {}",
            wrong.join("\n  ")
        )))
    }

    fn list(&self) -> String {
        let mut text = format!("{HEAD}\n");
        for board in &BOARDS {
            for (ports, what) in &self.rows {
                if let Some(number) = self.numbers.get(&(board.target.to_owned(), *ports, what.clone())) {
                    let _ = writeln!(text, "{},{ports},\"{what}\",{number}", board.target);
                }
            }
        }
        text
    }

    fn parse(list: &str) -> Option<Self> {
        let mut found = Self::default();
        for line in list.strip_prefix(HEAD)?.lines().filter(|line| !line.is_empty()) {
            let (target, rest) = line.split_once(',')?;
            let (ports, rest) = rest.split_once(",\"")?;
            let (what, number) = rest.split_once("\",")?;
            let board = BOARDS.iter().find(|board| board.target == target)?;
            found.add(board, &[(ports.parse().ok()?, what.to_owned(), number.parse().ok()?)]);
        }
        Some(found)
    }

    fn differences(&self, committed: &str) -> Vec<String> {
        let Some(committed) = Self::parse(committed) else {
            return vec![format!("{LIST} cannot be read")];
        };
        let mut found = Vec::new();
        for ((target, ports, what), &number) in &self.numbers {
            let name = format!("{target}, {ports} ports, {what}");
            match committed.numbers.get(&(target.clone(), *ports, what.clone())) {
                None => found.push(format!("{name}: {number}, and nothing is committed")),
                Some(&old) if number.abs_diff(old) * 100 > old * TOLERANCE => {
                    found.push(format!("{name}: {number}, committed are {old}"));
                }
                Some(_) => {}
            }
        }
        let is_measured = |target: &String| self.numbers.keys().any(|(measured, ..)| measured == target);
        let gone =
            committed.numbers.keys().filter(|key| is_measured(&key.0) && !self.numbers.contains_key(*key));
        found.extend(
            gone.map(|(target, ports, what)| format!("{target}, {ports} ports, {what}: not measured")),
        );
        found
    }

    fn table(&self) -> String {
        let mut text = INTRODUCTION.to_owned();
        let mut sizes: Vec<u32> = self.rows.iter().map(|(ports, _)| *ports).collect();
        sizes.sort_unstable();
        sizes.dedup();
        for (title, is_bytes) in [("Instructions", false), ("Bytes", true)] {
            let _ = write!(text, "\n## {title}\n\n|");
            for board in &BOARDS {
                for ports in &sizes {
                    let _ = write!(text, " | {}, {ports}", board.core);
                }
            }
            let _ = write!(text, " |\n|---|{}\n", "---:|".repeat(BOARDS.len() * sizes.len()));
            let mut names: Vec<&String> = Vec::new();
            for (_, what) in self.rows.iter().filter(|(_, what)| what.starts_with("bytes ") == is_bytes) {
                if !names.contains(&what) {
                    names.push(what);
                }
            }
            for what in names {
                let _ = write!(text, "| {}", what.strip_prefix("bytes ").unwrap_or(what));
                for board in &BOARDS {
                    for &ports in &sizes {
                        let number = self.numbers.get(&(board.target.to_owned(), ports, what.clone()));
                        let _ = write!(text, " | {}", number.map_or(String::new(), u64::to_string));
                    }
                }
                text.push_str(" |\n");
            }
        }
        text
    }
}
