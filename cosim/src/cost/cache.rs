//! Finished work of the tools, kept by the content of everything it was made from.
//!
//! ```text
//! <cache>/<name>-<key>/       script, sources, log and results; appears complete, by one rename, and never changes
//! <cache>/<name>-<key>.lock   held while somebody works on it
//! <cache>/.work-*             work in progress; left over only where a process was killed
//! ```

use super::error::{CostError, at};
use sha2::{Digest as _, Sha256};
use std::env;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

/// A folder of finished work.
#[derive(Debug, Clone)]
pub(super) struct Cache {
    folder: PathBuf,
}

/// Finished work.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub(super) folder: PathBuf,
    pub(super) was_cached: bool,
}

impl Cache {
    /// The given folder, else `$DESVIO_COST_CACHE`, else `desvio/cost` in the user's cache folder.
    pub(super) fn open(folder: Option<&Path>) -> Result<Self, CostError> {
        let set = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let folder = folder
            .map(Path::to_owned)
            .or_else(|| set("DESVIO_COST_CACHE"))
            .or_else(|| set("XDG_CACHE_HOME").map(|path| path.join("desvio/cost")))
            .or_else(|| set("HOME").map(|path| path.join(".cache/desvio/cost")))
            .unwrap_or_else(|| env::temp_dir().join("desvio-cost"));
        fs::create_dir_all(&folder).map_err(at(&folder))?;
        let folder = folder.canonicalize().map_err(at(&folder))?;
        Ok(Self { folder })
    }

    /// Gives the finished work for `name`, doing it if need be: `work` gets an empty folder that is renamed when it is done.
    /// Several threads and processes may ask at once: one works.
    pub(super) fn obtain(
        &self,
        name: &str,
        work: impl FnOnce(&Path) -> Result<(), CostError>,
    ) -> Result<Entry, CostError> {
        let place = self.folder.join(name);
        if place.is_dir() {
            return Ok(Entry { folder: place, was_cached: true });
        }
        let lock = self.folder.join(format!("{name}.lock"));
        let file = File::options().create(true).truncate(false).write(true).open(&lock).map_err(at(&lock))?;
        // The system releases it even if this process is killed.
        file.lock().map_err(at(&lock))?;
        if place.is_dir() {
            return Ok(Entry { folder: place, was_cached: true });
        }
        let desk =
            tempfile::Builder::new().prefix(".work-").tempdir_in(&self.folder).map_err(at(&self.folder))?;
        let inner = desk.path().join("out");
        fs::create_dir(&inner).map_err(at(&inner))?;
        work(&inner)?;
        fs::rename(&inner, &place).map_err(at(&place))?;
        Ok(Entry { folder: place, was_cached: false })
    }
}

/// A hash over several pieces, each with its length: 80 bits in hexadecimal.
pub(super) fn key<'p>(pieces: impl IntoIterator<Item = &'p str>) -> String {
    let mut hash = Sha256::new();
    for piece in pieces {
        hash.update((piece.len() as u64).to_le_bytes());
        hash.update(piece);
    }
    hash.finalize().iter().take(10).map(|byte| format!("{byte:02x}")).collect()
}
