//! Loads of scenarios that belong to no campaign, in the same store: a run that was interrupted goes on where it was.

use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use desvio_report::read_point;
use desvio_sim::run::Outcome;
use desvio_sim::scenario::Scenario;
use desvio_sim::summary::Summary;
use desvio_sim::topology::Wiring;

use crate::error::CampaignError;
use crate::identity::{Digest, Files, PointId};
use crate::record::{Came, Record};
use crate::segment::Segment;
use crate::store::{Damage, Store};

/// What all loads of a scenario have in common.
#[derive(Debug, Clone, Copy)]
pub struct Subject {
    digest: Digest,
    seed: u64,
    classes: &'static [&'static str],
}

impl Subject {
    /// Of a complete scenario.
    ///
    /// # Errors
    /// When a file that it names cannot be read.
    pub fn new(scenario: &Scenario) -> Result<Self, CampaignError> {
        let mut files = Files::default();
        for file in scenario.files() {
            let path = file.to_owned();
            let failed = |source| CampaignError::Unreadable { path, what: "a file of the scenario", source };
            files.add(file).map_err(failed)?;
        }
        let digest = Digest::of(scenario, &files);
        Ok(Self { digest, seed: scenario.run.seed, classes: scenario.topology.classes() })
    }

    /// The name of one load: that of the point of a campaign with the same scenario.
    #[must_use]
    pub fn point(&self, load: f64) -> PointId {
        self.digest.point(load, self.seed)
    }
}

/// The store of a folder of results.
#[derive(Debug)]
pub struct Shelf {
    store: Store,
    segment: Segment,
    synced: Instant,
}

/// How often lines are waited for until they are on the disk.
const SYNCED_EVERY: Duration = Duration::from_secs(1);

impl Shelf {
    /// Reads what is finished in `out`, the folder of results, and removes what is damaged there, which is returned. Nothing is
    /// written before the first load.
    ///
    /// # Errors
    /// When it cannot be read, or a damaged file not be written anew.
    pub fn open(out: &Path) -> Result<(Self, Vec<Damage>), CampaignError> {
        let mut store = Store::open(out)?;
        let damage = store.mend()?;
        let segment = store.segment();
        Ok((Self { store, segment, synced: Instant::now() }, damage))
    }

    /// What a load measured that came to its end without a violation, with details where the `wiring` of its network is given; nothing
    /// where it cannot be read.
    #[must_use]
    pub fn get(&self, subject: &Subject, load: f64, wiring: Option<&Wiring>) -> Option<Summary> {
        let record = self.store.read(subject.point(load)).ok()??;
        let is_sound = record.came == Came::Finished(None);
        is_sound.then(|| read_point(&record.result, subject.classes, wiring).ok())?
    }

    /// Keeps what a load came to, unless with a violation. It is kept, and written with the next one, also where writing fails.
    ///
    /// # Errors
    /// When it could not be written.
    pub fn put(&mut self, subject: &Subject, seconds: f64, outcome: &Outcome) -> io::Result<()> {
        let record = Record::new(subject.point(outcome.summary.load), seconds, &Ok(outcome.clone()));
        if record.came != Came::Finished(None) {
            return Ok(());
        }
        self.segment.push(&record)?;
        if self.synced.elapsed() < SYNCED_EVERY {
            return Ok(());
        }
        self.synced = Instant::now();
        self.flush()
    }

    /// Writes what is not written, and waits until it is on the disk.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn flush(&mut self) -> io::Result<()> {
        self.segment.flush()
    }
}
