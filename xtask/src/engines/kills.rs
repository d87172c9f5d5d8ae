//! `kill -9` at random moments: of the command, of a task of Slurm, of a worker of HyperQueue. What is continued gives the same bytes,
//! and no finished point is computed twice.

use super::Needs;
use super::place::{POINTS, Place};
use super::provide::Provided;
use super::slurm::Cluster;
use crate::step::Failure;
use std::hash::{BuildHasher as _, RandomState};
use std::path::Path;
use std::process::{Child, Command};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// With something that should come soon.
const PATIENCE: Duration = Duration::from_secs(20);
/// Of a point: six hundred of them take some seconds.
const CYCLES: u32 = 4_000;

/// Kills each of the three so often.
pub(super) fn kills(count: u32, desvio: &Path, provided: &Provided) -> Result<(), Failure> {
    if count == 0 {
        return Ok(());
    }
    let place = |name: &str| Place::with_cycles(name, desvio, &provided.path, CYCLES);
    let expected = place("killed nothing")?.alone()?;
    of_command(count, &place("killed command")?)?.end("the command", &expected)?;
    match provided.missing(Needs::Slurm) {
        Some(reason) => eprintln!("kills of Slurm's tasks skipped: {reason}"),
        None => of_slurm(count, &place("killed slurm")?)?.end("Slurm's tasks", &expected)?,
    }
    match provided.missing(Needs::Program("hq")) {
        Some(reason) => eprintln!("kills of HyperQueue's workers skipped: {reason}"),
        None => of_hyperqueue(count, &place("killed hyperqueue")?)?.end("HyperQueue's workers", &expected)?,
    }
    Ok(())
}

/// What the kills left behind.
struct Killed<'p> {
    place: &'p Place,
    /// Processes that lived when they were killed.
    processes: u32,
    /// Points that were finished after the last kill.
    finished: usize,
}

impl Killed<'_> {
    fn end(&self, whose: &str, expected: &[u8]) -> Result<(), Failure> {
        let table = self.place.collect()?;
        let twice = self.place.counts()?.values().filter(|count| **count > 1).count();
        let Self { processes, finished, .. } = self;
        eprintln!(
            "kill -9 of {whose:<22} {processes} living ones killed, {finished} of {POINTS} points finished by the last; then all; {twice} \
             points twice; {}",
            if table == expected { "the bytes of one process" } else { "OTHER BYTES" }
        );
        match (table == expected, twice) {
            (true, 0) => Ok(()),
            _ => Err(Failure::new(format!("kill -9 of {whose} left something behind"))),
        }
    }
}

/// Waits for a random moment, so that about as many points are left for each of the further kills.
fn random_moment(place: &Place, further: u32) -> Result<(), Failure> {
    let (random, before) = (RandomState::new().hash_one(()), finished(place)?);
    let points = 2 * (POINTS - before) / (further as usize + 2);
    let wanted = before + random as usize % points.max(1);
    let begun = Instant::now();
    while finished(place)? < wanted && begun.elapsed() < PATIENCE {
        sleep(Duration::from_millis(2));
    }
    // Somewhere in a point, not at its end.
    sleep(Duration::from_micros(random >> 32 & 0x3fff));
    Ok(())
}

fn finished(place: &Place) -> Result<usize, Failure> {
    Ok(place.counts()?.len())
}

fn of_command(count: u32, place: &Place) -> Result<Killed<'_>, Failure> {
    let mut processes = 0;
    for n in 0..count {
        let mut child = place.start(place.campaign("run", &["--threads", "1", "--quiet"])?)?;
        random_moment(place, count - n)?;
        // One that has ended already cannot be killed.
        let _ = child.kill();
        processes += u32::from(child.wait().is_ok_and(|status| status.code().is_none()));
    }
    let finished = finished(place)?;
    place.succeed(place.campaign("run", &["--quiet"])?)?;
    Ok(Killed { place, processes, finished })
}

/// As many tasks as the page has.
const CHUNKS: &str = "4";

/// One task is killed, and what else is left of its array cancelled; then it is submitted again.
fn of_slurm(count: u32, place: &Place) -> Result<Killed<'_>, Failure> {
    let cluster = Cluster::start(place.folder())?;
    let submit = || {
        let mut command = place.campaign("submit", &["--engine", "slurm", "--chunks", CHUNKS])?;
        command.envs(cluster.variables().to_vec());
        place.succeed(command)
    };
    let over = || wait(|| cluster.ask("squeue", &["-h"]).trim().is_empty());
    let mut processes = 0;
    for n in 0..count {
        submit()?;
        wait(|| !place.tasks().is_empty());
        random_moment(place, count - n)?;
        if let Some(task) = place.tasks().first() {
            processes += u32::from(kill(*task));
        }
        cluster.ask("scancel", &["--user", "root"]);
        over();
    }
    let finished = finished(place)?;
    submit()?;
    over();
    Ok(Killed { place, processes, finished })
}

/// Servers and workers that end with this.
struct Workers {
    server: Child,
    workers: Vec<Child>,
}

impl Drop for Workers {
    fn drop(&mut self) {
        for child in self.workers.iter_mut().chain([&mut self.server]) {
            // One that has ended already cannot be killed.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// One of two workers is killed, and another one started. HyperQueue gives its task to the next one, some times; what it gives up is
/// submitted again.
fn of_hyperqueue(count: u32, place: &Place) -> Result<Killed<'_>, Failure> {
    let hq = |arguments: &[&str]| place.command("hq", arguments);
    let worker = || place.start(hq(&["worker", "start", "--cpus", "1"])?);
    let server = place.start(hq(&["server", "start", "--host", "127.0.0.1"])?)?;
    let mut all = Workers { server, workers: Vec::new() };
    place.succeed(hq(&["server", "wait"])?)?;
    for _ in 0..2 {
        all.workers.push(worker()?);
    }
    let submit = || place.succeed(place.campaign("submit", &["--engine", "hyperqueue", "--chunks", CHUNKS])?);
    let mut processes = 0;
    submit()?;
    for n in 0..count {
        if !wait(|| !place.tasks().is_empty()) {
            submit()?;
            wait(|| !place.tasks().is_empty());
        }
        random_moment(place, count - n)?;
        let of = n as usize % all.workers.len();
        processes += u32::from(!place.tasks().is_empty());
        let _ = all.workers[of].kill();
        let _ = all.workers[of].wait();
        all.workers[of] = worker()?;
    }
    let finished = finished(place)?;
    // Tasks of the earlier jobs may be waiting.
    place.succeed(hq(&["job", "cancel", "all"])?)?;
    wait(|| place.tasks().is_empty());
    submit()?;
    place.succeed(hq(&["job", "wait", "last"])?)?;
    Ok(Killed { place, processes, finished })
}

fn kill(process: u32) -> bool {
    Command::new("kill").args(["-9", &process.to_string()]).status().is_ok_and(|status| status.success())
}

/// Whether it became so within some seconds.
fn wait(is_so: impl Fn() -> bool) -> bool {
    let begun = Instant::now();
    while !is_so() {
        if begun.elapsed() > PATIENCE {
            return false;
        }
        sleep(Duration::from_millis(10));
    }
    true
}
