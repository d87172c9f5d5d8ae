//! Results on disk while the run goes on: a killed run loses no finished load.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::{Curve, ReportError, csv, write_all};
use crate::summary::Summary;

/// Collects the loads of one run. After each, `summary.csv` (and `hops.csv`, `series.csv`) holds every load finished so
/// far, sorted by load; a reader sees the old file or the new one, never half of one.
#[derive(Debug)]
pub struct Store {
    dir: PathBuf,
    curve: Curve,
}

impl Store {
    /// Makes `dir` where it does not exist, and starts with a `summary.csv` without rows.
    pub fn create(
        dir: &Path,
        name: impl Into<String>,
        settings: Vec<(String, String)>,
    ) -> Result<Self, ReportError> {
        let curve = Curve { name: name.into(), settings, points: Vec::new() };
        let store = Self { dir: dir.to_owned(), curve };
        make(dir)?;
        store.save()?;
        Ok(store)
    }

    /// Adds a finished load, in any order.
    pub fn push(&mut self, point: Summary) -> Result<(), ReportError> {
        self.curve.points.push(point);
        self.curve.points.sort_by(|a, b| a.load.total_cmp(&b.load));
        self.save()
    }

    /// The loads finished so far.
    pub fn curve(&self) -> &Curve {
        &self.curve
    }

    /// Writes every file of the finished run and returns their paths.
    pub fn finish(self) -> Result<Vec<PathBuf>, ReportError> {
        write_all(&self.dir, std::slice::from_ref(&self.curve))
    }

    fn save(&self) -> Result<(), ReportError> {
        replace(&self.dir.join("summary.csv"), csv::summary(&self.curve).as_bytes())?;
        if let Some(hops) = csv::hops(&self.curve) {
            replace(&self.dir.join("hops.csv"), hops.as_bytes())?;
        }
        if let Some(series) = csv::series(&self.curve) {
            replace(&self.dir.join("series.csv"), series.as_bytes())?;
        }
        Ok(())
    }
}

/// Makes `dir` and what is missing above it.
pub(super) fn make(dir: &Path) -> Result<(), ReportError> {
    fs::create_dir_all(dir).map_err(|source| ReportError::Write { path: dir.to_owned(), source })
}

/// Writes `path` in one step: whoever looks sees the old bytes or the new ones.
pub(super) fn replace(path: &Path, bytes: &[u8]) -> Result<(), ReportError> {
    let beside = beside(path);
    write_through(&beside, bytes).and_then(|()| fs::rename(&beside, path)).map_err(|source| {
        // The first error is the one to tell; what is left over is only untidy.
        let _ = fs::remove_file(&beside);
        ReportError::Write { path: path.to_owned(), source }
    })
}

/// A file of this process in the same directory, since a rename is atomic only within one file system.
fn beside(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{}.tmp", std::process::id()))
}

fn write_through(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}
