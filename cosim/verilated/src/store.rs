//! Folders that are made once, also among processes, and never change.
//!
//! ```text
//! <store>/<name>/              appears complete, by one rename
//! <store>/<name>/SHA256SUMS    what is in it, checked at each use; what differs is made anew
//! <store>/<name>.lock          held while a process makes it
//! <store>/.work-*              work in progress; that of a killed process goes with the next that begins
//! ```

mod owner;
mod place;
mod seal;
mod work;

use std::{
    fs::{self, File},
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use sha2::{Digest as _, Sha256};

pub use work::Work;

/// What an entry of a cache holds: that of this version, with a seal.
pub(crate) const FORMAT: &str = concat!(env!("CARGO_PKG_VERSION"), " sealed");

/// A store that could not be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// A file could not be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// Which one.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The user has no cache folder.
    #[error("there is no folder for a cache: set HOME, XDG_CACHE_HOME or {variable}")]
    Homeless {
        /// The environment variable that names this store alone.
        variable: &'static str,
    },
    /// The folder belongs to another user, who could put anything there to be run.
    #[error("{}: a cache must belong to the user who runs it, not to user {owner}", path.display())]
    Foreign {
        /// The folder.
        path: PathBuf,
        /// Whose it is.
        owner: u32,
    },
}

/// A folder of finished work, shared by the threads and processes of one user.
#[derive(Debug, Clone)]
pub struct Store {
    folder: PathBuf,
}

/// Finished work.
#[derive(Debug, Clone)]
pub struct Kept {
    /// Where it is.
    pub folder: PathBuf,
    /// Whether it was done already.
    pub was_kept: bool,
}

impl Store {
    /// The given folder, else that of an environment variable, else `name` in the user's cache folder. It is made where it is
    /// missing, and no other user can write into it.
    ///
    /// # Errors
    /// When there is no such folder, it cannot be made, or it belongs to another user.
    pub fn open(folder: Option<&Path>, variable: &'static str, name: &str) -> Result<Self, StoreError> {
        let folder = place::find(folder, variable, name)?;
        place::make_private(&folder)?;
        Ok(Self { folder })
    }

    /// The folder of a name, whether it has been made or not.
    #[must_use]
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// A folder for work in progress. Those that killed processes left are removed.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn work_folder(&self) -> Result<Work, StoreError> {
        let _lock = self.lock(".work")?;
        work::sweep(&self.folder);
        Work::begin(&self.folder).map_err(at(&self.folder))
    }

    /// Waits until the lock is free and takes it; the system releases it even if this process is killed.
    ///
    /// # Errors
    /// When the file of the lock cannot be made.
    pub fn lock(&self, name: &str) -> Result<File, StoreError> {
        let path = self.path(&format!("{name}.lock"));
        let file = File::options().create(true).truncate(false).write(true).open(&path).map_err(at(&path))?;
        file.lock().map_err(at(&path))?;
        Ok(file)
    }

    /// Makes a folder once: `fill` gets an empty one that is renamed when it is done. One that is not as it was made is made again.
    ///
    /// # Errors
    /// Those of `fill`; then nothing is kept.
    pub fn once<E: From<StoreError>>(
        &self,
        name: &str,
        fill: impl FnOnce(&Path) -> Result<(), E>,
    ) -> Result<Kept, E> {
        if let Some(kept) = self.kept(name) {
            return Ok(kept);
        }
        let _lock = self.lock(name)?;
        if let Some(kept) = self.kept(name) {
            return Ok(kept);
        }
        self.discard(name)?;
        let work = self.work_folder()?;
        let inner = work.path().join("out");
        fs::create_dir(&inner).map_err(at(&inner))?;
        fill(&inner)?;
        Ok(self.keep(&inner, name)?)
    }

    /// What was finished under a name, if every byte is as it was then.
    #[must_use]
    pub fn kept(&self, name: &str) -> Option<Kept> {
        let folder = self.path(name);
        seal::holds(&folder).then_some(Kept { folder, was_kept: true })
    }

    /// Removes what is there under a name, saying so. The caller holds its lock and has not found it [`kept`](Self::kept).
    ///
    /// # Errors
    /// When it cannot be removed.
    pub fn discard(&self, name: &str) -> Result<(), StoreError> {
        let path = self.path(name);
        let Ok(found) = fs::symlink_metadata(&path) else { return Ok(()) };
        // An error of that write is ignored: there is no other place to report it.
        let _ = writeln!(io::stderr().lock(), "{}: damaged; it is made anew", path.display());
        let removed = if found.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
        removed.map_err(at(&path))
    }

    /// Seals a folder of this store and gives it its name. It is on the disk by then.
    ///
    /// # Errors
    /// When the system refuses, also because there is a folder of that name.
    pub fn keep(&self, finished: &Path, name: &str) -> Result<Kept, StoreError> {
        seal::put(finished).map_err(at(finished))?;
        let folder = self.path(name);
        fs::rename(finished, &folder).map_err(at(&folder))?;
        File::open(&self.folder).and_then(|store| store.sync_all()).map_err(at(&self.folder))?;
        Ok(Kept { folder, was_kept: false })
    }
}

/// A hash over several pieces, each with its length.
#[derive(Debug, Clone, Default)]
pub struct Digest(Sha256);

impl Digest {
    /// Of nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// One more piece.
    pub fn add(&mut self, piece: impl AsRef<[u8]>) -> &mut Self {
        let piece = piece.as_ref();
        self.0.update((piece.len() as u64).to_le_bytes());
        self.0.update(piece);
        self
    }

    /// 80 bits in hexadecimal: short enough for a file name, long enough never to collide.
    #[must_use]
    pub fn finish(self) -> String {
        self.0.finalize().iter().take(10).map(|byte| format!("{byte:02x}")).collect()
    }
}

fn at(path: &Path) -> impl Fn(io::Error) -> StoreError {
    let path = path.to_owned();
    move |source| StoreError::Io { path: path.clone(), source }
}

#[cfg(test)]
mod tests;
