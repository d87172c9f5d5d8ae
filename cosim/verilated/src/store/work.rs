//! Folders of work in progress, and those that killed processes left.

use std::{
    fs::{self, File},
    io,
    path::Path,
};

/// How their names begin.
const PREFIX: &str = ".work-";

/// A folder for work in progress; it goes away by itself, and where its process is killed, with the next one that is made.
#[derive(Debug)]
pub struct Work {
    folder: tempfile::TempDir,
    /// A lock on the folder itself: the system releases it when the process ends.
    _lock: File,
}

impl Work {
    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The caller holds a lock, so that no other process sees a folder that is not locked yet.
    pub(super) fn begin(store: &Path) -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix(PREFIX).tempdir_in(store)?;
        let lock = File::open(folder.path())?;
        // Where folders cannot be locked, none is swept.
        let _ = lock.try_lock();
        Ok(Self { folder, _lock: lock })
    }
}

/// Removes the folders of processes that are no more. What cannot be removed is only untidy.
pub(super) fn sweep(store: &Path) {
    let entries = fs::read_dir(store).into_iter().flatten().flatten();
    let left = entries.filter(|entry| entry.file_name().as_encoded_bytes().starts_with(PREFIX.as_bytes()));
    for path in left.map(|entry| entry.path()) {
        if File::open(&path).is_ok_and(|folder| folder.try_lock().is_ok()) {
            let _ = fs::remove_dir_all(&path);
        }
    }
}
