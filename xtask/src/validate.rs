//! `cargo xtask validate`: our results beside those of other simulators, on the same scenarios.

mod kept;
mod page;
mod table;

use crate::bench::booksim::BookSim;
use crate::bench::desvio::Desvio;
use crate::bench::fogsim::Fogsim;
use crate::bench::program;
use crate::bench::simulator::{Reading, Simulator};
use crate::bench::timed::{TIME, timed};
use crate::step::{Failure, each, root};
use crate::tools;
use kept::{Kept, Outcome, hash};
use page::{Results, key, page};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use table::{Cell, Program, Table, tables};

/// The page.
const PAGE: &str = "docs/validation.md";
/// What our results are kept as.
const OURS: &str = "desvio";

/// What is run.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Runs a FOGSim that was built elsewhere, too; the variable DESVIO_FOGSIM says the same
    #[arg(long, value_name = "PROGRAM", value_parser = program)]
    fogsim: Option<PathBuf>,
    /// Runs a FOGSim that was built with the changes that docs/validation.md lists, too; the variable DESVIO_FOGSIM_CHANGED says the same
    #[arg(long, value_name = "PROGRAM", value_parser = program)]
    fogsim_changed: Option<PathBuf>,
    /// Runs a BookSim 2 that was built elsewhere, too; the variable DESVIO_BOOKSIM says the same
    #[arg(long, value_name = "PROGRAM", value_parser = program)]
    booksim: Option<PathBuf>,
    /// A program `desvio` that is built already
    #[arg(long, value_name = "PROGRAM", value_parser = program)]
    desvio: Option<PathBuf>,
    /// Writes what is kept, and the page, instead of comparing them
    #[arg(long)]
    update: bool,
    /// Runs nothing: the page is made of what is kept
    #[arg(long, conflicts_with_all = ["fogsim", "fogsim_changed", "booksim", "desvio", "only"])]
    kept: bool,
    /// Only cells whose names contain this, such as "h=2: OLM"; the page stays as it is
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
}

/// Runs what can be run, and compares or writes the page.
pub(crate) fn validate(arguments: &Arguments) -> Result<(), Failure> {
    tools::provide(&[TIME])?;
    let tables = tables()?;
    let is_wanted = |cell: &Cell<'_>| arguments.only.as_ref().is_none_or(|text| cell.key().contains(text));
    let cells: Vec<_> = tables.iter().flat_map(Table::cells).filter(is_wanted).collect();
    if cells.is_empty() {
        return Err(Failure::new("--only: no cell of scenarios/validation/tables.toml has such a name"));
    }
    let mut theirs = Vec::new();
    for which in Program::ALL {
        let installed = installed(which, arguments)?;
        let mut kept = Kept::read(which.word())?;
        if let (Some(path), false) = (&installed, arguments.kept) {
            let of_it: Vec<_> = cells.iter().copied().filter(|cell| cell.table.is_beside(which)).collect();
            let found = run_theirs(which, path, &of_it)?;
            settle(&mut kept, found, arguments.update, which.name())?;
            if arguments.update {
                (kept.version, kept.command) = (version(path), "PROGRAM run.cfg".to_owned());
                kept.write(which.word())?;
            }
        }
        theirs.push((which, kept));
    }
    let mut ours = Kept::read(OURS)?;
    if !arguments.kept {
        settle(&mut ours, run_ours(&cells, arguments.desvio.as_deref())?, arguments.update, "ours")?;
    }
    if arguments.update && !arguments.kept {
        (ours.version, ours.command) = ("this one".to_owned(), "desvio run".to_owned());
        ours.write(OURS)?;
    }
    if arguments.only.is_some() {
        return Ok(());
    }
    let (text, file) = (page(&tables, &Results { theirs, ours })?, root().join(PAGE));
    let failed = |error: std::io::Error| Failure::new(format!("{PAGE}: {error}"));
    if arguments.update {
        return fs::write(file, text).map_err(failed);
    }
    match fs::read_to_string(file).map_err(failed)? == text {
        true => Ok(()),
        false => Err(Failure::new(format!(
            "{PAGE} is not what these results make: `cargo xtask validate --update`"
        ))),
    }
}

/// Where a program is, by an option or by a variable.
fn installed(which: Program, arguments: &Arguments) -> Result<Option<PathBuf>, Failure> {
    let (option, variable) = match which {
        Program::Fogsim => (&arguments.fogsim, "DESVIO_FOGSIM"),
        Program::FogsimChanged => (&arguments.fogsim_changed, "DESVIO_FOGSIM_CHANGED"),
        Program::Booksim => (&arguments.booksim, "DESVIO_BOOKSIM"),
    };
    match (option, std::env::var(variable)) {
        (Some(path), _) => Ok(Some(path.clone())),
        (None, Ok(path)) => {
            program(&path).map(Some).map_err(|error| Failure::new(format!("{variable}={path}: {error}")))
        }
        (None, Err(_)) => Ok(None),
    }
}

/// The name of a run, the text of its configuration, and its results.
type Found = Vec<(String, Outcome)>;

