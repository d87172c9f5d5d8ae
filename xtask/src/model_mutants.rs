//! `cargo xtask model-mutants`: slips in the model, and whether its own tests notice them, without any RTL.

mod body;
mod copy;
mod equivalent;
mod find;
mod judge;
mod schema;
mod site;
mod swap;
mod words;

use crate::step::{Failure, root};
use equivalent::Equivalents;
use judge::{Fate, Judge};
use site::{Kind, Site};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{fs, thread};

/// How it is run.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Which slips are drawn
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many
    #[arg(long, default_value_t = 20)]
    count: usize,
    /// Only those of files whose path below `router-core/src` begins so, with commas between
    #[arg(long, value_name = "PATH", value_delimiter = ',')]
    file: Vec<String>,
    /// Only says how many slips there are
    #[arg(long)]
    list: bool,
    /// Also constants, which cannot be chosen at run time: each is compiled on its own
    #[arg(long)]
    constants: bool,
    /// How many run beside each other
    #[arg(long, default_value_t = 2)]
    jobs: usize,
}

/// A file of the model.
#[derive(Debug)]
pub(crate) struct Source {
    /// Its path below `router-core/src`.
    name: String,
    text: String,
    /// Whether slips are made in it: not in what is generated, nor in files of tests.
    is_judged: bool,
}

/// Draws slips and says which ones no test notices.
pub(crate) fn model_mutants(arguments: &Arguments) -> Result<(), Failure> {
    let sources = sources()?;
    let sites = all_sites(&sources)?;
    let chosen = |site: &&Site| {
        arguments.file.is_empty() || arguments.file.iter().any(|file| site.file.starts_with(file.as_str()))
    };
    let mut sites: Vec<_> = sites.iter().filter(chosen).collect();
    let equivalents = Equivalents::read(&sources)?;
    if arguments.list {
        return list(&sites);
    }
    shuffle(&mut sites, arguments.seed);
    // About half of all slips compile.
    let drawn = &sites[..sites.len().min(arguments.count * 2 + 10)];
    let (mut constants, values): (Vec<&Site>, Vec<&Site>) =
        drawn.iter().partition(|site| site.kind == Kind::Constant);
    let share = drawn.len().max(1);
    let share = if arguments.constants { constants.len() * arguments.count / share } else { 0 };
    constants.truncate(share);
    let (placed, programs) = copy::build(&sources, &values, arguments.count.saturating_sub(share))?;
    let judges = judge::judges(programs)?;
    let mut fates = judged(&judges, &placed, arguments.jobs)?;
    for site in constants {
        let fate = match copy::build_one(&sources, site)? {
            Some(programs) if judge::all_pass(&programs)? => Fate::Survived,
            _ => Fate::Noticed,
        };
        fates.push((site, fate));
    }
    report(&sources, &equivalents, &fates)
}

fn list(sites: &[&Site]) -> Result<(), Failure> {
    let mut files: BTreeMap<&str, usize> = BTreeMap::new();
    for site in sites {
        *files.entry(&site.file).or_default() += 1;
    }
    for (file, count) in &files {
        println!("{count:6}  {file}");
    }
    println!("{:6}  in all, many of which do not compile", sites.len());
    Ok(())
}

/// The slips with their fates, by number.
fn judged<'s>(
    judges: &[Judge],
    placed: &[(usize, &'s Site)],
    jobs: usize,
) -> Result<Vec<(&'s Site, Fate)>, Failure> {
    let (next, fates) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        while let Some((number, site)) = placed.get(next.fetch_add(1, Ordering::Relaxed)) {
            let fate = judge::fate(judges, *number)?;
            fates.lock().map_err(|_| Failure::new("a thread panicked"))?.push((*site, fate));
        }
        Ok(())
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..jobs).map(|_| scope.spawn(work)).collect();
        let died = |_| Err(Failure::new("a thread panicked"));
        workers.into_iter().try_for_each(|worker| worker.join().unwrap_or_else(died))
    })?;
    fates.into_inner().map_err(|_| Failure::new("a thread panicked"))
}

/// The table by file, and the survivors.
fn report(sources: &[Source], equivalents: &Equivalents, fates: &[(&Site, Fate)]) -> Result<(), Failure> {
    let text = |site: &Site| {
        sources.iter().find(|source| source.name == site.file).map_or("", |source| &source.text)
    };
    let mut table: BTreeMap<&str, [usize; 4]> = BTreeMap::new();
    let mut survivors = Vec::new();
    for (site, fate) in fates {
        let row = table.entry(&site.file).or_default();
        row[0] += 1;
        if *fate == Fate::Noticed {
            row[1] += 1;
        } else if equivalents.has(site, text(site)) {
            row[2] += 1;
        } else {
            row[3] += 1;
            survivors.push((*site, fate));
        }
    }
    println!("{:36} {:>6} {:>8} {:>11} {:>9}", "file", "tried", "noticed", "equivalent", "survived");
    let mut sum = [0; 4];
    for (file, row) in &table {
        println!("{file:36} {:6} {:8} {:11} {:9}", row[0], row[1], row[2], row[3]);
        sum = [0, 1, 2, 3].map(|at| sum[at] + row[at]);
    }
    println!("{:36} {:6} {:8} {:11} {:9}", "all", sum[0], sum[1], sum[2], sum[3]);
    survivors.sort_by_key(|(site, _)| (*site).clone());
    for (site, fate) in &survivors {
        let text = text(site);
        let reached = if **fate == Fate::NotReached { ", reached by no test" } else { "" };
        println!("\n{}:{}: {}{reached}", site.file, site.line_number(text), site.change(text));
        println!("    {}", site.line(text));
    }
    if survivors.is_empty() {
        return Ok(());
    }
    Err(Failure::new(format!("{} slips of the model are noticed by no test", survivors.len())))
}

/// All files of the model, by name.
fn sources() -> Result<Vec<Source>, Failure> {
    let folder = root().join("router-core/src");
    let mut sources = Vec::new();
    read(&folder, &folder, &mut sources)?;
    sources.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(sources)
}

fn read(folder: &Path, at: &Path, sources: &mut Vec<Source>) -> Result<(), Failure> {
    let failed = |error: std::io::Error| Failure::new(format!("{}: {error}", at.display()));
    for entry in fs::read_dir(at).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.is_dir() {
            read(folder, &path, sources)?;
            continue;
        }
        let name = path.strip_prefix(folder).unwrap_or(&path).display().to_string();
        let text = fs::read_to_string(&path).map_err(failed)?;
        let is_judged = !name.starts_with("layout") && !name.ends_with("tests.rs") && name != "lib.rs";
        sources.push(Source { name, text, is_judged });
    }
    Ok(())
}

fn all_sites(sources: &[Source]) -> Result<Vec<Site>, Failure> {
    let (mut neighbours, mut files) = (find::Neighbours::default(), Vec::new());
    for source in sources.iter().filter(|source| source.is_judged) {
        let file = syn::parse_file(&source.text);
        let file = file.map_err(|error| Failure::new(format!("{}: {error}", source.name)))?;
        neighbours.read(&file);
        files.push((source, file));
    }
    let sites = files.iter().map(|(source, file)| find::sites(&source.name, &source.text, file, &neighbours));
    Ok(sites.flatten().collect())
}

/// An order by a seed (Fisher and Yates, by xorshift).
fn shuffle<T>(all: &mut [T], seed: u64) {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    for at in (1..all.len()).rev() {
        for shift in [13, 0, 17] {
            state ^= if shift == 0 { state >> 7 } else { state << shift };
        }
        all.swap(at, (state >> 11) as usize % (at + 1));
    }
}
