//! Folders that are made once, also among processes, and never change.
//!
//! ```text
//! <store>/<name>/        appears complete, by one rename
//! <store>/<name>.lock    held while a process makes it
//! <store>/.work-*        work in progress; left over only where a process was killed
//! ```

use std::{
    env,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
};

use sha2::{Digest as _, Sha256};

/// A file of a store that could not be read or written.
#[derive(Debug, thiserror::Error)]
#[error("{}: {source}", path.display())]
pub struct StoreError {
    /// Which one.
    pub path: PathBuf,
    /// Why.
    pub source: io::Error,
}

/// A folder of finished work, shared by threads and processes.
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
    /// The given folder, else that of an environment variable, else `name` in the user's cache folder.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn open(folder: Option<&Path>, variable: &str, name: &str) -> Result<Self, StoreError> {
        let set = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let xdg = || set("XDG_CACHE_HOME").filter(|path| path.is_absolute());
        let folder = folder
            .map(Path::to_owned)
            .or_else(|| set(variable))
            .or_else(|| xdg().map(|path| path.join(name)))
            .or_else(|| set("HOME").map(|path| path.join(".cache").join(name)))
            .unwrap_or_else(|| env::temp_dir().join(name));
        let folder = std::path::absolute(&folder).map_err(at(&folder))?;
        fs::create_dir_all(&folder).map_err(at(&folder))?;
        Ok(Self { folder })
    }

    /// The folder of a name, whether it has been made or not.
    #[must_use]
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// A folder for work in progress; it goes away by itself.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn work_folder(&self) -> Result<tempfile::TempDir, StoreError> {
        tempfile::Builder::new().prefix(".work-").tempdir_in(&self.folder).map_err(at(&self.folder))
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

    /// Makes a folder once: `fill` gets an empty one that is renamed when it is done.
    ///
    /// # Errors
    /// Those of `fill`; then nothing is kept.
    pub fn once<E: From<StoreError>>(
        &self,
        name: &str,
        fill: impl FnOnce(&Path) -> Result<(), E>,
    ) -> Result<Kept, E> {
        let folder = self.path(name);
        if folder.is_dir() {
            return Ok(Kept { folder, was_kept: true });
        }
        let _lock = self.lock(name)?;
        if folder.is_dir() {
            return Ok(Kept { folder, was_kept: true });
        }
        let work = self.work_folder()?;
        let inner = work.path().join("out");
        fs::create_dir(&inner).map_err(at(&inner))?;
        fill(&inner)?;
        fs::rename(&inner, &folder).map_err(at(&folder))?;
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
    move |source| StoreError { path: path.clone(), source }
}
