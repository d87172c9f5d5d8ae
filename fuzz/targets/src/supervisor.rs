//! Starts the processes that run inputs, and sees how they end.

use super::finding::{Finding, Kind};
use super::plan::Plan;
use super::targets::Target;
use super::worker::Entry;
use indicatif::ProgressBar;
use std::fs::{self, File};
use std::io;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Between two looks at a process.
const POLL: Duration = Duration::from_millis(50);

/// How much longer an input may take by the clock than by processor time: it may wait for what never comes.
const WAITING: u64 = 10;

/// What came of a target.
#[derive(Clone, Debug)]
pub struct Tally {
    /// Its name.
    pub target: &'static str,
    /// Inputs that were run.
    pub inputs: u64,
    /// Seconds that it took.
    pub seconds: f64,
    /// Inputs that others were made of, at the end.
    pub corpus: u64,
    /// Defects.
    pub findings: Vec<Finding>,
}

/// Runs inputs on a target in processes of `program`, which calls [`work`](super::work) when it is started with the word `work`.
///
/// # Errors
/// When no process can be started, or a finding cannot be written.
pub fn fuzz(program: &Path, target: &Target, plan: &Plan, bar: &ProgressBar) -> io::Result<Tally> {
    let folder = tempfile::tempdir()?;
    let (begin, mut seed) = (Instant::now(), plan.seed);
    let mut tally = Tally { target: target.name, inputs: 0, seconds: 0.0, corpus: 0, findings: Vec::new() };
    let mut ended = 0;
    loop {
        let left = Plan {
            time: plan.time.saturating_sub(begin.elapsed()),
            inputs: plan.inputs.map(|inputs| inputs.saturating_sub(tally.inputs)),
            seed,
            ..plan.clone()
        };
        let run = Process { program, target, plan: &left, folder: folder.path() };
        let (status, entry) = run.run(tally.inputs, bar)?;
        tally.inputs += entry.inputs;
        tally.corpus = tally.corpus.max(entry.corpus);
        if !status.success() {
            let (kind, what) = run.cause(status);
            Finding::write(&plan.out, target.name, kind, &what, &entry.input)?;
            ended += 1;
        }
        let is_over =
            begin.elapsed() >= plan.time || plan.inputs.is_some_and(|inputs| tally.inputs >= inputs);
        if status.success() || is_over || ended >= plan.enough() {
            break;
        }
        seed = seed.wrapping_add(1);
    }
    tally.seconds = begin.elapsed().as_secs_f64();
    tally.findings = findings(&plan.out, target.name)?;
    Ok(tally)
}

/// One process.
struct Process<'p> {
    program: &'p Path,
    target: &'p Target,
    plan: &'p Plan,
    folder: &'p Path,
}

impl Process<'_> {
    /// Runs it to its end; `before` inputs were run by others.
    fn run(&self, before: u64, bar: &ProgressBar) -> io::Result<(ExitStatus, Entry)> {
        let journal = self.folder.join("journal");
        let mut child = self.start(&journal)?;
        let (mut last, mut since) = (0, Instant::now());
        let status = loop {
            if let Some(status) = child.try_wait()? {
                break status;
            }
            sleep(POLL);
            let Entry { inputs, corpus, .. } = Entry::read(&journal);
            bar.set_message(format!("{} inputs, corpus {corpus}", before + inputs));
            if inputs != last {
                (last, since) = (inputs, Instant::now());
            } else if since.elapsed().as_secs() > WAITING * self.plan.limit {
                child.kill()?;
            }
        };
        Ok((status, Entry::read(&journal)))
    }

    fn start(&self, journal: &Path) -> io::Result<Child> {
        let Plan { time, inputs, seed, limit, planted, out } = self.plan;
        let mut command = Command::new(self.program);
        command.args(["work", self.target.name]).arg(journal).arg(out);
        command.args(["--milliseconds".to_owned(), time.as_millis().to_string()]);
        command.args(["--seed".to_owned(), seed.to_string(), "--limit".to_owned(), limit.to_string()]);
        if let Some(inputs) = inputs {
            command.args(["--inputs".to_owned(), inputs.to_string()]);
        }
        if let Some(planted) = planted {
            command.args(["--plant".to_owned(), format!("{planted:?}").to_lowercase()]);
        }
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(File::create(self.said())?);
        command.spawn()
    }

    fn said(&self) -> std::path::PathBuf {
        self.folder.join("said")
    }

    /// Why it ended.
    fn cause(&self, status: ExitStatus) -> (Kind, String) {
        let bytes = fs::read(self.said()).unwrap_or_default();
        let said = String::from_utf8_lossy(&bytes);
        let line = |word: &str| said.lines().find(|line| line.contains(word)).map(str::to_owned);
        if let Some(line) = line("memory allocation of") {
            return (Kind::Memory, line);
        }
        match status.signal() {
            Some(SIGXCPU) => (Kind::Endless, format!("more than {} s of processor time", self.plan.limit)),
            Some(SIGKILL) => (Kind::Endless, format!("no end after {} s", WAITING * self.plan.limit)),
            _ => (
                Kind::Signal,
                said.lines().last().map_or_else(|| status.to_string(), |line| format!("{status}: {line}")),
            ),
        }
    }
}

const SIGKILL: i32 = 9;
const SIGXCPU: i32 = 24;

/// What was found in a target: the files of findings say it.
fn findings(folder: &Path, target: &str) -> io::Result<Vec<Finding>> {
    let Ok(entries) = fs::read_dir(folder) else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    for path in entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|end| end == "txt"))
    {
        let text = fs::read_to_string(&path)?;
        let mut words = text.lines().next().unwrap_or_default().splitn(3, ": ");
        let (name, kind, what) =
            (words.next(), words.next().unwrap_or_default(), words.next().unwrap_or_default());
        let kinds = [Kind::Panic, Kind::Signal, Kind::Endless, Kind::Memory];
        let kind = kinds.into_iter().find(|known| known.to_string() == kind);
        if let (Some(kind), true) = (kind, name == Some(target)) {
            let (target, what) = (target.to_owned(), what.to_owned());
            found.push(Finding { target, kind, what, file: path.with_extension("") });
        }
    }
    found.sort_by(|a, b| a.file.cmp(&b.file));
    Ok(found)
}
