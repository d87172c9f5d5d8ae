//! `cargo xtask rivals`: what each rival of OLM delivers, in one table and two pictures, beside its authors' figures and exact bounds.

use crate::bench::desvio::Desvio;
use crate::bench::program;
use crate::step::{Failure, root, run};
use serde::Deserialize;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The page whose table this is.
const PAGE: &str = "docs/rivals.md";
/// What stands before the table and behind it.
const MARKS: [&str; 2] = ["<!-- written by cargo xtask rivals --update -->\n", "<!-- to here -->\n"];
/// Where results go.
const FOLDER: &str = "results/rivals";
/// The picture of the page, a copy.
const PICTURE: &str = "docs/rivals.svg";
/// The scenario that all begin with.
const SCENARIO: &str = "scenarios/rivals.toml";
/// The patterns of the table, by their names.
const PATTERNS: [&str; 4] = ["UN", "ADV+1", "ADV+h", "ADVL+1"];
/// Loads of the picture.
const LOADS: &str = "traffic.loads=[0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9,1.0]";
/// Load of the table.
const LOAD: &str = "traffic.loads=[1.0]";
/// From here on two figures are called different.
const FAR: f64 = 0.05;

/// How it is run.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// A program `desvio` that is built already
    #[arg(long, value_name = "PROGRAM", value_parser = program)]
    desvio: Option<PathBuf>,
    /// Writes the table of docs/rivals.md instead of comparing it
    #[arg(long)]
    update: bool,
}

/// The file of all rivals.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Rivals {
    rival: Vec<Rival>,
}

/// One routing with its trigger.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Rival {
    name: String,
    set: Vec<String>,
    /// Whether it is a curve of the picture.
    #[serde(default)]
    curve: bool,
    h2: Figures,
    h3: Figures,
}

/// What is known of a rival at one size, for each of [`PATTERNS`]; NaN: nothing.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Figures {
    authors: [f64; 4],
    bound: [f64; 4],
    /// What is set at this size alone.
    #[serde(default)]
    set: Vec<String>,
}

impl Rival {
    /// Its name as that of a file, which is what its curve is called by.
    fn curve_name(&self) -> String {
        self.name.replace('/', "-")
    }
}

/// A size of the network.
#[derive(Clone, Copy, Debug)]
struct Size(u8);

impl Size {
    const ALL: [Self; 2] = [Self(2), Self(3)];

    fn of(self, rival: &Rival) -> &Figures {
        if self.0 == 2 { &rival.h2 } else { &rival.h3 }
    }

    fn set(self) -> [String; 3] {
        let Self(h) = self;
        [format!("topology.p={h}"), format!("topology.a={}", 2 * h), format!("topology.h={h}")]
    }

    /// The patterns, as `--panels` takes them.
    fn panels(self) -> String {
        let patterns = ["uniform", "{adversarial=1}", &format!("{{adversarial={}}}", self.0)].join(",");
        format!("traffic.pattern={patterns},{{adversarial-local=1}}")
    }
}

/// Runs all of them, draws the pictures, and compares or writes the table.
pub(crate) fn rivals(arguments: &Arguments) -> Result<(), Failure> {
    let rivals = read()?;
    let program = match &arguments.desvio {
        Some(path) => path.clone(),
        None => Desvio::build()?.program,
    };
    let mut table = heading();
    for size in Size::ALL {
        let found = saturation(&program, &rivals, size)?;
        table.push_str(&rows(&rivals, size, &found)?);
    }
    let curves: Vec<_> = rivals.iter().filter(|rival| rival.curve).collect();
    let drawn = compare(&program, &curves, Size(2), LOADS, "curves")?.join("panels.svg");
    transients(&program)?;
    if arguments.update {
        let failed = |error: std::io::Error| Failure::new(format!("{PICTURE}: {error}"));
        fs::copy(drawn, root().join(PICTURE)).map_err(failed)?;
    }
    eprintln!("\nThe pictures are {FOLDER}/curves/panels.svg and {FOLDER}/transients/series.svg.");
    settle(&table, arguments.update)
}

fn read() -> Result<Vec<Rival>, Failure> {
    let file = root().join("scenarios/validation/rivals.toml");
    let failed = |error: String| Failure::new(format!("{}: {error}", file.display()));
    let text = fs::read_to_string(&file).map_err(|error| failed(error.to_string()))?;
    let read: Rivals = toml::from_str(&text).map_err(|error| failed(error.to_string()))?;
    Ok(read.rival)
}

/// What each accepts at load 1, by its curve and the number of the pattern.
type Found = HashMap<(String, usize), f64>;

