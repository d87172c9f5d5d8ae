//! Where a store is: a folder that belongs to this user alone, since what is kept there is loaded and run.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
};

use super::{StoreError, at, owner};

/// The given folder, else that of an environment variable, else `name` in the user's cache folder.
pub(super) fn find(given: Option<&Path>, variable: &'static str, name: &str) -> Result<PathBuf, StoreError> {
    let set = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let xdg = || set("XDG_CACHE_HOME").filter(|path| path.is_absolute());
    let folder = given
        .map(Path::to_owned)
        .or_else(|| set(variable))
        .or_else(|| xdg().map(|path| path.join(name)))
        .or_else(|| set("HOME").map(|path| path.join(".cache").join(name)))
        .ok_or(StoreError::Homeless { variable })?;
    std::path::absolute(&folder).map_err(at(&folder))
}

/// Makes a folder into which no other user can write; one that is there loses that right of others, and that of another user is refused.
#[cfg(unix)]
pub(super) fn make_private(folder: &Path) -> Result<(), StoreError> {
    use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(at(folder))?;
    let found = fs::metadata(folder).map_err(at(folder))?;
    if !found.is_dir() {
        return Err(at(folder)(io::ErrorKind::NotADirectory.into()));
    }
    if !owner::is_of_user(&found) {
        return Err(StoreError::Foreign { path: folder.to_owned(), owner: found.uid() });
    }
    owner::close(folder).map_err(at(folder))
}

/// Elsewhere the user's folders are private by themselves.
#[cfg(not(unix))]
pub(super) fn make_private(folder: &Path) -> Result<(), StoreError> {
    fs::create_dir_all(folder).map_err(at(folder))
}