/// New results take the place of those that are kept, or have to be the same.
fn settle(kept: &mut Kept, found: Found, update: bool, whose: &str) -> Result<(), Failure> {
    let mut others = Vec::new();
    for (cell, outcome) in found {
        match kept.run.get(&cell) {
            Some(before) if *before == outcome => {}
            _ if update => {}
            before => others.push(format!("{cell}: {outcome:?}, kept {before:?}")),
        }
        kept.run.insert(cell, outcome);
    }
    if others.is_empty() {
        return Ok(());
    }
    Err(Failure::new(format!("{whose} differ from what is kept:\n  {}", others.join("\n  "))))
}

/// Where one run puts its files.
fn place(name: &str) -> Result<PathBuf, Failure> {
    let folder = root().join("results/validate").join(hash(name));
    let failed = |error: std::io::Error| Failure::new(format!("{}: {error}", folder.display()));
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(failed)?;
    }
    fs::create_dir_all(&folder).map_err(failed)?;
    Ok(folder)
}

fn run(simulator: &dyn Simulator, name: &str, cell: Cell<'_>, plain: bool) -> Result<Reading, Failure> {
    let experiment = cell.experiment(plain)?;
    let folder = place(&format!("{name} {}", key(cell, plain)))?;
    let job = simulator.prepare(&experiment, Cell::run(&experiment), &folder)?;
    let timed = timed(&job, &folder)?;
    let reading = simulator.read(&timed.output, &folder)?;
    let (accepted, latency) = (reading.accepted, reading.latency);
    println!(
        "{name:<15} {:<40} accepted {accepted:.4}, latency {latency:.1}, {:.1} s",
        key(cell, plain),
        timed.seconds
    );
    Ok(reading)
}

fn run_theirs(which: Program, path: &Path, cells: &[Cell<'_>]) -> Result<Found, Failure> {
    let found = Mutex::new(Vec::new());
    each(cells, |&cell| {
        let program = path.to_owned();
        let simulator: Box<dyn Simulator> = match which {
            Program::Fogsim | Program::FogsimChanged => Box::new(Fogsim { program }),
            Program::Booksim => Box::new(BookSim { program }),
        };
        let outcome = Outcome::new(&cell.configuration()?, run(&*simulator, which.name(), cell, false)?);
        found.lock().unwrap_or_else(PoisonError::into_inner).push((cell.key(), outcome));
        Ok(())
    })?;
    Ok(found.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// Each cell with the options that make it like the other program, and without.
fn run_ours(cells: &[Cell<'_>], built: Option<&Path>) -> Result<Found, Failure> {
    let ours = match built {
        Some(path) => Desvio { program: path.to_owned() },
        None => Desvio::build()?,
    };
    let both = cells.iter().flat_map(|&cell| [(cell, false), (cell, true)]);
    let both: Vec<_> = both.filter(|(cell, plain)| !plain || !cell.table.plain.is_empty()).collect();
    let found = Mutex::new(Vec::new());
    each(&both, |&(cell, plain)| {
        let told = cell.experiment(plain)?.sets.join(" ");
        let outcome = Outcome::new(&told, run(&ours, "Desvio", cell, plain)?);
        found.lock().unwrap_or_else(PoisonError::into_inner).push((key(cell, plain), outcome));
        Ok(())
    })?;
    Ok(found.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// Which commit a program was built from, where it lies in a clone of its repository.
fn version(program: &Path) -> String {
    let folder = program.parent().unwrap_or(program);
    let ask =
        Command::new("git").args(["log", "-1", "--format=commit %h of %cs"]).current_dir(folder).output();
    let said = ask.ok().filter(|output| output.status.success());
    let said = said.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    said.unwrap_or_else(|| "not said".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Nothing is run: what is kept is of these scenarios, and the page is made of it.
    #[test]
    fn the_page_is_what_is_kept_and_what_is_kept_is_of_these_scenarios() {
        let tables = tables().unwrap_or_else(|failure| panic!("{failure}"));
        let theirs = Program::ALL
            .map(|which| (which, Kept::read(which.word()).unwrap_or_else(|failure| panic!("{failure}"))));
        let mut cells = 0;
        for (which, kept) in &theirs {
            for cell in tables.iter().filter(|table| table.is_beside(*which)).flat_map(Table::cells) {
                let told = cell.configuration().unwrap_or_else(|failure| panic!("{failure}"));
                let (name, key) = (which.name(), cell.key());
                let kept = kept.run.get(&key).unwrap_or_else(|| panic!("{name}: {key}: nothing is kept"));
                assert_eq!(kept.told, hash(&told), "{name}: {key}: another configuration\n{told}");
                cells += 1;
            }
        }
        let ours = Kept::read(OURS).unwrap_or_else(|failure| panic!("{failure}"));
        assert_eq!(theirs.iter().map(|(_, kept)| kept.run.len()).sum::<usize>(), cells, "results of no cell");
        let text = page(&tables, &Results { theirs: theirs.into(), ours })
            .unwrap_or_else(|failure| panic!("{failure}"));
        let kept = fs::read_to_string(root().join(PAGE)).unwrap_or_else(|error| panic!("{PAGE}: {error}"));
        for (number, (kept, now)) in (1..).zip(kept.lines().zip(text.lines())) {
            assert_eq!(kept, now, "{PAGE}:{number}: run `cargo xtask validate --update`");
        }
        assert!(kept == text, "{PAGE}: {} bytes, {} now", kept.len(), text.len());
    }
}
