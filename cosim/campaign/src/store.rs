//! The finished points of a campaign on disk: segments, each written by one process, and what is where in them.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fs::{self, File, TryLockError};
use std::io::{self, BufRead as _, BufReader, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use crate::error::CampaignError;
use crate::identity::PointId;
use crate::record::{Came, Record};
use crate::segment::{Segment, is_segment};

/// The folder `points` of a campaign's results, and where each point is in it.
///
/// Any number of processes may write at a time, each a segment of its own; copying the segments of one store into the folder of
/// another merges them.
#[derive(Debug)]
pub struct Store {
    folder: PathBuf,
    segments: HashMap<PathBuf, usize>,
    paths: Vec<PathBuf>,
    /// Bytes of each segment that were read.
    read: Vec<u64>,
    found: HashMap<PointId, Found>,
    damage: Vec<Damage>,
    conflicts: Vec<PointId>,
}

/// Where a point's line is, and what matters of it.
#[derive(Debug, Clone)]
pub struct Found {
    segment: usize,
    offset: u64,
    length: usize,
    fingerprint: u64,
    /// How long it took, in seconds.
    pub seconds: f64,
    /// What came of it.
    pub came: Came,
}

/// Entries of a segment that are not as they were written. A line that never was an entry is no damage, and stays.
#[derive(Debug, Clone)]
pub struct Damage {
    /// The file.
    pub path: PathBuf,
    /// How many lines.
    pub lines: usize,
}

/// What one segment holds beyond what was known of it.
struct News {
    end: u64,
    found: Vec<(PointId, Found)>,
    damaged: usize,
}

impl Store {
    /// Reads what is finished in `out`, the folder of a campaign's results. Nothing is written, and a folder that is not there is
    /// empty.
    ///
    /// # Errors
    /// When a segment cannot be read.
    pub fn open(out: &Path) -> Result<Self, CampaignError> {
        let mut store = Self {
            folder: out.join("points"),
            segments: HashMap::new(),
            paths: Vec::new(),
            read: Vec::new(),
            found: HashMap::new(),
            damage: Vec::new(),
            conflicts: Vec::new(),
        };
        store.list()?;
        let news = (0..store.paths.len()).into_par_iter().map(|n| store.news(n));
        let news = news.collect::<Result<Vec<_>, CampaignError>>()?;
        store.take(news);
        Ok(store)
    }

    /// Reads what was added since. It takes no thread of the pool, all of which may be busy for hours.
    ///
    /// # Errors
    /// As [`Store::open`].
    pub fn update(&mut self) -> Result<(), CampaignError> {
        self.list()?;
        let news = (0..self.paths.len()).map(|n| self.news(n)).collect::<Result<Vec<_>, CampaignError>>()?;
        self.take(news);
        Ok(())
    }

    /// Looks for segments that are new.
    fn list(&mut self) -> Result<(), CampaignError> {
        for path in list(&self.folder)? {
            let next = self.paths.len();
            if let Entry::Vacant(new) = self.segments.entry(path) {
                self.paths.push(new.key().clone());
                self.read.push(0);
                new.insert(next);
            }
        }
        Ok(())
    }

    fn news(&self, n: usize) -> Result<News, CampaignError> {
        news(n, &self.paths[n], self.read[n]).map_err(CampaignError::store(&self.paths[n]))
    }

    /// Takes what each segment has that is new.
    fn take(&mut self, news: Vec<News>) {
        for (n, News { end, found, damaged }) in news.into_iter().enumerate() {
            self.read[n] = end;
            if damaged > 0 {
                self.damage.push(Damage { path: self.paths[n].clone(), lines: damaged });
            }
            found.into_iter().for_each(|(id, found)| self.add(id, found));
        }
    }

    /// A result is never replaced; a failure is, by whatever came later.
    fn add(&mut self, id: PointId, new: Found) {
        match self.found.entry(id) {
            Entry::Vacant(none) => {
                none.insert(new);
            }
            Entry::Occupied(mut known) => match (&known.get().came, &new.came) {
                (Came::Failed(_), _) => {
                    known.insert(new);
                }
                (Came::Finished(_), Came::Finished(_)) if known.get().fingerprint != new.fingerprint => {
                    self.conflicts.push(id);
                }
                (Came::Finished(_), _) => {}
            },
        }
    }

    /// What is known of a point.
    #[must_use]
    pub fn get(&self, id: PointId) -> Option<&Found> {
        self.found.get(&id)
    }

    /// Whether a point has a result.
    #[must_use]
    pub fn is_finished(&self, id: PointId) -> bool {
        self.get(id).is_some_and(|found| matches!(found.came, Came::Finished(_)))
    }

    /// The line of a point.
    ///
    /// # Errors
    /// When it cannot be read, or is not what it was.
    pub fn read(&self, id: PointId) -> Result<Option<Record>, CampaignError> {
        let Some(found) = self.get(id) else { return Ok(None) };
        let path = &self.paths[found.segment];
        let line = read_line(path, found).map_err(CampaignError::store(path))?;
        match Record::read(&line).filter(|record| record.id == id) {
            Some(record) => Ok(Some(record)),
            None => Err(CampaignError::Result {
                path: path.clone(),
                message: "it changed while it was read; try again".to_owned(),
            }),
        }
    }

    /// Segments with lines that are not as they were written.
    #[must_use]
    pub fn damage(&self) -> &[Damage] {
        &self.damage
    }

    /// Points with two results that differ: not all were computed by the same program.
    #[must_use]
    pub fn conflicts(&self) -> &[PointId] {
        &self.conflicts
    }

    /// How many files there are.
    #[must_use]
    pub fn segments(&self) -> usize {
        self.paths.len()
    }

    /// Where the segments are.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Removes the damaged lines, each segment in one step; those that a living process writes are left to it. What was removed.
    ///
    /// # Errors
    /// When a segment cannot be written anew.
    pub fn mend(&mut self) -> Result<Vec<Damage>, CampaignError> {
        if self.damage.is_empty() {
            return Ok(Vec::new());
        }
        let mut mended = Vec::new();
        for damage in self.damage.drain(..) {
            if mend(&damage.path).map_err(CampaignError::store(&damage.path))? {
                mended.push(damage);
            }
        }
        let reread = Self::open(self.folder.parent().unwrap_or(Path::new("")))?;
        *self = reread;
        Ok(mended)
    }

    /// A segment of this process.
    #[must_use]
    pub fn segment(&self) -> Segment {
        Segment::new(&self.folder)
    }
}

/// The segments, by name.
fn list(folder: &Path) -> Result<Vec<PathBuf>, CampaignError> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
            return Err(CampaignError::NoFolder { path: folder.to_owned() });
        }
        Err(error) => return Err(CampaignError::store(folder)(error)),
    };
    let paths = entries.map(|entry| entry.map(|entry| entry.path()));
    let mut paths = paths.collect::<io::Result<Vec<_>>>().map_err(CampaignError::store(folder))?;
    // A pipe would be waited for, a folder cannot be read.
    paths.retain(|path| is_segment(path) && path.is_file());
    paths.sort();
    Ok(paths)
}

