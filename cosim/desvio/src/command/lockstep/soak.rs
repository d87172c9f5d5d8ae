//! `desvio lockstep --soak`: a lockstep or a campaign of any length, in as many runs as it takes.

use super::super::failure::Failure;
use super::super::{interrupt, output, rtl};
use super::campaign::{add, merged, named, row, table};
use super::{Arguments, Run, bar};
use desvio_lockstep::compare::Compared;
use desvio_lockstep::coverage::Coverage;
use desvio_lockstep::soak::{Done, LANES, More, Soak};
use desvio_lockstep::trail::Trail;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use verilated::store::Digest;

/// Cycles of a configuration between two writings of the file, about.
const SLICE: u64 = 400_000;

/// What a lane adds, or the difference that it found, with its seed.
type Added = Result<More, (u64, Box<desvio_lockstep::session::Failed>)>;

/// Goes on with these routers, each with its name.
pub(super) fn soak(runs: &[(&str, Run<'_>)], arguments: &Arguments) -> Result<(), Failure> {
    let file = arguments.out.join("soak.toml");
    let told = |error: &dyn std::fmt::Display| Failure::Input(format!("error: {}: {error}", file.display()));
    let mut soak = Soak::open(&file, identity(runs, arguments)?).map_err(|error| told(&error))?;
    let bar = bar(arguments, arguments.cycles * runs.len() as u64);
    let place = file.display().to_string();
    interrupt::on_signal(move || {
        format!("what was compared is kept in {place}, and the same command goes on from there")
    });
    let fresh: Vec<Coverage> = runs.iter().map(|(_, run)| run.fresh_coverage()).collect::<Result<_, _>>()?;
    let mut until = 0;
    while until < arguments.cycles {
        until = (until + SLICE).min(arguments.cycles);
        for ((name, run), fresh) in runs.iter().zip(&fresh) {
            let done = soak.configurations.entry((*name).to_owned()).or_default();
            bar.set_message(format!("({name})"));
            if slice(run, done, (fresh, until)).map_err(|failure| named(name, failure))? {
                soak.save(&file).map_err(|error| told(&error))?;
            }
            bar.set_position(soak.configurations.values().map(Done::all_cycles).sum());
        }
    }
    bar.finish_and_clear();
    report(runs, &fresh, &soak, arguments.verbose)
}

/// Goes on until each lane has its part of so many cycles, with whole stimuli. Says whether there was anything to do.
fn slice(run: &Run<'_>, done: &mut Done, (fresh, until): (&Coverage, u64)) -> Result<bool, Failure> {
    let part = until.div_ceil(LANES as u64);
    let due: Vec<_> = (0..LANES).filter(|&lane| done.cycles[lane] < part).collect();
    let added: Vec<_> = due.par_iter().map(|&lane| lane_on(run, done, lane, (fresh, part))).collect();
    for added in added {
        match added? {
            Ok(more) => done.add(&more),
            Err((seed, failed)) => return Err(run.mismatch(seed, &failed)),
        }
    }
    Ok(!due.is_empty())
}

fn lane_on(
    run: &Run<'_>,
    done: &Done,
    lane: usize,
    (fresh, part): (&Coverage, u64),
) -> Result<Added, Failure> {
    let seed = run.seed.wrapping_add(lane as u64);
    let (mut session, mut coverage) = (run.session(seed)?, fresh.clone());
    let (mut compared, mut stimuli, mut digest) = (Compared::default(), 0, 0u64);
    while done.cycles[lane] + compared.cycles < part {
        let number = lane as u64 + (done.stimuli[lane] + stimuli) * LANES as u64;
        let mut trail = Trail::new(&mut coverage);
        match session.run(number, u64::MAX, &mut trail) {
            Ok(more) => compared += more,
            Err(failed) => return Ok(Err((seed, failed))),
        }
        digest = digest.wrapping_add(trail.digest().wrapping_mul(2 * number + 1));
        stimuli += 1;
    }
    Ok(Ok(More { lane, stimuli, compared, digest, coverage }))
}

fn report(runs: &[(&str, Run<'_>)], fresh: &[Coverage], soak: &Soak, verbose: bool) -> Result<(), Failure> {
    let (mut rows, mut cases, mut compared) = (Vec::new(), BTreeMap::new(), Compared::default());
    for ((name, _), fresh) in runs.iter().zip(fresh) {
        let Some(done) = soak.configurations.get(*name) else { continue };
        let mut coverage = fresh.clone();
        coverage.recall(&done.seen);
        add(&mut cases, &coverage);
        compared += done.compared();
        rows.push(row(name, done.stimuli.iter().sum(), &done.compared(), &coverage));
    }
    let Compared { cycles, values, flits, .. } = compared;
    let all = format!(
        "all together: {cycles} cycles, {values} values compared, {flits} flits, digest {:016x}",
        soak.digest()
    );
    let stranded = compared.told_stranded().into_iter().collect();
    output::print(&[table(&rows), vec![all], stranded, merged(&cases, verbose)].concat().join("\n"))
}

/// What tells one soak from another: the RTL, its parameters, the program, the seed.
fn identity(runs: &[(&str, Run<'_>)], arguments: &Arguments) -> Result<String, Failure> {
    let told =
        |path: &Path, error: std::io::Error| Failure::Input(format!("error: {}: {error}", path.display()));
    let sources = rtl::sources(&arguments.hdl)?;
    let mut digest = Digest::new();
    for path in sources.files(true) {
        digest.add(fs::read(&path).map_err(|error| told(&path, error))?);
    }
    let program = std::env::current_exe().map_err(|error| told(Path::new("this program"), error))?;
    digest.add(fs::read(&program).map_err(|error| told(&program, error))?);
    for (name, run) in runs {
        digest.add(format!("{name} {:?} {:?} {}", run.shape.parameters, run.routers, run.seed));
        digest.add(run.blueprint.scenario().to_toml());
    }
    digest.add(format!("{} {}", arguments.netlist, arguments.no_assertions));
    Ok(digest.finish())
}
