//! A process that gives inputs to one target, one after the other.

use super::corpus::Corpus;
use super::finding::{Finding, Kind};
use super::guard::{self, Timer};
use super::mutate::Mutator;
use super::outcome::Outcome;
use super::plan::Plan;
use super::targets::Target;
use std::cell::RefCell;
use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::FileExt as _;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook};
use std::path::Path;
use std::time::Instant;

thread_local! {
    /// Place and message of the last panic.
    static PANIC: RefCell<(String, String)> = const { RefCell::new((String::new(), String::new())) };
}

/// Gives inputs to a target until time or inputs are used up. Panics become findings; what ends the process is for the supervisor, who
/// finds the input in `journal`.
///
/// # Errors
/// When the journal or a finding cannot be written.
pub fn work(plan: &Plan, target: &Target, journal: &Path) -> io::Result<()> {
    let mut journal = Journal::create(journal)?;
    guard::bound_memory()?;
    let (mut timer, begin) = (Timer::new(plan.limit), Instant::now());
    set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        PANIC.set((place, panic.to_string().replace('\n', " ")));
    }));
    let seeds = (target.seeds)();
    let mut mutator = Mutator::new(plan.seed, &seeds);
    let mut corpus = Corpus::new(seeds);
    let mut places = HashSet::new();
    for number in 0..plan.inputs.unwrap_or(u64::MAX) {
        if begin.elapsed() >= plan.time || places.len() >= plan.enough() {
            break;
        }
        let input = corpus.input(number, &mut mutator);
        journal.begin(number + 1, corpus.len(), &input)?;
        timer.begin()?;
        match catch_unwind(AssertUnwindSafe(|| run(plan, target, &input))) {
            Ok(outcome) => corpus.learn(&input, outcome),
            Err(_) => {
                let (place, message) = PANIC.take();
                if places.insert(place) {
                    Finding::write(&plan.out, target.name, Kind::Panic, &message, &input)?;
                }
            }
        }
    }
    Ok(())
}

fn run(plan: &Plan, target: &Target, input: &[u8]) -> Outcome {
    let outcome = (target.run)(input);
    if let Some(planted) = plan.planted.filter(|_| (target.is_rare)(input)) {
        planted.happen();
    }
    outcome
}

/// What a worker is at, in a file that outlives it.
struct Journal(File);

/// Numbers at its beginning: inputs begun, inputs in the corpus, bytes of the input.
const NUMBERS: usize = 3;

impl Journal {
    fn create(path: &Path) -> io::Result<Self> {
        OpenOptions::new().create(true).truncate(true).write(true).open(path).map(Self)
    }

    fn begin(&mut self, inputs: u64, corpus: usize, input: &[u8]) -> io::Result<()> {
        let numbers = [inputs, corpus as u64, input.len() as u64].map(u64::to_le_bytes);
        self.0.write_all_at(&[numbers.as_flattened(), input].concat(), 0)
    }
}

/// What a journal says.
#[derive(Clone, Debug, Default)]
pub(crate) struct Entry {
    pub(crate) inputs: u64,
    pub(crate) corpus: u64,
    pub(crate) input: Vec<u8>,
}

impl Entry {
    /// The last entry; an empty one where there is none.
    pub(crate) fn read(path: &Path) -> Self {
        let bytes = std::fs::read(path).unwrap_or_default();
        let number = |n: usize| {
            let bytes = bytes.get(8 * n..8 * n + 8).and_then(|bytes| bytes.try_into().ok());
            bytes.map_or(0, u64::from_le_bytes)
        };
        let input = bytes.get(8 * NUMBERS..).unwrap_or_default();
        let input = input.get(..number(2) as usize).unwrap_or(input).to_vec();
        Self { inputs: number(0), corpus: number(1), input }
    }
}