/// Reads complete lines from `start` on. What follows the last end of a line is being written, or was when its process was killed.
fn news(segment: usize, path: &Path, start: u64) -> io::Result<News> {
    let mut file = File::open(path)?;
    let mut news = News { end: start, found: Vec::new(), damaged: 0 };
    if file.metadata()?.len() <= start {
        return Ok(news);
    }
    file.seek(SeekFrom::Start(start))?;
    let mut reader = BufReader::with_capacity(1 << 20, file);
    let mut line = Vec::new();
    while reader.read_until(b'\n', &mut line)? > 0 && line.pop() == Some(b'\n') {
        let (offset, length) = (news.end, line.len());
        news.end += length as u64 + 1;
        match Record::read(&line) {
            Some(record) => {
                let fingerprint = record.fingerprint();
                let Record { id, seconds, came, .. } = record;
                news.found.push((id, Found { segment, offset, length, fingerprint, seconds, came }));
            }
            None if Record::was_entry(&line) => news.damaged += 1,
            None => {}
        }
        line.clear();
    }
    Ok(news)
}

fn read_line(path: &Path, found: &Found) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(found.offset))?;
    let mut line = vec![0; found.length];
    file.read_exact(&mut line)?;
    Ok(line)
}

/// Writes a segment anew without its damaged lines, beside it and then in its place. Whether that was done.
fn mend(path: &Path) -> io::Result<bool> {
    let file = File::open(path)?;
    // Its process may live, or another one may be at this.
    if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
        return Ok(false);
    }
    let bytes = fs::read(path)?;
    let good = bytes.split_inclusive(|byte| *byte == b'\n');
    let stays = |line: &&[u8]| match line.strip_suffix(b"\n") {
        Some(whole) => Record::read(whole).is_some() || !Record::was_entry(whole),
        None => !Record::was_entry(line),
    };
    let kept: Vec<u8> = good.filter(stays).flatten().copied().collect();
    desvio_report::replace(path, &kept).map_err(io::Error::other)?;
    Ok(true)
}
