//! Results on disk while the run goes on: a killed run loses no finished load.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::{Curve, Folder, PICTURES, ReportError, TEXTS, texts, write_all};
use desvio_sim::summary::Summary;

/// What says that a folder holds results of this program.
pub(super) const MARK: &str = "provenance.json";

/// Collects the loads of a run or of a comparison. After each, the files of text (`summary.csv` or `compare.csv` and
/// those beside it) hold every load finished so far, sorted by load; a reader sees the old file or the new one, never
/// half of one. Of many loads they may lack the last ones, if those were short: all files are written anew each time, which takes at
/// most a twentieth of the time. After a power cut they hold the loads that were finished a second before, if the file system writes a file
/// before the rename that replaces another one (ext4 by default). Elsewhere they can be empty.
#[derive(Debug)]
pub struct Store {
    folder: Arc<Folder>,
    curves: Vec<Curve>,
    synced: Instant,
    /// When the files were written, and how long that took.
    written: (Instant, Duration),
}

/// How often files are waited for until they are on the disk: waiting takes longer than a short load.
const SYNCED_EVERY: Duration = Duration::from_secs(1);

/// So few loads are written after each, however short they are.
const FEW: usize = 64;

/// More are written when this many times as long has passed as writing took.
const PAUSE: u32 = 20;

impl Store {
    /// Removes the results that an earlier run left in the folder, so that they never mix, and starts with tables of the points
    /// that `curves` have already.
    pub fn create(folder: Arc<Folder>, curves: Vec<Curve>) -> Result<Self, ReportError> {
        clear(folder.path())?;
        let store =
            Self { folder, curves, synced: Instant::now(), written: (Instant::now(), Duration::ZERO) };
        store.save(Sync::Now)?;
        Ok(store)
    }

    /// Adds a finished load of the `n`th curve, in any order. It is kept, and written with the next one, also where writing fails.
    pub fn push(&mut self, n: usize, point: Summary) -> Result<(), ReportError> {
        let Some(Curve { points, .. }) = self.curves.get_mut(n) else { return Ok(()) };
        let place = points.partition_point(|other| other.load.total_cmp(&point.load).is_le());
        points.insert(place, point);
        if !self.is_due() {
            return Ok(());
        }
        let begun = Instant::now();
        let sync = if begun - self.synced < SYNCED_EVERY { Sync::Later } else { Sync::Now };
        let saved = self.save(sync);
        self.written = (Instant::now(), begun.elapsed());
        if saved.is_ok() && sync == Sync::Now {
            self.synced = begun;
        }
        saved
    }

    /// Whether the files are written now: a row costs as much as all rows.
    fn is_due(&self) -> bool {
        let (when, took) = self.written;
        let loads: usize = self.curves.iter().map(|curve| curve.points.len()).sum();
        loads <= FEW || when.elapsed() >= PAUSE * took
    }

    /// Writes what is finished, and waits until it is on the disk.
    pub fn flush(&self) -> Result<(), ReportError> {
        self.save(Sync::Now)
    }

    /// The loads finished so far.
    pub fn curves(&self) -> &[Curve] {
        &self.curves
    }

    /// Writes every file of the finished run and returns their paths.
    pub fn finish(&self) -> Result<Vec<PathBuf>, ReportError> {
        write_all(self.folder.path(), &self.curves)
    }

    fn save(&self, sync: Sync) -> Result<(), ReportError> {
        let dir = self.folder.path();
        texts(&self.curves)
            .into_iter()
            .try_for_each(|(name, text)| replace(&dir.join(name), text.as_bytes(), sync))
    }
}

/// When a file must be on the disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sync {
    Now,
    /// When the system sees fit.
    Later,
}

/// Removes every file of ours from `dir`, also those that a killed run was about to rename; the mark, which says that they are ours,
/// stays to be replaced.
fn clear(dir: &Path) -> Result<(), ReportError> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |source| ReportError::Write { path, source }
    };
    for entry in fs::read_dir(dir).map_err(failed(dir))? {
        let path = entry.map_err(failed(dir))?.path();
        let name = path.file_name().and_then(|name| name.to_str());
        if name.is_some_and(|name| name != MARK && is_ours(name)) && !path.is_dir() {
            fs::remove_file(&path).map_err(failed(&path))?;
        }
    }
    Ok(())
}

fn is_ours(name: &str) -> bool {
    let finished = unfinished(name).unwrap_or(name);
    let picture = finished.strip_suffix(".svg").or(finished.strip_suffix(".png"));
    TEXTS.contains(&finished) || picture.is_some_and(|stem| PICTURES.contains(&stem))
}

/// The name that a file made by [`beside`] was to get.
fn unfinished(name: &str) -> Option<&str> {
    let (name, process) = name.strip_prefix('.')?.strip_suffix(".tmp")?.rsplit_once('.')?;
    process.bytes().all(|byte| byte.is_ascii_digit()).then_some(name)
}

/// Makes `dir` and what is missing above it.
pub(super) fn make(dir: &Path) -> Result<(), ReportError> {
    fs::create_dir_all(dir).map_err(|source| ReportError::Write { path: dir.to_owned(), source })
}

/// Writes `path` in one step: a reader sees the old bytes or the new ones. A link is replaced, never followed; a pipe or a device is
/// written to.
pub(super) fn replace(path: &Path, bytes: &[u8], sync: Sync) -> Result<(), ReportError> {
    if is_stream(path) {
        return fs::write(path, bytes).map_err(|source| ReportError::Write { path: path.to_owned(), source });
    }
    let beside = beside(path);
    write_through(&beside, bytes, sync).and_then(|()| fs::rename(&beside, path)).map_err(|source| {
        // The first error is reported; a file left over is only untidy.
        let _ = fs::remove_file(&beside);
        ReportError::Write { path: path.to_owned(), source }
    })
}

/// Whether a path is a pipe or a device, such as `/dev/stdout`.
fn is_stream(path: &Path) -> bool {
    let is_special = || fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir());
    path.starts_with("/dev") || path.starts_with("/proc") || is_special()
}

/// A file of this process in the same directory, since a rename is atomic only within one file system.
fn beside(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{}.tmp", std::process::id()))
}

fn write_through(path: &Path, bytes: &[u8], sync: Sync) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(bytes)?;
    match sync {
        Sync::Now => file.sync_all(),
        Sync::Later => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{curve, point};

    #[test]
    fn many_loads_are_written_when_writing_is_due_and_none_is_lost() {
        let place = tempfile::tempdir().unwrap();
        let folder = Arc::new(Folder::take(place.path()).unwrap());
        let mut store = Store::create(folder, vec![curve("OLM", Vec::new())]).unwrap();
        let rows = || fs::read_to_string(place.path().join("summary.csv")).unwrap().lines().count() - 1;
        let push = |store: &mut Store, n: usize| store.push(0, point(n as f64 / 1000.0)).unwrap();
        for n in 1..=FEW {
            store.written = (Instant::now(), Duration::from_secs(3600));
            push(&mut store, n);
            assert_eq!(rows(), n);
        }
        store.written = (Instant::now(), Duration::from_secs(3600));
        (FEW + 1..100).for_each(|n| push(&mut store, n));
        assert_eq!(rows(), FEW, "writing takes an hour");
        store.written.1 = Duration::ZERO;
        push(&mut store, 100);
        assert_eq!(rows(), 100);
        store.written = (Instant::now(), Duration::from_secs(3600));
        push(&mut store, 101);
        store.flush().unwrap();
        assert_eq!(rows(), 101, "a signal leaves everything");
    }
}