fn saturation(program: &Path, rivals: &[Rival], size: Size) -> Result<Found, Failure> {
    let all: Vec<_> = rivals.iter().collect();
    let folder = compare(program, &all, size, LOAD, &format!("h{}", size.0))?;
    let file = folder.join("compare.csv");
    let text =
        fs::read_to_string(&file).map_err(|error| Failure::new(format!("{}: {error}", file.display())))?;
    accepted(&text, rivals)
}

/// The accepted loads of `compare.csv`: the patterns of each rival in their order.
fn accepted(text: &str, rivals: &[Rival]) -> Result<Found, Failure> {
    let mut found = Found::new();
    for line in text.lines().skip(1) {
        let failed = || Failure::new(format!("compare.csv: {line}"));
        let (name, values) =
            line.strip_prefix('"').and_then(|line| line.split_once("\",")).ok_or_else(failed)?;
        let curve = name.split(", ").next().unwrap_or(name);
        let value = values.split(',').nth(2).and_then(|value| value.parse().ok()).ok_or_else(failed)?;
        let pattern = (0..).find(|&at| !found.contains_key(&(curve.to_owned(), at))).unwrap_or_default();
        found.insert((curve.to_owned(), pattern), value);
    }
    match found.len() == rivals.len() * PATTERNS.len() {
        true => Ok(found),
        false => Err(Failure::new(format!("compare.csv: {} figures", found.len()))),
    }
}

/// Runs rivals beside each other; the folder of the results.
fn compare(
    program: &Path,
    rivals: &[&Rival],
    size: Size,
    loads: &str,
    name: &str,
) -> Result<PathBuf, Failure> {
    let folder = root().join(FOLDER).join(name);
    let scenarios = folder.join("scenarios");
    fs::create_dir_all(&scenarios)
        .map_err(|error| Failure::new(format!("{}: {error}", scenarios.display())))?;
    let mut arguments = vec!["compare".to_owned()];
    for rival in rivals {
        let file = scenarios.join(format!("{}.toml", rival.curve_name()));
        let sets = rival.set.iter().chain(&size.of(rival).set).cloned();
        let text = shown(program, sets.chain(size.set()).chain([loads.to_owned()]))?;
        fs::write(&file, text).map_err(|error| Failure::new(format!("{}: {error}", file.display())))?;
        arguments.push(file.display().to_string());
    }
    let out = folder.display().to_string();
    arguments.extend(["--panels".to_owned(), size.panels(), "--out".to_owned(), out]);
    run(&program.display().to_string(), &arguments)?;
    Ok(folder)
}

/// The scenario with these settings, as a file has it.
fn shown(program: &Path, sets: impl Iterator<Item = String>) -> Result<String, Failure> {
    let sets = sets.flat_map(|set| ["--set".to_owned(), set]);
    let output =
        Command::new(program).args(["run", SCENARIO, "--show"]).args(sets).current_dir(root()).output();
    let output = output.map_err(|error| Failure::new(format!("{}: {error}", program.display())))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(Failure::new(String::from_utf8_lossy(&output.stderr).into_owned())),
    }
}

/// Misrouted share and latency around a change of traffic.
fn transients(program: &Path) -> Result<(), Failure> {
    let folder = root().join("scenarios/transients");
    let failed = |error: std::io::Error| Failure::new(format!("{}: {error}", folder.display()));
    let files = fs::read_dir(&folder).map_err(failed)?.collect::<Result<Vec<_>, _>>().map_err(failed)?;
    let mut files: Vec<_> = files.iter().map(|file| file.path().display().to_string()).collect();
    files.sort();
    let out = root().join(FOLDER).join("transients").display().to_string();
    let arguments = ["compare".to_owned()].into_iter().chain(files).chain(["--out".to_owned(), out]);
    run(&program.display().to_string(), &arguments.collect::<Vec<_>>())
}

fn heading() -> String {
    let columns: String = PATTERNS.iter().map(|pattern| format!(" {pattern} |")).collect();
    format!("| h | authors, ours, bound |{columns}\n|---|---|{}\n", "---|".repeat(PATTERNS.len()))
}

/// The rows of a size.
fn rows(rivals: &[Rival], size: Size, found: &Found) -> Result<String, Failure> {
    let mut text = String::new();
    for (number, rival) in rivals.iter().enumerate() {
        let h = if number == 0 { size.0.to_string() } else { String::new() };
        let _ = write!(text, "| {h} | {} |", rival.name);
        for (at, (&authors, &bound)) in size.of(rival).authors.iter().zip(&size.of(rival).bound).enumerate() {
            let ours = found.get(&(rival.curve_name(), at));
            let &ours = ours.ok_or_else(|| Failure::new(format!("{}: no result", rival.name)))?;
            let _ = write!(text, " {} |", cell(authors, ours, bound));
        }
        text.push('\n');
    }
    Ok(text)
}

