//! A folder of results, into which one command at a time writes.

use super::{ReportError, owned, store};
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

/// A folder of results that is locked for as long as this lives; the system releases the lock even if the process is killed.
///
/// A folder that was made for it and has nothing in it at the end is removed.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    /// What was made, the innermost first.
    made: Vec<PathBuf>,
    /// On the folder itself. `None` where folders cannot be opened as files.
    _lock: Option<File>,
}

impl Folder {
    /// Makes `path` and what is missing above it, locks it, and marks it as one of this program.
    ///
    /// # Errors
    /// When it cannot be made, another process has it, or it is somebody else's and has files that results would replace.
    pub fn take(path: &Path) -> Result<Self, ReportError> {
        let failed = |source| ReportError::Write { path: path.to_owned(), source };
        let is_missing = |path: &&Path| !path.as_os_str().is_empty() && !path.exists();
        let mut made = Vec::new();
        loop {
            let missing: Vec<PathBuf> = path.ancestors().take_while(is_missing).map(Path::to_owned).collect();
            made = if missing.is_empty() { made } else { missing };
            fs::create_dir_all(path).map_err(failed)?;
            let lock = File::open(path).ok();
            match lock.as_ref().map(File::try_lock) {
                Some(Err(TryLockError::WouldBlock)) => {
                    return Err(ReportError::Taken { path: path.to_owned() });
                }
                // The process that had it removed it just before it was locked.
                Some(Ok(())) if !lock.as_ref().is_some_and(|lock| is_at(lock, path)) => {}
                // A file system without locks: results can mix there.
                _ => {
                    let folder = Self { path: path.to_owned(), made, _lock: lock };
                    owned::claim(path)?;
                    return Ok(folder);
                }
            }
        }
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Whether an open folder is the one that is at `path` now, and not one that was removed there.
#[cfg(unix)]
fn is_at(folder: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let place = |found: fs::Metadata| (found.dev(), found.ino());
    let (here, there) = (folder.metadata().map(place), fs::metadata(path).map(place));
    here.is_ok_and(|here| there.is_ok_and(|there| here == there))
}

#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}

impl Drop for Folder {
    fn drop(&mut self) {
        if owned::is_empty_but_for_the_mark(&self.path) {
            let _ = fs::remove_file(self.path.join(store::MARK));
        }
        // What is not empty stays.
        let _ = self.made.iter().try_for_each(fs::remove_dir);
    }
}