/// Authors' figure, ours, the bound; bold where the first two are apart.
fn cell(authors: f64, ours: f64, bound: f64) -> String {
    let [theirs, ours_text, bound] = [authors, ours, bound].map(figure);
    match authors.is_finite() && (ours - authors).abs() > FAR * authors {
        true => format!("**{theirs}, {ours_text}**, {bound}"),
        false => format!("{theirs}, {ours_text}, {bound}"),
    }
}

fn figure(value: f64) -> String {
    match value {
        value if value.is_nan() => "–".to_owned(),
        value if value >= 1.0 => "1".to_owned(),
        value => format!("{value:.4}").trim_start_matches('0').trim_end_matches('0').to_owned(),
    }
}

/// Writes the table into its page, or compares it with what is there.
fn settle(table: &str, update: bool) -> Result<(), Failure> {
    let file = root().join(PAGE);
    let failed = |error: std::io::Error| Failure::new(format!("{PAGE}: {error}"));
    let page = fs::read_to_string(&file).map_err(failed)?;
    let (before, written, after) =
        parts(&page).ok_or_else(|| Failure::new(format!("{PAGE}: no place for the table")))?;
    match () {
        () if update => fs::write(&file, [before, table, after].concat()).map_err(failed),
        () if written == table => Ok(()),
        () => Err(Failure::new(format!(
            "{PAGE} is not what these results make: `cargo xtask rivals --update`\n{table}"
        ))),
    }
}

/// What stands before the table in its page, the table, and what stands behind it.
fn parts(page: &str) -> Option<(&str, &str, &str)> {
    let from = page.find(MARKS[0])? + MARKS[0].len();
    let to = from + page.get(from..)?.find(MARKS[1])?;
    Some((page.get(..from)?, page.get(from..to)?, page.get(to..)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> Vec<Rival> {
        read().unwrap_or_else(|failure| panic!("{failure}"))
    }

    #[test]
    fn each_rival_has_a_row_for_each_size_and_none_is_above_its_bound() {
        let page = fs::read_to_string(root().join(PAGE)).unwrap_or_else(|error| panic!("{PAGE}: {error}"));
        let (_, table, _) = parts(&page).unwrap_or_else(|| panic!("{PAGE}: no place for the table"));
        let rows: Vec<Vec<_>> = table
            .lines()
            .skip(2)
            .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
            .collect();
        let rivals = all();
        assert_eq!(rows.len(), rivals.len() * Size::ALL.len());
        let sized = Size::ALL.iter().flat_map(|&size| rivals.iter().map(move |rival| (size, rival)));
        for ((size, rival), row) in sized.zip(&rows) {
            assert_eq!(row[1], rival.name);
            for (at, cell) in row[2..].iter().enumerate() {
                let known = size.of(rival);
                let ours = cell.replace('*', "").split(", ").nth(1).and_then(|text| text.parse::<f64>().ok());
                let ours = ours.unwrap_or_else(|| panic!("{}: {cell}", rival.name));
                assert!(ours > 0.0, "{}: {cell}", rival.name);
                // One seed: a network in equilibrium accepts what its links carry, give or take what was inside when measuring began.
                let bound = known.bound[at];
                assert!(bound.is_nan() || ours <= bound * 1.01, "{} {}: {cell}", rival.name, PATTERNS[at]);
            }
        }
    }

    #[test]
    fn figures_are_read_by_curve_and_pattern() {
        let mut rivals = all();
        rivals.truncate(2);
        let names: Vec<_> = rivals.iter().map(|rival| rival.name.clone()).collect();
        let line = |name: &str, pattern: &str, accepted: &str| {
            format!("\"{name}, {pattern}\",1,1.01,{accepted},.1\n")
        };
        let mut text = "scenario,load,offered,accepted,accepted_ci95\n".to_owned();
        for (pattern, accepted) in
            [("uniform", "0.8"), ("{ a = 1 }", "0.7"), ("{ a = 2 }", "0.6"), ("{ l = 1 }", "0.5")]
        {
            for name in &names {
                text.push_str(&line(name, pattern, accepted));
            }
        }
        let found = accepted(&text, &rivals).unwrap_or_else(|failure| panic!("{failure}"));
        assert_eq!(found[&(names[1].clone(), 2)], 0.6);
        assert!(accepted(text.trim_end().rsplit_once('\n').map_or("", |(all, _)| all), &rivals).is_err());
        assert_eq!(cell(0.5, 0.53, 1.0), "**.5, .53**, 1");
        assert_eq!(cell(f64::NAN, 0.53, f64::NAN), "–, .53, –");
    }
}
